"""Terms as scikit-learn weighs them, and greedy pairs as brute force finds them."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.datasets import pairing
from heed.datasets.ngrams import weigh
from heed.datasets.pairing import Limits, find_neighbours, pair_greedily

LIMITS = Limits(0.1, 0.8)


def brute_force(matrix: Any, limits: Limits) -> list[tuple[int, int]]:
    alike = np.round((matrix @ matrix.T).toarray().astype(float), 5)
    left, right = np.triu_indices(len(alike), 1)
    order = np.lexsort((right, left, -alike[left, right]))
    free, pairs = set(range(len(alike))), []
    for a, b in zip(left[order].tolist(), right[order].tolist(), strict=True):
        if a in free and b in free and limits.low <= alike[a, b] <= limits.high:
            free -= {a, b}
            pairs.append((a, b))
    return pairs


def test_terms_are_weighed_like_scikit_learn(sample: Any) -> None:
    from sklearn.feature_extraction.text import TfidfVectorizer

    texts = [post.text for post in sample[0]]
    weighted = weigh(texts, 5)
    oracle = TfidfVectorizer(ngram_range=(1, 2), min_df=5)
    expected = oracle.fit_transform(texts)
    assert set(weighted.terms) == set(oracle.vocabulary_)
    columns = [oracle.vocabulary_[term] for term in weighted.terms]
    assert abs(expected[:, columns] - weighted.matrix).max() < 1e-6


@pytest.mark.parametrize("nearest", [2, 16])
def test_exact_pairs_are_those_of_brute_force(
    sample: Any, nearest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairing, "_NEAREST", nearest)  # 2: rows run out of known neighbours all the time
    matrix = weigh([post.text for post in sample[0]], 2).matrix
    pairs = pair_greedily(matrix, LIMITS)
    assert sorted(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)) == sorted(
        brute_force(matrix, LIMITS)
    )


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text("abc ", min_size=6, max_size=40), min_size=2, max_size=25), st.floats(0, 0.3))
def test_exact_pairs_of_any_texts(texts: list[str], low: float) -> None:
    matrix = weigh([f"zz {text.replace('', ' zz')[:60]} {text}" for text in texts], 1).matrix
    limits = Limits(low, 0.9)
    pairs = pair_greedily(matrix, limits)
    assert sorted(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)) == sorted(
        brute_force(matrix, limits)
    )


def test_approximate_pairs_are_nearly_as_similar(sample: Any) -> None:
    matrix = weigh([post.text for post in sample[0]], 2).matrix
    exact, near = pair_greedily(matrix, LIMITS), pair_greedily(matrix, LIMITS, approximate=True)
    assert near.similarity.sum() >= 0.97 * exact.similarity.sum()
    rows = [*near.left.tolist(), *near.right.tolist()]
    assert len(rows) == len(set(rows))


def test_neighbours_leave_out_the_row_itself_and_duplicates() -> None:
    texts = ["red green blue cat", "red green blue cat", "red green blue dog", "red green white dog"]
    matrix = weigh(texts, 1).matrix
    assert find_neighbours(matrix, np.array([0]), Limits(0.05, 0.95), 3) == [[2, 3]]


def test_nothing_to_pair() -> None:
    assert len(pair_greedily(weigh(["one two", "three four"], 1).matrix, LIMITS).left) == 0
