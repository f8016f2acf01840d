"""Who agrees with whom: people, ensembles of people, and metrics (Tables 20-23 of the summarisation paper).

Rows are comparisons of two texts. People vote for the first text (+1), the second (−1) or neither (0); a
metric says which text it scores higher. A pair of opinions with an indifferent side is dropped. Confidence
is not looked at. To keep policy quality out of it, hand in comparisons of one policy at one temperature.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from heed.errors import UserError
from heed.statistics.agreement import SMALLEST_ENSEMBLE
from heed.statistics.bootstrap import Resampling, bootstrap_ratios
from heed.statistics.frames import Floats, codes, numbers, refuse_double_votes, require

MATRIX_RESAMPLING = Resampling(resamples=1_000)


@dataclass(frozen=True, slots=True)
class Opinions:
    """Per comparison, how many votes one column of the matrix has for the first and for the second text."""

    first: Floats
    second: Floats

    @property
    def total(self) -> Floats:
        return self.first + self.second


def people(votes: pl.DataFrame, comparisons: list[str]) -> Opinions:
    """A group of workers, from `comparison, worker, vote` with vote in −1, 0, +1."""
    require(votes, "comparison", "worker", "vote")
    refuse_double_votes(votes, "comparison", "worker")
    wrong = votes.filter(~pl.col("vote").is_in([-1, 0, 1]))
    if wrong.height:
        raise UserError(f"A vote is -1, 0 or 1; {wrong.height} are not, the first is {wrong['vote'][0]}.")
    counts = votes.group_by("comparison").agg(
        first=(pl.col("vote") > 0).sum().cast(pl.Float64), second=(pl.col("vote") < 0).sum().cast(pl.Float64)
    )
    frame = pl.DataFrame({"comparison": comparisons}).join(
        counts, on="comparison", how="left", maintain_order="left"
    )
    return Opinions(frame["first"].fill_null(0.0).to_numpy(), frame["second"].fill_null(0.0).to_numpy())


def ensemble(group: Opinions, smallest: int = SMALLEST_ENSEMBLE) -> Opinions:
    """The majority of a group as one opinion, where at least `smallest` of it are not indifferent."""
    enough = group.total >= smallest
    return Opinions(
        (enough & (group.first > group.second)).astype(np.float64),
        (enough & (group.second > group.first)).astype(np.float64),
    )


def metric(first_scores: ArrayLike, second_scores: ArrayLike) -> Opinions:
    """A metric as one opinion: the text with the higher score; equal scores are indifferent."""
    first = numbers(first_scores, "The metric's first scores")
    second = numbers(second_scores, "The metric's second scores")
    return Opinions((first > second).astype(np.float64), (second > first).astype(np.float64))


def agreement_matrix(
    columns: Mapping[str, Opinions],
    clusters: ArrayLike,
    *,
    ensemble_of: Mapping[str, str] | None = None,
    how: Resampling = MATRIX_RESAMPLING,
) -> pl.DataFrame:
    """Agreement and bootstrapped standard error for every two columns.

    `clusters` names each comparison's post. `ensemble_of` maps an ensemble column to its group's column: that
    cell leaves out the worker who is predicted. Columns out: first, second, agreement, standard_error, pairs;
    a cell without a single pair is null.
    """
    names = list(combinations_with_replacement(columns, 2))
    cells = [_cell(columns, first, second, ensemble_of or {}) for first, second in names]
    positions, count = codes(clusters)
    tops = _sum_by(np.stack([agree for agree, _ in cells], axis=1), positions, count)
    bottoms = _sum_by(np.stack([total for _, total in cells], axis=1), positions, count)
    replicates = bootstrap_ratios(tops, bottoms, how)
    rows = []
    for place, (first, second) in enumerate(names):
        pairs = float(bottoms[:, place].sum())
        share = float(tops[:, place].sum()) / pairs if pairs else None
        spread = float(np.nanstd(replicates[:, place], ddof=1)) if pairs else None
        rows.append((first, second, share, spread, int(pairs)))
    names_out = ["first", "second", "agreement", "standard_error", "pairs"]
    return pl.DataFrame(rows, schema=names_out, orient="row")


def _cell(
    columns: Mapping[str, Opinions], first: str, second: str, ensemble_of: Mapping[str, str]
) -> tuple[Floats, Floats]:
    """Agreeing pairs and all pairs of opinions per comparison."""
    if first == second:
        return _within(columns[first])
    for one, other in ((first, second), (second, first)):
        if ensemble_of.get(one) == other:
            return _leave_one_out(columns[other])
    left, right = columns[first], columns[second]
    return left.first * right.first + left.second * right.second, left.total * right.total


def _within(group: Opinions) -> tuple[Floats, Floats]:
    agree = group.first * (group.first - 1) / 2 + group.second * (group.second - 1) / 2
    return agree, group.total * (group.total - 1) / 2


def _leave_one_out(group: Opinions) -> tuple[Floats, Floats]:
    enough = group.total - 1 >= SMALLEST_ENSEMBLE
    for_first = group.first - 1 - group.second  # the others' balance, seen by one who voted first
    for_second = group.second - 1 - group.first
    agree = group.first * (for_first > 0) + group.second * (for_second > 0)
    total = group.first * (for_first != 0) + group.second * (for_second != 0)
    return agree * enough, total * enough


def _sum_by(values: Floats, positions: np.ndarray, count: int) -> Floats:
    sums = [np.bincount(positions, weights=column, minlength=count) for column in values.T]
    return np.stack(sums, axis=1)
