"""The advice recipe: which posts and comments stay, in which mode, and that order never matters."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.datasets.advice import assemble, find_domain, harvest
from heed.datasets.advice_options import AdviceOptions
from heed.datasets.filters import Funnel
from heed.datasets.recipe import Bucket
from heed.records import Comment, Example, Post

DYNAMIC = AdviceOptions.parse({"mode": "dynamic", "now": "2019-06-11T00:00:00Z"})
STATIC = AdviceOptions()


def run(bucket: Bucket, options: AdviceOptions) -> tuple[list[Example], Funnel]:
    funnel = Funnel(keep=True)
    return assemble([harvest(bucket, options, funnel)], options, funnel).examples, funnel


def why(funnel: Funnel, id: str) -> str | None:
    return next((drop.reason for drop in funnel.dropped if drop.id == id), None)


@pytest.mark.parametrize(
    ("changes", "dynamic", "static"),
    [
        ({}, None, None),
        ({"score": 19}, "low score", None),
        ({"score": 9}, "low score", "low score"),
        ({"title": "UPDATE: deposit"}, "update", None),
        ({"title": "[META] deposits"}, "meta", "meta"),
        ({"text": "My boss assaulted a clerk. " * 40}, "sensitive", None),
        ({"text": "See https://example.com " * 40}, "link", "link"),
        ({"text": "word " * 80}, "too short", None),
        ({"text": "word " * 10}, "too short", "too short"),
        ({"text": "word " * 1300}, "too long", None),
        ({"state": "removed"}, "gone", "gone"),
        ({"subreddit": "love", "title": "Tips"}, "no question mark", None),
        ({"subreddit": "aww"}, "other subreddit", "other subreddit"),
        ({"is_self": False}, "not a text post", "not a text post"),
        ({"created": 1_500_000_000}, "age", None),
        ({"created": 1_560_210_000}, "age", None),
    ],
)
def test_posts(
    changes: Any, dynamic: str | None, static: str | None, post: Any, comment: Any, bucket: Any
) -> None:
    thread = bucket([post(**changes)], [comment()])
    assert why(run(thread, DYNAMIC)[1], "p1") == dynamic
    assert why(run(thread, STATIC)[1], "p1") == static


@pytest.mark.parametrize(
    ("changes", "dynamic", "static"),
    [
        ({}, None, None),
        ({"score": 19}, "low score", None),
        ({"score": 9}, "low score", "low score"),
        ({"role": "moderator"}, "by a moderator", None),
        ({"role": "asker"}, "by the asker", None),
        ({"role": "automoderator"}, "by a bot", "by a bot"),
        ({"edited": True}, "edited", None),
        ({"text": "word " * 40 + "\n\nEdit: a word"}, "edited", None),
        ({"text": "Editing your essay twice helps. " * 10}, None, None),
        ({"parent_id": "c0"}, "not top level", "not top level"),
        ({"text": "word " * 20}, "too short", None),
        ({"text": "word " * 10}, "too short", "too short"),
        ({"text": "As the other commenters said. " * 10}, "refers to others", None),
        ({"state": "deleted"}, "gone", "gone"),
        ({"score": 1000}, None, None),
    ],
)
def test_comments(
    changes: Any, dynamic: str | None, static: str | None, post: Any, comment: Any, bucket: Any
) -> None:
    thread = bucket([post()], [comment(**changes)])
    assert why(run(thread, DYNAMIC)[1], "c1") == dynamic
    assert why(run(thread, STATIC)[1], "c1") == static


def test_second_best_is_kept_and_the_third_counted(post: Any, comment: Any, bucket: Any) -> None:
    comments = [comment("low", score=30), comment("best", score=90), comment("second", score=60)]
    examples, funnel = run(bucket([post()], comments), DYNAMIC)
    assert [reference.id for reference in examples[0].references] == ["best", "second"]
    assert why(funnel, "low") == "enough advice"


def test_static_advice_has_a_tenth_of_the_best(post: Any, comment: Any, bucket: Any) -> None:
    comments = [comment("best", score=200), comment("near", score=20), comment("far", score=19)]
    examples, funnel = run(bucket([post()], comments), STATIC)
    assert [reference.id for reference in examples[0].references] == ["best", "near"]
    assert why(funnel, "far") == "far below the best"


def test_split_by_date(post: Any, comment: Any, bucket: Any) -> None:
    days = {"a": 1_560_556_799, "b": 1_560_556_800, "c": 1_562_716_799, "d": 1_562_716_800}
    posts = [post(id, created=created) for id, created in days.items()]
    examples, _ = run(bucket(posts, [comment(f"c{id}", id) for id in days]), STATIC)
    assert [example.split for example in examples] == ["train", "validation", "validation", "test"]


def test_pick_is_seeded_and_counts_the_rest(post: Any, comment: Any, bucket: Any) -> None:
    ids = [f"p{number}" for number in range(30)]
    thread = bucket([post(id) for id in ids], [comment(f"c{id}", id) for id in ids])
    few = DYNAMIC.model_copy(update={"pick": 5, "top_posts": 20})
    examples, funnel = run(thread, few)
    assert len(examples) == 5
    assert funnel.stages["round"].dropped == {"not among the top": 10, "not picked": 15}
    other, _ = run(thread, few.model_copy(update={"seed": 1}))
    assert {example.id for example in other} != {example.id for example in examples}


def test_domains() -> None:
    assert find_domain("Marriage") == "relationship"
    assert find_domain("legaladvice") == "legal"
    assert find_domain("techsupport") == "life"
    assert find_domain("techsupport", tech=True) == "tech"


def test_flags_of_the_sample_are_the_reasons(sample: Any, bucket: Callable[..., Bucket]) -> None:
    posts, comments, flags = sample
    options = DYNAMIC.model_copy(update={"age_hours_max": 10**6, "now": None})
    _, funnel = run(bucket(posts, comments), options)
    names = {"update", "link", "meta", "sensitive", "too short", "too long", "no question mark"}
    for drop in funnel.dropped:
        if drop.stage == "situation" and drop.reason in names:
            assert (
                drop.reason.replace("too short", "short").replace(" mark", "").replace(" ", "_")
                in flags[drop.id]
            )


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 2**32))
def test_order_and_buckets_change_nothing(sample: Any, bucket: Any, seed: int) -> None:
    shuffle = random.Random(seed)
    posts, comments, _ = sample
    options = AdviceOptions.parse({"mode": "dynamic", "pick": 20})
    whole, _ = run(bucket(posts[:80], comments), options)
    mixed: list[Post] = shuffle.sample(posts[:80], 80)
    replies: list[Comment] = shuffle.sample(comments, len(comments))
    funnel = Funnel()
    halves = [
        harvest(bucket(mixed[:30], replies), options, funnel),
        harvest(bucket(mixed[30:], replies), options, funnel),
    ]
    assert sorted(assemble(halves, options, funnel).examples, key=lambda e: e.id) == sorted(
        whole, key=lambda e: e.id
    )


def test_options_of_a_mode_can_be_overridden() -> None:
    assert AdviceOptions.parse({"mode": "static", "post_score": 3}).post_score == 3
    assert AdviceOptions.parse({"mode": "dynamic"}).post_score == 20
