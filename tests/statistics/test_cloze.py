"""Pair types, idf and interrogatives of the question-choice study."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import ttest_ind

from heed.errors import UserError
from heed.statistics.cloze import idf_t_test, interrogative_table, pair_type_table


def test_pair_types_overlap_as_in_the_paper() -> None:
    items = pl.DataFrame(
        {
            "actual": ["L", "L", "U", "G", "L"],
            "alternative": ["E", "U", "L", "L", "I"],
            "people": [1, 1, 0, 0, 1],
            "model": [1, 0, 0, 1, 0],
        }
    )
    table = pair_type_table(items, ["people", "model"])
    assert dict(table.select("pair_type", "n").iter_rows()) == {
        "C+E": 1,
        "C+{C,I}": 3,
        "C+C": 2,
        "L+{U,I}": 2,
        "overall": 5,
    }
    assert table["people"].to_list() == [1.0, pytest.approx(2 / 3), 0.5, 1.0, 0.6]
    assert table["model"].to_list() == [1.0, 0.0, 0.0, 0.0, 0.4]
    assert table["share"][1] == 0.6


def test_a_pair_type_that_does_not_occur_is_null() -> None:
    table = pair_type_table(pl.DataFrame({"actual": ["L"], "alternative": ["E"], "people": [1]}), ["people"])
    assert table.filter(pl.col("n") == 0)["people"].null_count() == 3


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15, deadline=None)
def test_idf_test_equals_scipy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values, right = rng.normal(6, 1, 40), np.arange(40) % 3 > 0
    expected = ttest_ind(values[right], values[~right], equal_var=False)
    found = idf_t_test(values, right)
    assert (found["t"], found["p"]) == pytest.approx((expected.statistic, expected.pvalue))


def test_interrogatives_count_contractions_as_their_first_word() -> None:
    questions = ["What's wrong?", "What should I do?", "Is it me?", "“How”?"]
    table = interrogative_table(questions, [True, False, True, True])
    assert table.row(0, named=True)["interrogative"] == "what"
    assert table["n"].to_list() == [2, 1, 1]
    assert table["accuracy"][0] == 0.5


def test_refuses() -> None:
    with pytest.raises(UserError, match="Letter X is unknown"):
        pair_type_table(pl.DataFrame({"actual": ["X"], "alternative": ["E"], "people": [1]}), ["people"])
    with pytest.raises(UserError, match="two questions answered right"):
        idf_t_test([1.0, 2.0], [True, False])
    with pytest.raises(UserError, match="equal within"):
        idf_t_test([1.0, 1.0, 2.0, 2.0], [True, True, False, False])
    with pytest.raises(UserError, match="1 questions but 2 answers"):
        interrogative_table(["Why?"], [True, False])
