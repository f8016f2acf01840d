"""The bounds hold whatever the text, and the verdict is spaCy's own."""

from hypothesis import given, settings
from hypothesis import strategies as st

from heed.datasets import tokens

WORDS = st.sampled_from(
    ["gonna", "cannot", "dont", "Im", "it's", "can't", "3kg", "U.S.", "(well)", "hello", ":-)", "é", "a.m."]
)
TEXTS = st.one_of(
    st.text(max_size=80), st.lists(st.one_of(WORDS, st.sampled_from([" ", "\n", "  ", "\t"]))).map(" ".join)
)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_bounds_hold(text: str) -> None:
    low, high = tokens.bound_tokens(text)
    assert low <= tokens.count_tokens(text) <= high


@settings(max_examples=100, deadline=None)
@given(TEXTS, st.integers(1, 40))
def test_verdicts_are_those_of_the_count(text: str, limit: int) -> None:
    count = tokens.count_tokens(text)
    assert (tokens.has_fewer(text, limit) is not None) == (count < limit)
    assert (tokens.has_more(text, limit) is not None) == (count > limit)


def test_evidence_names_the_count() -> None:
    assert tokens.has_fewer("I can't go.", 8) == "5 tokens"
    assert tokens.has_fewer("five words are not enough", 32) == "at most 5 tokens"
    assert tokens.has_more("one two three", 2) == "at least 3 tokens"
