"""Find dump files and say how each one is packed, from its bytes; the name is only a hint."""

import bz2
import gzip
import lzma
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO, cast

from heed.errors import NotFoundError, UnreadableError, UserError

# The first bytes of each packing. Pushshift packs with a window of 2 GiB, the most that zstandard knows.
_MAGIC = {
    "zst": (b"\x28\xb5\x2f\xfd",),
    "gz": (b"\x1f\x8b",),
    "bz2": (b"BZh",),
    "xz": (b"\xfd7zXZ\x00",),
}
_SKIPPABLE_FRAMES = tuple(bytes([0x50 + i, 0x2A, 0x4D, 0x18]) for i in range(16))
MAX_WINDOW_BYTES = 1 << 31
_READ_BYTES = 1 << 20
_ENDINGS = (".zst", ".xz", ".bz2", ".gz", ".jsonl", ".ndjson", ".json")
_BEGINNINGS = ("RS_", "RC_")


def find_dumps(places: Iterable[Path | str]) -> list[Path]:
    """The files named and the dumps below the folders named, each once, sorted by path."""
    found: set[Path] = set()
    for place in map(Path, places):
        if place.is_dir():
            found.update(_dumps_below(place))
        elif place.exists():
            found.add(place.resolve())
        else:
            raise NotFoundError(f"There is no file or folder {place}.")
    if not found:
        raise UserError("No files given: name dump files or folders that hold them.")
    return sorted(found)


def _dumps_below(folder: Path) -> list[Path]:
    files = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")]
    dumps = [path.resolve() for path in files if _looks_like_dump(path)]
    if not dumps:
        raise NotFoundError(
            f"The folder {folder} holds no dumps ({len(files)} other files): expected RS_* or RC_* or a name "
            f"that ends in {', '.join(_ENDINGS)}."
        )
    return dumps


def _looks_like_dump(path: Path) -> bool:
    return path.name.endswith(_ENDINGS) or path.name.startswith(_BEGINNINGS)


def packing(path: Path) -> str:
    """'zst', 'gz', 'bz2', 'xz', 'plain' or 'empty'; an error for anything else."""
    with path.open("rb") as stream:
        head = stream.read(4096)
    if not head:
        return "empty"
    for name, beginnings in _MAGIC.items():
        if head.startswith(beginnings):
            return name
    if head.startswith(_SKIPPABLE_FRAMES):
        return "zst"
    # A plain dump may begin with a broken line; only bytes that no text has make it something else.
    if b"\x00" in head:
        raise UnreadableError(
            f"{path} is not a dump: its bytes are neither zstandard, xz, bzip2, gzip nor JSON lines. "
            f"Leave it out or fetch it again."
        )
    return "plain"


def named_packing(path: Path) -> str:
    """The packing that the name promises."""
    ending = path.suffix.removeprefix(".")
    return ending if ending in _MAGIC else "plain"


def named_kind(path: Path) -> str | None:
    """'post' or 'comment' where the name says so (RS_*, *_submissions; RC_*, *_comments)."""
    stem = path.name.split(".")[0]
    if stem.startswith("RS_") or stem.endswith("_submissions"):
        return "post"
    if stem.startswith("RC_") or stem.endswith("_comments"):
        return "comment"
    return None


def open_packed(stream: BinaryIO, name: str) -> BinaryIO:
    """The unpacked bytes of an open file; several frames or members read as one."""
    if name == "zst":
        import zstandard

        unpacker = zstandard.ZstdDecompressor(max_window_size=MAX_WINDOW_BYTES)
        return cast(BinaryIO, unpacker.stream_reader(stream, read_size=_READ_BYTES, read_across_frames=True))
    openers: dict[str, Callable[[BinaryIO], object]] = {"gz": gzip.open, "bz2": bz2.open, "xz": lzma.open}
    if name in openers:
        return cast(BinaryIO, openers[name](stream))
    return stream
