"""What a text shares with a reference and with its source: ROUGE, and bigrams copied in order.

ROUGE has the semantics of rouge-score, the number everybody quotes; the Rust package that computes it is held
to that by a parity test. Copying is the summarisation paper's: the longest common subsequence of bigrams
over the bigrams of the text. Neither says that a text is good; how far they agree with people is
`agreement_matrix`.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import polars as pl

from heed.errors import UserError

ROUGE_TYPES = ("rouge1", "rouge2", "rougeL")
_WORD = re.compile(r"[a-z0-9]+")


def rouge(texts: Sequence[str], references: Sequence[str], *, stem: bool = False) -> pl.DataFrame:
    """F1 of ROUGE-1, ROUGE-2 and ROUGE-L per text: columns rouge1, rouge2, rougeL."""
    if len(texts) != len(references):
        raise UserError(f"{len(texts)} texts but {len(references)} references.")
    from rouge_score_rs import rouge_scorer

    scorer: Any = rouge_scorer.RougeScorer  # declared without types by its package
    scores = scorer(list(ROUGE_TYPES), use_stemmer=stem).score_batch(list(references), list(texts))
    rows = [[row[name].fmeasure for name in ROUGE_TYPES] for row in scores]
    return pl.DataFrame(rows, schema=dict.fromkeys(ROUGE_TYPES, pl.Float64), orient="row")


def copied_bigrams(text: str, source: str) -> float:
    """The share of the text's bigrams that stand in the source in the same order; 0 without a bigram."""
    ours, theirs = _bigrams(text), _bigrams(source)
    return _common(ours, theirs) / len(ours) if ours else 0.0


def _bigrams(text: str) -> list[tuple[str, str]]:
    words = _WORD.findall(text.lower())
    return list(pairwise(words))


def _common(first: Sequence[tuple[str, str]], second: Sequence[tuple[str, str]]) -> int:
    """Length of the longest common subsequence, a row of the table per machine word (Hyyrö 2004)."""
    places: dict[tuple[str, str], int] = {}
    for place, token in enumerate(first):
        places[token] = places.get(token, 0) | 1 << place
    full = (1 << len(first)) - 1
    row = full
    for token in second:
        met = row & places.get(token, 0)
        row = (row + met) | (row - met)
    return len(first) - (row & full).bit_count()
