"""Count spaCy's English tokens, and only when cheap bounds cannot decide.

The blank pipeline: a tokenizer, no model. What a word without digits or signs becomes is known from the
tokenizer's own exceptions; any other run of characters has at least one token and at most its length.
"""

import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokenizer import Tokenizer

_ASCII_WORD = re.compile(r"[A-Za-z]+")


@cache
def load_tokenizer() -> "Tokenizer":
    import spacy

    return spacy.blank("en").tokenizer


@cache
def _exceptions() -> dict[str, int]:
    """The words that spaCy takes apart, such as "gonna", with the number of pieces."""
    return {word: len(pieces) for word, pieces in load_tokenizer().rules.items()}


def count_tokens(text: str, spaces: bool = True) -> int:
    """spaCy makes tokens of extra white space too; without `spaces` they do not count."""
    document = load_tokenizer()(text)
    return len(document) if spaces else sum(not token.is_space for token in document)


def bound_tokens(text: str) -> tuple[int, int]:
    """The least and the most tokens the text can have."""
    exceptions = _exceptions()
    low = high = 0
    for chunk in text.split():
        if _ASCII_WORD.fullmatch(chunk):
            pieces = exceptions.get(chunk, 1)
            low, high = low + pieces, high + pieces
        else:
            low, high = low + 1, high + len(chunk)
    # Between two chunks spaces beyond the first are tokens: at most one a gap, and one at either end.
    gaps = len(re.findall(r"\s{2,}|[^\S ]|^\s|\s$", text))
    return low, high + gaps


def has_fewer(text: str, least: int, spaces: bool = True) -> str | None:
    """Evidence that the text has fewer tokens than `least`."""
    low, high = bound_tokens(text)
    if low >= least:
        return None
    count = count_tokens(text, spaces) if high >= least else high
    return f"{'' if high >= least else 'at most '}{count} tokens" if count < least else None


def has_more(text: str, most: int, spaces: bool = True) -> str | None:
    """Evidence that the text has more tokens than `most`."""
    low, high = bound_tokens(text)
    if high <= most:
        return None
    count = count_tokens(text, spaces) if low <= most else low
    return f"{'' if low <= most else 'at least '}{count} tokens" if count > most else None
