"""The right class for a model folder, from what its configuration says."""

import json
from pathlib import Path

from heed.models.causal import CausalModel
from heed.models.encoder_decoder import EncoderDecoder


def open_text_model(folder: Path) -> CausalModel:
    """A model that writes text: causal, or encoder and decoder."""
    configuration = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return EncoderDecoder(folder) if configuration.get("is_encoder_decoder") else CausalModel(folder)
