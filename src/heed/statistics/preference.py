"""How often a policy is preferred, and by how much: TuringAdvice's rate and its continuous score.

Rows are seen from one policy: `score` is 1 when the worker preferred it, 0 when not, 0.5 when indifferent;
`strength` is +1 / +0.5 for definitely / slightly better and −0.5 / −1 for worse, 0 for indifferent.
Orientation of two-sided judgments is `frozen.oriented`; tests between policies are `significance`.
"""

from typing import Literal

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from heed.errors import UserError
from heed.records import Estimate
from heed.statistics.bootstrap import LEVEL, RESAMPLING, Resampling, clustered_mean
from heed.statistics.frames import refuse_double_votes, require

Ties = Literal["half", "drop"]
FEWEST_FOR_BOOTSTRAP = 10


def item_outcomes(comparisons: pl.DataFrame) -> pl.DataFrame:
    """Majority per item from `item, example, worker, score`: `outcome` 1 won, 0 lost, 0.5 tied.

    More workers for than against wins; indifferent workers count for neither side.
    """
    require(comparisons, "item", "example", "worker", "score")
    refuse_double_votes(comparisons, "item", "worker")
    balance = (pl.col("score") - 0.5).sum()
    return (
        comparisons.group_by("item", maintain_order=True)
        .agg(pl.col("example").first(), outcome=(balance.sign() + 1) / 2, votes=pl.len())
        .sort("item")
    )


def preference_rate(
    comparisons: pl.DataFrame,
    *,
    ties: Ties = "half",
    how: Resampling = RESAMPLING,
) -> Estimate:
    """The share of items the policy wins by majority, examples resampled.

    With fewer than ten items won or lost a bootstrap is too sure of itself (87 % instead of 95 %, see
    docs/statistics.md; with none it would claim certainty): Wilson's interval stands in, and the method says
    so.
    """
    outcomes = _counted(comparisons, ties)
    wins = float(outcomes["outcome"].sum())
    if min(wins, outcomes.height - wins) < FEWEST_FOR_BOOTSTRAP:
        plain = _wilson(outcomes, ties, how.level)
        method = f"Wilson, for fewer than {FEWEST_FOR_BOOTSTRAP} items were won or lost"
        return Estimate(plain.value, plain.low, plain.high, plain.n, method, plain.options)
    mean = clustered_mean(outcomes["outcome"].to_numpy(), outcomes["example"].to_numpy(), how)
    return Estimate(mean.value, mean.low, mean.high, mean.n, mean.method, (("ties", ties), *mean.options))


def wilson_rate(comparisons: pl.DataFrame, *, ties: Ties = "half", level: float = LEVEL) -> Estimate:
    """The same rate with Wilson's interval, which takes items as independent."""
    return _wilson(_counted(comparisons, ties), ties, level)


def proportion(successes: float, n: int, level: float = LEVEL) -> Estimate:
    """A share of independent cases with Wilson's interval."""
    from statsmodels.stats.proportion import proportion_confint

    if n < 1:
        raise UserError("A share of no cases has no value.")
    low, high = proportion_confint(successes, n, alpha=1 - level, method="wilson")
    value = successes / n
    # Rounding may put an end a hair inside 0 or 1.
    ends = min(float(low), value), max(float(high), value)
    return Estimate(value, *ends, n, "Wilson", (("level", level),))


def clustered_share(votes: ArrayLike, clusters: ArrayLike, how: Resampling = RESAMPLING) -> Estimate:
    """The mean of votes (1, 0, 0.5), their clusters (examples or items) resampled.

    With fewer than ten votes on one side Wilson's interval stands in, as though every cluster had one vote:
    a bootstrap over so few is too sure of itself, and certain where all clusters are equal.
    """
    mean = clustered_mean(votes, clusters, how)
    if min(mean.value, 1 - mean.value) * mean.n >= FEWEST_FOR_BOOTSTRAP:
        return mean
    count = len(np.unique(np.asarray(clusters)))
    plain = proportion(mean.value * count, count, how.level)
    method = f"Wilson over clusters, for fewer than {FEWEST_FOR_BOOTSTRAP} votes were for or against"
    return Estimate(mean.value, plain.low, plain.high, mean.n, method, plain.options)


def continuous_scores(comparisons: pl.DataFrame) -> pl.DataFrame:
    """TuringAdvice's score per item (App. C) from `item, worker, strength`: columns item, score.

    The strengths of the workers who agree with the majority, averaged. An item without a majority scores 0.
    """
    require(comparisons, "item", "worker", "strength")
    refuse_double_votes(comparisons, "item", "worker")
    _check_strengths(comparisons["strength"])
    side = pl.col("strength").sign()
    majority = side.sum().over("item").sign()
    return (
        comparisons.with_columns(majority=majority, agrees=(side == majority) & (majority != 0))
        .group_by("item", maintain_order=True)
        .agg(score=pl.col("strength").filter("agrees").mean().fill_null(0.0))
        .sort("item")
    )


def _counted(comparisons: pl.DataFrame, ties: Ties) -> pl.DataFrame:
    outcomes = item_outcomes(comparisons)
    if ties == "half":
        return outcomes
    kept = outcomes.filter(pl.col("outcome") != 0.5)
    if kept.is_empty():
        raise UserError("Every item is tied, so there is no preference rate without ties; use ties='half'.")
    return kept


def _wilson(outcomes: pl.DataFrame, ties: Ties, level: float) -> Estimate:
    plain = proportion(float(outcomes["outcome"].sum()), outcomes.height, level)
    return Estimate(plain.value, plain.low, plain.high, plain.n, "Wilson", (("ties", ties), *plain.options))


def _check_strengths(strengths: pl.Series) -> None:
    outside = strengths.filter(strengths.abs() > 1)
    if len(outside):
        raise UserError(f"A strength lies in [-1, 1]; {len(outside)} do not, the first is {outside[0]}.")
