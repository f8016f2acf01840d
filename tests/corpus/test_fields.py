import json
from typing import Any

import polars as pl
import pytest

from heed.corpus.fields import comment_rows, post_rows
from heed.corpus.lines import parse
from heed.corpus.pseudonyms import Pseudonyms
from heed.corpus.schema import SCHEMAS

KEY = Pseudonyms(b"k" * 32)


def raw(line: dict[str, Any]) -> pl.DataFrame:
    frame, bad = parse(json.dumps(line).encode(), [1])
    assert bad == []
    return frame


def as_post(make_post: Any, **fields: Any) -> dict[str, Any]:
    return post_rows(raw(make_post(1, **fields)), "f", KEY).row(0, named=True)


def as_comment(make_comment: Any, **fields: Any) -> dict[str, Any]:
    return comment_rows(raw(make_comment(1, 1, **fields)), "f", KEY).row(0, named=True)


def test_columns_and_types_are_those_of_the_records(make_post: Any, make_comment: Any) -> None:
    assert dict(post_rows(raw(make_post(1)), "f", KEY).schema) == SCHEMAS["post"]
    assert dict(comment_rows(raw(make_comment(1, 1)), "f", KEY).schema) == SCHEMAS["comment"]


@pytest.mark.parametrize("value", ["t3_ABC", "abc", "t3_abc", "ABC"])
def test_ids_lose_their_prefix_and_case(value: str, make_post: Any) -> None:
    assert as_post(make_post, id=value)["id"] == "abc"


@pytest.mark.parametrize(
    ("value", "expected"),
    [(12, 12), ("12", 12), (12.0, 12), ("12.7", 12), (None, None), ("many", None), (10**40, None), (-3, -3)],
)
def test_numbers_come_as_numbers_or_text(value: Any, expected: int | None, make_post: Any) -> None:
    assert as_post(make_post, score=value)["score"] == expected
    assert as_post(make_post, created_utc=value)["created"] == expected


@pytest.mark.parametrize(
    ("value", "edited", "at"),
    [
        (False, False, None),
        (None, False, None),
        (True, True, None),
        (1_500_000_000.0, True, 1_500_000_000),
        ("1500000000", True, 1_500_000_000),
        ("true", True, None),
        ("false", False, None),
        (0, False, None),
    ],
)
def test_edited_is_false_true_or_a_time(value: Any, edited: bool, at: int | None, make_comment: Any) -> None:
    row = as_comment(make_comment, edited=value)
    assert (row["edited"], row["edited_at"]) == (edited, at)


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"body": "fine"}, "present"),
        ({"body": "[deleted]"}, "deleted"),
        ({"body": " [removed] "}, "removed"),
        ({"body": "[ Removed by Reddit ]"}, "removed"),
        ({"_meta": {"was_deleted_later": True}}, "deleted_later"),
        ({"_meta": {"removal_type": "deleted"}}, "deleted_later"),
        ({"_meta": {"removal_type": "moderator", "was_deleted_later": False}}, "removed_later"),
        ({"_meta": {"removal_type": None, "is_edited": True}}, "present"),
        ({"body": 'about "removal_type": "x"'}, "present"),
    ],
)
def test_what_is_gone_is_marked(fields: dict[str, Any], state: str, make_comment: Any) -> None:
    assert as_comment(make_comment, **fields)["state"] == state


def test_arctic_shift_marks_edits_and_a_second_reading(make_comment: Any) -> None:
    row = as_comment(make_comment, _meta={"is_edited": True, "retrieved_2nd_on": 1_700_200_000})
    assert (row["edited"], row["retrieved"]) == (True, 1_700_200_000)


def test_a_post_that_reddit_took_away_is_marked(make_post: Any) -> None:
    assert as_post(make_post, removed_by_category="moderator")["state"] == "removed_later"
    assert as_post(make_post, removed_by_category="deleted")["state"] == "deleted_later"


@pytest.mark.parametrize(
    ("written", "clean"),
    [
        ("a &amp; b &lt;c&gt;", "a & b <c>"),
        ("&amp;#x200B;", ""),
        ("one&amp;nbsp;two", "one two"),
        ("&quot;x&#39;", "\"x'"),
        ("AT&T", "AT&T"),
        (None, ""),
        ("half \ud83d emoji", "half \ufffd emoji"),
        ("nul \x00 byte", "nul \ufffd byte"),
    ],
)
def test_texts_are_what_the_writer_wrote(written: str | None, clean: str, make_post: Any) -> None:
    assert as_post(make_post, selftext=written)["text"] == clean


@pytest.mark.parametrize(
    ("fields", "role"),
    [
        ({}, "user"),
        ({"is_submitter": True}, "asker"),
        ({"distinguished": "moderator"}, "moderator"),
        ({"distinguished": "admin"}, "admin"),
        ({"author": "AutoModerator", "distinguished": "moderator"}, "automoderator"),
        ({"author": "[deleted]"}, "deleted"),
        ({"author": None}, "deleted"),
        ({"distinguished": "special"}, "user"),
    ],
)
def test_roles_stay_recognisable(fields: dict[str, Any], role: str, make_comment: Any) -> None:
    assert as_comment(make_comment, **fields)["role"] == role


def test_authors_are_pseudonyms_without_regard_to_case(make_post: Any) -> None:
    first, second = as_post(make_post, author="Someone"), as_post(make_post, author="SOMEONE")
    assert first["author"] == second["author"] == KEY.of("someone")
    assert first["author"].startswith("p_")
    assert Pseudonyms(b"q" * 32).of("someone") != first["author"]
    assert as_post(make_post, author="[deleted]")["author"] is None


@pytest.mark.parametrize(
    ("parent", "expected"), [("t3_p1", None), ("p1", None), (None, None), ("t1_C9", "c9"), ("c9", "c9")]
)
def test_the_parent_is_a_comment_or_nothing(
    parent: str | None, expected: str | None, make_comment: Any
) -> None:
    assert as_comment(make_comment, parent_id=parent)["parent_id"] == expected


def test_a_link_post_keeps_its_address(make_post: Any) -> None:
    assert as_post(make_post, is_self=False, url="https://example.org/x")["url"] == "https://example.org/x"
    own = as_post(make_post, is_self=None, url="https://example.org/x")
    assert (own["is_self"], own["url"]) == (True, None)
