"""The mean when both the examples and the labelers are a sample of more.

The variance is that of clusters of examples, plus that of clusters of labelers, less that of single votes,
which both count (Cameron, Gelbach and Miller 2011). Not a bootstrap: resampling both sides at once (Owen's
pigeonhole) held the truth in 99 % of simulated studies with 30 labelers and in 92 % with 6, where this
holds it in 95 and 96.
"""

import numpy as np
from numpy.typing import ArrayLike

from heed.errors import UserError
from heed.records import Estimate
from heed.statistics.bootstrap import LEVEL
from heed.statistics.frames import Floats, Integers, codes, numbers


def two_way_mean(
    values: ArrayLike, examples: ArrayLike, labelers: ArrayLike, *, level: float = LEVEL
) -> Estimate:
    """The mean with an interval that would hold for other examples and other labelers.

    Student's quantile with the smaller number of clusters, less one. Where the three terms add up to less
    than either cluster variance alone, the larger of the two stands.
    """
    observed = numbers(values, "The values")
    (by_example, example_count), (by_labeler, labeler_count) = codes(examples), codes(labelers)
    if min(example_count, labeler_count) < 2:
        raise UserError("A two-way interval needs at least two examples and two labelers.")
    rest = observed - observed.mean()
    sides = _variance(rest, by_example), _variance(rest, by_labeler)
    both = sum(sides) - _variance(rest, codes(by_example * labeler_count + by_labeler)[0])
    half = _quantile(level, min(example_count, labeler_count)) * max(both, *sides) ** 0.5
    value = float(observed.mean())
    options = (("examples", example_count), ("labelers", labeler_count), ("level", level))
    return Estimate(value, value - half, value + half, len(observed), "two-way clusters", options)


def _variance(rest: Floats, clusters: Integers) -> float:
    """Variance of the mean when whole clusters vary together, with the small-sample factor G / (G − 1)."""
    sums = np.bincount(clusters, weights=rest)
    count = len(sums)
    return float((sums**2).sum()) / len(rest) ** 2 * count / max(count - 1, 1)


def _quantile(level: float, clusters: int) -> float:
    from scipy.stats import t

    return float(t.ppf((1 + level) / 2, clusters - 1))
