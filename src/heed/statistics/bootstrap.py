"""The cluster bootstrap: whole examples or whole labelers are drawn again, never single votes.

Votes on one example hang together, so resampling votes would give intervals that are too narrow. Every
statistic here is a ratio of sums, so a resample is a row of weights and 10,000 of them are one matrix
product. Not for statistics that are no ratio of sums (those call `resample_weights` themselves), nor for
examples and labelers at once: that is `two_way`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from heed.errors import UserError
from heed.records import Estimate
from heed.statistics.frames import Floats, Integers, codes, numbers

_WEIGHTS_AT_ONCE = 1 << 21  # 16 MB of float64; smaller pieces make the threads of the product wait
_RESAMPLES_AT_LEAST = 64  # so that a piece is worth a matrix product when there are many clusters


@dataclass(frozen=True, slots=True)
class Resampling:
    """How an interval is drawn: its level, the number of resamples, and the seed."""

    level: float = 0.95
    resamples: int = 10_000
    seed: int = 0

    def recorded(self) -> tuple[tuple[str, str | int | float | bool], ...]:
        return (("level", self.level), ("resamples", self.resamples), ("seed", self.seed))

    def at_most(self, resamples: int) -> "Resampling":
        """For what is costly to compute once."""
        return replace(self, resamples=min(self.resamples, resamples))


RESAMPLING = Resampling()
LEVEL = RESAMPLING.level


def resample_weights(clusters: int, resamples: int, generator: np.random.Generator) -> Floats:
    """How often each cluster is drawn in each resample: resamples × clusters, each row sums to clusters."""
    if clusters < 2:
        raise UserError("A bootstrap needs at least two clusters to draw from; there is only one.")
    drawn = generator.integers(0, clusters, size=(resamples, clusters), dtype=np.int64)
    drawn += np.arange(resamples, dtype=np.int64)[:, None] * clusters
    counts = np.bincount(drawn.ravel(), minlength=resamples * clusters)
    return counts.reshape(resamples, clusters).astype(np.float64)


def bootstrap_ratios(tops: Floats, bottoms: Floats, how: Resampling = RESAMPLING) -> Floats:
    """Resampled Σ tops / Σ bottoms per column. In: clusters × statistics; out: resamples × statistics.

    A resample in which a column's bottom is zero has no answer there and holds NaN; `interval` leaves those
    out.
    """
    generator = np.random.default_rng(how.seed)
    both = np.concatenate([tops, bottoms], axis=1)
    pieces = [
        resample_weights(len(tops), size, generator) @ both for size in _piece_sizes(how.resamples, len(tops))
    ]
    return _divide(*np.split(np.concatenate(pieces), 2, axis=1))


def interval(replicates: Floats, level: float = LEVEL) -> tuple[float, float]:
    """The percentile interval; replicates without an answer (NaN) are left out."""
    kept = replicates[np.isfinite(replicates)]
    if not len(kept):
        raise UserError("No resample gave an answer: there are too few judgments for an interval.")
    low, high = np.quantile(kept, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def clustered_mean(values: ArrayLike, clusters: ArrayLike, how: Resampling = RESAMPLING) -> Estimate:
    """The mean of the values, whole clusters (examples, or labelers) resampled."""
    observed = numbers(values, "The values")
    positions, count = codes(clusters)
    tops = _sums(positions, observed, count)[:, None]
    bottoms = _sums(positions, np.ones_like(observed), count)[:, None]
    low, high = interval(bootstrap_ratios(tops, bottoms, how)[:, 0], how.level)
    options = (("clusters", count), *how.recorded())
    return Estimate(float(observed.mean()), low, high, len(observed), "cluster bootstrap", options)


def _sums(positions: Integers, values: Floats, count: int) -> Floats:
    return np.bincount(positions, weights=values, minlength=count).astype(np.float64)


def _piece_sizes(resamples: int, clusters: int) -> Iterator[int]:
    piece = max(_RESAMPLES_AT_LEAST, _WEIGHTS_AT_ONCE // clusters)
    for start in range(0, resamples, piece):
        yield min(piece, resamples - start)


def _divide(tops: Floats, bottoms: Floats) -> Floats:
    return np.divide(tops, bottoms, out=np.full_like(tops, np.nan), where=bottoms > 0)
