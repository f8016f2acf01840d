"""One dump file becomes one part: its posts and comments by bucket, its bad lines, and a summary written last.

A part depends on the file's bytes and on the options alone, so a part that is finished never has to be made
again, and two files can be read at once. Merging parts into a corpus is `snapshot`'s work.
"""

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from heed.corpus.blocks import Block, Blocks, LongLine
from heed.corpus.bucket_writer import BucketWriter
from heed.corpus.dumps import named_kind, named_packing, packing
from heed.corpus.fields import comment_columns, post_columns
from heed.corpus.lines import Line, decode_lines, kind_or_reason, parse
from heed.corpus.pseudonyms import Pseudonyms
from heed.corpus.search import LineSearch
from heed.engine.local import report
from heed.manifest import write_atomically

PART_NAME = "part.json"
QUARANTINE_NAME = "quarantine.jsonl"
# Rows are turned into columns this many at a time: enough to spread the cost, few enough to stay in cache.
_COLUMN_ROWS = 8_192


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


class _Reader:
    """The state of one pass over one file."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.blocks = Blocks(task.path, task.longest_line_bytes)
        self.pseudonyms = Pseudonyms(task.pseudonym_key)
        self.search = LineSearch(task.wanted) if task.wanted is not None else None
        self.line = 1  # the number of the first line not yet seen
        self.counts: Counter[str] = Counter()
        self.bad_lines: list[dict[str, Any]] = []
        self.pending: dict[str, tuple[list[Line], list[int]]] = {"post": ([], []), "comment": ([], [])}

    def run(self) -> Part:
        with (
            BucketWriter(self.task.folder, "post", self.task.bucket_count) as posts,
            BucketWriter(self.task.folder, "comment", self.task.bucket_count) as comments,
        ):
            self.writers = {"post": posts, "comment": comments}
            for block in self.blocks:
                self._take(block)
                report(self.blocks.packed_position)
            for kind in self.pending:
                self._write_pending(kind)
        if self.bad_lines:
            quarantine = b"".join(msgspec.json.encode(entry) + b"\n" for entry in self.bad_lines)
            write_atomically(self.task.folder / QUARANTINE_NAME, quarantine)
        return self._summary()

    def _take(self, block: Block | LongLine) -> None:
        if isinstance(block, LongLine):
            self._reject(self.line, "line_too_long")
            self.line += 1
        elif self.search is None:
            self._take_all(block)
        else:
            self._take_found(block, self.search)

    def _take_all(self, block: Block) -> None:
        data = block.buffer[block.start : block.stop]
        count = data.count(b"\n") + (not data.endswith(b"\n"))
        try:
            rows = decode_lines(data)
        except msgspec.DecodeError:
            rows = []
        if len(rows) == count:  # otherwise some line is bad or blank: look at each alone
            for number, row in enumerate(rows, self.line):
                self._keep(number, row)
        else:
            for number, line in enumerate(data.removesuffix(b"\n").split(b"\n"), self.line):
                self._parse(number, line)
        self.line += count

    def _take_found(self, block: Block, search: LineSearch) -> None:
        counted = block.start
        for start, line in search.lines(block):
            self.line += _newlines(block, counted, start)
            counted = start
            self._parse(self.line, line)
        self.line += _newlines(block, counted, block.stop)
        # Only the last block of a file can end without a newline.
        self.line += block.buffer[block.stop - 1 : block.stop] != b"\n"

    def _parse(self, number: int, line: bytes) -> None:
        if not line.strip():
            self.counts["blank"] += 1
            return
        row = parse(line)
        if isinstance(row, Line):
            self._keep(number, row)
        else:
            self._reject(number, "truncated" if self.blocks.damage else row)

    def _keep(self, number: int, row: Line) -> None:
        kind = kind_or_reason(row)
        if kind not in self.pending:
            self._reject(number, kind)
            return
        if self.task.wanted is not None and row.subreddit.lower() not in self.task.wanted:
            return
        rows, numbers = self.pending[kind]
        rows.append(row)
        numbers.append(number)
        if len(rows) >= _COLUMN_ROWS:
            self._write_pending(kind)

    def _write_pending(self, kind: str) -> None:
        rows, numbers = self.pending[kind]
        self.counts[kind] += len(rows)
        self.pending[kind] = ([], [])
        if rows:
            columns = post_columns if kind == "post" else comment_columns
            self.writers[kind].add(columns(rows, numbers, self.task.sha256[:16], self.pseudonyms))

    def _reject(self, number: int, reason: str) -> None:
        """The text itself stays in the dump: it may name people."""
        file = self.task.sha256[:16]
        self.bad_lines.append({"name": self.task.path.name, "file": file, "line": number, "reason": reason})

    def _summary(self) -> Part:
        lines = self.line - 1
        reasons = Counter(entry["reason"] for entry in self.bad_lines)
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
