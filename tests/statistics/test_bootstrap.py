"""The cluster bootstrap: weights, equality with scipy where scipy can, and what it refuses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from heed.errors import UserError
from heed.statistics.bootstrap import (
    Resampling,
    bootstrap_ratios,
    clustered_mean,
    interval,
    resample_weights,
)


@given(clusters=st.integers(2, 40), resamples=st.integers(1, 20), seed=st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_every_resample_draws_as_many_clusters_as_there_are(clusters: int, resamples: int, seed: int) -> None:
    weights = resample_weights(clusters, resamples, np.random.default_rng(seed))
    assert weights.shape == (resamples, clusters)
    assert (weights.sum(1) == clusters).all()


@given(seed=st.integers(0, 10_000))
@settings(max_examples=5, deadline=None)
def test_clusters_of_one_give_scipys_percentile_interval(seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=60)
    ours = clustered_mean(values, np.arange(60), Resampling(resamples=20_000, seed=seed))
    theirs = stats.bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=np.random.default_rng(seed + 1)
    ).confidence_interval
    spread = values.std() / 60**0.5
    assert ours.value == pytest.approx(values.mean())
    assert ours.low == pytest.approx(theirs.low, abs=0.1 * spread)
    assert ours.high == pytest.approx(theirs.high, abs=0.1 * spread)


def test_repeating_every_vote_three_times_does_not_narrow_the_interval() -> None:
    values = np.random.default_rng(3).integers(0, 2, 80).astype(float)
    once = clustered_mean(values, np.arange(80))
    thrice = clustered_mean(np.repeat(values, 3), np.repeat(np.arange(80), 3))
    assert (thrice.low, thrice.high) == pytest.approx((once.low, once.high))


def test_pieces_give_the_same_ratios_as_the_definition() -> None:
    tops, bottoms = np.arange(12.0).reshape(6, 2), np.ones((6, 2))
    how = Resampling(resamples=7, seed=5)
    weights = resample_weights(6, 7, np.random.default_rng(5))
    assert bootstrap_ratios(tops, bottoms, how) == pytest.approx(weights @ tops / 6)


def test_same_seed_same_interval() -> None:
    values, clusters = [0.0, 1.0, 1.0, 0.0], [1, 1, 2, 3]
    assert clustered_mean(values, clusters) == clustered_mean(values, clusters)
    assert clustered_mean(values, clusters) != clustered_mean(values, clusters, Resampling(seed=1))


def test_one_example_is_refused() -> None:
    with pytest.raises(UserError, match="at least two clusters"):
        clustered_mean([0.0, 1.0], ["x", "x"])


def test_values_that_are_not_numbers_are_refused() -> None:
    with pytest.raises(UserError, match="1 values that are not finite"):
        clustered_mean([0.0, float("nan")], ["x", "y"])


def test_resamples_without_an_answer_are_left_out_or_refused() -> None:
    assert interval(np.array([np.nan, 1.0, 1.0])) == (1.0, 1.0)
    with pytest.raises(UserError, match="too few judgments"):
        interval(np.array([np.nan]))
