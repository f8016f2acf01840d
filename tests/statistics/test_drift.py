"""Drift over batches: slopes equal statsmodels', a false alarm is rare, a worker who moves is found."""

import numpy as np
import polars as pl
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.errors import UserError
from heed.statistics.drift import EVERYBODY, batch_rates, batch_slope


def anchors(
    rng: np.random.Generator, batches: int = 8, workers: int = 6, mover: float = 0.0, all_move: float = 0.0
) -> pl.DataFrame:
    """Two pairs a batch, each with its own rate; w0 moves by `mover` a batch, all by `all_move`."""
    rows = []
    for batch in range(batches):
        for pair in range(2):
            rate = 0.5 + rng.normal(0, 0.15) + all_move * (batch - batches / 2)
            for worker in range(workers):
                own = rate + (mover * (batch - batches / 2) if worker == 0 else 0)
                rows.append((f"i{batch}-{pair}", f"w{worker}", batch, float(rng.random() < own)))
    return pl.DataFrame(rows, schema=["item", "worker", "batch", "score"], orient="row")


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_slopes_equal_statsmodels(seed: int) -> None:
    votes = anchors(np.random.default_rng(seed))
    means: dict[str, list[float]] = {}
    for item, _, _, score in votes.iter_rows():
        means.setdefault(item, []).append(score)
    x = [int(item[1]) for item in means]
    model = sm.OLS([np.mean(scores) for scores in means.values()], sm.add_constant(x)).fit()
    found = batch_slope(votes)
    assert found.change.value == pytest.approx(model.params[1])
    assert (found.change.low, found.change.high) == pytest.approx(tuple(model.conf_int()[1]))
    assert found.p == pytest.approx(model.pvalues[1])


def test_false_alarms_are_as_rare_as_they_say() -> None:
    rng = np.random.default_rng(7)
    ps = [batch_slope(anchors(rng)).p for _ in range(400)]
    assert 0.02 < np.mean(np.array(ps) < 0.05) < 0.085


def test_who_moves_is_found() -> None:
    votes = anchors(np.random.default_rng(1), batches=30, mover=0.05)
    assert batch_slope(votes, "w0").p < 0.001
    assert batch_slope(votes, "w1").p > 0.01
    moving = anchors(np.random.default_rng(2), batches=20, workers=30, all_move=-0.03)
    slope = batch_slope(moving)
    assert slope.change.low < -0.03 < slope.change.high < 0
    assert slope.p < 0.001


def test_rates_per_batch_and_worker() -> None:
    votes = anchors(np.random.default_rng(3), batches=2, workers=3)
    rates = batch_rates(votes)
    assert rates.height == 2 * 4
    for worker, batch, rate, low, high, count in rates.iter_rows():
        kept = [row for row in votes.iter_rows() if row[2] == batch and worker in (EVERYBODY, row[1])]
        assert (rate, count) == (sum(row[3] for row in kept) / len(kept), len(kept))
        assert low <= rate <= high


def test_too_little_is_refused_and_no_change_is_no_drift() -> None:
    votes = anchors(np.random.default_rng(3), batches=2)
    with pytest.raises(UserError, match="5 pairs in 3 batches; there are 4 in 2"):
        batch_slope(votes)
    lone = anchors(np.random.default_rng(3), workers=1)
    with pytest.raises(UserError, match="there are 0 in 0"):
        batch_slope(lone, "w0")
    still = batch_slope(lone.with_columns(score=pl.lit(1.0)))
    assert (still.change.value, still.p) == (0.0, 1.0)
