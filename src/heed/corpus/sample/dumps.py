"""`heed sample`: the bundled threads as real-shaped RS_ and RC_ dumps, or many more made from their pieces.

The threads are our own (CC0). What is recombined says so in every line and in the file's name.
"""

import json
import random
import time
from collections.abc import Iterable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import zstandard

from heed.corpus.sample.shapes import DAY_SECONDS, comment_line, number_in_base_36, post_line
from heed.errors import UserError

Thread = dict[str, Any]
# The first ids of the sample: far above Reddit's own, so that they meet no real post or comment.
_FIRST_POST = 10**15
_FIRST_COMMENT = 2 * 10**15
# T1 takes situations from 36 hours to 14 days old.
_OLDEST_DAYS, _YOUNGEST_DAYS = 13.5, 1.75


def sample_threads() -> list[Thread]:
    """The 440 bundled threads, in their order."""
    text = resources.files(__package__).joinpath("threads.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def write_sample(
    into: Path, now: int | None = None, scale: int | None = None, seed: int = 0
) -> dict[str, Any]:
    """Write the two dumps into a folder: the bundled threads, or `scale` threads recombined from them."""
    if scale is not None and scale < 1:
        raise UserError(f"--scale takes how many threads to write, at least 1, not {scale}.")
    moment = int(time.time()) if now is None else now
    threads = sample_threads() if scale is None else recombined(sample_threads(), scale, seed)
    name = "sample" if scale is None else f"generated_{scale}"
    try:
        into.mkdir(parents=True, exist_ok=True)
        posts, comments = into / f"RS_{name}.zst", into / f"RC_{name}.zst"
        counts = _write(threads, posts, comments, moment, seed, generated=scale is not None)
    except OSError as error:
        raise UserError(
            f"The sample cannot be written into {into} ({error.strerror}): choose another --into."
        ) from None
    return {"files": [str(posts), str(comments)], **counts, "now": moment, "generated": scale is not None}


def _write(
    threads: Iterable[Thread], posts: Path, comments: Path, now: int, seed: int, *, generated: bool
) -> dict[str, int]:
    dice = random.Random(seed)
    written = 0
    compressor = zstandard.ZstdCompressor(level=3)
    with (
        posts.open("wb") as post_file,
        comments.open("wb") as comment_file,
        compressor.stream_writer(post_file, closefd=False) as post_stream,
        zstandard.ZstdCompressor(level=3).stream_writer(comment_file, closefd=False) as comment_stream,
    ):
        count = 0
        for count, thread in enumerate(threads, 1):
            age = dice.uniform(_YOUNGEST_DAYS, _OLDEST_DAYS) * DAY_SECONDS
            post_id = number_in_base_36(_FIRST_POST + count)
            line = post_line(thread, post_id, int(now - age), now, dice, generated=generated)
            post_stream.write(_encoded(line))
            for reply in _comment_lines(thread, line, _FIRST_COMMENT + written, dice):
                comment_stream.write(_encoded(reply))
                written += 1
    return {"posts": count, "comments": written}


def _comment_lines(
    thread: Thread, post: dict[str, Any], first: int, dice: random.Random
) -> Iterator[dict[str, Any]]:
    """A comment comes after what it answers, and before the dump was read."""
    made: list[dict[str, Any]] = []
    for index, comment in enumerate(thread["comments"]):
        parent = post if comment["reply_to"] is None else made[comment["reply_to"]]
        made.append(comment_line(comment, post, parent, number_in_base_36(first + index), dice))
    yield from made


def _encoded(line: dict[str, Any]) -> bytes:
    return json.dumps(line, separators=(",", ":")).encode() + b"\n"


def recombined(threads: list[Thread], count: int, seed: int) -> Iterator[Thread]:
    """`count` threads: a title from one, paragraphs and comments from others of the same theme."""
    dice = random.Random(seed)
    by_theme: dict[str, list[Thread]] = {}
    for thread in threads:
        by_theme.setdefault(thread["theme"], []).append(thread)
    for _ in range(count):
        thread = dice.choice(threads)
        family = by_theme[thread["theme"]]
        yield {
            **thread,
            "selftext": _mixed_text(thread, dice.choice(family), dice),
            "score": max(0, round(thread["score"] * dice.lognormvariate(0, 0.6))),
            "comments": _mixed_comments(family, dice),
        }


def _mixed_text(first: Thread, second: Thread, dice: random.Random) -> str:
    """Paragraphs of two threads: the opening and the ask stay, the middle is drawn from both."""
    own = first["selftext"].split("\n\n")
    middle = own[1:-1] + second["selftext"].split("\n\n")[1:-1]
    drawn = dice.sample(middle, k=min(len(middle), max(1, len(own) - 2))) if middle else []
    return "\n\n".join([own[0], *drawn, *own[-1:]])


def _mixed_comments(family: list[Thread], dice: random.Random) -> list[dict[str, Any]]:
    """All comments of one thread of the family, with other scores: replies keep what they answer."""
    chosen = dice.choice(family)["comments"]
    return [{**c, "score": round(c["score"] * dice.lognormvariate(0, 0.6))} for c in chosen]
