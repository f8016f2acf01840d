"""An encoder-decoder model (T5 and its kin): the prompt is read whole, the answer is written beside it."""

from collections.abc import Mapping, Sequence
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

    def _log_probabilities(self, prompt: str, continuations: Sequence[str]) -> list[float]:
        with self.torch.inference_mode():
            prompts = self.tokenizer(prompt, return_tensors="pt")
            read = {
                "attention_mask": prompts["attention_mask"],
                "encoder_outputs": self.model.get_encoder()(**prompts),
            }
            return [self._log_probability(read, continuation) for continuation in continuations]

    def _log_probability(self, read: Any, continuation: str) -> float:
        labels = self.tokenizer(continuation, add_special_tokens=False, return_tensors="pt")["input_ids"]
        if labels.shape[1] == 0:
            return 0.0
        return self._sum_chosen(self.model(**read, labels=labels).logits[0], labels[0])
