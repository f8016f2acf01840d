"""A small program that unpacks one dump into shared memory, a slot at a time.

It is a process of its own because a thread would fight the searching thread for the interpreter: measured on
two cores, threads reach half of the unpacker's speed, two processes nine tenths. It knows nothing of lines.

It is started by `blocks`, reads one byte from stdin for every slot given back, and writes one fixed-size
message to stdout for every slot filled. It ends by itself when its parent is gone.
"""

import mmap
import struct
import sys
from pathlib import Path
from typing import BinaryIO

from heed.corpus.dumps import open_packed
from heed.corpus.frames import ends_whole

MESSAGE = struct.Struct("<cqq")  # what, length of data or of text, position in the packed file
FILLED, ENDED, DAMAGED = b"F", b"E", b"D"


def main(path: Path, packing: str, handle: int, slots: int, headroom: int, size: int) -> None:
    memory = mmap.mmap(handle, slots * (headroom + size))
    with path.open("rb") as packed, memoryview(memory) as view:
        stream = open_packed(packed, packing)
        damage, slot = "", 0
        while not damage:
            if slot >= slots and not sys.stdin.buffer.read(1):
                return
            start = (slot % slots) * (headroom + size) + headroom
            length, damage = _fill(stream, view[start : start + size])
            if length:
                _send(FILLED, length, packed.tell())
            if length < size:
                break
            slot += 1
        _send_end(damage or _cut_short(path, packing))


def _fill(stream: BinaryIO, slot: memoryview) -> tuple[int, str]:
    """Unpack until the slot is full or the stream ends; how much, and what went wrong."""
    filled = 0
    try:
        while filled < len(slot) and (count := stream.readinto(slot[filled:])):  # type: ignore[attr-defined]
            filled += count
    except EOFError:
        return filled, "truncated"
    except Exception as error:  # each packing has its own exception for broken bytes
        return filled, f"corrupt: {error}"
    return filled, ""


def _cut_short(path: Path, packing: str) -> str:
    return "truncated" if packing == "zst" and not ends_whole(path) else ""


def _send_end(damage: str) -> None:
    if damage:
        text = damage.encode()
        _send(DAMAGED, len(text), 0, text)
    else:
        _send(ENDED, 0, 0)


def _send(what: bytes, length: int, position: int, text: bytes = b"") -> None:
    sys.stdout.buffer.write(MESSAGE.pack(what, length, position) + text)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], *map(int, sys.argv[3:7]))
