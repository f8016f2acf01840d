"""One dump file becomes one part: posts and comments by bucket, the bad lines, and a summary written last.

A part depends on the file's bytes and on the options alone, so a part that is finished never has to be made
again, and two files can be read at once. The file is hashed beside the reading, so it costs no pass of its
own. Merging parts into a corpus is `snapshot`'s work.
"""

import hashlib
import shutil
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import msgspec

from heed.corpus.batches import Batch, Batches
from heed.corpus.blocks import Blocks
from heed.corpus.bucket_writer import BucketWriter
from heed.corpus.convert import Converted, convert
from heed.corpus.lines import Rejects
from heed.corpus.part_summary import PART_NAME, summarise
from heed.corpus.pseudonyms import Pseudonyms
from heed.manifest import hash_file, write_atomically

QUARANTINE_NAME = "quarantine.jsonl"
# Batches parsed at once: the libraries do it outside the interpreter, so two threads use two cores.
_THREADS = 2


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """All that reading one file needs; `parts` is the folder that finished parts are put into."""

    path: Path
    parts: Path
    wanted: frozenset[str] | None
    bucket_count: int
    longest_line_bytes: int
    pseudonym_key: bytes

    def key(self, sha256: str) -> str:
        """The name of the part that these bytes become with these options."""
        selection = "*" if self.wanted is None else ",".join(sorted(self.wanted))
        text = f"{sha256} {selection} {self.longest_line_bytes}"
        return hashlib.sha256(text.encode()).hexdigest()[:24]


def make_part(task: Task) -> str:
    """Read the file of a task, reporting the position in the packed file; the finished part's key."""
    scratch = task.parts / f".{hashlib.sha256(bytes(task.path)).hexdigest()[:24]}"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    with ThreadPoolExecutor(1) as beside:
        hashing = beside.submit(hash_file, task.path)
        batches, counts, bad = _read(task, scratch, hashing)
        sha256 = hashing.result()
    _write_quarantine(scratch, task.path.name, sha256, bad)
    part = summarise(task.path, sha256, task.wanted, batches, counts, bad)
    write_atomically(scratch / PART_NAME, msgspec.json.encode(part))
    target = task.parts / task.key(sha256)
    shutil.rmtree(target, ignore_errors=True)
    scratch.rename(target)
    return target.name


def _read(task: Task, folder: Path, hashing: Future[str]) -> tuple[Batches, Counter[str], Rejects]:
    """Write the rows; what was read, how many rows of each kind, and the bad lines in order."""
    batches = Batches(Blocks(task.path, task.longest_line_bytes), task.wanted)
    counts: Counter[str] = Counter()
    bad: Rejects = []
    with (
        BucketWriter(folder, "post", task.bucket_count) as posts,
        BucketWriter(folder, "comment", task.bucket_count) as comments,
    ):
        for rows in _converted(batches, task, hashing):
            posts.add(rows.posts)
            comments.add(rows.comments)
            counts.update(post=len(rows.posts), comment=len(rows.comments), blank=rows.blank)
            bad += rows.bad
    bad += [(number, "line_too_long") for number in batches.too_long]
    return batches, counts, sorted((number, _cut_or(reason, number, batches)) for number, reason in bad)


def _converted(batches: Batches, task: Task, hashing: Future[str]) -> Iterator[Converted]:
    """The rows of each batch in the order of the file, a few batches being parsed at once."""
    pseudonyms = Pseudonyms(task.pseudonym_key)

    def rows(batch: Batch) -> Converted:
        return convert(batch, task.wanted, hashing.result()[:16], pseudonyms)

    pending: deque[Future[Converted]] = deque()
    with ThreadPoolExecutor(_THREADS) as threads:
        for batch in batches:
            pending.append(threads.submit(rows, batch))
            if len(pending) > _THREADS:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def _cut_or(reason: str, number: int, batches: Batches) -> str:
    """The last line of a damaged file was cut, whatever else it looks like."""
    return "truncated" if batches.blocks.damage and number == batches.lines else reason


def _write_quarantine(folder: Path, name: str, sha256: str, bad: Rejects) -> None:
    """Where each bad line is and why; its text stays in the dump, because it may name people."""
    place = {"name": name, "file": sha256[:16]}
    lines = [
        msgspec.json.encode({**place, "line": number, "reason": reason}) + b"\n" for number, reason in bad
    ]
    if lines:
        write_atomically(folder / QUARANTINE_NAME, b"".join(lines))
