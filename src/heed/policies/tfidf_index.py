"""An exact nearest-neighbour index over TF-IDF vectors: the nearest document, fast, from mapped files.

Words that stand in many documents make most of the work of a sparse product. So they are kept as a dense
table and multiplied as one, many queries at a time; of the many rare words only the lists that a query names
are touched, by all cores at once. The result is exact.
"""

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer

# A word in more than this share of the documents is common: there the dense table is cheaper than the list.
COMMON_SHARE = 0.1
# Scores of so many queries are held at once: 75 MB for 188,000 documents.
_QUERIES_AT_ONCE = 100
_LISTS = ("data", "indices", "indptr")


class TfidfIndex:
    """Documents in, the place of the nearest one and its cosine out."""

    def __init__(self, vectorizer: TfidfVectorizer, lists: Any, table: Any, common: NDArray[Any]) -> None:
        self._vectorizer = vectorizer
        self._lists = lists  # words × documents: where each rare word stands
        self._table = table  # documents × common words
        self._common = common  # the common words' places in the vocabulary

    @classmethod
    def build(cls, documents: list[str], fewest_documents: int = 1) -> "TfidfIndex":
        vectorizer = TfidfVectorizer(min_df=fewest_documents, dtype=np.float32)
        vectors = sparse.csc_matrix(vectorizer.fit_transform(documents))
        frequency = np.diff(vectors.indptr)
        common = np.flatnonzero(frequency > COMMON_SHARE * len(documents))
        table = np.asfortranarray(vectors[:, common].toarray(), dtype=np.float32)
        rare = sparse.diags((frequency <= COMMON_SHARE * len(documents)).astype(np.float32))
        lists = sparse.csr_matrix((vectors @ rare).T)
        lists.eliminate_zeros()
        return cls(vectorizer, lists, table, common)

    def nearest(self, queries: list[str]) -> list[tuple[int, float]]:
        """For each query the place of the nearest document, the first of equals, and the cosine."""
        vectors = sparse.csr_matrix(self._vectorizer.transform(queries))
        scores = np.empty((_QUERIES_AT_ONCE, len(self._table)), dtype=np.float32)
        found: list[tuple[int, float]] = []
        for start in range(0, len(queries), _QUERIES_AT_ONCE):
            found += self._nearest(vectors[start : start + _QUERIES_AT_ONCE], scores)
        return found

    def _nearest(self, queries: Any, scores: NDArray[np.float32]) -> list[tuple[int, float]]:
        """`scores` is room to work in, used again and again: fresh memory costs as much as the product."""
        of_common_words = queries[:, self._common].toarray()
        scores = np.matmul(of_common_words, self._table.T, out=scores[: queries.shape[0]])
        words, weights = (np.split(part, queries.indptr[1:-1]) for part in (queries.indices, queries.data))
        with ThreadPoolExecutor(os.cpu_count()) as cores:
            return list(cores.map(self._best, words, weights, scores))

    def _best(
        self, words: NDArray[Any], weights: NDArray[Any], scores: NDArray[np.float32]
    ) -> tuple[int, float]:
        """A common word has an empty list here, so it adds nothing to what the table has given."""
        scores += self._lists[words].T @ weights
        place = int(scores.argmax())
        return place, float(scores[place])

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        for part in _LISTS:
            np.save(folder / f"{part}.npy", getattr(self._lists, part))
        np.save(folder / "table.npy", self._table)
        np.save(folder / "common.npy", self._common)
        np.save(folder / "idf.npy", self._vectorizer.idf_)
        words = sorted(self._vectorizer.vocabulary_, key=self._vectorizer.vocabulary_.get)
        (folder / "words.json").write_text(json.dumps(words), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "TfidfIndex":
        """Mapped, not read: several processes share one copy in memory."""
        words = json.loads((folder / "words.json").read_text(encoding="utf-8"))
        places = {word: place for place, word in enumerate(words)}
        vectorizer = TfidfVectorizer(vocabulary=places, dtype=np.float32)
        vectorizer.idf_ = np.load(folder / "idf.npy")
        table = np.load(folder / "table.npy", mmap_mode="r")
        lists = sparse.csr_matrix((len(words), len(table)), dtype=np.float32)
        # Set one by one: the constructor would copy the mapped arrays into memory.
        for part in _LISTS:
            setattr(lists, part, np.load(folder / f"{part}.npy", mmap_mode="r"))
        return cls(vectorizer, lists, table, np.load(folder / "common.npy"))
