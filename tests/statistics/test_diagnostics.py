"""Ratings of the worse text: their distribution and the three κ."""

import polars as pl
import pytest

from heed.errors import UserError
from heed.statistics.diagnostics import diagnostic_kappas, rating_distribution

COLUMNS = ["policy", "subject", "worker", "rating", "reason"]


def ratings(*rows: tuple[str, str, str, str, str | None]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def test_distribution_adds_to_one_per_policy() -> None:
    frame = ratings(
        ("p", "1", "u", "preferred", None),
        ("p", "2", "u", "not_helpful", "never"),
        ("p", "2", "v", "not_helpful", "never"),
        ("p", "3", "u", "slightly_helpful", "writing"),
        ("q", "4", "u", "dangerous", None),
    )
    table = rating_distribution(frame)
    assert table.filter(pl.col("policy") == "p")["share"].to_list() == [0.25, 0.25, 0.5]
    assert table.group_by("policy").agg(pl.col("share").sum())["share"].to_list() == [1.0, 1.0]


def test_kappa_by_hand_and_a_remark_where_there_is_none() -> None:
    # Four texts, two workers. Helpful? (u, v): yes yes, yes no, no no, no no. In both orders:
    # observed 3/4; yes in 3 of 8 places, so by chance (3/8)^2 + (5/8)^2 = 34/64; κ = (48 − 34)/(64 − 34).
    answers = [("s", "s"), ("s", "n"), ("n", "d"), ("d", "n")]
    names = {"s": "slightly_helpful", "n": "not_helpful", "d": "dangerous"}
    frame = ratings(
        *[
            ("p", str(k), w, names[a], None)
            for k, pair in enumerate(answers)
            for w, a in zip("uv", pair, strict=True)
        ]
    )
    table = diagnostic_kappas(frame)
    assert table["kappa"].to_list() == [pytest.approx(7 / 15), None, None]
    assert table["remark"].to_list()[1:] == ["nobody answered this question"] * 2


def test_all_ratings_alike_have_no_kappa_but_a_reason() -> None:
    frame = ratings(*[("p", "1", worker, "dangerous", None) for worker in "uv"])
    assert "undefined" in diagnostic_kappas(frame)["remark"][0]


def test_unknown_rating_is_refused() -> None:
    with pytest.raises(UserError, match="Rating splendid is unknown"):
        rating_distribution(ratings(("p", "1", "u", "splendid", None)))
