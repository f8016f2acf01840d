"""Say whether a zstandard file ends where its last frame ends.

The library reads a cut file to its last whole block and stops without a word, so the frames are walked by
their block headers (RFC 8878, section 3.1). Nothing is unpacked here.
"""

import mmap
from pathlib import Path

import zstandard

_FRAME_MAGIC = b"\x28\xb5\x2f\xfd"
_HEADER_BYTES_MOST = 18
_BLOCK_HEADER_BYTES = 3
_RUN_LENGTH_BLOCK = 1
_CHECKSUM_BYTES = 4


def ends_whole(path: Path) -> bool:
    """True when every frame is there to its last byte."""
    with path.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
        position = 0
        while position < len(data):
            position = _frame_end(data, position)
        return position == len(data)


def _frame_end(data: mmap.mmap, start: int) -> int:
    """Where the frame at `start` ends; past the file's end when it is cut."""
    head = data[start : start + _HEADER_BYTES_MOST]
    if not head.startswith(_FRAME_MAGIC):
        return start + 8 + int.from_bytes(head[4:8], "little")
    try:
        parameters = zstandard.get_frame_parameters(head)
        position = start + zstandard.frame_header_size(head)
    except zstandard.ZstdError:
        return len(data) + 1
    last = False
    while not last and position < len(data):
        header = int.from_bytes(data[position : position + _BLOCK_HEADER_BYTES], "little")
        last, block_type, size = bool(header & 1), (header >> 1) & 3, header >> 3
        position += _BLOCK_HEADER_BYTES + (1 if block_type == _RUN_LENGTH_BLOCK else size)
    if not last:
        return len(data) + 1
    return position + (_CHECKSUM_BYTES if parameters.has_checksum else 0)
