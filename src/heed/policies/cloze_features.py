"""How well each choice fits a narrative: similarity features, from word counts to a sentence encoder.

The first four are the paper's (Asking the Right Question, section 5). The rest were kept because each of them
helped on the released items; `docs/policies.md` has the figures.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, TfidfVectorizer

from heed.datasets.vectors import Vectors, find_words
from heed.policies.extract import sentences
from heed.records import Example

Floats = NDArray[np.float64]
Encode = Callable[[Sequence[str]], Any]
PAPER_FEATURES = ("tfidf", "weighted_vectors", "mean_vectors", "overlap")
ENCODER_FEATURES = ("encoder", "encoder_best", "encoder_mean", "encoder_best_three", "encoder_end")
WORD_FEATURES = ("content", "bigrams", "pieces", "weighted_overlap", "rarest_missing", "length")
ALL_FEATURES = (*PAPER_FEATURES, *WORD_FEATURES, *ENCODER_FEATURES)
# How each vectorizer cuts a text.
_CUTS: dict[str, dict[str, Any]] = {
    "tfidf": {},
    "content": {"stop_words": "english"},
    "bigrams": {"ngram_range": (1, 2)},
    "pieces": {"analyzer": "char_wb", "ngram_range": (3, 5)},
}


def content_words(text: str) -> set[str]:
    return {word for word in find_words(text) if len(word) > 2 and word not in ENGLISH_STOP_WORDS}


class ClozeFeatures:
    """Learns document frequencies from `texts`; `compute` gives a (choices × features) array per example."""

    def __init__(
        self, names: Sequence[str], texts: Sequence[str], vectors: Vectors, encode: Encode | None
    ) -> None:
        self.names = tuple(names)
        self._vectors = vectors
        self._encode = encode
        cuts = {name: cut for name, cut in _CUTS.items() if name in names or name == "tfidf"}
        self._cuts = {
            name: TfidfVectorizer(sublinear_tf=True, **cut).fit(texts) for name, cut in cuts.items()
        }
        words = self._cuts["tfidf"]
        self._idf = dict(zip(words.get_feature_names_out(), words.idf_, strict=True))

    def compute(self, examples: Sequence[Example]) -> list[Floats]:
        stories = [example.text for example in examples]
        choices = [choice for example in examples for choice in example.choices]
        owners = [row for row, example in enumerate(examples) for _ in example.choices]
        columns = self._columns(stories, choices, owners)
        table = np.stack([columns[name] for name in self.names], axis=1)
        ends = np.cumsum([len(example.choices) for example in examples])
        return [np.asarray(part) for part in np.split(table, ends[:-1])]

    def _columns(self, stories: list[str], choices: list[str], owners: list[int]) -> dict[str, Floats]:
        columns = {name: _cosines(cut, stories, choices, owners) for name, cut in self._cuts.items()}
        for name, weights in (("weighted_vectors", self._idf), ("mean_vectors", None)):
            told, asked = self._vectors.embed(stories, weights), self._vectors.embed(choices, weights)
            columns[name] = (told[owners] * asked).sum(axis=1)
        columns |= self._overlaps([content_words(story) for story in stories], choices, owners)
        columns["length"] = np.log([1 + len(choice.split()) for choice in choices])
        if self._encode is not None:
            columns |= _encoded(self._encode, stories, choices, owners)
        return columns

    def _overlaps(self, told: list[set[str]], choices: list[str], owners: list[int]) -> dict[str, Floats]:
        """The share of a choice's content words that the narrative has, by rarity too, and what it lacks."""
        rows = [
            self._overlap(content_words(choice), told[o]) for choice, o in zip(choices, owners, strict=True)
        ]
        names = ("overlap", "weighted_overlap", "rarest_missing")
        return dict(zip(names, np.array(rows).T, strict=True))

    def _overlap(self, asked: set[str], told: set[str]) -> tuple[float, float, float]:
        rarity = {word: self._idf.get(word, 0.0) for word in asked}
        total = sum(rarity.values())
        shared = asked & told
        weighted = sum(rarity[word] for word in shared) / total if total else 0.0
        missing = max((rarity[word] for word in asked - told), default=0.0)
        return len(shared) / max(1, len(asked)), weighted, missing


def _cosines(cut: TfidfVectorizer, stories: list[str], choices: list[str], owners: list[int]) -> Floats:
    told, asked = sparse.csr_matrix(cut.transform(stories)), sparse.csr_matrix(cut.transform(choices))
    return np.asarray(told[owners].multiply(asked).sum(axis=1)).ravel()


def _encoded(encode: Encode, stories: list[str], choices: list[str], owners: list[int]) -> dict[str, Floats]:
    """A choice against the whole narrative and against its sentences, one by one."""
    pieces = [sentences(story) or [story] for story in stories]
    starts = np.concatenate([[0], np.cumsum([len(each) for each in pieces])])
    whole, asked = encode(stories), encode(choices)
    parts = encode([sentence for each in pieces for sentence in each])
    near = [np.sort(parts[starts[o] : starts[o + 1]] @ asked[row]) for row, o in enumerate(owners)]
    ends = [
        parts[max(starts[o], starts[o + 1] - 2) : starts[o + 1]] @ asked[row] for row, o in enumerate(owners)
    ]
    return {
        "encoder": (whole[owners] * asked).sum(axis=1),
        "encoder_best": np.array([each[-1] for each in near]),
        "encoder_mean": np.array([each.mean() for each in near]),
        "encoder_best_three": np.array([each[-3:].mean() for each in near]),
        "encoder_end": np.array([each.max() for each in ends]),
    }
