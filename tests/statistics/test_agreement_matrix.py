"""The agreement matrix against a plain loop over all pairs of opinions."""

from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.errors import UserError
from heed.statistics.agreement_matrix import agreement_matrix, ensemble, metric, people
from heed.statistics.bootstrap import Resampling

FEW = Resampling(resamples=50)


def random_votes(seed: int, comparisons: int, workers: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    table = rng.integers(-1, 2, (comparisons, workers)).astype(float)
    table[rng.random(table.shape) < 0.2] = np.nan
    table[:, 0] = 1
    return table


def as_frame(table: np.ndarray) -> pl.DataFrame:
    rows = [
        (f"c{c}", f"w{w}", int(v)) for c, row in enumerate(table) for w, v in enumerate(row) if np.isfinite(v)
    ]
    return pl.DataFrame(rows, schema=["comparison", "worker", "vote"], orient="row")


def cell(table: pl.DataFrame, first: str, second: str) -> tuple[float, int]:
    row = table.filter((pl.col("first") == first) & (pl.col("second") == second)).row(0, named=True)
    return row["agreement"], row["pairs"]


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15, deadline=None)
def test_cells_equal_a_loop_over_pairs(seed: int) -> None:
    table = random_votes(seed, 25, 6)
    scores = np.random.default_rng(seed + 1).normal(size=(25, 2))
    group = people(as_frame(table), [f"c{k}" for k in range(25)])
    columns = {"labeler": group, "ensemble": ensemble(group), "metric": metric(scores[:, 0], scores[:, 1])}
    matrix = agreement_matrix(columns, np.arange(25), ensemble_of={"ensemble": "labeler"}, how=FEW)
    within, against, left_out = [], [], []
    for row, (first, second) in zip(table, scores, strict=True):
        voted = [v for v in row if np.isfinite(v) and v != 0]
        within += [a == b for a, b in combinations(voted, 2)]
        against += [v == np.sign(first - second) for v in voted]
        for place, vote in enumerate(voted):
            others = voted[:place] + voted[place + 1 :]
            if len(others) >= 3 and sum(others) != 0:
                left_out.append(vote == np.sign(sum(others)))
    assert cell(matrix, "labeler", "labeler") == (pytest.approx(np.mean(within)), len(within))
    assert cell(matrix, "labeler", "metric") == (pytest.approx(np.mean(against)), len(against))
    if left_out:
        assert cell(matrix, "labeler", "ensemble") == (pytest.approx(np.mean(left_out)), len(left_out))


def test_standard_error_is_the_binomial_one_for_independent_comparisons() -> None:
    rng = np.random.default_rng(0)
    first, second = rng.normal(size=(2, 2_000, 2))
    columns = {"one": metric(first[:, 0], first[:, 1]), "other": metric(second[:, 0], second[:, 1])}
    row = agreement_matrix(columns, np.arange(2_000)).filter(pl.col("first") != pl.col("second"))
    assert row["standard_error"][0] == pytest.approx(0.5 / 2_000**0.5, rel=0.1)


def test_a_cell_without_pairs_is_null() -> None:
    lone = people(as_frame(np.ones((4, 1))), [f"c{k}" for k in range(4)])
    matrix = agreement_matrix({"labeler": lone, "ensemble": ensemble(lone)}, np.arange(4), how=FEW)
    assert matrix["agreement"].to_list() == [None, None, None]
    assert matrix["standard_error"].null_count() == 3
    assert matrix["pairs"].to_list() == [0, 0, 0]


def test_bad_votes_are_refused() -> None:
    frame = pl.DataFrame({"comparison": ["c"], "worker": ["w"], "vote": [2]})
    with pytest.raises(UserError, match="A vote is -1, 0 or 1"):
        people(frame, ["c"])
    with pytest.raises(UserError, match="more than once"):
        people(pl.concat([frame.with_columns(vote=1)] * 2), ["c"])
