"""A dump as blocks of whole lines, unpacked by another process while this one works on them.

Memory is a few slots of shared memory, whatever the file's size. A line that goes over a slot's edge is put
together here; one that is longer than allowed is measured and not kept.
"""

import mmap
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, cast

from heed.corpus.dumps import packing
from heed.corpus.inflate import DAMAGED, ENDED, FILLED, MESSAGE
from heed.errors import UnreadableError

SLOTS = 3
SLOT_BYTES = 4 << 20
# Room before each slot for the line that began in the slot before; longer lines are copied aside.
HEADROOM_BYTES = 1 << 20
_STRIDE = HEADROOM_BYTES + SLOT_BYTES


@dataclass(frozen=True, slots=True)
class Block:
    """Whole lines in `buffer[start:stop]`, valid until the next block is asked for."""

    buffer: mmap.mmap | bytes
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class LongLine:
    """A line longer than allowed: only its size is known."""

    bytes: int


class Blocks:
    """Iterate once; afterwards `damage` says what was wrong with the file, '' when nothing was."""

    def __init__(self, path: Path, longest_line_bytes: int) -> None:
        self.path = path
        self.damage = ""
        self.packed_position = 0
        self.bytes = 0
        self._longest = longest_line_bytes
        self._aside = bytearray()
        self._aside_bytes = 0

    def __iter__(self) -> Iterator[Block | LongLine]:
        name = packing(self.path)
        if name == "empty":
            return
        handle = _shared_memory(SLOTS * _STRIDE)
        try:
            memory = mmap.mmap(handle, SLOTS * _STRIDE)
            with _start_inflating(self.path, name, handle) as process:
                try:
                    yield from self._assemble(memory, self._lengths(process))
                finally:
                    process.kill()
        finally:
            os.close(handle)

    def _lengths(self, process: "subprocess.Popen[bytes]") -> Iterator[int]:
        """The length of each slot filled; asking for the next one gives the slot back."""
        inbox, outbox = cast(BinaryIO, process.stdout), cast(BinaryIO, process.stdin)
        while True:
            message = inbox.read(MESSAGE.size)
            if len(message) < MESSAGE.size:
                raise UnreadableError(f"Unpacking {self.path} stopped half way: is there enough memory?")
            what, length, position = MESSAGE.unpack(message)
            if what == FILLED:
                self.packed_position = position
                self.bytes += length
                yield length
                _give_back(outbox)
                continue
            if what == DAMAGED:
                self.damage = inbox.read(length).decode()
            if what in (DAMAGED, ENDED):
                return

    def _assemble(self, memory: mmap.mmap, lengths: Iterator[int]) -> Iterator[Block | LongLine]:
        tail = b""
        for slot, length in enumerate(lengths):
            start = (slot % SLOTS) * _STRIDE + HEADROOM_BYTES
            stop = start + length
            if self._aside_bytes:
                newline = memory.find(b"\n", start, stop)
                self._put_aside(memory, start, stop if newline < 0 else newline + 1)
                if newline < 0:
                    continue
                yield self._take_aside()
                start = newline + 1
            memory[start - len(tail) : start] = tail
            start -= len(tail)
            cut = memory.rfind(b"\n", start, stop) + 1 or start
            if cut > start:
                yield Block(memory, start, cut)
            tail = memory[cut:stop]
            if len(tail) > HEADROOM_BYTES:
                self._put_aside(memory, cut, stop)
                tail = b""
        if self._aside_bytes:
            yield self._take_aside()
        elif tail:
            yield Block(tail, 0, len(tail))

    def _put_aside(self, memory: mmap.mmap, start: int, stop: int) -> None:
        self._aside_bytes += stop - start
        if self._aside_bytes <= self._longest:
            self._aside += memory[start:stop]

    def _take_aside(self) -> Block | LongLine:
        line, size = bytes(self._aside), self._aside_bytes
        self._aside, self._aside_bytes = bytearray(), 0
        return Block(line, 0, size) if len(line) == size else LongLine(size)


def _shared_memory(size: int) -> int:
    """Memory that two processes share and that vanishes with them, even when they are killed."""
    if hasattr(os, "memfd_create"):
        handle = os.memfd_create("heed")
    else:
        with tempfile.TemporaryFile() as scratch:
            handle = os.dup(scratch.fileno())
    os.ftruncate(handle, size)
    return handle


def _start_inflating(path: Path, name: str, handle: int) -> "subprocess.Popen[bytes]":
    numbers = map(str, (handle, SLOTS, HEADROOM_BYTES, SLOT_BYTES))
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "heed.corpus.inflate", str(path), name, *numbers],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=(handle,),
        bufsize=0,
    )


def _give_back(outbox: BinaryIO) -> None:
    try:
        outbox.write(b".")
    except BrokenPipeError:
        return  # the unpacker has filled its last slot and is gone; its messages are still in the pipe
