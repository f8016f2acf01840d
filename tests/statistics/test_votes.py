"""Majority votes: counts, ties said out loud, a worker twice refused."""

import polars as pl
import pytest

from heed.errors import UserError
from heed.statistics.votes import label_rates, majority


def votes(*rows: tuple[str, str, str]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["item", "worker", "label"], orient="row")


def test_majority_counts_and_names_ties() -> None:
    table = majority(
        votes(("1", "u", "a"), ("1", "v", "a"), ("1", "w", "b"), ("2", "u", "a"), ("2", "v", "b"))
    )
    assert table.rows() == [("1", "a", False, 3, pytest.approx(2 / 3)), ("2", None, True, 2, 0.5)]


def test_rates_count_items_without_a_majority() -> None:
    rates = label_rates(votes(("1", "u", "a"), ("1", "v", "b"), ("2", "u", "b"), ("3", "v", "b")))
    assert rates == {"(tied)": pytest.approx(1 / 3), "b": pytest.approx(2 / 3)}


def test_one_labeler_is_a_majority_of_one() -> None:
    assert majority(votes(("1", "u", "a")))["label"].to_list() == ["a"]


def test_worker_twice_on_one_item_is_refused() -> None:
    with pytest.raises(UserError, match=r"item 1, worker u.*last revision"):
        majority(votes(("1", "u", "a"), ("1", "u", "b")))


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        (pl.DataFrame({"item": ["1"], "worker": ["u"]}), "Column label is missing"),
        (pl.DataFrame({"item": [], "worker": [], "label": []}), "no judgments"),
        (pl.DataFrame({"item": ["1"], "worker": ["u"], "label": [None]}), "Column label has empty cells"),
        (pl.DataFrame({"item": ["1"], "worker": ["u"], "label": [float("nan")]}), "empty cells"),
    ],
)
def test_bad_frames_are_refused_with_a_sentence(frame: pl.DataFrame, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        majority(frame)
