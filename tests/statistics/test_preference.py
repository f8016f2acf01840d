"""Preference rates and TuringAdvice's continuous score, with its worked example."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from heed.errors import UserError
from heed.statistics.preference import (
    continuous_scores,
    item_outcomes,
    preference_rate,
    proportion,
    wilson_rate,
)


def comparisons(*scores: list[float]) -> pl.DataFrame:
    """One list of scores per item, one worker per position."""
    rows = [(f"i{i}", f"e{i}", f"w{w}", s) for i, item in enumerate(scores) for w, s in enumerate(item)]
    return pl.DataFrame(rows, schema=["item", "example", "worker", "score"], orient="row")


def test_majority_decides_and_indifferent_workers_count_for_neither() -> None:
    outcomes = item_outcomes(comparisons([1, 1, 0], [0, 0.5, 0.5], [1, 0], [0.5]))
    assert outcomes["outcome"].to_list() == [1.0, 0.0, 0.5, 0.5]


def test_ties_count_half_or_are_dropped() -> None:
    frame = comparisons([1], [1], [0], [0.5])
    assert wilson_rate(frame).value == pytest.approx(2.5 / 4)
    assert wilson_rate(frame, ties="drop").value == pytest.approx(2 / 3)
    assert preference_rate(frame, ties="drop").n == 3


@given(wins=st.integers(0, 30), losses=st.integers(0, 30))
@settings(max_examples=30, deadline=None)
def test_wilson_equals_statsmodels(wins: int, losses: int) -> None:
    if wins + losses == 0:
        return
    ours = wilson_rate(comparisons(*[[1.0]] * wins, *[[0.0]] * losses))
    low, high = proportion_confint(wins, wins + losses, method="wilson")
    assert (ours.low, ours.high) == pytest.approx((low, high))
    assert ours.value == pytest.approx(wins / (wins + losses))


def test_bootstrap_interval_of_200_items_is_near_the_normal_one() -> None:
    frame = comparisons(*[[1.0]] * 82, *[[0.0]] * 118)
    rate, half = preference_rate(frame), 1.96 * (0.41 * 0.59 / 200) ** 0.5
    assert rate.value == pytest.approx(0.41)
    assert (rate.low, rate.high) == pytest.approx((0.41 - half, 0.41 + half), abs=0.01)
    assert ("clusters", 200) in rate.options


def test_few_wins_get_wilsons_interval_and_say_so() -> None:
    none, nine, ten = (preference_rate(comparisons(*[[1.0]] * k, *[[0.0]] * 20)) for k in (0, 9, 10))
    assert none.value == 0
    assert none.high == pytest.approx(0.161, abs=0.001)
    assert "fewer than 10 items" in none.method
    assert "fewer than 10 items" in nine.method
    assert ten.method == "cluster bootstrap"


def test_all_ties_are_a_half_or_refused() -> None:
    frame = comparisons([0.5], [0.5])
    assert preference_rate(frame).value == 0.5
    with pytest.raises(UserError, match="Every item is tied"):
        preference_rate(frame, ties="drop")


def test_worked_example_of_the_paper() -> None:
    """App. C: two workers against the machine, definitely and slightly, one for it: (−0.5 − 1) / 2."""
    frame = pl.DataFrame({"item": ["1"] * 3, "worker": ["1", "2", "3"], "strength": [-1.0, -0.5, 1.0]})
    assert continuous_scores(frame).rows() == [("1", -0.75)]


def test_item_without_majority_scores_zero() -> None:
    frame = pl.DataFrame({"item": ["1", "1"], "worker": ["1", "2"], "strength": [-1.0, 0.5]})
    assert continuous_scores(frame)["score"].to_list() == [0.0]


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=1, max_size=7))
@settings(max_examples=60, deadline=None)
def test_score_has_the_sign_of_the_majority(strengths: list[float]) -> None:
    workers = [str(k) for k in range(len(strengths))]
    frame = pl.DataFrame({"item": ["1"] * len(strengths), "worker": workers, "strength": strengths})
    balance = np.sign(np.sign(strengths).sum())
    assert np.sign(continuous_scores(frame)["score"][0]) == balance


def test_bad_input_is_refused() -> None:
    frame = pl.DataFrame({"item": ["1"], "worker": ["1"], "strength": [2.0]})
    with pytest.raises(UserError, match=r"lies in \[-1, 1\]"):
        continuous_scores(frame)
    with pytest.raises(UserError, match="no cases"):
        proportion(0, 0)
    twice = pl.concat([comparisons([1.0]), comparisons([1.0])])
    with pytest.raises(UserError, match="more than once"):
        preference_rate(twice)
