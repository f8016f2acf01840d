"""Writes the dump that the ingest benchmark reads: real-shaped comment lines, made from the bundled sample.

Words of the sample are drawn anew for every line, so that the file packs about as well as a real one.
"""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zstandard

from heed.corpus.sample.dumps import sample_threads

WANTED = ("relationships", "Advice", "techsupport", "legaladvice")
SUBREDDITS = 3_000
WANTED_SHARE = 0.012
AUTHORS = 300_000
# Fields that real lines carry and nobody reads: most of a line's bytes.
BALLAST: dict[str, Any] = {
    "all_awardings": [], "associated_award": None, "author_flair_background_color": None,
    "author_flair_css_class": None, "author_flair_richtext": [], "author_flair_template_id": None,
    "author_flair_text": None, "author_flair_text_color": None, "author_flair_type": "text",
    "author_patreon_flair": False, "author_premium": False, "awarders": [], "can_gild": True,
    "can_mod_post": False, "collapsed": False, "collapsed_because_crowd_control": None,
    "collapsed_reason": None, "comment_type": None, "controversiality": 0, "gildings": {}, "locked": False,
    "no_follow": True, "send_replies": True, "steward_reports": [], "subreddit_type": "public",
    "top_awarded_type": None, "total_awards_received": 0, "treatment_tags": [],
}  # fmt: skip


def write_dump(path: Path, size_bytes: int, seed: int) -> int:
    """Write lines until `size_bytes` are reached; how many of them are in a wanted subreddit."""
    # A long window (128 MiB) with matches far apart, as the archives use.
    settings = zstandard.ZstdCompressionParameters.from_level(3, window_log=27, enable_ldm=True)
    wanted = written = 0
    scratch = path.with_suffix(".writing")
    with (
        scratch.open("wb") as file,
        zstandard.ZstdCompressor(compression_params=settings).stream_writer(file, closefd=False) as stream,
    ):
        for line, is_wanted in _lines(random.Random(seed)):
            written += stream.write(line)
            wanted += is_wanted
            if written >= size_bytes:
                break
    scratch.rename(path)
    return wanted


def _lines(dice: random.Random) -> Iterator[tuple[bytes, bool]]:
    words = [
        word
        for thread in sample_threads()
        for comment in thread["comments"]
        for word in comment["body"].split()
    ]
    others = [f"subreddit_{number:04d}" for number in range(SUBREDDITS - len(WANTED))]
    number = 40_000_000_000
    while True:
        number += 1
        is_wanted = dice.random() < WANTED_SHARE
        subreddit = dice.choice(WANTED if is_wanted else others)
        yield _line(number, subreddit, words, dice), is_wanted


def _line(number: int, subreddit: str, words: list[str], dice: random.Random) -> bytes:
    start = dice.randrange(len(words) - 200)
    length = min(int(dice.lognormvariate(3.2, 0.9)) + 1, 200)
    body = " ".join(dice.sample(words[start : start + 200], k=length))
    thread = f"t3_{dice.randrange(10**9):x}"
    # Few people write most comments.
    author = int(AUTHORS * dice.random() ** 3)
    line = {
        **BALLAST,
        "author": f"writer_{author}",
        "author_created_utc": 1_400_000_000 + author * 7,
        "author_fullname": f"t2_{author * 7919:x}",
        "body": body,
        "created_utc": 1_570_000_000 + number // 100 % 2_500_000,
        "distinguished": None,
        "edited": False,
        "gilded": 0,
        "id": f"{number:x}",
        "is_submitter": dice.random() < 0.05,
        "link_id": thread,
        "parent_id": thread if dice.random() < 0.4 else f"t1_{number - dice.randrange(1, 10**6):x}",
        "permalink": f"/r/{subreddit}/comments/{thread[3:]}/title/{number:x}/",
        "retrieved_on": 1_580_000_000 + number // 50 % 100_000,
        "score": int(dice.paretovariate(0.8)) % 5_000,
        "stickied": False,
        "subreddit": subreddit,
        "subreddit_id": f"t5_{dice.randrange(10**6):x}",
        "subreddit_name_prefixed": f"r/{subreddit}",
    }
    return json.dumps(dict(sorted(line.items())), separators=(",", ":")).encode() + b"\n"
