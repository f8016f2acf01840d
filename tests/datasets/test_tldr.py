"""The TL;DR recipe: both sizes, every filter, the splits."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.datasets import bpe
from heed.datasets.filters import Funnel
from heed.datasets.recipe import Bucket
from heed.datasets.tldr import assemble, harvest
from heed.datasets.tldr_options import TldrOptions
from heed.errors import NotFoundError, UnreadableError
from heed.records import Example

SHORT = (
    "The landlord keeps my deposit although I left the flat clean, "
    "and I have photographs of each of the rooms, so now what?"
)
BODY = "He says the oven was dirty. It was not."


def run(bucket: Bucket, options: TldrOptions | None = None) -> tuple[list[Example], Funnel]:
    options, funnel = options or TldrOptions(), Funnel(keep=True)
    return assemble([harvest(bucket, options, funnel)], options, funnel).examples, funnel


def why(funnel: Funnel) -> tuple[str, str] | None:
    return next(((drop.stage, drop.reason) for drop in funnel.dropped), None)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, None),
        ({"subreddit": "aww"}, ("subreddit", "other subreddit")),
        ({"text": BODY}, ("post", "no TL;DR")),
        ({"title": "[UPDATE] deposit"}, ("post", "edit or update title")),
        ({"title": "EDIT: deposit"}, ("post", "edit or update title")),
        ({"text": f"He spoke of suicide. {BODY}\n\nTL;DR: {SHORT}"}, ("post", "topic")),
        ({"text": f"TL;DR: {SHORT}"}, ("post", "no body")),
        ({"text": f"{BODY * 100}\n\nTL;DR: {SHORT}"}, ("post", "body too long")),
        ({"text": f"{BODY}\n\nTL;DR: pay or not?"}, ("reference", "too short")),
        ({"text": f"{BODY}\n\nTL;DR: {SHORT * 3}"}, ("reference", "too long")),
        ({"text": f"{BODY}\n\nTL;DR: Edit: {SHORT}"}, ("reference", "edit, update or P.S.")),
        ({"text": f"{BODY}\n\nTL;DR: fuck this shit, {SHORT}"}, ("reference", "profanity")),
        ({"text": f"{BODY}\n\nTL;DR"}, ("reference", "no summary")),
        ({"state": "removed"}, ("post", "gone")),
    ],
)
def test_filters(changes: Any, expected: Any, post: Any, bucket: Any) -> None:
    values = {"text": f"{BODY}\n\nTL;DR: {SHORT}", **changes}
    assert why(run(bucket([post(**values)]))[1]) == expected


def test_a_post_without_usable_reference_stays_for_sampling(post: Any, bucket: Any) -> None:
    examples, _ = run(
        bucket([post("a", text=f"{BODY}\n\nTL;DR: {SHORT}"), post("b", text=f"{SHORT}\n\nTL;DR: pay?")])
    )
    by_id = {example.id: example for example in examples}
    assert [reference.text for reference in by_id["a"].references] == [SHORT]
    assert by_id["b"].references == ()
    assert by_id["a"].text == BODY


def test_same_body_stays_once(post: Any, bucket: Any) -> None:
    text = f"{BODY}\n\nTL;DR: {SHORT}"
    examples, funnel = run(bucket([post("b", text=text, created=2), post("a", text=text, created=3)]))
    assert [example.id for example in examples] == ["b"]
    assert funnel.dropped[0].evidence == "as b"


def test_shares_of_the_splits(post: Any, bucket: Any) -> None:
    posts = [post(f"p{n}", text=f"{n} {BODY}\n\nTL;DR: {SHORT}") for n in range(3000)]
    examples, _ = run(bucket(posts))
    names = [example.split for example in examples]
    assert 0.035 < 1 - names.count("train") / 3000 < 0.065
    assert 0.1 < names.count("development") / (3000 - names.count("train")) < 0.5


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 2**32))
def test_order_and_buckets_change_nothing(sample: Any, bucket: Any, seed: int) -> None:
    posts = sample[0][:100]
    mixed = random.Random(seed).sample(posts, 100)
    options, funnel = TldrOptions(), Funnel()
    halves = [harvest(bucket(mixed[:40]), options, funnel), harvest(bucket(mixed[40:]), options, funnel)]
    assert assemble(halves, options, funnel).examples == run(bucket(posts))[0]


def test_gpt2_counts() -> None:
    assert bpe.count_tokens("Hello world, I'm thrilled", "gpt2") == 6


def test_missing_and_broken_tokenizers_say_so(tmp_path: Any) -> None:
    with pytest.raises(NotFoundError, match="tokenizer 'nowhere'"):
        bpe.count_tokens("x", "nowhere")
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(UnreadableError, match="not a tokenizer"):
        bpe.count_tokens("x", str(tmp_path))
