"""The lines of a dump that are worth parsing, with their numbers, in batches of a good size.

With some subreddits wanted these are the lines that the byte search finds; with all, every line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from heed.corpus.blocks import Block, Blocks, LongLine
from heed.corpus.search import LineSearch
from heed.engine.local import report

# Planning the columns costs the same for few rows as for many, so many lines are parsed at once; lines that
# the search found come slowly, and smaller batches of them are parsed while the search goes on.
_BATCH_BYTES = 16 << 20
_FOUND_BATCH_BYTES = 2 << 20


@dataclass(frozen=True, slots=True)
class Batch:
    """Lines joined by newlines, and the number that each has in its file."""

    data: bytes
    numbers: Sequence[int]


class Batches:
    """Iterate once; afterwards `lines` is the number of lines and `too_long` has those that were."""

    def __init__(self, blocks: Blocks, wanted: frozenset[str] | None) -> None:
        self.blocks = blocks
        self.lines = 0
        self.too_long: list[int] = []
        self._search = LineSearch("subreddit", wanted) if wanted is not None else None
        self._batch_bytes = _BATCH_BYTES if wanted is None else _FOUND_BATCH_BYTES
        self._waiting: list[bytes] = []
        self._numbers: list[int] = []

    def __iter__(self) -> Iterator[Batch]:
        for block in self.blocks:
            if isinstance(block, LongLine):
                self.lines += 1
                self.too_long.append(self.lines)
            elif self._search is None:
                self._take_all(block)
            else:
                self._take_found(block, self._search)
            report(self.blocks.packed_position)
            if sum(map(len, self._waiting)) >= self._batch_bytes:
                yield self._batch()
        if self._waiting:
            yield self._batch()

    def _batch(self) -> Batch:
        batch = Batch(b"\n".join(self._waiting), self._numbers)
        self._waiting, self._numbers = [], []
        return batch

    def _take_all(self, block: Block) -> None:
        data = block.buffer[block.start : block.stop - _ends_in_newline(block)]
        count = _newlines(block, block.start, block.start + len(data)) + 1
        self._waiting.append(data)
        self._numbers.extend(range(self.lines + 1, self.lines + count + 1))
        self.lines += count

    def _take_found(self, block: Block, search: LineSearch) -> None:
        counted = block.start
        for start, line in search.lines(block):
            self.lines += _newlines(block, counted, start)
            counted = start
            self._waiting.append(line)
            self._numbers.append(self.lines + 1)
        self.lines += _newlines(block, counted, block.stop)
        # Only the last block of a file can end without a newline.
        self.lines += not _ends_in_newline(block)


def _ends_in_newline(block: Block) -> bool:
    return block.buffer[block.stop - 1 : block.stop] == b"\n"


def _newlines(block: Block, start: int, stop: int) -> int:
    data = np.frombuffer(block.buffer, dtype=np.uint8, count=stop - start, offset=start)
    return int(np.count_nonzero(data == ord("\n")))
