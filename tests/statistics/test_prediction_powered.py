"""Prediction-powered intervals: the formula, the theory's saving, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.errors import UserError
from heed.statistics.prediction_powered import powered_mean, powered_preference_rate


def judged(seed: int, labelled: int, rest: int, noise: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.normal(2, 1, labelled + rest)
    machine = truth + rng.normal(0.5, noise, labelled + rest)  # biased by .5
    return truth[:labelled], machine[:labelled], machine[labelled:]


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15, deadline=None)
def test_untuned_is_the_papers_formula(seed: int) -> None:
    human, machine, rest = judged(seed, 50, 400, 1.0)
    found = powered_mean(human, machine, rest, tuning="none").powered
    value = rest.mean() + np.mean(human - machine)
    error = (rest.var(ddof=1) / 400 + np.var(human - machine, ddof=1) / 50) ** 0.5
    assert found.value == pytest.approx(value)
    assert found.high - found.value == pytest.approx(2.0096 * error, rel=1e-3)  # t with 49 degrees, .975


@pytest.mark.parametrize("noise", [0.3, 1.0, 3.0])
def test_saving_is_what_theory_says(noise: float) -> None:
    """With the best λ the variance shrinks by 1 − r² N/(n + N), r the correlation of judge and human."""
    found = powered_mean(*judged(1, 4_000, 40_000, noise))
    squared = 1 / (1 + noise**2)
    theory = squared * 40_000 / 44_000
    assert found.saving == pytest.approx(theory, abs=0.03)
    assert found.labels_for_equal_width == pytest.approx(4_000 / (1 - found.saving), abs=1)


def test_a_useless_judge_costs_nothing_when_tuned_but_does_untuned() -> None:
    rng = np.random.default_rng(0)
    human, machine, rest = rng.normal(size=200), rng.normal(0, 3, 200), rng.normal(0, 3, 2_000)
    assert abs(powered_mean(human, machine, rest).saving) < 0.05
    assert powered_mean(human, machine, rest, tuning="none").saving < -1


def test_plain_interval_stands_beside() -> None:
    human, machine, rest = judged(3, 100, 1_000, 0.5)
    found = powered_mean(human, machine, rest)
    assert found.plain.value == pytest.approx(human.mean())
    assert found.plain.high - found.plain.low > found.powered.high - found.powered.low


def test_rates_stay_between_zero_and_one() -> None:
    human = np.array([1.0] * 1 + [0.0] * 29)
    machine, rest = human.copy(), np.array([0.0] * 95 + [1.0] * 5)
    found = powered_preference_rate(human, machine, rest)
    assert 0 <= found.powered.low <= found.powered.high <= 1
    with pytest.raises(UserError, match="An outcome lies in"):
        powered_preference_rate(human * 2, machine, rest)


def test_a_judge_that_says_one_thing_is_not_trusted() -> None:
    human, _, _ = judged(4, 40, 10, 1)
    found = powered_mean(human, np.ones(40), np.ones(100))
    assert found.weight == 0
    assert (found.powered.low, found.powered.high) == pytest.approx((found.plain.low, found.plain.high))


@pytest.mark.parametrize(
    ("human", "machine", "rest", "sentence"),
    [
        (np.arange(30.0), np.arange(29.0), np.arange(9.0), "30 labels but 29 predictions"),
        (np.arange(5.0), np.arange(5.0), np.arange(9.0), "need 20 human labels"),
        (np.ones(30), np.arange(30.0), np.arange(9.0), "All human labels are equal"),
    ],
)
def test_refuses(human: np.ndarray, machine: np.ndarray, rest: np.ndarray, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        powered_mean(human, machine, rest)
