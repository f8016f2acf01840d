"""Percent, κ, α and leave-one-out ensembles, against scikit-learn and evalica and by hand."""

import evalica
import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from heed.errors import UserError
from heed.statistics.agreement import (
    cohen_kappa,
    ensemble_agreement,
    krippendorff_alpha,
    pairwise_kappa,
    percent_agreement,
    pooled_kappa,
)


def votes(table: list[list[object]]) -> pl.DataFrame:
    """One row per item, one column per worker; None is no vote."""
    rows = [
        (f"i{i:03}", f"w{w}", label)
        for i, row in enumerate(table)
        for w, label in enumerate(row)
        if label is not None
    ]
    return pl.DataFrame(rows, schema=["item", "worker", "label"], orient="row")


def test_kappa_by_hand() -> None:
    # Ten items. Both say yes on 4, both no on 3, only the first yes on 2, only the second on 1.
    # Observed agreement 7/10. First says yes 6/10, second 5/10: by chance .6 * .5 + .4 * .5 = .5.
    # κ = (.7 − .5) / (1 − .5) = .4
    first = ["y"] * 4 + ["n"] * 3 + ["y"] * 2 + ["n"]
    second = ["y"] * 4 + ["n"] * 3 + ["n"] * 2 + ["y"]
    assert cohen_kappa(first, second) == pytest.approx(0.4)


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
@given(seed=st.integers(0, 2**32 - 1), size=st.integers(5, 60), kinds=st.integers(2, 7))
@settings(max_examples=25, deadline=None)
def test_kappa_equals_scikit_learn(weights: str | None, seed: int, size: int, kinds: int) -> None:
    first, second = np.random.default_rng(seed).integers(0, kinds, (2, size))
    if len(np.unique(np.concatenate([first, second]))) < 2:
        return
    expected = cohen_kappa_score(first, second, weights=weights)
    assert cohen_kappa(first, second, weights) == pytest.approx(expected)  # type: ignore[arg-type]


@given(seed=st.integers(0, 2**32 - 1), distance=st.sampled_from(["nominal", "ordinal", "interval"]))
@settings(max_examples=20, deadline=None)
def test_alpha_equals_evalica(seed: int, distance: str) -> None:
    rng = np.random.default_rng(seed)
    table = rng.integers(1, 6, (15, 4)).astype(float)
    table[rng.random(table.shape) < 0.3] = np.nan
    table[0] = [1, 2, 3, 4]
    frame = votes([[None if np.isnan(x) else int(x) for x in row] for row in table])
    expected = evalica.alpha(pd.DataFrame(table.T), distance=distance).alpha
    assert krippendorff_alpha(frame, distance) == pytest.approx(expected)  # type: ignore[arg-type]


def test_pairs_of_workers() -> None:
    table = pairwise_kappa(votes([["a", "a", None], ["b", "b", "b"], ["a", "b", None]]))
    assert table.rows() == [
        ("w0", "w1", 3, pytest.approx(2 / 3), pytest.approx(0.4)),
        ("w0", "w2", 1, 1.0, None),  # one shared item, one label: undefined, and said as null
        ("w1", "w2", 1, 1.0, None),
    ]


def test_pooled_kappa_does_not_depend_on_names() -> None:
    rng = np.random.default_rng(0)
    table = rng.choice(["a", "b"], (30, 3)).tolist()
    assert pooled_kappa(votes(table)) == pytest.approx(pooled_kappa(votes([row[::-1] for row in table])))


def test_percent_agreement_drops_indifferent_pairs() -> None:
    frame = votes([["a", "a"], ["a", "b"], ["a", "tie"], ["tie", "tie"]])
    assert percent_agreement(frame).value == pytest.approx(0.5)
    assert percent_agreement(frame, indifferent="tie").value == pytest.approx(0.5)
    assert percent_agreement(frame, indifferent="tie").n == 2


def test_ensemble_leaves_out_the_worker_it_predicts() -> None:
    # Item 1: a a a b. Leaving out an a: a a b → a, right. Leaving out b: a a a → a, wrong. 3 of 4.
    # Item 2: a a b b. Leaving out an a: a b b → b, wrong; each of the four is wrong.
    # Item 3: two votes, too few.
    frame = votes([["a", "a", "a", "b"], ["a", "a", "b", "b"], ["a", "a", None, None]])
    found = ensemble_agreement(frame)
    assert found.value == pytest.approx(3 / 8)
    assert found.n == 8


def test_tied_ensembles_say_nothing() -> None:
    frame = votes([["a", "a", "a", "b", "b"], ["a", "a", "a", "a", "a"]])
    # Item 1: leaving out an a gives a a b b, tied and left out; leaving out a b gives a a a b → a, wrong.
    found = ensemble_agreement(frame)
    assert (found.n, found.value) == (7, pytest.approx(5 / 7))


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ([["a"], ["b"]], "No item was judged by two workers"),
        ([["a", None], [None, "b"]], "No item was judged by two workers"),
        ([["a", "b"]], "single item"),
    ],
)
def test_percent_agreement_refuses(table: list[list[object]], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        percent_agreement(votes(table))


def test_other_refusals() -> None:
    with pytest.raises(UserError, match="indifferent side"):
        percent_agreement(votes([["tie", "a"], ["tie", "tie"]]), indifferent="tie")
    with pytest.raises(UserError, match="same one label"):
        cohen_kappa(["a", "a"], ["a", "a"])
    with pytest.raises(UserError, match="same, non-empty"):
        cohen_kappa(["a"], [])
    with pytest.raises(UserError, match="at least two workers"):
        krippendorff_alpha(votes([["a"], ["b"]]))
    with pytest.raises(UserError, match="every vote is the same"):
        krippendorff_alpha(votes([["a", "a"]]))
    with pytest.raises(UserError, match="at least two workers judged"):
        krippendorff_alpha(votes([["a", None], [None, "b"]]))
    with pytest.raises(UserError, match="Fewer than two items"):
        ensemble_agreement(votes([["a", "b", "a"]]))
