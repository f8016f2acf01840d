"""Bradley–Terry and win rates: evalica's numbers, clustered intervals, and what has no answer."""

import evalica
import numpy as np
import polars as pl
import pytest
from evalica import Winner
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.errors import UserError
from heed.statistics.bootstrap import Resampling
from heed.statistics.ranking import bradley_terry, win_rates

FEW = Resampling(resamples=30)


def games(seed: int, count: int = 200, strengths: tuple[float, ...] = (1.0, 2.0, 4.0)) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    rows = []
    for game in range(count):
        a, b = rng.choice(len(strengths), 2, replace=False)
        chance = strengths[a] / (strengths[a] + strengths[b])
        winner = "tie" if rng.random() < 0.1 else ("a" if rng.random() < chance else "b")
        rows.append((f"m{a}", f"m{b}", winner, game // 2))
    return pl.DataFrame(rows, schema=["model_a", "model_b", "winner", "example"], orient="row")


def in_evalicas_words(frame: pl.DataFrame) -> tuple[list[str], list[str], list[Winner]]:
    word = {"a": Winner.X, "b": Winner.Y, "tie": Winner.Draw}
    return frame["model_a"].to_list(), frame["model_b"].to_list(), [word[w] for w in frame["winner"]]


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=10, deadline=None)
def test_equals_evalica(seed: int) -> None:
    frame = games(seed)
    expected = evalica.bradley_terry(*in_evalicas_words(frame)).scores
    ranking = bradley_terry(frame, FEW)
    for policy, strength in zip(ranking.policies, ranking.strengths, strict=True):
        assert strength.value == pytest.approx(expected[policy], rel=1e-4)
        assert strength.low <= strength.value <= strength.high
    rates = evalica.average_win_rate(*in_evalicas_words(frame)).scores
    assert dict(win_rates(frame).select("policy", "win_rate").iter_rows()) == pytest.approx(rates.to_dict())


def test_order_and_counts() -> None:
    ranking = bradley_terry(games(0, 600), FEW)
    assert ranking.policies == ("m2", "m1", "m0")
    assert sum(strength.n for strength in ranking.strengths) == 2 * 600


def test_clusters_of_equal_games_widen_the_interval() -> None:
    frame, how = games(5, 150), Resampling(resamples=200)
    frame = frame.with_columns(example=pl.int_range(pl.len()))
    four = pl.concat([frame] * 4)
    alone = bradley_terry(four.drop("example"), how).strengths[0]
    together = bradley_terry(four, how).strengths[0]
    assert together.high - together.low > 1.5 * (alone.high - alone.low)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([("x", "y", "a"), ("x", "y", "a")], "never won against or never lost"),
        ([("x", "y", "tie"), ("u", "v", "tie")], "never met them"),
        ([("x", "y", "left")], "winner is a, b or tie"),
        ([("x", "x", "a")], "x with itself"),
    ],
)
def test_refuses(rows: list[tuple[str, str, str]], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        bradley_terry(pl.DataFrame(rows, schema=["model_a", "model_b", "winner"], orient="row"), FEW)


def test_all_ties_make_equal_strengths() -> None:
    frame = pl.DataFrame({"model_a": ["x"] * 4, "model_b": ["y"] * 4, "winner": ["tie"] * 4})
    assert [s.value for s in bradley_terry(frame, FEW).strengths] == pytest.approx([1.0, 1.0])
