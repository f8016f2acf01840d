"""One dump file becomes one part: posts and comments by bucket, the bad lines, and a summary written last.

A part depends on the file's bytes and on the options alone, so a part that is finished never has to be made
again, and two files can be read at once. Merging parts into a corpus is `snapshot`'s work.
"""

import shutil
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import msgspec

from heed.corpus.batches import Batches
from heed.corpus.blocks import Blocks
from heed.corpus.bucket_writer import BucketWriter
from heed.corpus.convert import Converted, convert
from heed.corpus.dumps import named_kind, named_packing, packing
from heed.corpus.lines import Rejects
from heed.corpus.pseudonyms import Pseudonyms
from heed.manifest import write_atomically

PART_NAME = "part.json"
QUARANTINE_NAME = "quarantine.jsonl"
# Batches parsed at once: the libraries do it outside the interpreter, so two threads use two cores.
_THREADS = 2


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """All that reading one file needs."""

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
    blocks = Blocks(task.path, task.longest_line_bytes)
    batches = Batches(blocks, task.wanted)
    counts: Counter[str] = Counter()
    bad: Rejects = []
    with (
        BucketWriter(task.folder, "post", task.bucket_count) as posts,
        BucketWriter(task.folder, "comment", task.bucket_count) as comments,
    ):
        for rows in _converted(batches, task):
            posts.add(rows.posts)
            comments.add(rows.comments)
            counts.update(post=len(rows.posts), comment=len(rows.comments), blank=rows.blank)
            bad += rows.bad
    bad += [(number, "line_too_long") for number in batches.too_long]
    bad = sorted((number, _cut_or(reason, number, batches)) for number, reason in bad)
    _write_quarantine(task, bad)
    part = _summary(task, batches, counts, bad)
    write_atomically(task.folder / PART_NAME, msgspec.json.encode(part))
    return part


def _converted(batches: Batches, task: Task) -> Iterator[Converted]:
    """The rows of each batch in the order of the file, a few batches being parsed at once."""
    pseudonyms = Pseudonyms(task.pseudonym_key)
    pending: deque[Future[Converted]] = deque()
    with ThreadPoolExecutor(_THREADS) as threads:
        for batch in batches:
            pending.append(threads.submit(convert, batch, task.wanted, task.sha256[:16], pseudonyms))
            if len(pending) > _THREADS:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def _cut_or(reason: str, number: int, batches: Batches) -> str:
    """The last line of a damaged file was cut, whatever else it looks like."""
    return "truncated" if batches.blocks.damage and number == batches.lines else reason


def _write_quarantine(task: Task, bad: Rejects) -> None:
    """Where each bad line is and why; its text stays in the dump, because it may name people."""
    place = {"name": task.path.name, "file": task.sha256[:16]}
    lines = [
        msgspec.json.encode({**place, "line": number, "reason": reason}) + b"\n" for number, reason in bad
    ]
    if lines:
        write_atomically(task.folder / QUARANTINE_NAME, b"".join(lines))


def _summary(task: Task, batches: Batches, counts: Counter[str], bad: Rejects) -> Part:
    kept = counts["post"] + counts["comment"]
    return Part(
        path=str(task.path),
        sha256=task.sha256,
        packed_bytes=task.path.stat().st_size,
        bytes=batches.blocks.bytes,
        lines=batches.lines,
        posts=counts["post"],
        comments=counts["comment"],
        quarantined=len(bad),
        reasons=dict(sorted(Counter(reason for _, reason in bad).items())),
        other_subreddits=batches.lines - kept - len(bad) - counts["blank"],
        blank=counts["blank"],
        wanted=None if task.wanted is None else sorted(task.wanted),
        remarks=list(_remarks(task.path, counts, batches.blocks.damage)),
    )


def _remarks(path: Path, counts: Counter[str], damage: str) -> Iterator[str]:
    """Sentences about what is odd with a file."""
    found = packing(path)
    if found == "empty":
        yield f"{path.name} is empty."
    elif found != named_packing(path):
        yield f"{path.name} is packed as {found}, not as its name says; read by its content."
    promised = named_kind(path)
    other = {"post": "comment", "comment": "post"}.get(promised or "")
    if other and counts[other] and not counts[promised or ""]:
        yield f"{path.name} holds {other}s, not {promised}s as its name says; read by its content."
    if damage:
        yield f"{path.name} is damaged ({damage}): what could be read before the damage is kept."
