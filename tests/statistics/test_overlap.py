"""ROUGE against the package everybody quotes, copying against a plain table."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.errors import UserError
from heed.statistics.overlap import ROUGE_TYPES, copied_bigrams, rouge

WORDS = st.lists(
    st.sampled_from(("my", "cats", "cat", "ran", "running", "away", "and", "I'm", "sad,", "no_2")),
    max_size=25,
)


@pytest.mark.parametrize("stem", [False, True])
@given(pairs=st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=5))
@settings(max_examples=25, deadline=None)
def test_rouge_equals_rouge_score(stem: bool, pairs: list[tuple[list[str], list[str]]]) -> None:
    module = pytest.importorskip("rouge_score.rouge_scorer", reason="rouge-score, the oracle, is absent")
    scorer = module.RougeScorer(list(ROUGE_TYPES), use_stemmer=stem)
    texts, references = ([" ".join(pair[k]) for pair in pairs] for k in (0, 1))
    found = rouge(texts, references, stem=stem)
    for place, (text, reference) in enumerate(zip(texts, references, strict=True)):
        expected = scorer.score(reference, text)
        assert found.row(place) == pytest.approx([expected[name].fmeasure for name in ROUGE_TYPES])


def test_rouge_by_hand() -> None:
    # Text: a b c; reference: a c b d. Words in common 3 of 3 and of 4: F1 = 6/7. No bigram in common.
    # The longest common subsequence is a b (or a c): precision 2/3, recall 2/4, F1 = 4/7.
    assert rouge(["a b c"], ["a c b d"]).row(0) == pytest.approx((6 / 7, 0.0, 4 / 7))


def longest_common(first: list[tuple[str, str]], second: list[tuple[str, str]]) -> int:
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, one in enumerate(first):
        for j, other in enumerate(second):
            table[i + 1][j + 1] = table[i][j] + 1 if one == other else max(table[i][j + 1], table[i + 1][j])
    return table[-1][-1]


@given(
    text=st.lists(st.sampled_from("abc"), max_size=30), source=st.lists(st.sampled_from("abc"), max_size=60)
)
@settings(max_examples=60, deadline=None)
def test_copying_equals_the_table_of_the_definition(text: list[str], source: list[str]) -> None:
    ours, theirs = list(pairwise(text)), list(pairwise(source))
    expected = longest_common(ours, theirs) / len(ours) if ours else 0.0
    assert copied_bigrams(" ".join(text), " ".join(source)) == pytest.approx(expected)


def test_copying_everything_and_nothing() -> None:
    assert copied_bigrams("My cat ran away!", "Yesterday my cat ran away again") == 1.0
    assert copied_bigrams("away ran cat my", "my cat ran away") == 0.0
    assert copied_bigrams("alone", "alone at home") == 0.0


def test_unequal_lists_are_refused() -> None:
    with pytest.raises(UserError, match="2 texts but 1 references"):
        rouge(["a", "b"], ["a"])
