from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from heed.datasets.examples import open_dataset
from heed.errors import NotFoundError
from heed.policies.policy import Ask, Decoding
from heed.policies.table import Setting, open_policy
from heed.policies.tfidf_index import TfidfIndex
from heed.records import Example
from heed.workspace import Workspace

# A few words that stand everywhere and many that are rare, so that both halves of the index are used.
WORDS = ["the", "and", "to"] * 6 + [f"word{n}" for n in range(40)]


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(WORDS), min_size=2, max_size=25), min_size=3, max_size=40),
    st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=25), min_size=1, max_size=5),
)
def test_the_index_is_exact(documents: list[list[str]], queries: list[list[str]]) -> None:
    """Against the full product of scikit-learn's vectors."""
    texts, asked = [" ".join(each) for each in documents], [" ".join(each) for each in queries]
    vectorizer = TfidfVectorizer(dtype=np.float32)
    cosines = (vectorizer.fit_transform(texts) @ vectorizer.transform(asked).T).toarray()
    for column, (place, cosine) in enumerate(TfidfIndex.build(texts).nearest(asked)):
        assert cosine == pytest.approx(cosines[:, column].max(), abs=1e-5)
        assert cosines[place, column] == pytest.approx(cosine, abs=1e-5)


@pytest.mark.parametrize("seed", range(5))
def test_the_index_is_exact_where_many_words_are_common(seed: int) -> None:
    """More common words than leading columns: the bound alone cannot decide, and may not decide wrongly."""
    random = np.random.default_rng(seed)
    share = 1 / np.arange(1, 301) ** 0.7
    words = np.array([f"word{n}" for n in range(300)])
    texts = [" ".join(random.choice(words, 60, p=share / share.sum())) for _ in range(700)]
    texts[500:600] = texts[100:200]  # doubles: the first of equals is wanted
    documents, queries = texts[:650], texts[640:]
    index = TfidfIndex.build(documents)
    assert index._rest.shape[1] > 20
    vectorizer = TfidfVectorizer(dtype=np.float32)
    cosines = (vectorizer.fit_transform(documents) @ vectorizer.transform(queries).T).toarray()
    found = index.nearest(queries)
    assert [cosine for _, cosine in found] == pytest.approx(cosines.max(axis=0), abs=5e-6)
    assert cosines[[place for place, _ in found], range(60)] == pytest.approx(cosines.max(axis=0), abs=5e-6)
    assert [place for place, _ in index.nearest(texts[500:600])] == list(range(100, 200))


def test_a_saved_index_is_mapped_and_answers_the_same(tmp_path: Path) -> None:
    texts = [f"the word{n} and word{n + 1}" for n in range(300)]
    index = TfidfIndex.build(texts)
    index.save(tmp_path / "index")
    loaded = TfidfIndex.load(tmp_path / "index")
    assert isinstance(loaded._lists.data, np.memmap)
    assert isinstance(loaded._rest, np.memmap)
    queries = ["word17 and the word18", "nothing known", "the"]
    assert loaded.nearest(queries) == index.nearest(queries)


def test_only_training_advice_can_come_back(
    workspace: Workspace, make_dataset: Any, make_situation: Callable[..., Example]
) -> None:
    """Every situation of the other splits asks with its own words, and still gets advice from training."""
    splits = {"train": range(40), "validation": range(40, 60), "test": range(60, 80)}
    examples = [make_situation(n, split) for split, numbers in splits.items() for n in numbers]
    make_dataset("d", examples)
    policy = open_policy("tfidf", Setting(workspace, open_dataset(workspace, "d"), Decoding()))
    answers = policy.answer([Ask(example, 0, 0) for example in examples])
    assert len(answers) == 80
    assert all(answer.text.startswith("Best advice train ") for answer in answers)
    own = [answer.text for answer in answers[:40]]
    assert own == [f"Best advice train {n}." for n in range(40)]


def test_a_dataset_without_training_is_said(
    workspace: Workspace, make_dataset: Any, make_situation: Callable[..., Example]
) -> None:
    make_dataset("d", [make_situation(1, "test")])
    with pytest.raises(NotFoundError, match="no split 'train'"):
        open_policy("tfidf", Setting(workspace, open_dataset(workspace, "d"), Decoding()))
