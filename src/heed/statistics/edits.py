"""Texts that people improved, judged blind by others: Tables 17 and 19 of the summarisation paper.

An item is one edit beside its original. What a score says of edits is compared with what people say of
the same edits. Who wrote which edit and who must not judge it is judging's.
"""

import math
from collections.abc import Iterator
from difflib import SequenceMatcher

import polars as pl

from heed.errors import UserError
from heed.records import Estimate
from heed.statistics.bootstrap import RESAMPLING, Resampling, clustered_mean
from heed.statistics.frames import require
from heed.statistics.preference import item_outcomes, preference_rate

MOST_WORDS_OF_A_SMALL_EDIT = 5
_KINDS = {
    "shorter": pl.col("longer_by") < 0,
    "same length": pl.col("longer_by") == 0,
    "longer": pl.col("longer_by") > 0,
    "all": pl.lit(True),
}


def edit_rates(votes: pl.DataFrame, how: Resampling = RESAMPLING) -> pl.DataFrame:
    """How often people prefer the edit, from `item, example, worker, score, longer_by` (characters).

    An edit wins by the majority of its workers, a tie counts half. Columns out: edit, items, votes,
    preferred, low, high; a kind of edit that does not occur is left out.
    """
    require(votes, "item", "example", "worker", "score", "longer_by")
    rows = []
    for kind, part in _kinds(votes):
        rate = preference_rate(part, how=how)
        rows.append((kind, rate.n, part.height, rate.value, rate.low, rate.high))
    return pl.DataFrame(rows, schema=["edit", "items", "votes", "preferred", "low", "high"], orient="row")


def scored_edits(votes: pl.DataFrame, scores: pl.DataFrame, how: Resampling = RESAMPLING) -> pl.DataFrame:
    """What one score says of the edits that it scored; `scores` has `item, before, after`.

    Equal scores count half; `agree` is over edits where people have a majority. Columns out: edit, items, and
    prefers_edit, agree and mean_change, each with low and high; what no edit allows is null.
    """
    require(scores, "item", "before", "after")
    change = (pl.col("after") - pl.col("before")).alias("change")
    outcomes = item_outcomes(votes).join(votes.select("item", "longer_by").unique("item"), on="item")
    joined = outcomes.join(scores.select("item", change), on="item").sort("item")
    if joined.is_empty():
        raise UserError("No edit has a score.")
    side = (joined["change"].sign() + 1) / 2
    framed = joined.with_columns(worker=pl.lit("score"), score=side)
    return pl.DataFrame(
        [_scored_row(kind, part, how) for kind, part in _kinds(framed)], infer_schema_length=None
    )


def marked_change(before: str, after: str) -> tuple[str, int]:
    """The edit with [-removed-] and {+added+} words, and how many words that are."""
    old, new = before.split(), after.split()
    pieces, words = [], 0
    for step, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if step == "equal":
            pieces += old[i:j]
            continue
        words += (j - i) + (m - k)
        pieces += [f"[-{' '.join(old[i:j])}-]"] if j > i else []
        pieces += [f"{{+{' '.join(new[k:m])}+}}"] if m > k else []
    return " ".join(pieces), words


def _kinds(frame: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    for kind, which in _KINDS.items():
        part = frame.filter(which)
        if part.height:
            yield kind, part


def _scored_row(kind: str, part: pl.DataFrame, how: Resampling) -> dict[str, str | int | float | None]:
    decided = part.filter(pl.col("outcome") != 0.5)
    same = 1 - (pl.col("outcome") - pl.col("score")).abs()
    agree = preference_rate(decided.with_columns(score=same), how=how) if decided.height else None
    return {
        "edit": kind,
        "items": part.height,
        **_spread("prefers_edit", preference_rate(part, how=how)),
        **_spread("agree", agree),
        **_spread("mean_change", _mean_change(part, how)),
    }


def _mean_change(part: pl.DataFrame, how: Resampling) -> Estimate:
    if part["example"].n_unique() > 1:
        return clustered_mean(part["change"].to_numpy(), part["example"].to_numpy(), how)
    mean = float(part["change"].to_numpy().mean())
    return Estimate(mean, float("nan"), float("nan"), part.height, "mean of one example, without interval")


def _spread(name: str, found: Estimate | None) -> dict[str, float | None]:
    """Value and ends; an end that nobody knows is null, never NaN."""
    values = (None, None, None) if found is None else (found.value, found.low, found.high)
    known = [None if value is None or math.isnan(value) else value for value in values]
    return dict(zip((name, f"{name}_low", f"{name}_high"), known, strict=True))
