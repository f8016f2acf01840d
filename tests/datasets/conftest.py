"""Posts, comments and buckets for tests of recipes: made by hand, or from the sample threads."""

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import polars as pl
import pytest

from heed.corpus.schema import SCHEMAS
from heed.datasets.recipe import Bucket
from heed.records import Comment, Kind, Post

STORY = "My landlord keeps my deposit although the flat was clean and I have photographs of every room. "


def make_post(id: str = "p1", **changes: Any) -> Post:
    values: dict[str, Any] = {
        "id": id,
        "subreddit": "Advice",
        "author": f"author-{id}",
        "role": "asker",
        "title": "How do I get my deposit back?",
        "text": STORY * 12,
        "url": None,
        "is_self": True,
        "score": 100,
        "upvote_ratio": 0.9,
        "comment_count": 1,
        "created": 1_560_000_000,
        "edited": False,
        "edited_at": None,
        "state": "present",
        "stickied": False,
        "over_18": False,
        "generated": False,
        "retrieved": None,
        "file": "RS",
        "line": 1,
    }
    return Post(**{**values, **changes})


def make_comment(id: str = "c1", post_id: str = "p1", **changes: Any) -> Comment:
    values: dict[str, Any] = {
        "id": id,
        "post_id": post_id,
        "parent_id": None,
        "subreddit": "Advice",
        "author": f"author-{id}",
        "role": "user",
        "text": "Write to him with a date by which you want the money, and keep a copy of the letter. " * 2,
        "score": 50,
        "score_hidden": False,
        "gilded": False,
        "created": 1_560_000_100,
        "edited": False,
        "edited_at": None,
        "state": "present",
        "stickied": False,
        "generated": False,
        "retrieved": None,
        "file": "RC",
        "line": 1,
    }
    return Comment(**{**values, **changes})


def _to_frame(records: list[Any], kind: Kind) -> pl.DataFrame:
    rows = [[getattr(record, name) for name in SCHEMAS[kind]] for record in records]
    return pl.DataFrame(rows, schema=SCHEMAS[kind], orient="row")


def to_bucket(posts: list[Post], comments: list[Comment] | None = None) -> Bucket:
    return Bucket(_to_frame(posts, "post"), _to_frame(comments or [], "comment"))


def read_sample() -> tuple[list[Post], list[Comment], dict[str, list[str]]]:
    lines = (files("heed") / "corpus" / "sample" / "threads.jsonl").read_text(encoding="utf-8").splitlines()
    posts, comments, flags = [], [], {}
    for number, line in enumerate(lines):
        thread = json.loads(line)
        id = f"s{number:03}"
        created = 1_560_000_000 + number * 1800
        flags[id] = thread["flags"]
        posts.append(
            make_post(
                id,
                subreddit=thread["subreddit"],
                title=thread["title"],
                text=thread["selftext"],
                score=thread["score"],
                upvote_ratio=thread["upvote_ratio"],
                created=created,
            )
        )
        for place, reply in enumerate(thread["comments"]):
            role = {"op": "asker", "moderator": "moderator"}.get(reply["by"], "user")
            parent = None if reply["reply_to"] is None else f"{id}c{reply['reply_to']}"
            comments.append(
                make_comment(
                    f"{id}c{place}",
                    id,
                    parent_id=parent,
                    subreddit=thread["subreddit"],
                    role=role,
                    text=reply["body"],
                    score=reply["score"],
                    edited=bool(reply["edited"]),
                    created=created + place,
                )
            )
    return posts, comments, flags


@pytest.fixture(scope="session", name="post")
def _post() -> Callable[..., Post]:
    return make_post


@pytest.fixture(scope="session", name="comment")
def _comment() -> Callable[..., Comment]:
    return make_comment


@pytest.fixture(scope="session", name="bucket")
def _bucket() -> Callable[..., Bucket]:
    return to_bucket


@pytest.fixture(scope="session", name="sample")
def _sample() -> tuple[list[Post], list[Comment], dict[str, list[str]]]:
    return read_sample()
