"""One dump file becomes one part: posts and comments by bucket, the bad lines, and a summary written last.

A part depends on the file's bytes and on the options alone, so a part that is finished never has to be made
again, and two files can be read at once. Merging parts into a corpus is `snapshot`'s work.
"""

import shutil
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import polars as pl

from heed.corpus.blocks import Block, Blocks, LongLine
from heed.corpus.bucket_writer import BucketWriter
from heed.corpus.dumps import named_kind, named_packing, packing
from heed.corpus.fields import comment_rows, post_rows
from heed.corpus.lines import Rejects, kind_or_reason, parse
from heed.corpus.pseudonyms import Pseudonyms
from heed.corpus.search import LineSearch
from heed.engine.local import report
from heed.manifest import write_atomically

PART_NAME = "part.json"
QUARANTINE_NAME = "quarantine.jsonl"
# Lines found by the search are parsed together once there are this many.
_FOUND_MOST = 4_096
# With everything wanted, this many bytes of lines are parsed together: planning the columns costs the same
# for few rows as for many.
_COLLECTED_BYTES = 16 << 20
# Batches parsed at once: the libraries do it outside the interpreter, so two threads use two cores.
_CONVERTING_MOST = 2


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """All that reading one file needs; small, so that it can go to another process."""

    path: Path
    folder: Path
    sha256: str
    wanted: frozenset[str] | None
    bucket_count: int
    longest_line_bytes: int
    pseudonym_key: bytes


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """What came of one file. `wanted` is None when everything was kept."""

    path: str
    sha256: str
    packed_bytes: int
    bytes: int
    lines: int
    posts: int
    comments: int
    quarantined: int
    reasons: dict[str, int]
    other_subreddits: int
    blank: int
    wanted: list[str] | None
    remarks: list[str]


def read_part(folder: Path) -> Part | None:
    """The finished part in this folder, or None."""
    path = folder / PART_NAME
    return msgspec.json.decode(path.read_bytes(), type=Part) if path.exists() else None


def make_part(task: Task) -> Part:
    """Read the file of a task into its folder, reporting the position in the packed file."""
    shutil.rmtree(task.folder, ignore_errors=True)
    task.folder.mkdir(parents=True)
    part = _Reader(task).run()
    write_atomically(task.folder / PART_NAME, msgspec.json.encode(part))
    return part


@dataclass(frozen=True)
class Converted:
    """What some lines became; `bad` are the numbers of the unusable ones and why."""

    posts: pl.DataFrame
    comments: pl.DataFrame
    bad: Rejects
    blank: int


def convert(data: bytes, numbers: list[int] | range, task: Task, pseudonyms: Pseudonyms) -> Converted:
    """Parse lines, keep the wanted subreddits, bring both kinds into their columns."""
    raw, bad = parse(data, numbers)
    if task.wanted is not None:
        raw = raw.filter(pl.col("subreddit").str.to_lowercase().is_in(sorted(task.wanted)))
    raw = raw.with_columns(kind=kind_or_reason())
    rejected = raw.filter(~pl.col("kind").is_in(["post", "comment"])).select("line", "kind").rows()
    file = task.sha256[:16]
    posts, comments = (raw.filter(pl.col("kind") == kind) for kind in ("post", "comment"))
    return Converted(
        posts=post_rows(posts, file, pseudonyms) if len(posts) else posts,
        comments=comment_rows(comments, file, pseudonyms) if len(comments) else comments,
        bad=[entry for entry in bad if entry[1] != "blank"] + rejected,
        blank=sum(reason == "blank" for _, reason in bad),
    )


class _Reader:
    """The state of one pass over one file."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.blocks = Blocks(task.path, task.longest_line_bytes)
        self.pseudonyms = Pseudonyms(task.pseudonym_key)
        self.search = LineSearch("subreddit", task.wanted) if task.wanted is not None else None
        self.line = 1  # the number of the first line not yet seen
        self.found: list[tuple[int, bytes]] = []
        self.collected = bytearray()
        self.collected_from = 1
        self.counts: Counter[str] = Counter()
        self.bad_lines: Rejects = []
        self.pending: deque[Future[Converted]] = deque()

    def run(self) -> Part:
        with (
            ThreadPoolExecutor(_CONVERTING_MOST) as self.threads,
            BucketWriter(self.task.folder, "post", self.task.bucket_count) as self.posts,
            BucketWriter(self.task.folder, "comment", self.task.bucket_count) as self.comments,
        ):
            for block in self.blocks:
                self._take(block)
                report(self.blocks.packed_position)
            self._parse_found()
            self._convert_collected()
            while self.pending:
                self._keep(self.pending.popleft().result())
        if self.bad_lines:
            self._write_quarantine()
        return self._summary()

    def _take(self, block: Block | LongLine) -> None:
        if isinstance(block, LongLine):
            self._convert_collected()
            self.bad_lines.append((self.line, "line_too_long"))
            self.line += 1
            self.collected_from = self.line
        elif self.search is None:
            self._take_all(block)
        else:
            self._take_found(block, self.search)

    def _take_all(self, block: Block) -> None:
        data = block.buffer[block.start : block.stop]
        self.line += data.count(b"\n") + (not data.endswith(b"\n"))
        self.collected += data
        if len(self.collected) >= _COLLECTED_BYTES:
            self._convert_collected()

    def _convert_collected(self) -> None:
        if self.collected:
            self._convert(bytes(self.collected), range(self.collected_from, self.line))
        self.collected, self.collected_from = bytearray(), self.line

    def _take_found(self, block: Block, search: LineSearch) -> None:
        counted = block.start
        for start, line in search.lines(block):
            self.line += _newlines(block, counted, start)
            counted = start
            self.found.append((self.line, line))
        self.line += _newlines(block, counted, block.stop)
        # Only the last block of a file can end without a newline.
        self.line += block.buffer[block.stop - 1 : block.stop] != b"\n"
        if len(self.found) >= _FOUND_MOST:
            self._parse_found()

    def _parse_found(self) -> None:
        found, self.found = self.found, []
        if found:
            self._convert(b"\n".join(line for _, line in found), [number for number, _ in found])

    def _convert(self, data: bytes, numbers: list[int] | range) -> None:
        """Hand the lines to a thread, and take the oldest result when enough are under way."""
        self.pending.append(self.threads.submit(convert, data, numbers, self.task, self.pseudonyms))
        if len(self.pending) > _CONVERTING_MOST:
            self._keep(self.pending.popleft().result())

    def _keep(self, rows: Converted) -> None:
        self.posts.add(rows.posts)
        self.comments.add(rows.comments)
        self.bad_lines += rows.bad
        self.counts.update(post=len(rows.posts), comment=len(rows.comments), blank=rows.blank)

    def _write_quarantine(self) -> None:
        """Where each bad line is and why; its text stays in the dump, because it may name people."""
        place = {"name": self.task.path.name, "file": self.task.sha256[:16]}
        self.bad_lines = sorted(
            (number, "truncated" if self.blocks.damage and number == self.line - 1 else reason)
            for number, reason in self.bad_lines
        )
        entries = [{**place, "line": number, "reason": reason} for number, reason in self.bad_lines]
        lines = b"".join(msgspec.json.encode(entry) + b"\n" for entry in entries)
        write_atomically(self.task.folder / QUARANTINE_NAME, lines)

    def _summary(self) -> Part:
        lines = self.line - 1
        reasons = Counter(reason for _, reason in self.bad_lines)
        kept = self.counts["post"] + self.counts["comment"]
        return Part(
            path=str(self.task.path),
            sha256=self.task.sha256,
            packed_bytes=self.task.path.stat().st_size,
            bytes=self.blocks.bytes,
            lines=lines,
            posts=self.counts["post"],
            comments=self.counts["comment"],
            quarantined=len(self.bad_lines),
            reasons=dict(sorted(reasons.items())),
            other_subreddits=lines - kept - len(self.bad_lines) - self.counts["blank"],
            blank=self.counts["blank"],
            wanted=None if self.task.wanted is None else sorted(self.task.wanted),
            remarks=list(self._remarks()),
        )

    def _remarks(self) -> Iterator[str]:
        path, name = self.task.path, self.task.path.name
        found = packing(path)
        if found == "empty":
            yield f"{name} is empty."
        elif found != named_packing(path):
            yield f"{name} is packed as {found}, not as its name says; read by its content."
        promised = named_kind(path)
        other = {"post": "comment", "comment": "post"}.get(promised or "")
        if other and self.counts[other] and not self.counts[promised or ""]:
            yield f"{name} holds {other}s, not {promised}s as its name says; read by its content."
        if self.blocks.damage:
            yield f"{name} is damaged ({self.blocks.damage}): what could be read before the damage is kept."


def _newlines(block: Block, start: int, stop: int) -> int:
    data = np.frombuffer(block.buffer, dtype=np.uint8, count=stop - start, offset=start)
    return int(np.count_nonzero(data == ord("\n")))
