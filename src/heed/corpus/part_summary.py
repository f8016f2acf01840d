"""What is known of a file that was read: its counts, its remarks, and where its part lies."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from heed.corpus.batches import Batches
from heed.corpus.dumps import named_kind, named_packing, packing
from heed.corpus.lines import Rejects

PART_NAME = "part.json"


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


Parts = dict[str, tuple[Path, Part]]


def finished_parts(folder: Path) -> Parts:
    """The folder and the summary of every part that was finished, by key; one being made has a dot."""
    summaries = sorted(folder.glob(f"[!.]*/{PART_NAME}"))
    return {
        path.parent.name: (path.parent, msgspec.json.decode(path.read_bytes(), type=Part))
        for path in summaries
    }


def summarise(
    path: Path,
    sha256: str,
    wanted: frozenset[str] | None,
    batches: Batches,
    counts: Counter[str],
    bad: Rejects,
) -> Part:
    """The counts of a file that was read to its end; every line is in exactly one of them."""
    kept = counts["post"] + counts["comment"]
    return Part(
        path=str(path),
        sha256=sha256,
        packed_bytes=path.stat().st_size,
        bytes=batches.blocks.bytes,
        lines=batches.lines,
        posts=counts["post"],
        comments=counts["comment"],
        quarantined=len(bad),
        reasons=dict(sorted(Counter(reason for _, reason in bad).items())),
        other_subreddits=batches.lines - kept - len(bad) - counts["blank"],
        blank=counts["blank"],
        wanted=None if wanted is None else sorted(wanted),
        remarks=list(_remarks(path, counts, batches.blocks.damage)),
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
