"""Fifteen years of schema drift, sorted out column by column.

Takes the raw fields, all text, and gives the columns of records.Post and records.Comment. Expressions and
whole columns, because a function call per field and line would cost ten times as much.
"""

import html

import polars as pl

from heed.corpus.pseudonyms import NOBODY, Pseudonyms
from heed.corpus.schema import SCHEMAS
from heed.records import Kind

_GONE = {"[deleted]": "deleted", "[removed]": "removed", "[ removed by reddit ]": "removed"}
# Parquet keeps 64-bit integers; a number beyond them is a broken field.
_LARGEST = 2**62


def post_rows(raw: pl.DataFrame, file: str, pseudonyms: Pseudonyms) -> pl.DataFrame:
    """The rows of records.Post."""
    raw = raw.with_columns(title=clean(raw["title"]), text=clean(raw["selftext"]))
    self_post = (
        pl.when(pl.col("is_self").is_not_null())
        .then(_flag("is_self"))
        .otherwise((pl.col("text") != "") | pl.col("url").is_null())
    )
    columns = {
        **_shared(raw, file, pseudonyms, asker=pl.lit(value=True)),
        "title": pl.col("title"),
        "is_self": self_post,
        "url": pl.when(~self_post).then("url"),
        "upvote_ratio": _real("upvote_ratio"),
        "comment_count": _integer("num_comments"),
        "over_18": _flag("over_18"),
        "state": _post_state(),
    }
    return _select(raw, columns, "post")


def comment_rows(raw: pl.DataFrame, file: str, pseudonyms: Pseudonyms) -> pl.DataFrame:
    """The rows of records.Comment; the parent is None where a comment answers the post."""
    raw = raw.with_columns(text=clean(raw["body"]), parent=_bare_id("parent_id"), thread=_bare_id("link_id"))
    answers_post = pl.col("parent_id").str.starts_with("t3_") | (pl.col("parent") == pl.col("thread"))
    columns = {
        **_shared(raw, file, pseudonyms, asker=_flag("is_submitter")),
        "post_id": pl.col("thread"),
        "parent_id": pl.when(~answers_post).then("parent"),
        "score_hidden": _flag("score_hidden"),
        "gilded": (_integer("gilded") > 0).fill_null(value=False),
        "state": _state(),
    }
    return _select(raw, columns, "comment")


def _shared(
    raw: pl.DataFrame, file: str, pseudonyms: Pseudonyms, asker: pl.Expr
) -> dict[str, pl.Expr | pl.Series]:
    return {
        "id": _bare_id("id"),
        "subreddit": pl.col("subreddit"),
        "author": pseudonyms.of_column(raw["author"]),
        "role": _role(asker),
        "text": pl.col("text"),
        "score": _integer("score"),
        "created": _integer("created_utc"),
        "edited": _is_edited(),
        "edited_at": _edited_at(),
        "stickied": _flag("stickied"),
        "generated": _flag("generated"),
        "retrieved": _retrieved(),
        "file": pl.lit(file),
        "line": pl.col("line"),
    }


def _select(raw: pl.DataFrame, columns: dict[str, pl.Expr | pl.Series], kind: Kind) -> pl.DataFrame:
    """All columns in one step, in the order and with the types of the record."""
    rows = raw.select(**{name: columns[name] for name in SCHEMAS[kind]})
    return rows.cast(pl.Schema(SCHEMAS[kind]))


def clean(texts: pl.Series) -> pl.Series:
    """What the writer wrote: Reddit's escapes undone, its editor's invisible fillers gone, no NUL."""
    texts = texts.fill_null("").str.replace_all("\x00", "\ufffd", literal=True)
    escaped = texts.str.contains("&", literal=True).arg_true()
    return texts.scatter(escaped, [_unescape(text) for text in texts.gather(escaped)])


def _unescape(text: str) -> str:
    return html.unescape(text).replace("&#x200B;", "").replace("&nbsp;", " ")


def _bare_id(name: str) -> pl.Expr:
    """t3_abc, abc and ABC are one id."""
    bare = pl.col(name).str.to_lowercase()
    for prefix in ("t1_", "t3_"):  # of comments and posts; three times as fast as a pattern
        bare = bare.str.strip_prefix(prefix)
    return bare


def _role(asker: pl.Expr) -> pl.Expr:
    name = pl.col("author").fill_null("")
    return (
        pl.when(name.is_in(NOBODY))
        .then(pl.lit("deleted"))
        .when(name.str.to_lowercase() == "automoderator")
        .then(pl.lit("automoderator"))
        .when(pl.col("distinguished").is_in(["moderator", "admin"]))
        .then(pl.col("distinguished"))
        .when(asker)
        .then(pl.lit("asker"))
        .otherwise(pl.lit("user"))
    )


def _state() -> pl.Expr:
    """Whether the text is there, and whether it was taken back after the dump had read it (Arctic Shift)."""
    words = pl.col("text").str.head(32).str.strip_chars().str.to_lowercase()
    removal = _meta("removal_type")
    return (
        pl.when(words.is_in(list(_GONE)))
        .then(words.replace_strict(_GONE, default=None, return_dtype=pl.String))
        .when(_truth(_meta("was_deleted_later")) | (removal == "deleted").fill_null(value=False))
        .then(pl.lit("deleted_later"))
        .when(removal.is_not_null())
        .then(pl.lit("removed_later"))
        .otherwise(pl.lit("present"))
    )


def _post_state() -> pl.Expr:
    by = pl.col("removed_by_category")
    later = pl.when(by == "deleted").then(pl.lit("deleted_later")).otherwise(pl.lit("removed_later"))
    return pl.when((_state() == "present") & by.is_not_null()).then(later).otherwise(_state())


def _real(name: str) -> pl.Expr:
    """12, 12.0, "12" and "12.0" are 12; what is no number is unknown."""
    return _number(pl.col(name))


def _number(value: pl.Expr) -> pl.Expr:
    real = value.cast(pl.Float64, strict=False)
    return pl.when(real.abs() < _LARGEST).then(real)


def _integer(name: str) -> pl.Expr:
    return _real(name).cast(pl.Int64, strict=False)


def _flag(name: str) -> pl.Expr:
    return _truth(pl.col(name))


def _truth(value: pl.Expr) -> pl.Expr:
    return value.str.to_lowercase().is_in(["true", "1", "yes"]).fill_null(value=False)


def _meta(key: str) -> pl.Expr:
    """A field of Arctic Shift's `_meta` object, as text."""
    return pl.col("_meta").str.extract(rf'"{key}"\s*:\s*"?([^",}}]+)"?').replace("null", None)


def _edited_at() -> pl.Expr:
    """`edited` is false, true or the time of the edit, as a number or as text."""
    seconds = _integer("edited")
    return pl.when(seconds > 1).then(seconds)


def _is_edited() -> pl.Expr:
    return _flag("edited") | _edited_at().is_not_null() | _truth(_meta("is_edited"))


def _retrieved() -> pl.Expr:
    """When the dump read the line; Arctic Shift reads a second time after 36 hours."""
    again = _number(_meta("retrieved_2nd_on")).cast(pl.Int64, strict=False)
    return pl.coalesce(again, _integer("retrieved_on"), _integer("retrieved_utc"))
