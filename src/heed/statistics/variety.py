"""How varied texts are: the share of different n-grams among all n-grams (distinct-n)."""

from collections.abc import Sequence
from itertools import chain

Words = Sequence[str]


def distinct(texts: Sequence[str], n: int) -> float:
    """Different n-grams over all n-grams of all texts together; 0 where there are none."""
    grams = list(chain.from_iterable(_grams(text.lower().split(), n) for text in texts))
    return len(set(grams)) / len(grams) if grams else 0.0


def _grams(words: Words, n: int) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + n]) for start in range(len(words) - n + 1)]
