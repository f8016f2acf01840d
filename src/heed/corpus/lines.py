"""Lines of a dump become a frame of raw fields, all text, whatever their types were in that year.

A block in which every line is good is parsed in one call; where one is not, each is looked at alone. A line
that cannot be used is a reason, never an exception.
"""

import io
import json
from collections.abc import Sequence
from typing import Any

import polars as pl

# Why a line is put into quarantine. The docs list each one; a test compares.
REASONS = {
    "not_utf8": "the line's bytes are not UTF-8",
    "not_json": "the line is not JSON",
    "not_an_object": "the line is JSON but not an object",
    "no_id": "the object has no id",
    "no_subreddit": "the object names no subreddit",
    "neither_post_nor_comment": "the object has neither a title nor a body",
    "no_thread": "a comment that does not say which post it belongs to",
    "line_too_long": "the line is longer than the limit",
    "truncated": "the file ends in the middle of this line",
}

_SHARED = (
    "id subreddit author created_utc score edited distinguished stickied retrieved_on retrieved_utc "
    "generated _meta"
)
_OF_POSTS = "title selftext url is_self upvote_ratio num_comments over_18 removed_by_category"
_OF_COMMENTS = "body link_id parent_id is_submitter score_hidden gilded"
# Everything as text: the parser then takes 12, 12.0 and "12" alike, and skips the fields not named here.
_RAW_SCHEMA = dict.fromkeys(f"{_SHARED} {_OF_POSTS} {_OF_COMMENTS}".split(), pl.String)

Rejects = list[tuple[int, str]]


def parse(data: bytes, numbers: Sequence[int]) -> tuple[pl.DataFrame, Rejects]:
    """The lines in `data` as raw fields with a column `line`, and the bad ones' numbers with reasons."""
    try:
        frame = pl.read_ndjson(io.BytesIO(data), schema=_RAW_SCHEMA)
    except (pl.exceptions.PolarsError, UnicodeError):
        return _parse_one_by_one(data, numbers)
    if len(frame) != len(numbers):  # a blank line somewhere
        return _parse_one_by_one(data, numbers)
    return frame.with_columns(line=pl.Series(numbers, dtype=pl.Int64)), []


def _parse_one_by_one(data: bytes, numbers: Sequence[int]) -> tuple[pl.DataFrame, Rejects]:
    good: list[tuple[int, str]] = []
    bad: Rejects = []
    for number, line in zip(numbers, data.split(b"\n"), strict=True):
        value = _load(line)
        if isinstance(value, dict):
            good.append((number, json.dumps(value)))
        else:
            bad.append((number, value))
    kept = "\n".join(text for _, text in good).encode()
    frame = pl.read_ndjson(io.BytesIO(kept), schema=_RAW_SCHEMA) if good else pl.DataFrame(schema=_RAW_SCHEMA)
    return frame.with_columns(line=pl.Series([number for number, _ in good], dtype=pl.Int64)), bad


def _load(line: bytes) -> dict[str, Any] | str:
    """The fields that Heed reads, in a form that every parser takes, or the reason why there are none."""
    if not line.strip():
        return "blank"
    try:
        value = json.loads(line.decode("utf-8"), parse_constant=lambda _name: None)
    except UnicodeDecodeError:
        return "not_utf8"
    except (ValueError, RecursionError):
        return "not_json"
    if not isinstance(value, dict):
        return "not_an_object"
    return {name: _plain(value[name]) for name in _RAW_SCHEMA if name in value}


def _plain(value: Any) -> Any:
    """Halves of surrogate pairs become U+FFFD; numbers too large for the parser become text."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return str(value) if isinstance(value, int) and abs(value) >= 2**63 else value


def kind_or_reason() -> pl.Expr:
    """'post', 'comment', or the reason why a parsed line is neither."""
    return (
        pl.when(pl.col("id").fill_null("") == "")
        .then(pl.lit("no_id"))
        .when(pl.col("subreddit").fill_null("") == "")
        .then(pl.lit("no_subreddit"))
        .when(pl.col("body").is_not_null() & pl.col("link_id").is_not_null())
        .then(pl.lit("comment"))
        .when(pl.col("title").is_not_null())
        .then(pl.lit("post"))
        .when(pl.col("body").is_not_null())
        .then(pl.lit("no_thread"))
        .otherwise(pl.lit("neither_post_nor_comment"))
    )
