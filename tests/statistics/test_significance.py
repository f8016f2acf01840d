"""Paired tests between policies, raw and Holm, against scipy and statsmodels."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_rel
from statsmodels.stats.multitest import multipletests

from heed.errors import UserError
from heed.statistics.significance import compare_policies, holm, paired_t_test


@given(seed=st.integers(0, 2**32 - 1), size=st.integers(2, 50))
@settings(max_examples=30, deadline=None)
def test_paired_t_equals_scipy(seed: int, size: int) -> None:
    first, second = np.random.default_rng(seed).normal(size=(2, size))
    expected = ttest_rel(first, second)
    assert paired_t_test(first, second) == pytest.approx((expected.statistic, expected.pvalue))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
@settings(max_examples=30, deadline=None)
def test_holm_equals_statsmodels_and_never_lowers(raw: list[float]) -> None:
    corrected = holm(raw)
    assert corrected == pytest.approx(list(multipletests(raw, method="holm")[1]))
    assert all(after >= before for after, before in zip(corrected, raw, strict=True))


def test_constant_differences_follow_the_stated_rule() -> None:
    assert paired_t_test([1.0, 2.0], [1.0, 2.0]) == (0.0, 1.0)
    assert paired_t_test([1.1, 2.1], [0.1, 1.1]) == (np.inf, 0.0)


def scores(*policies: str, examples: int = 40) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    rows = [
        (policy, f"e{k}", float(rng.random() < 0.2 + 0.3 * place), rng.normal(place))
        for place, policy in enumerate(policies)
        for k in range(examples)
    ]
    return pl.DataFrame(rows, schema=["policy", "example", "outcome", "score"], orient="row")


def test_difference_is_of_rates_and_p_of_scores() -> None:
    frame = scores("a", "b", "c")
    table = compare_policies(frame)
    first = table.row(0, named=True)
    rates = dict(frame.group_by("policy").agg(pl.col("outcome").mean()).iter_rows())
    by = {name: part["score"].to_numpy() for (name,), part in frame.group_by("policy", maintain_order=True)}
    assert table.height == 3
    assert first["difference"] == pytest.approx(rates["a"] - rates["b"])
    assert first["p"] == pytest.approx(ttest_rel(by["a"], by["b"]).pvalue)
    assert first["p_holm"] >= first["p"]
    assert first["n"] == 40


def test_only_shared_examples_are_compared() -> None:
    frame = pl.concat([scores("a", "b"), scores("c", examples=10)])
    assert compare_policies(frame).filter(pl.col("against") == "c")["n"].to_list() == [10, 10]


def test_no_shared_examples_and_one_policy_are_refused() -> None:
    other = scores("b", examples=3).with_columns(example="x" + pl.col("example"))
    with pytest.raises(UserError, match="a and b share 0 examples"):
        compare_policies(pl.concat([scores("a", examples=3), other]))
    with pytest.raises(UserError, match="there is only a"):
        compare_policies(scores("a"))
    with pytest.raises(UserError, match="at least two examples"):
        paired_t_test([1.0], [2.0])
