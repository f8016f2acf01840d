"""How good a reward model is: accuracy, calibration, constructed pairs, and best-of-N's KL.

Takes scores that a model gave elsewhere; no model is loaded here. Agreement with people and other metrics
side by side is `agreement_matrix`; edits are `edits`.
"""

import math

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from heed.errors import UserError
from heed.records import Estimate
from heed.statistics.bootstrap import RESAMPLING, Resampling, clustered_mean
from heed.statistics.frames import numbers, require
from heed.statistics.preference import FEWEST_FOR_BOOTSTRAP, proportion


def best_of_n_kl(samples: int) -> float:
    """KL of best-of-N from its base policy in nats: log N − (N − 1)/N (App. G.3)."""
    if samples < 1:
        raise UserError(f"Best-of-N needs at least one sample, not {samples}.")
    return math.log(samples) - (samples - 1) / samples


def reward_accuracy(
    comparisons: pl.DataFrame, *, high_confidence: float | None = None, how: Resampling = RESAMPLING
) -> Estimate:
    """How often the higher reward is the text people chose, from `example, reward_a, reward_b, choice`.

    Indifferent choices are left out; equal rewards count half. With `high_confidence` only rows whose
    `confidence` reaches it. With fewer than ten right or wrong Wilson's interval stands in for the bootstrap,
    which would claim certainty where all are right.
    """
    require(comparisons, "example", "reward_a", "reward_b", "choice")
    decided = comparisons.filter(pl.col("choice").is_in(["a", "b"]))
    if high_confidence is not None:
        require(comparisons, "confidence")
        decided = decided.filter(pl.col("confidence") >= high_confidence)
    if decided.is_empty():
        raise UserError(
            "No comparison is left: all are indifferent or below the confidence that was asked for."
        )
    margin = (decided["reward_a"] - decided["reward_b"]).to_numpy()
    toward = np.where(decided["choice"].to_numpy() == "a", margin, -margin)
    right = (np.sign(toward) + 1) / 2
    if min(right.sum(), len(right) - right.sum()) < FEWEST_FOR_BOOTSTRAP:
        return proportion(float(right.sum()), len(right), how.level)
    return clustered_mean(right, decided["example"].to_numpy(), how)


def calibration(margins: ArrayLike, chosen: ArrayLike, *, bins: int = 10) -> tuple[pl.DataFrame, float]:
    """Predicted against observed preference in bins of σ(reward difference), and the expected error.

    The expected calibration error is the mean |predicted − observed| weighted by the cases in a bin. Columns
    out: from_probability, to_probability, predicted, observed, low, high, n.
    """
    predicted = 1 / (1 + np.exp(-numbers(margins, "The reward differences")))
    observed = numbers(chosen, "The choices")
    if len(predicted) != len(observed) or not len(observed):
        raise UserError(f"{len(predicted)} reward differences but {len(observed)} choices.")
    places = np.minimum((predicted * bins).astype(np.int64), bins - 1)
    rows = []
    for place in np.unique(places):
        inside = places == place
        share = proportion(float(observed[inside].sum()), int(inside.sum()))
        ends = (place / bins, (place + 1) / bins)
        rows.append((*ends, float(predicted[inside].mean()), share.value, share.low, share.high, share.n))
    columns = ["from_probability", "to_probability", "predicted", "observed", "low", "high", "n"]
    table = pl.DataFrame(rows, schema=columns, orient="row")
    gap = (table["predicted"] - table["observed"]).abs() * table["n"]
    return table, float(gap.to_numpy().sum() / len(observed))


def constructed_sets(pairs: pl.DataFrame) -> pl.DataFrame:
    """Table 18 from `set, reward_a, reward_b` (a is meant to be better): set, rate, low, high, n."""
    require(pairs, "set", "reward_a", "reward_b")
    wins = pairs.with_columns(win=((pl.col("reward_a") - pl.col("reward_b")).sign() + 1) / 2)
    rows = []
    for (name,), part in wins.group_by("set", maintain_order=True):
        share = proportion(float(part["win"].sum()), part.height)
        rows.append((name, share.value, share.low, share.high, share.n))
    return pl.DataFrame(rows, schema=["set", "rate", "low", "high", "n"], orient="row")
