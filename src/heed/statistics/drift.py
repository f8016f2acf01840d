"""Whether workers change while they work: pairs of the same two policies, asked again in every batch.

Every batch has its own pairs, so a batch may be harder than the one before. A slope over batches therefore
takes the pair as its unit, and a worker's slope is of the distance from what the others said of the same
pairs.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from heed.errors import UserError
from heed.records import Estimate
from heed.statistics.bootstrap import LEVEL
from heed.statistics.frames import refuse_double_votes, require
from heed.statistics.preference import proportion

FEWEST_BATCHES = 3  # a line through two has nothing left to be wrong about
FEWEST_PAIRS = 5
EVERYBODY = "everybody"


@dataclass(frozen=True, slots=True)
class Slope:
    """Change per batch, with its interval and the p of no change."""

    change: Estimate
    p: float


def batch_rates(votes: pl.DataFrame, level: float = LEVEL) -> pl.DataFrame:
    """The share won per worker and batch, and of everybody, from `item, worker, batch, score`.

    Columns out: worker, batch, rate, low, high, votes. Wilson's intervals take votes as independent.
    """
    _check(votes)
    everybody = votes.with_columns(worker=pl.lit(EVERYBODY))
    rows = []
    for part in (everybody, votes):
        groups = part.sort("worker", "batch").group_by("worker", "batch", maintain_order=True)
        for (worker, batch), group in groups:
            share = proportion(float(group["score"].sum()), group.height, level)
            rows.append((worker, batch, share.value, share.low, share.high, share.n))
    return pl.DataFrame(rows, schema=["worker", "batch", "rate", "low", "high", "votes"], orient="row")


def batch_slope(votes: pl.DataFrame, worker: str | None = None, level: float = LEVEL) -> Slope:
    """How the share moves from batch to batch: everybody's, or one worker's distance from the others."""
    _check(votes)
    values = _item_means(votes) if worker is None else _distances(votes, worker)
    batches = values["batch"].n_unique()
    if batches < FEWEST_BATCHES or values.height < FEWEST_PAIRS:
        raise UserError(
            f"A slope needs {FEWEST_PAIRS} pairs in {FEWEST_BATCHES} batches; there are {values.height} in "
            f"{batches}."
        )
    return _line(values["batch"].to_numpy().astype(np.float64), values["value"].to_numpy(), level)


def _check(votes: pl.DataFrame) -> None:
    require(votes, "item", "worker", "batch", "score")
    refuse_double_votes(votes, "item", "worker")


def _item_means(votes: pl.DataFrame) -> pl.DataFrame:
    return votes.group_by("item").agg(pl.col("batch").first(), value=pl.col("score").mean()).sort("item")


def _distances(votes: pl.DataFrame, worker: str) -> pl.DataFrame:
    own, others = votes.filter(pl.col("worker") == worker), votes.filter(pl.col("worker") != worker)
    joined = own.join(_item_means(others).select("item", "value"), on="item").sort("item")
    return joined.select("item", "batch", value=pl.col("score") - pl.col("value"))


def _line(batches: np.ndarray, values: np.ndarray, level: float) -> Slope:
    from scipy.stats import linregress, t

    if np.ptp(values) == 0:  # nothing moves, and there is no spread to judge it by
        return Slope(Estimate(0.0, 0.0, 0.0, len(values), "least squares over pairs"), 1.0)
    found = linregress(batches, values)
    half = float(t.ppf((1 + level) / 2, len(values) - 2) * found.stderr)
    slope = float(found.slope)
    options = (("level", level),)
    return Slope(
        Estimate(slope, slope - half, slope + half, len(values), "least squares over pairs", options),
        float(found.pvalue),
    )
