"""TF-IDF of unigrams and bigrams for hundreds of thousands of texts, in little memory.

The same numbers as scikit-learn's TfidfVectorizer(ngram_range=(1, 2), min_df=…): words of two letters or
more, smooth idf, rows of length 1. A bigram can only be frequent if both its words are, so the others never
get a name.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

_WORD = re.compile(r"\b\w\w+\b")
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Weighted:
    """The matrix (texts × terms, float32 CSR), the terms, and the idf of each."""

    matrix: Any
    terms: list[str]
    idf: npt.NDArray[np.float32]


def weigh(texts: Sequence[str], min_document_frequency: int) -> Weighted:
    """TF-IDF over uni- and bigrams that occur in at least so many texts."""
    names, rows = _number_words(texts)
    words, frequencies = _count_documents([np.unique(row) for row in rows], min_document_frequency)
    compact = np.full(len(names), -1, dtype=np.int64)
    compact[words] = np.arange(len(words))
    rows = [compact[row] for row in rows]
    pairs, pair_frequencies = _count_documents(
        [np.unique(_join_neighbours(row, len(words))) for row in rows], min_document_frequency
    )
    terms = [names[word] for word in words]
    terms += [f"{terms[pair // len(words)]} {terms[pair % len(words)]}" for pair in pairs.tolist()]
    idf = np.log((1 + len(texts)) / (1 + np.concatenate([frequencies, pair_frequencies]))) + 1
    matrix = _fill(rows, pairs, len(words), idf.astype(np.float32))
    return Weighted(matrix, terms, idf.astype(np.float32))


def _number_words(texts: Sequence[str]) -> tuple[list[str], list[Ints]]:
    """Every text as an array of word numbers, and the words by number."""
    numbers: dict[str, int] = {}
    rows = []
    for text in texts:
        found = [numbers.setdefault(word, len(numbers)) for word in _WORD.findall(text.lower())]
        rows.append(np.array(found, dtype=np.int32))
    return list(numbers), rows  # type: ignore[return-value]


def _join_neighbours(row: Ints, size: int) -> Ints:
    """One number for each two neighbours that are both frequent."""
    left, right = row[:-1], row[1:]
    frequent = (left >= 0) & (right >= 0)
    return left[frequent] * size + right[frequent]


def _count_documents(rows: list[Ints], least: int) -> tuple[Ints, Ints]:
    """The numbers that occur in at least `least` rows, ascending, and in how many."""
    numbers, counts = np.unique(np.concatenate(rows) if rows else np.zeros(0, np.int64), return_counts=True)
    frequent = counts >= least
    return numbers[frequent].astype(np.int64), counts[frequent]


def _fill(rows: list[Ints], pairs: Ints, word_count: int, idf: npt.NDArray[np.float32]) -> Any:
    from scipy.sparse import csr_matrix

    columns, values, ends = [], [], [0]
    for row in rows:
        joined = _join_neighbours(row, word_count)
        places = np.searchsorted(pairs, joined)
        known = places < len(pairs)
        known[known] = pairs[places[known]] == joined[known]
        found, counts = np.unique(
            np.concatenate([row[row >= 0], places[known] + word_count]), return_counts=True
        )
        weights = counts.astype(np.float32) * idf[found]
        length = np.sqrt((weights * weights).sum())
        columns.append(found.astype(np.int32))
        values.append(weights / length if length else weights)
        ends.append(ends[-1] + len(found))
    shape = (len(rows), word_count + len(pairs))
    return csr_matrix((np.concatenate(values), np.concatenate(columns), np.array(ends)), shape=shape)
