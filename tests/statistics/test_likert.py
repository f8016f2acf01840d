"""Mean ratings per policy and axis."""

import polars as pl
import pytest

from heed.errors import UserError
from heed.statistics.likert import axis_means


def ratings(values: list[int], axis: str = "overall", policy: str = "p") -> pl.DataFrame:
    names = [f"{policy}{k}" for k in range(len(values))]
    frame = pl.DataFrame({"example": names, "item": names, "rating": values})
    return frame.with_columns(policy=pl.lit(policy), axis=pl.lit(axis), worker=pl.lit("w"))


def test_means_with_intervals() -> None:
    table = axis_means(pl.concat([ratings([1, 7, 4, 4]), ratings([7, 7, 7], policy="q")]))
    first, second = table.rows(named=True)
    assert (first["mean"], first["n"]) == (4.0, 4)
    assert 1 <= first["low"] < 4 < first["high"] <= 7
    assert (second["low"], second["high"]) == (7.0, 7.0)


def test_one_example_has_a_mean_but_no_interval() -> None:
    row = axis_means(ratings([5])).row(0, named=True)
    assert (row["mean"], row["low"], row["high"]) == (5.0, None, None)


def test_a_worker_twice_is_refused() -> None:
    with pytest.raises(UserError, match="more than once"):
        axis_means(pl.concat([ratings([5]), ratings([6])]))
