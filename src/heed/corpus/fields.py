"""Fifteen years of schema drift, sorted out column by column.

Each function takes the raw values of one column and gives clean ones. Columns instead of rows, because a list
comprehension over one field costs a tenth of building a record per line.
"""

import html
import math
from collections.abc import Callable, Iterable
from typing import Any

from heed.corpus.lines import Line
from heed.corpus.pseudonyms import Pseudonyms

_GONE = {"[deleted]": "deleted", "[removed]": "removed", "[ removed by reddit ]": "removed"}
_NO_AUTHOR = frozenset({"[deleted]", "[removed]", ""})
_DISTINGUISHED = {"moderator": "moderator", "admin": "admin"}
_TRUE_WORDS = frozenset({"true", "1", "yes"})
# Parquet keeps 64-bit integers; a number beyond them is a broken field.
_LARGEST = 2**62
Columns = dict[str, list[Any]]


def post_columns(rows: list[Line], lines: list[int], file: str, pseudonyms: Pseudonyms) -> Columns:
    """The columns of records.Post."""
    texts = [clean_text(row.selftext) for row in rows]
    self_posts = [_is_self(row) for row in rows]
    return {
        **_shared_columns(rows, lines, file, pseudonyms, asker=lambda _row: True),
        "title": [clean_text(row.title) for row in rows],
        "text": texts,
        "url": [_url(row, own) for row, own in zip(rows, self_posts, strict=True)],
        "is_self": self_posts,
        "upvote_ratio": [_real(row.upvote_ratio) for row in rows],
        "comment_count": integers(row.num_comments for row in rows),
        "state": [post_state(row, text) for row, text in zip(rows, texts, strict=True)],
        "over_18": flags(row.over_18 for row in rows),
    }


def comment_columns(rows: list[Line], lines: list[int], file: str, pseudonyms: Pseudonyms) -> Columns:
    """The columns of records.Comment."""
    texts = [clean_text(row.body) for row in rows]
    return {
        **_shared_columns(rows, lines, file, pseudonyms, asker=lambda row: _flag(row.is_submitter)),
        "post_id": bare_ids(row.link_id for row in rows),
        "parent_id": [parent_comment(row.parent_id, row.link_id) for row in rows],
        "text": texts,
        "score_hidden": flags(row.score_hidden for row in rows),
        "gilded": [bool(_integer(row.gilded)) for row in rows],
        "state": [state(row, text) for row, text in zip(rows, texts, strict=True)],
    }


def _shared_columns(
    rows: list[Line], lines: list[int], file: str, pseudonyms: Pseudonyms, asker: Callable[[Line], bool]
) -> Columns:
    pseudonym = pseudonyms.of
    authors = [row.author if isinstance(row.author, str) else "" for row in rows]
    return {
        "id": bare_ids(row.id for row in rows),
        "subreddit": [row.subreddit for row in rows],
        "author": [None if name in _NO_AUTHOR else pseudonym(name) for name in authors],
        "role": [role(row, name, asker) for row, name in zip(rows, authors, strict=True)],
        "score": integers(row.score for row in rows),
        "created": integers(row.created_utc for row in rows),
        "edited": [_is_edited(row) for row in rows],
        "edited_at": [_edited_at(row.edited) for row in rows],
        "stickied": flags(row.stickied for row in rows),
        "generated": flags(row.generated for row in rows),
        "retrieved": [_retrieved(row) for row in rows],
        "file": [file] * len(rows),
        "line": lines,
    }


def bare_ids(values: Iterable[Any]) -> list[str]:
    """t3_abc, abc and ABC are one id; a numeric one stood for base 36 already."""
    return [bare_id(value) for value in values]


def bare_id(value: Any) -> str:
    text = str(value).lower()
    return text[3:] if text[:1] == "t" and text[2:3] == "_" else text


def parent_comment(parent_id: Any, link_id: Any) -> str | None:
    """The id of the comment this one answers, None when it answers the post."""
    if parent_id is None:
        return None
    parent = str(parent_id)
    if parent.startswith("t3_") or bare_id(parent) == bare_id(link_id):
        return None
    return bare_id(parent)


def clean_text(value: Any) -> str:
    """What the writer wrote: Reddit's escapes undone, its editor's invisible fillers gone."""
    if not isinstance(value, str):
        return ""
    if "&" not in value:
        return value
    text = html.unescape(value)
    return text.replace("&#x200B;", "").replace("&nbsp;", " ") if "&" in text else text


def role(row: Line, author: str, asker: Callable[[Line], bool]) -> str:
    if author in _NO_AUTHOR:
        return "deleted"
    if author.lower() == "automoderator":
        return "automoderator"
    if isinstance(row.distinguished, str) and row.distinguished in _DISTINGUISHED:
        return _DISTINGUISHED[row.distinguished]
    return "asker" if asker(row) else "user"


def state(row: Line, text: str) -> str:
    """Whether the text is there, and whether it was taken back after the dump had read it (Arctic Shift)."""
    gone = _GONE.get(text.strip().lower()) if len(text) < 32 else None
    if gone is not None:
        return gone
    if not isinstance(row.meta, dict):
        return "present"
    if row.meta.get("was_deleted_later") or row.meta.get("removal_type") == "deleted":
        return "deleted_later"
    return "removed_later" if row.meta.get("removal_type") else "present"


def post_state(row: Line, text: str) -> str:
    found = state(row, text)
    if found == "present" and isinstance(row.removed_by_category, str):
        return "deleted_later" if row.removed_by_category == "deleted" else "removed_later"
    return found


def integers(values: Iterable[Any]) -> list[int | None]:
    return [
        value if type(value) is int and -_LARGEST < value < _LARGEST else _integer(value) for value in values
    ]


def flags(values: Iterable[Any]) -> list[bool]:
    return [value if type(value) is bool else _flag(value) for value in values]


def _integer(value: Any) -> int | None:
    """12, 12.0, "12" and "12.0" are 12; what is no number is unknown."""
    real = _real(value)
    return None if real is None else int(real)


def _real(value: Any) -> float | None:
    try:
        real = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return real if math.isfinite(real) and abs(real) < _LARGEST else None


def _flag(value: Any) -> bool:
    return value is True or (value is not None and str(value).lower() in _TRUE_WORDS)


def _is_edited(row: Line) -> bool:
    """`edited` is false, true or the time of the edit, as a number or as text."""
    if row.edited is False or row.edited is None:
        return isinstance(row.meta, dict) and bool(row.meta.get("is_edited"))
    return _flag(row.edited) or _edited_at(row.edited) is not None


def _edited_at(value: Any) -> int | None:
    if value is False or value is None or value is True:
        return None
    seconds = _integer(value)
    return seconds if seconds and seconds > 1 else None


def _retrieved(row: Line) -> int | None:
    """When the dump read the line; Arctic Shift reads a second time after 36 hours."""
    if isinstance(row.meta, dict) and row.meta.get("retrieved_2nd_on") is not None:
        return _integer(row.meta["retrieved_2nd_on"])
    return _integer(row.retrieved_on if row.retrieved_on is not None else row.retrieved_utc)


def _is_self(row: Line) -> bool:
    if row.is_self is None:
        return bool(row.selftext) or not isinstance(row.url, str)
    return _flag(row.is_self)


def _url(row: Line, own: bool) -> str | None:
    return row.url if not own and isinstance(row.url, str) else None
