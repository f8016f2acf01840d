"""The two-way interval against statsmodels' two-way clustered errors, and where labelers differ."""

import numpy as np
import pytest
import statsmodels.api as models
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t

from heed.errors import UserError
from heed.statistics.bootstrap import clustered_mean
from heed.statistics.two_way import two_way_mean


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=20, deadline=None)
def test_equals_statsmodels_where_the_terms_add_up(seed: int) -> None:
    rng = np.random.default_rng(seed)
    examples, labelers = rng.integers(0, 40, 300), rng.integers(0, 8, 300)
    values = rng.normal(0, 1, 40)[examples] + rng.normal(0, 1, 8)[labelers] + rng.normal(0, 1, 300)
    groups = np.stack([examples, labelers], axis=1)
    fit = models.OLS(values, np.ones(300)).fit(cov_type="cluster", cov_kwds={"groups": groups})
    found = two_way_mean(values, examples, labelers)
    half = t.ppf(0.975, 7) * fit.bse[0]
    assert found.value == pytest.approx(fit.params[0])
    assert found.high - found.value == pytest.approx(half)


def test_wider_than_by_example_when_labelers_differ() -> None:
    rng = np.random.default_rng(1)
    examples, labelers = (grid.ravel() for grid in np.meshgrid(np.arange(50), np.arange(8), indexing="ij"))
    values = rng.normal(0, 1, 8)[labelers] + rng.normal(0, 0.2, len(labelers))
    one, two = clustered_mean(values, examples), two_way_mean(values, examples, labelers)
    assert two.high - two.low > 5 * (one.high - one.low)


def test_never_narrower_than_either_side_alone() -> None:
    values, examples, labelers = [0.0, 1.0, 1.0, 0.0], [1, 1, 2, 2], [1, 2, 1, 2]
    found = two_way_mean(values, examples, labelers)
    assert found.low <= found.value <= found.high


def test_one_labeler_or_one_example_is_refused() -> None:
    for examples, labelers in (([1, 2], ["w", "w"]), ([1, 1], ["v", "w"])):
        with pytest.raises(UserError, match="two examples and two labelers"):
            two_way_mean([0.0, 1.0], examples, labelers)
