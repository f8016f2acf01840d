"""Reward models: accuracy, calibration, constructed pairs; and KL of best-of-N."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve

from heed.errors import UserError
from heed.statistics.reward import best_of_n_kl, calibration, constructed_sets, reward_accuracy


@pytest.mark.parametrize(("samples", "kl"), [(1, 0.0), (2, 0.193147), (64, 3.174508), (2048, 6.625107)])
def test_kl_of_best_of_n(samples: int, kl: float) -> None:
    # By hand for 64: log 64 = 4.158883, 63/64 = .984375, difference 3.174508.
    assert best_of_n_kl(samples) == pytest.approx(kl, abs=1e-6)


def test_kl_equals_a_simulated_one() -> None:
    """The best of N uniform draws has density N u^(N−1); its KL to the uniform is E log of that."""
    draws = np.random.default_rng(0).random((200_000, 8)).max(1)
    assert best_of_n_kl(8) == pytest.approx(np.log(8 * draws**7).mean(), abs=0.01)


def test_accuracy_also_on_high_confidence() -> None:
    frame = pl.DataFrame(
        {
            "example": ["1", "2", "3", "4", "5"],
            "reward_a": [1.0, 0.0, 2.0, 1.0, 1.0],
            "reward_b": [0.0, 1.0, 0.0, 1.0, 0.0],
            "choice": ["a", "b", "b", "a", "tie"],
            "confidence": [9, 8, 2, 5, 9],
        }
    )
    assert reward_accuracy(frame).value == pytest.approx(2.5 / 4)
    assert reward_accuracy(frame, high_confidence=8).value == 1.0
    with pytest.raises(UserError, match="No comparison is left"):
        reward_accuracy(frame, high_confidence=10)


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15, deadline=None)
def test_calibration_equals_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    margins = rng.normal(0, 2, 300)
    chosen = (rng.random(300) < 1 / (1 + np.exp(-margins))).astype(float)
    observed, predicted = calibration_curve(chosen, 1 / (1 + np.exp(-margins)), n_bins=10)
    table, error = calibration(margins, chosen)
    assert table["observed"].to_numpy() == pytest.approx(observed)
    assert table["predicted"].to_numpy() == pytest.approx(predicted)
    assert 0 <= error < 0.2


def test_constructed_sets_are_rates_per_set() -> None:
    frame = pl.DataFrame({"set": ["x", "x", "y"], "reward_a": [1.0, 0, 1], "reward_b": [0.0, 1, 1]})
    assert constructed_sets(frame).select("set", "rate", "n").rows() == [("x", 0.5, 2), ("y", 0.5, 1)]


def test_refuses() -> None:
    with pytest.raises(UserError, match="at least one sample"):
        best_of_n_kl(0)
    with pytest.raises(UserError, match="2 reward differences but 1 choices"):
        calibration([1.0, 2.0], [1.0])
