"""Find the lines of a block that may carry a wanted subreddit or id, without parsing any.

A line that has a wanted value anywhere under the key is found, in any case and spacing; the parser then
decides. The values are letters, digits, _ . and -, which no writer of JSON escapes.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import hyperscan

from heed.corpus.blocks import Block
from heed.errors import UserError

_NAME = re.compile(r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,40}$")


def subreddit_names(names: Iterable[str]) -> frozenset[str]:
    """The names in lower case, without r/; an error for what cannot be a subreddit."""
    wanted = set()
    for name in names:
        bare = name.strip().removeprefix("/").removeprefix("r/")
        if not _NAME.match(bare):
            raise UserError(f"'{name}' is not a subreddit's name: give names like Advice or r/Advice.")
        wanted.add(bare.lower())
    return frozenset(wanted)


class LineSearch:
    """All wanted values of one key in one pass over the bytes, however many there are."""

    def __init__(self, key: str, wanted: Iterable[str]) -> None:
        pattern = "|".join(re.escape(value) for value in sorted(wanted))
        expression = rf'"{key}"\s*:\s*"(?:{pattern})"'.encode()
        self._database: Any = hyperscan.Database()  # its stubs know no memoryview
        self._database.compile(expressions=[expression], flags=[hyperscan.HS_FLAG_CASELESS])

    def lines(self, block: Block) -> Iterator[tuple[int, bytes]]:
        """Where each matching line starts in the block's buffer, and the line without its newline."""
        ends: list[int] = []
        with memoryview(block.buffer) as view, view[block.start : block.stop] as data:
            self._database.scan(data, match_event_handler=lambda _i, _f, end, _g, _c: ends.append(end))
        line_stop = block.start
        for end in ends:
            match = block.start + end
            if match <= line_stop:
                continue  # the same line again: a crosspost carries its parent's subreddit too
            start = block.buffer.rfind(b"\n", block.start, match) + 1 or block.start
            newline = block.buffer.find(b"\n", match, block.stop)
            line_stop = newline if newline >= 0 else block.stop
            yield start, block.buffer[start:line_stop]
