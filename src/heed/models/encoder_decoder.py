"""An encoder-decoder model (T5 and its kin): the prompt is read whole, the answer is written beside it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from heed.models.causal import CausalModel


class EncoderDecoder(CausalModel):
    """Samples, batches and ends as a causal model does; only where prompt and answer lie is different."""

    usual_formats: Mapping[str, str] = {"advice": "advice_named", "tldr": "tldr", "news": "news"}
    marks_prompts = True

    def _load(self, folder: Path) -> tuple[Any, Any]:
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(folder)
        return tokenizer, AutoModelForSeq2SeqLM.from_pretrained(folder, dtype=self.torch.float32).eval()

    @property
    def most_positions(self) -> int:
        """T5 counts distances and not positions, so its tokenizer's length is the one it was trained with."""
        positions = getattr(self.model.config, "max_position_embeddings", None)
        return int(positions or min(self.tokenizer.model_max_length, 2048))

    def _tokens_repeated(self, _batch: Any) -> int:
        """An output row begins with the token that starts the decoder."""
        return 1

    def _log_probability(self, prompt: str, continuation: str) -> float:
        torch = self.torch
        labels = self.tokenizer(continuation, add_special_tokens=False, return_tensors="pt")["input_ids"]
        if labels.shape[1] == 0:
            return 0.0
        with torch.inference_mode():
            logits = self.model(**self.tokenizer(prompt, return_tensors="pt"), labels=labels).logits[0]
        chosen = torch.log_softmax(logits.float(), dim=-1).gather(1, labels[0, :, None])
        return float(chosen.sum())
