"""Turns the packaged GGUF file into a plain model folder that can be trained and saved.

transformers reads the file into a model that still calls itself quantized and refuses to be saved, so its
weights go into a plain model of the same shape.
"""

import os
import shutil
from pathlib import Path

from heed.models.quiet import offline


def unpack(folder: Path, place: Path) -> None:
    """Write the model and tokenizer of the only GGUF file in `folder` to `place`; whole or not at all."""
    offline()
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    file = next(folder.glob("*.gguf")).name
    packed = AutoModelForCausalLM.from_pretrained(folder, gguf_file=file)
    shape = packed.config.to_dict()
    shape.pop("quantization_config", None)
    config = AutoConfig.for_model(**shape)
    plain = AutoModelForCausalLM.from_config(config)
    plain.load_state_dict(packed.state_dict())
    scratch = place.with_name(f".{place.name}.{os.getpid()}")
    shutil.rmtree(scratch, ignore_errors=True)
    plain.save_pretrained(scratch)
    AutoTokenizer.from_pretrained(folder, gguf_file=file).save_pretrained(scratch)
    scratch.rename(place)
