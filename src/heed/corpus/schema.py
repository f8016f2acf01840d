"""The Parquet columns of posts and comments, taken from the records, and the bucket a thread lies in."""

import types
from dataclasses import fields
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import polars as pl

from heed.records import Comment, Kind, Post

_TYPES: dict[Any, pl.DataType] = {
    str: pl.String(),
    int: pl.Int64(),
    float: pl.Float64(),
    bool: pl.Boolean(),
}


def _column_type(annotation: Any) -> pl.DataType:
    if get_origin(annotation) in (Union, types.UnionType):
        annotation = next(part for part in get_args(annotation) if part is not type(None))
    if get_origin(annotation) is Literal:
        annotation = str
    return _TYPES[annotation]


def _schema(record: type[Post] | type[Comment]) -> dict[str, pl.DataType]:
    hints = get_type_hints(record)
    return {field.name: _column_type(hints[field.name]) for field in fields(record)}


SCHEMAS: dict[Kind, dict[str, pl.DataType]] = {"post": _schema(Post), "comment": _schema(Comment)}
FOLDERS: dict[Kind, str] = {"post": "posts", "comment": "comments"}
THREAD_COLUMN: dict[Kind, str] = {"post": "id", "comment": "post_id"}


def bucket_of(thread_ids: pl.Series, bucket_count: int) -> pl.Series:
    """The same for a post and all its comments, on every machine and in every version.

    Ids are counters in base 36, so the remainder spreads them evenly; an id that is not a number goes to 0.
    """
    numbers = thread_ids.str.to_integer(base=36, strict=False).fill_null(0).abs()
    return (numbers % bucket_count).cast(pl.Int32)


def bucket_name(bucket: int) -> str:
    return f"{bucket:04d}.parquet"
