"""An exact nearest-neighbour index over TF-IDF vectors: the nearest document, fast, from mapped files.

Words that stand in many documents make most of the work and little of the score. So a query is first scored
by its rarer words alone; what the common ones can still add is bounded by the product of two norms (Cauchy
and Schwarz), and only the few documents that could still win are scored in full. The result is exact.
"""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer

# A word in more than this share of the documents is common.
COMMON_SHARE = 0.02
_PARTS = ("data", "indices", "indptr")


class TfidfIndex:
    """Documents in, the place of the nearest one and its cosine out."""

    def __init__(self, vectorizer: TfidfVectorizer, rare: Any, common: Any, common_norms: Any) -> None:
        self._vectorizer = vectorizer
        self._rare = rare  # words × documents: the documents of one word lie together
        self._common = common  # documents × words: the words of one document lie together
        self._common_norms = common_norms
        self._is_common = np.diff(rare.indptr) == 0

    @classmethod
    def build(cls, documents: list[str], fewest_documents: int = 1) -> "TfidfIndex":
        vectorizer = TfidfVectorizer(min_df=fewest_documents, dtype=np.float32)
        vectors = sparse.csr_matrix(vectorizer.fit_transform(documents))
        frequency = np.bincount(vectors.indices, minlength=vectors.shape[1])
        is_common = frequency > max(2, COMMON_SHARE * len(documents))
        keep = sparse.diags(is_common.astype(np.float32))
        common = sparse.csr_matrix(vectors @ keep)
        common.eliminate_zeros()
        rare = sparse.csr_matrix((vectors @ sparse.diags((~is_common).astype(np.float32))).T)
        rare.eliminate_zeros()
        norms = np.sqrt(np.asarray(common.multiply(common).sum(axis=1)).ravel())
        return cls(vectorizer, rare, common, norms.astype(np.float32))

    def nearest(self, queries: list[str]) -> list[tuple[int, float]]:
        """For each query the place of the nearest document, the first of equals, and the cosine."""
        vectors = sparse.csr_matrix(self._vectorizer.transform(queries))
        return [self._nearest(vectors[row]) for row in range(vectors.shape[0])]

    def _nearest(self, query: Any) -> tuple[int, float]:
        common = self._is_common[query.indices]
        rare_scores = self._rare_scores(query.indices[~common], query.data[~common])
        dense = np.zeros(self._common.shape[1], dtype=np.float32)
        dense[query.indices[common]] = query.data[common]
        bounds = rare_scores + np.linalg.norm(query.data[common]) * self._common_norms
        first = int(np.argmax(bounds))
        least = rare_scores[first] + self._common_score(first, dense)
        # The slack keeps a tie that rounding broke among the candidates.
        candidates = np.flatnonzero(bounds >= least - 1e-6)
        scores = rare_scores[candidates] + self._common[candidates] @ dense
        best = int(np.argmax(scores))
        return int(candidates[best]), float(scores[best])

    def _rare_scores(self, words: NDArray[Any], weights: NDArray[Any]) -> NDArray[np.float32]:
        scores = np.zeros(self._common.shape[0], dtype=np.float32)
        for word, weight in zip(words, weights, strict=True):
            start, stop = self._rare.indptr[word], self._rare.indptr[word + 1]
            scores[self._rare.indices[start:stop]] += weight * self._rare.data[start:stop]
        return scores

    def _common_score(self, document: int, dense: NDArray[np.float32]) -> float:
        start, stop = self._common.indptr[document], self._common.indptr[document + 1]
        return float(self._common.data[start:stop] @ dense[self._common.indices[start:stop]])

    def save(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        for name, matrix in (("rare", self._rare), ("common", self._common)):
            for part in _PARTS:
                np.save(folder / f"{name}_{part}.npy", getattr(matrix, part))
        np.save(folder / "common_norms.npy", self._common_norms)
        np.save(folder / "idf.npy", self._vectorizer.idf_)
        words = sorted(self._vectorizer.vocabulary_, key=self._vectorizer.vocabulary_.get)
        (folder / "words.json").write_text(json.dumps(words), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "TfidfIndex":
        """Mapped, not read: several processes share one copy in memory."""
        words = json.loads((folder / "words.json").read_text(encoding="utf-8"))
        vectorizer = TfidfVectorizer(
            vocabulary={word: place for place, word in enumerate(words)}, dtype=np.float32
        )
        vectorizer.idf_ = np.load(folder / "idf.npy")
        norms = np.load(folder / "common_norms.npy", mmap_mode="r")
        shapes = {"rare": (len(words), len(norms)), "common": (len(norms), len(words))}
        rare, common = (_mapped(folder, name, shape) for name, shape in shapes.items())
        return cls(vectorizer, rare, common, norms)


def _mapped(folder: Path, name: str, shape: tuple[int, int]) -> Any:
    parts = (np.load(folder / f"{name}_{part}.npy", mmap_mode="r") for part in _PARTS)
    matrix = sparse.csr_matrix(shape, dtype=np.float32)
    # Set one by one: the constructor would copy the mapped arrays into memory.
    matrix.data, matrix.indices, matrix.indptr = parts
    return matrix
