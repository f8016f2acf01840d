"""A sentence encoder: texts in, vectors of length one out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heed.models.quiet import offline


class SentenceEncoder:
    """A sentence-transformers folder, loaded once."""

    def __init__(self, folder: Path) -> None:
        offline()
        from sentence_transformers import SentenceTransformer

        self._model: Any = SentenceTransformer(str(folder), device="cpu", local_files_only=True)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row per text; the dot product of two rows is their cosine."""
        vectors = self._model.encode(
            list(texts), batch_size=64, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)
