"""Texts of real length: real ones recombined where ../shared/data is there, else the sample's."""

import json
import random
from pathlib import Path
from typing import Any

import zstandard

from heed.corpus.sample.dumps import sample_threads

SHARED = Path(__file__).parents[2] / "shared" / "data"


def read_lines(path: Path) -> list[dict[str, Any]]:
    data = zstandard.ZstdDecompressor(max_window_size=2**31).stream_reader(path.read_bytes()).read()
    return [json.loads(line) for line in data.splitlines()]


def real_texts() -> list[list[str]]:
    """The words of each."""
    if SHARED.is_dir():
        texts = [item["narrative"] for item in json.loads((SHARED / "asq" / "asq_1500.json").read_text())]
        texts += [post["selftext"] for post in read_lines(SHARED / "reddit_college" / "RS_college.zst")]
    else:
        texts = [thread["selftext"] for thread in sample_threads()]
    return [text.split() for text in texts if 50 <= len(text.split()) <= 250]


def make_narratives(count: int) -> list[str]:
    return recombine(real_texts(), count)


def recombine(texts: list[list[str]], count: int) -> list[str]:
    """The first half of one real text and the second half of another."""
    choose = random.Random(0).choice
    starts, ends = [w[: len(w) // 2] for w in texts], [w[len(w) // 2 :] for w in texts]
    return [" ".join(choose(starts) + choose(ends)) for _ in range(count)]
