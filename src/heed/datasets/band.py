"""How alike two questions of an item may be: neither the same nor worlds apart.

The paper keeps pairs whose InferSent similarity is .8 to .95. Another encoder has another scale, so its
band is calibrated: it spans the middle 98 % of the similarities of the question pairs the paper released. The
bands are stored in bands.toml with where they come from; `calibrate` makes a new one.
"""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.feature_extraction.text import TfidfVectorizer

from heed.datasets.vectors import Vectors, weigh_words
from heed.errors import UserError
from heed.models.packaged import encoder_folder

BANDS_FILE = Path(__file__).with_name("bands.toml")
_TAIL = 0.01
Floats = npt.NDArray[np.float32]


class Codes:
    """Texts as rows of unit length, dense or sparse; what is asked of them is the cosine of two."""

    def __init__(self, rows: Any) -> None:
        self._rows = rows

    def cosine(self, first: int, second: int) -> float:
        return float(self.cosines([first], [second])[0])

    def cosines(self, first: Sequence[int], second: Sequence[int]) -> Floats:
        left, right = self._rows[first], self._rows[second]
        product = left.multiply(right) if sparse.issparse(left) else left * right
        return np.asarray(product.sum(axis=1), dtype=np.float32).ravel()


def compare(first: Sequence[str], second: Sequence[str], encoder: str, vectors: Vectors) -> Floats:
    """The cosine of each question of the first list with its fellow of the second."""
    codes = encode([*first, *second], encoder, vectors)
    return codes.cosines(range(len(first)), range(len(first), len(first) + len(second)))


def encode(texts: Sequence[str], encoder: str, vectors: Vectors) -> Codes:
    """ "glove": word vectors; "tfidf": weighed words; else a sentence encoder (extra lm)."""
    if encoder == "glove":
        return Codes(_embed_apart(texts, vectors))
    if encoder == "tfidf":
        return Codes(TfidfVectorizer(dtype=np.float32).fit_transform(texts))
    folder = encoder_folder(encoder)
    from heed.models.encoder import SentenceEncoder

    return Codes(SentenceEncoder(folder).encode(texts))


def _embed_apart(texts: Sequence[str], vectors: Vectors) -> Floats:
    """The mean word vector, rare words first, less what all these texts share.

    Plain means lie in one narrow cone: any two long questions seem alike, any two short ones far apart.
    """
    rows = vectors.embed(texts, weigh_words(texts))
    rows -= rows.mean(axis=0)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def find_band(encoder: str, low: float | None, high: float | None) -> tuple[float, float]:
    """The band the options give, or the calibrated one of this encoder."""
    if low is not None and high is not None:
        return low, high
    bands: dict[str, Any] = tomllib.loads(BANDS_FILE.read_text(encoding="utf-8"))
    name = Path(encoder).name
    if name not in bands:
        raise UserError(
            f"The encoder '{encoder}' has no calibrated band (known: {', '.join(bands)}): "
            f"set band_low and band_high, or calibrate it with benchmarks/calibrate_band.py."
        )
    return (bands[name]["low"] if low is None else low), (bands[name]["high"] if high is None else high)


def calibrate(
    first: Sequence[str], second: Sequence[str], encoder: str, vectors: Vectors
) -> dict[str, float]:
    """The band of an encoder on known-good pairs, and the share of arbitrary pairs that it would drop."""
    good = compare(first, second, encoder, vectors)
    shifted = [*second[len(second) // 2 :], *second[: len(second) // 2]]
    arbitrary = compare(first, shifted, encoder, vectors)
    low, high = (round(float(value), 3) for value in np.quantile(good, [_TAIL, 1 - _TAIL]))
    outside = float(np.mean((arbitrary < low) | (arbitrary > high)))
    return {
        "low": low,
        "high": high,
        "median": round(float(np.median(good)), 3),
        "arbitrary_dropped": round(outside, 3),
    }
