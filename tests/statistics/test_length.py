"""Length control: the paper's 5.68, statsmodels' formula interface, and confounded data."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import statsmodels.formula.api as formulas
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.proportion import proportion_confint

from heed.errors import UserError
from heed.records import Estimate
from heed.statistics.length import (
    LengthLine,
    length_controlled_preference,
    length_line,
    preference_by_length,
)


def longer_wins(seed: int, n: int = 600) -> pl.DataFrame:
    """Policy `long` is no better than `ref`, only longer; `good` is better at equal length."""
    rng = np.random.default_rng(seed)
    policy = rng.choice(["long", "good"], n)
    ratio = rng.normal(np.where(policy == "long", 0.6, 0.0), 0.4)
    chance = 1 / (1 + np.exp(-(2.0 * ratio + np.where(policy == "good", 1.0, 0.0))))
    score = (rng.random(n) < chance).astype(float)
    examples = rng.integers(0, n // 3, n)
    columns = {"example": examples, "policy": policy, "score": score, "log_length_ratio": ratio}
    return pl.DataFrame(columns).with_columns(opponent=pl.lit("ref"))


def test_quality_at_the_reference_length_is_the_papers() -> None:
    slope = Estimate(0.34, 0.3, 0.4, 143, "least squares")
    assert LengthLine(475, 114, 6.23, slope).at(314) == pytest.approx(5.68, abs=0.005)


def test_equal_length_takes_the_advantage_away() -> None:
    frame = longer_wins(0, 3_000)
    raw = frame.filter(pl.col("policy") == "long")["score"].mean()
    found = length_controlled_preference(frame, "ref")
    assert raw == pytest.approx(0.72, abs=0.05)
    assert found["long"].low < 0.5 < found["long"].high
    assert found["good"].value == pytest.approx(1 / (1 + np.exp(-1)), abs=0.04)
    assert found["(length)"].value == pytest.approx(2.0, abs=0.3)


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=6, deadline=None)
def test_coefficients_equal_statsmodels_formula(seed: int) -> None:
    frame = longer_wins(seed)
    data = pd.DataFrame(frame.to_dict(as_series=False))
    fit = formulas.logit("score ~ C(policy) + log_length_ratio - 1", data).fit(
        disp=0, cov_type="cluster", cov_kwds={"groups": data["example"]}
    )
    found = length_controlled_preference(frame, "ref")
    assert found["good"].value == pytest.approx(1 / (1 + np.exp(-fit.params["C(policy)[good]"])), rel=1e-4)
    assert found["(length)"].low == pytest.approx(fit.conf_int().loc["log_length_ratio", 0], rel=0.02)


def test_opponents_may_be_any_policy() -> None:
    frame = longer_wins(1)
    flipped = frame.with_columns(
        policy=pl.col("opponent"),
        opponent=pl.col("policy"),
        score=1 - pl.col("score"),
        log_length_ratio=-pl.col("log_length_ratio"),
    )
    straight, turned = (length_controlled_preference(f, "ref")["good"] for f in (frame, flipped))
    assert straight.value == pytest.approx(turned.value)


def test_line_equals_a_plain_least_squares_fit() -> None:
    rng = np.random.default_rng(0)
    lengths = rng.integers(100, 600, 80).astype(float)
    ratings = 4 + 0.003 * lengths + rng.normal(0, 0.5, 80)
    line = length_line(ratings, lengths, np.arange(80))
    slope, _ = np.polyfit(lengths, ratings, 1)
    assert line.per_hundred_characters.value == pytest.approx(100 * slope)
    assert line.per_hundred_characters.low < 0.3 < line.per_hundred_characters.high
    assert line.at(lengths.mean()) == pytest.approx(ratings.mean())


def test_bins_of_length_rise_where_longer_wins() -> None:
    table = preference_by_length(longer_wins(2, 2_000), bins=4)
    assert table["rate"].is_sorted()
    assert table["n"].sum() == 2_000
    assert table["from_ratio"][1] == pytest.approx(table["to_ratio"][0])


def test_a_bin_of_few_or_equal_votes_is_not_certain() -> None:
    frame = pl.DataFrame(
        {"example": [f"e{n}" for n in range(40)], "log_length_ratio": np.linspace(-1, 1, 40).tolist()}
    ).with_columns(score=(pl.col("log_length_ratio") > 0).cast(pl.Float64))
    table = preference_by_length(frame, bins=2)
    assert table["rate"].to_list() == [0.0, 1.0]
    low, high = proportion_confint(0, 20, method="wilson")
    assert table.row(0, named=True)["high"] == pytest.approx(high)
    assert table.row(1, named=True)["low"] == pytest.approx(1 - high)
    assert low == pytest.approx(0)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"score": pl.lit(1.0)}, "runs away"),
        ({"log_length_ratio": pl.lit(0.0)}, "cannot be told apart"),
        ({"example": pl.lit("one")}, "one example"),
        ({"opponent": pl.lit("nobody")}, "No judgment is about ref"),
    ],
)
def test_refuses(change: dict[str, pl.Expr], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        length_controlled_preference(longer_wins(3).with_columns(**change), "ref")


def test_line_refuses_equal_lengths_and_one_example() -> None:
    with pytest.raises(UserError, match="differ in length"):
        length_line([1, 2, 3], [5, 5, 5], [1, 2, 3])
    with pytest.raises(UserError, match="one example"):
        length_line([1, 2, 3], [5, 6, 7], [1, 1, 1])
