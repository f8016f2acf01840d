"""How far workers agree: percent, Cohen's κ, Krippendorff's α, a worker against the others together.

κ is computed here, from confusion tables, because a study has thousands of worker pairs and one call to
scikit-learn per pair is slow; scikit-learn is the oracle of its tests. α is evalica's. The matrix of
agreement between people and metrics is `agreement_matrix`; whose label to believe is `aggregation`.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from heed.errors import UserError
from heed.records import Estimate
from heed.statistics.bootstrap import RESAMPLING, Resampling
from heed.statistics.frames import Floats, codes, refuse_double_votes, require
from heed.statistics.preference import clustered_share

Weights = Literal["linear", "quadratic"]
Distance = Literal["nominal", "ordinal", "interval"]
SMALLEST_ENSEMBLE = 3  # Tables 20-23: "All ensembles have at least 3 workers"


def cohen_kappa(first: ArrayLike, second: ArrayLike, weights: Weights | None = None) -> float:
    """Cohen's κ of two raters; `weights` for ordered labels, which must then be numbers or sort in order."""
    left, right = np.asarray(first), np.asarray(second)
    if len(left) != len(right) or not len(left):
        raise UserError("κ needs two raters with the same, non-empty list of items.")
    positions, kinds = codes(np.concatenate([left, right]))
    left, right = positions[: len(left)], positions[len(left) :]
    table = np.bincount(left * kinds + right, minlength=kinds * kinds).reshape(kinds, kinds)
    return kappa_of_table(table.astype(np.float64), weights)


def kappa_of_table(table: Floats, weights: Weights | None = None) -> float:
    """κ = 1 − observed / expected disagreement of a square confusion table."""
    distance = _distances(len(table), weights)
    expected = np.outer(table.sum(1), table.sum(0)) / table.sum()
    by_chance = float((distance * expected).sum())
    if by_chance == 0:
        raise UserError("κ is undefined: both raters gave every item the same one label.")
    return 1.0 - float((distance * table).sum()) / by_chance


def pairwise_kappa(votes: pl.DataFrame, weights: Weights | None = None) -> pl.DataFrame:
    """κ of every two workers who share items, from `item, worker, label`.

    Columns out: worker, other, n (shared items), agreement, kappa. κ is null where it is undefined, which is
    when both gave all shared items one and the same label.
    """
    pairs = _shared_pairs(votes)
    label, other = pairs["label"].to_numpy(), pairs["label_other"].to_numpy()
    positions, kinds = codes(np.concatenate([label, other]))
    cells = positions[: len(label)] * kinds + positions[len(label) :]
    rows = []
    for (worker, second), part in pairs.with_columns(cell=cells).group_by(
        "worker", "worker_other", maintain_order=True
    ):
        table = np.bincount(part["cell"].to_numpy(), minlength=kinds * kinds).reshape(kinds, kinds)
        agreement = float(np.trace(table) / table.sum())
        rows.append((worker, second, part.height, agreement, _kappa_or_none(table, weights)))
    return pl.DataFrame(rows, schema=["worker", "other", "n", "agreement", "kappa"], orient="row")


def pooled_kappa(votes: pl.DataFrame, weights: Weights | None = None) -> float:
    """One κ for more than two workers: every two votes on one item count, in both orders.

    Taking both orders makes the figure independent of how workers are numbered.
    """
    pairs = _shared_pairs(votes)
    first, second = pairs["label"].to_list(), pairs["label_other"].to_list()
    return cohen_kappa(first + second, second + first, weights)


def percent_agreement(
    votes: pl.DataFrame, *, indifferent: str | None = None, how: Resampling = RESAMPLING
) -> Estimate:
    """How often two workers give one item the same label, items resampled.

    Pairs where either worker is `indifferent` are dropped, as in Tables 20-23 of the summarisation paper.
    """
    pairs = _shared_pairs(votes)
    if indifferent is not None:
        pairs = pairs.filter((pl.col("label") != indifferent) & (pl.col("label_other") != indifferent))
        if pairs.is_empty():
            raise UserError(
                "Every pair of votes has an indifferent side, so there is no agreement to measure."
            )
    same = (pairs["label"] == pairs["label_other"]).to_numpy().astype(np.float64)
    if pairs["item"].n_unique() == 1:
        raise UserError("Agreement on a single item has no interval; judge more items by two workers.")
    return clustered_share(same, pairs["item"].to_numpy(), how)


def krippendorff_alpha(votes: pl.DataFrame, distance: Distance = "nominal") -> float:
    """Krippendorff's α over all workers and items, gaps allowed (evalica's)."""
    require(votes, "item", "worker", "label")
    refuse_double_votes(votes, "item", "worker")
    if votes["worker"].n_unique() < 2:
        raise UserError("α needs at least two workers; there is one.")
    if votes["label"].n_unique() < 2:
        raise UserError("α is undefined: every vote is the same label.")
    import evalica
    import pandas

    grid = votes.select("item", "worker", "label").to_dict(as_series=False)
    data = pandas.DataFrame(grid).pivot_table(index="worker", columns="item", values="label", aggfunc="first")
    try:
        return float(evalica.alpha(data, distance=distance).alpha)
    except evalica.InsufficientRatingsError:
        raise UserError(
            "α needs items that at least two workers judged; here no item has two votes."
        ) from None


def ensemble_agreement(
    votes: pl.DataFrame, *, smallest: int = SMALLEST_ENSEMBLE, how: Resampling = RESAMPLING
) -> Estimate:
    """How often a worker agrees with the majority of the others on the item, at least `smallest` of them.

    A tied ensemble says nothing, and that vote is left out.
    """
    require(votes, "item", "worker", "label")
    refuse_double_votes(votes, "item", "worker")
    items, outcomes = _leave_one_out(votes, smallest)
    if len(set(items)) < 2:
        raise UserError(f"Fewer than two items have {smallest + 1} votes, so no ensemble can leave one out.")
    return clustered_share(outcomes, items, how)


def _leave_one_out(votes: pl.DataFrame, smallest: int) -> tuple[Sequence[str], Floats]:
    """Per usable vote, its item and whether it equals the majority of the others."""
    kinds = sorted(votes["label"].unique().to_list())
    counts = votes.pivot(on="label", index="item", values="worker", aggregate_function="len").fill_null(0)
    table = counts.select([str(kind) for kind in kinds]).to_numpy()
    row_of = {item: row for row, item in enumerate(counts["item"].to_list())}
    column_of = {kind: column for column, kind in enumerate(kinds)}
    rows = np.array([row_of[item] for item in votes["item"]])
    columns = np.array([column_of[label] for label in votes["label"]])
    others = table[rows].astype(np.int64)
    others[np.arange(len(rows)), columns] -= 1
    leads = np.sort(others, axis=1)
    decided = leads[:, -1] > (leads[:, -2] if len(kinds) > 1 else 0)
    usable = decided & (others.sum(1) >= smallest)
    same = (others.argmax(1) == columns)[usable].astype(np.float64)
    return votes["item"].filter(pl.Series(usable)).to_list(), same


def _shared_pairs(votes: pl.DataFrame) -> pl.DataFrame:
    require(votes, "item", "worker", "label")
    refuse_double_votes(votes, "item", "worker")
    votes = votes.select("item", "worker", "label").sort("item", "worker")
    pairs = votes.join(votes, on="item", suffix="_other", maintain_order="left_right")
    pairs = pairs.filter(pl.col("worker") < pl.col("worker_other"))
    if pairs.is_empty():
        raise UserError("No item was judged by two workers, so there is no agreement to measure.")
    return pairs


def _distances(kinds: int, weights: Weights | None) -> Floats:
    steps = np.abs(np.subtract.outer(np.arange(kinds), np.arange(kinds))).astype(np.float64)
    if weights is None:
        return (steps > 0).astype(np.float64)
    return steps if weights == "linear" else steps**2


def _kappa_or_none(table: NDArray[np.intp], weights: Weights | None) -> float | None:
    try:
        return kappa_of_table(table.astype(np.float64), weights)
    except UserError:
        return None
