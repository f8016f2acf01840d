"""One line of a dump, parsed: only the fields that Heed keeps, whatever their types in that year.

A line that cannot be used is a reason, never an exception.
"""

import json
from typing import Any

import msgspec

# Why a line was put into quarantine. The docs list each one; a test compares.
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


class Line(msgspec.Struct, gc=False):
    """The fields of submissions and comments, 2005 to now. Any: fifteen years of drift are sorted out later."""

    id: Any = None
    subreddit: Any = None
    author: Any = None
    created_utc: Any = None
    score: Any = None
    edited: Any = None
    distinguished: Any = None
    stickied: Any = None
    retrieved_on: Any = None
    retrieved_utc: Any = None
    generated: Any = None
    meta: Any = msgspec.field(name="_meta", default=None)
    # submissions
    title: Any = None
    selftext: Any = None
    url: Any = None
    is_self: Any = None
    upvote_ratio: Any = None
    num_comments: Any = None
    over_18: Any = None
    removed_by_category: Any = None
    # comments
    body: Any = None
    link_id: Any = None
    parent_id: Any = None
    is_submitter: Any = None
    score_hidden: Any = None
    gilded: Any = None


_decoder = msgspec.json.Decoder(Line)
decode_lines = _decoder.decode_lines


def parse(line: bytes) -> Line | str:
    """The parsed line, or the reason why it cannot be one."""
    try:
        return _decoder.decode(line)
    except msgspec.DecodeError:
        return _parse_leniently(line)


def _parse_leniently(line: bytes) -> Line | str:
    """Halves of surrogate pairs are legal in JSON and stand in real dumps: they become U+FFFD."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        return "not_utf8"
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return "not_json"
    if not isinstance(value, dict):
        return "not_an_object"
    return msgspec.convert(_without_surrogates(value), Line)


def _without_surrogates(value: dict[str, Any]) -> dict[str, Any]:
    return {
        key: field.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if isinstance(field, str)
        else field
        for key, field in value.items()
    }


def kind_or_reason(line: Line) -> str:
    """'post', 'comment', or the reason why this line is neither."""
    if not isinstance(line.id, str | int) or line.id == "":
        return "no_id"
    if not isinstance(line.subreddit, str) or not line.subreddit:
        return "no_subreddit"
    if line.link_id is not None and line.body is not None:
        return "comment"
    if isinstance(line.title, str):
        return "post"
    return "neither_post_nor_comment" if line.body is None else "no_thread"
