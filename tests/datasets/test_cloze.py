"""The cloze recipe on the sample: two and more choices, splits, audits, and that order never matters."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.datasets.cloze import assemble, harvest
from heed.datasets.cloze_options import ClozeOptions
from heed.datasets.filters import Funnel
from heed.datasets.questions import is_asking, split_sentences
from heed.datasets.recipe import Bucket, Built

OPTIONS = ClozeOptions.parse({"subreddits": [], "min_document_frequency": 2, "annotation_sample": 10})


def run(bucket: Bucket, options: ClozeOptions = OPTIONS) -> tuple[Built, Funnel]:
    funnel = Funnel(keep=True)
    return assemble([harvest(bucket, options, funnel)], options, funnel), funnel


@pytest.fixture(scope="module", name="whole")
def _whole(sample: Any, bucket: Any) -> tuple[Built, Funnel]:
    return run(bucket(sample[0]))


def test_items_hold_a_narrative_and_the_true_question(whole: tuple[Built, Funnel], sample: Any) -> None:
    posts = {post.id: post for post in sample[0]}
    examples = whole[0].examples
    assert len(examples) > 40
    for example in examples:
        truth = example.choices[example.label or 0]
        assert example.references[0].text == truth
        source = " ".join(f"{posts[example.id].title} {posts[example.id].text}".split())
        assert truth.rstrip("?") in source
        assert truth not in example.text
        assert len(set(example.choices)) == 2
        assert not [s for s in split_sentences(example.text) if is_asking(s)]


def test_a_post_is_in_one_split_and_the_sample_for_people_is_apart(whole: tuple[Built, Funnel]) -> None:
    examples = whole[0].examples
    assert len({example.id for example in examples}) == len(examples)
    assert sum(example.split == "annotation" for example in examples) == 10
    assert {example.split for example in examples} == {"annotation", "train", "test", "heldout"}


def test_both_places_hold_answers(whole: tuple[Built, Funnel]) -> None:
    first = sum(example.label == 0 for example in whole[0].examples)
    assert 0.25 < first / len(whole[0].examples) < 0.75


def test_stages_are_counted_and_audits_are_clean(whole: tuple[Built, Funnel]) -> None:
    built, funnel = whole
    assert list(funnel.stages) == [
        "subreddit",
        "narrative",
        "question",
        "doubles",
        "specific",
        "answerable",
        "pairing",
        "items",
    ]
    assert funnel.stages["items"].kept == len(built.examples)
    assert all(" and, of " in drop.evidence for drop in funnel.dropped if drop.stage == "items")
    audit = built.reports["Audit"]
    assert audit["narratives that occur twice"] == audit["narratives in two splits"] == 0
    assert audit["narratives with a sentence that asks"] == 0
    assert built.reports["Topics"][0]["question keywords"]


def test_more_choices(sample: Any, bucket: Any) -> None:
    built, _ = run(bucket(sample[0]), OPTIONS.model_copy(update={"choices": 4}))
    assert len(built.examples) > 20
    for example in built.examples:
        assert len(set(example.choices)) == 4
        assert example.choices[example.label or 0] == example.references[0].text


def test_reasons(post: Any, bucket: Any) -> None:
    story = "I moved to a small town last winter and know nobody there yet. " * 6
    posts = [
        post("short", title="Where do hermits find friends?", text="I moved."),
        post("long", title="Where do hermits find friends?", text=story * 6),
        post("calm", title="A town", text=story),
        post("odd", title="A town", text=story + " So where do hermits meet?"),
        post("few", title="A town", text=story + " What now?"),
        post("gone", state="removed"),
    ]
    _, funnel = run(bucket(posts))
    reasons = {drop.post_id: drop.reason for drop in reversed(funnel.dropped)}
    assert reasons["short"] == "too short"
    assert reasons["long"] == "too long"
    assert reasons["calm"] == "no question"
    assert reasons["odd"] == "does not open as a question"
    assert reasons["few"] == "too few words"
    assert reasons["gone"] == "gone"


@settings(max_examples=3, deadline=None)
@given(st.integers(0, 2**32))
def test_order_and_buckets_change_nothing(
    whole: tuple[Built, Funnel], sample: Any, bucket: Any, seed: int
) -> None:
    posts = random.Random(seed).sample(sample[0], len(sample[0]))
    funnel = Funnel()
    halves = [harvest(bucket(posts[:99]), OPTIONS, funnel), harvest(bucket(posts[99:]), OPTIONS, funnel)]
    assert assemble(halves, OPTIONS, funnel) == whole[0]
