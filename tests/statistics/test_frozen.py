"""The frozen judgments: round trip, checks, and the view from one policy."""

from dataclasses import asdict, replace
from pathlib import Path

import polars as pl
import pytest

from heed.errors import NotFoundError, UnreadableError, UserError
from heed.records import Judgment
from heed.statistics.frozen import (
    FILE_NAME,
    SCHEMA,
    oriented,
    read_judgments,
    reference_policy,
    write_judgments,
)
from heed.statistics.summary import summarise

ONE = Judgment(
    study="s",
    protocol="advice",
    item="i1",
    example="e1",
    domain="life",
    subreddit="Advice",
    split="test",
    situation="My cat is sad.",
    policy_a="tfidf",
    policy_b="reference",
    text_a="Buy it a toy mouse.",
    text_b="See a vet.",
    reference="See a vet.",
    worker="w1",
    kind="human",
    choice="b",
    strength=-1.0,
    answers="{}",
    scores="{}",
    shown_first="a",
    seconds=31.5,
    started=1_790_000_000,
    instruction_version="1",
    revision=1,
)
TWO = replace(
    ONE, item="i2", policy_a="reference", policy_b="rules", choice="tie", strength=0.0, shown_first="b"
)
RATED = replace(ONE, item="i3", policy_b=None, text_b=None, choice="none", strength=0.0)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write_judgments([TWO, ONE, RATED], tmp_path / FILE_NAME)
    frame = read_judgments(tmp_path)
    assert frame.schema == SCHEMA
    assert frame.to_dicts() == [asdict(judgment) for judgment in (ONE, TWO, RATED)]


def test_same_judgments_same_bytes(tmp_path: Path) -> None:
    write_judgments([ONE, TWO], tmp_path / "one.parquet")
    write_judgments([TWO, ONE], tmp_path / "two.parquet")
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()


def test_oriented_turns_every_side(tmp_path: Path) -> None:
    write_judgments([ONE, TWO, RATED], tmp_path / FILE_NAME)
    frame = read_judgments(tmp_path)
    seen = oriented(frame, "reference")
    assert reference_policy(frame) == "reference"
    assert seen["policy"].to_list() == ["tfidf", "rules"]
    assert seen["score"].to_list() == [0.0, 0.5]
    assert seen["strength"].to_list() == [-1.0, 0.0]
    assert seen["shown_first"].to_list() == [1, 1]
    assert seen["log_length_ratio"][0] > 0
    turned = oriented(frame, "tfidf")
    assert turned.select("policy", "score", "strength").rows() == [("reference", 1.0, 1.0)]


def test_the_reference_is_found_by_name_or_by_being_everywhere() -> None:
    def found(*pairs: tuple[str, str]) -> str | None:
        rows = [asdict(replace(ONE, policy_a=a, policy_b=b)) for a, b in pairs]
        return reference_policy(pl.DataFrame(rows, schema=SCHEMA))

    assert found(("p", "ref"), ("p", "q")) == "ref"
    assert found(("p", "h"), ("h", "q")) == "h"
    assert found(("p", "q"), ("q", "r"), ("r", "p")) is None
    assert found(("p", "q")) is None


def test_two_texts_of_one_policy_have_no_side() -> None:
    same = pl.DataFrame([asdict(replace(ONE, policy_b="tfidf"))], schema=SCHEMA)
    assert oriented(same, "tfidf").is_empty()
    assert reference_policy(same) is None


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"choice": "left"}, "choice is one of a, b, tie, none, not 'left'"),
        ({"kind": "robot"}, "kind is one of"),
        ({"strength": 2.0}, r"strength lies in \[-1, 1\]"),
        ({"strength": float("nan")}, r"strength lies in \[-1, 1\]"),
        ({"strength": 0.5}, "Choice and strength disagree in 1 judgments, the first on item i1"),
        ({"worker": None}, "need a value in worker"),
    ],
)
def test_wrong_judgments_are_not_written(tmp_path: Path, changed: dict[str, object], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        write_judgments([replace(ONE, **changed)], tmp_path / FILE_NAME)  # type: ignore[arg-type]


def test_a_worker_twice_on_one_item_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="more than once"):
        write_judgments([ONE, replace(ONE, choice="a", strength=1.0)], tmp_path / FILE_NAME)


def test_unreadable_places_are_named(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no frozen judgments at"):
        read_judgments(tmp_path)
    (tmp_path / "x.parquet").write_text("no")
    with pytest.raises(UnreadableError, match="not a Parquet file"):
        read_judgments(tmp_path / "x.parquet")
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "y.parquet")
    with pytest.raises(UnreadableError, match="lacks the columns study"):
        read_judgments(tmp_path / "y.parquet")
    with pytest.raises(UserError, match="no judgments"):
        write_judgments([], tmp_path / "z.parquet")


def test_ratings_are_summarised_from_frozen_files_too(tmp_path: Path) -> None:
    rated = [
        replace(RATED, item=f"i{k}", example=f"e{k}", answers=f'{{"overall": {k}}}') for k in range(1, 6)
    ]
    write_judgments(rated, tmp_path / FILE_NAME)
    found = summarise([tmp_path])
    assert found["axes"][0]["mean"] == 3.0
    assert "alpha" not in found


def test_files_without_later_columns_are_read(tmp_path: Path) -> None:
    write_judgments([ONE], tmp_path / "new.parquet")
    later = ["temperature_a", "temperature_b", "top_p_a", "top_p_b", "purpose", "batch"]
    pl.read_parquet(tmp_path / "new.parquet").drop(later).write_parquet(tmp_path / "old.parquet")
    old, new = read_judgments(tmp_path / "old.parquet"), read_judgments(tmp_path / "new.parquet")
    assert old.equals(new)
    assert old.schema == SCHEMA
    assert old["temperature_a"].to_list() == [None]
