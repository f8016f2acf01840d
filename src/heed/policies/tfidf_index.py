"""An exact nearest-neighbour index over TF-IDF vectors: the nearest document, fast, from mapped files.

Words that stand in many documents make most of the work of a sparse product. So they are kept as a dense
table, turned so that its first few columns carry most of every product. Those columns, with the length of the
rest, bound each document's cosine from above in one small product for many queries; of the rare words only
the lists that a query names are touched, by all cores at once. Only documents whose bound reaches the best
cosine found are then looked at in full, so the result is exact.
"""

import json
import math
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer
from threadpoolctl import threadpool_limits

# A word in more than this share of the documents is common: there the dense table is cheaper than the list.
COMMON_SHARE = 0.14
# So many columns of the turned table make the bound: fewer cost less, but leave more documents to look at.
_LEADING = 24
# Bounds of so many queries are held at once by each core: 19 MB for 188,000 documents.
_QUERIES_AT_ONCE = 25
# What rounding may do to a cosine in single precision: nearer ones are equal, the first of them is taken.
_ROUNDING = 2e-6
# A saved index of another layout is built anew: raise this with every change of what the tables hold.
LAYOUT = 2
_LISTS = ("data", "indices", "indptr")
_TABLES = ("leading", "rest", "turn", "common")


class TfidfIndex:
    """Documents in, the place of the nearest one and its cosine out."""

    def __init__(self, vectorizer: TfidfVectorizer, lists: Any, tables: dict[str, NDArray[Any]]) -> None:
        self._vectorizer = vectorizer
        self._lists = lists  # words × documents: where each rare word stands
        self._leading = tables["leading"]  # documents × the leading columns and the length of the rest
        self._rest = tables["rest"]  # documents × the other columns
        self._turn = tables["turn"]  # common words × columns
        self._common = tables["common"]  # the common words' places in the vocabulary

    @classmethod
    def build(cls, documents: list[str], fewest_documents: int = 1) -> "TfidfIndex":
        vectorizer = TfidfVectorizer(min_df=fewest_documents, dtype=np.float32)
        vectors = sparse.csc_matrix(vectorizer.fit_transform(documents))
        frequency = np.diff(vectors.indptr)
        common = np.flatnonzero(frequency > COMMON_SHARE * len(documents))
        rare = sparse.diags((frequency <= COMMON_SHARE * len(documents)).astype(np.float32))
        lists = sparse.csr_matrix((vectors @ rare).T)
        lists.eliminate_zeros()
        return cls(vectorizer, lists, _turned(vectors[:, common].toarray()) | {"common": common})

    def nearest(self, queries: list[str]) -> list[tuple[int, float]]:
        """For each query the place of the nearest document, the first of equals, and the cosine."""
        vectors = sparse.csr_matrix(self._vectorizer.transform(queries))
        vectors.sort_indices()
        batches = [
            vectors[start : start + _QUERIES_AT_ONCE] for start in range(0, len(queries), _QUERIES_AT_ONCE)
        ]
        # A core takes whole batches: a product this narrow split between cores costs twice the work.
        with threadpool_limits(1, "blas"), ThreadPoolExecutor(os.cpu_count()) as cores:
            return [each for found in cores.map(self._nearest, batches) for each in found]

    def _nearest(self, queries: Any) -> list[tuple[int, float]]:
        leading, rest = _split(queries[:, self._common].toarray() @ self._turn)
        bounds = leading @ self._leading.T
        for query in range(len(bounds)):
            bounds[query] += self._rare(queries, query)
        return list(map(self._best, bounds, rest))

    def _rare(self, queries: Any, query: int) -> NDArray[np.float32]:
        """What the rare words add for every document; a common word has an empty list here and adds nothing.

        The lists are the columns of a product, used where they lie: from the last to the first, with a column
        between two of them that ends before it begins and so is empty. To take them out costs as much again.
        """
        mine = slice(*queries.indptr[query : query + 2])
        words, weights = queries.indices[mine][::-1], queries.data[mine][::-1]
        chosen = sparse.csc_matrix((self._lists.shape[1], max(2 * len(words) - 1, 0)), dtype=np.float32)
        chosen.indices, chosen.data = self._lists.indices, self._lists.data
        chosen.indptr = np.column_stack([self._lists.indptr[words], self._lists.indptr[words + 1]]).ravel()
        return np.asarray(chosen @ np.column_stack([weights, np.zeros_like(weights)]).ravel()[:-1])

    def _best(self, bounds: NDArray[np.float32], rest: NDArray[np.float32]) -> tuple[int, float]:
        mark = self._cosines(_promising(bounds), bounds, rest).max() - _ROUNDING
        places = np.flatnonzero(bounds >= mark)
        cosines = self._cosines(places, bounds, rest)
        first = int(np.argmax(cosines >= cosines.max() - _ROUNDING))
        return int(places[first]), float(cosines[first])

    def _cosines(
        self, places: NDArray[np.intp], bounds: NDArray[np.float32], rest: NDArray[np.float32]
    ) -> NDArray[np.float32]:
        """What the bound took for the rest, replaced by what it is."""
        taken = self._leading[places, -1] * np.linalg.norm(rest)
        return np.asarray(bounds[places] - taken + self._rest[places] @ rest)

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        for part in _LISTS:
            np.save(folder / f"{part}.npy", getattr(self._lists, part))
        for name in _TABLES:
            np.save(folder / f"{name}.npy", getattr(self, f"_{name}"))
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
        tables = {name: np.load(folder / f"{name}.npy", mmap_mode="r") for name in _TABLES}
        lists = sparse.csr_matrix((len(words), len(tables["rest"])), dtype=np.float32)
        # Set one by one: the constructor would copy the mapped arrays into memory.
        for part in _LISTS:
            setattr(lists, part, np.load(folder / f"{part}.npy", mmap_mode="r"))
        return cls(vectorizer, lists, tables)


def _promising(bounds: NDArray[np.float32]) -> NDArray[np.intp]:
    """The highest bound of each stretch of documents: their cosines set the mark. Sorting would cost more."""
    stretch = min(len(bounds), 4 * math.isqrt(len(bounds)))
    starts = np.arange(len(bounds) // stretch) * stretch
    return np.asarray(bounds[: len(starts) * stretch].reshape(-1, stretch).argmax(axis=1) + starts)


def _turned(table: NDArray[np.float32]) -> dict[str, NDArray[Any]]:
    """The table in the basis of its principal directions: products stay the same, the first columns lead."""
    _, directions = np.linalg.eigh((table.T @ table).astype(np.float64))
    turn = np.ascontiguousarray(directions[:, ::-1], dtype=np.float32)
    leading, rest = _split(table @ turn)
    return {"leading": np.asfortranarray(leading), "rest": np.ascontiguousarray(rest), "turn": turn}


def _split(rows: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The leading columns with the length of the rest as one more, and the rest."""
    rest = rows[:, _LEADING:]
    return np.column_stack([rows[:, :_LEADING], np.linalg.norm(rest, axis=1)]), rest
