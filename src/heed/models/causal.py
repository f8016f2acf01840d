"""A causal language model: text in, text or log-probabilities out, in left-padded batches.

A sample depends on its own seed and prompt, not on who shares its batch: each row draws Gumbel noise from its
own generator, and the largest of logit plus noise is an exact draw from the distribution.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from heed.models.quiet import offline


@dataclass(frozen=True)
class Sampling:
    """How tokens are chosen; temperature 0 takes the likeliest, `beams` above 1 searches."""

    temperature: float = 0.0
    top_p: float = 1.0
    beams: int = 1
    most_tokens: int = 128
    stop: tuple[str, ...] = ()


@dataclass(frozen=True)
class Generated:
    """One continuation; `finish` is 'stop' (the model or a stop string ended it) or 'length'."""

    text: str
    tokens_in: int
    tokens_out: int
    finish: str


class CausalModel:
    """A model folder, loaded once."""

    usual_formats: Mapping[str, str] = {}
    """Prompt formats that this kind of model was trained with, by kind of example."""
    marks_prompts = False
    """Whether a prompt gets the tokenizer's own end mark."""

    def __init__(self, folder: Path) -> None:
        offline()
        import torch

        self.torch = torch
        self.tokenizer, self.model = self._load(folder)
        if self.tokenizer.pad_token_id is None:
            self.tokenizer.pad_token = self.tokenizer.eos_token

    def _load(self, folder: Path) -> tuple[Any, Any]:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        tokenizer = AutoTokenizer.from_pretrained(folder, padding_side="left")
        return tokenizer, AutoModelForCausalLM.from_pretrained(folder, dtype=self.torch.float32).eval()

    @property
    def most_positions(self) -> int:
        return int(getattr(self.model.config, "max_position_embeddings", 2048))

    def count_tokens(self, text: str) -> int:
        return len(self.tokenizer(text, add_special_tokens=False)["input_ids"])

    def chat_prompt(self, messages: Sequence[dict[str, str]]) -> str:
        """The messages in the model's own chat layout; without one, their texts one below the other."""
        if self.tokenizer.chat_template is None:
            return "\n\n".join(message["content"] for message in messages) + "\n\n"
        return str(
            self.tokenizer.apply_chat_template(list(messages), add_generation_prompt=True, tokenize=False)
        )

    def generate(self, prompts: Sequence[str], sampling: Sampling, seeds: Sequence[int]) -> list[Generated]:
        """A continuation of each prompt, in one batch."""
        batch = self.tokenizer(
            list(prompts), return_tensors="pt", padding=True, add_special_tokens=self.marks_prompts
        )
        with self.torch.inference_mode():
            output = self.model.generate(
                **batch,
                max_new_tokens=sampling.most_tokens,
                do_sample=False,
                num_beams=sampling.beams,
                pad_token_id=self.tokenizer.pad_token_id,
                logits_processor=_processors(sampling, seeds),
            )
        width = self._tokens_repeated(batch)
        lengths = batch["attention_mask"].sum(dim=1).tolist()
        return [
            self._read(row[width:].tolist(), length, sampling)
            for row, length in zip(output, lengths, strict=True)
        ]

    def _tokens_repeated(self, batch: Any) -> int:
        """How many tokens of an output row are not the continuation: here the prompt itself."""
        return int(batch["input_ids"].shape[1])

    def log_probabilities(self, prompts: Sequence[str], continuations: Sequence[str]) -> list[float]:
        """The log-probability of each continuation after its prompt, summed over its tokens."""
        pairs = zip(prompts, continuations, strict=True)
        return [
            value
            for prompt, group in groupby(pairs, key=itemgetter(0))
            for value in self._log_probabilities(prompt, [continuation for _, continuation in group])
        ]

    def _log_probabilities(self, prompt: str, continuations: Sequence[str]) -> list[float]:
        """The prompt is read once; rows of very different lengths would waste more than a batch saves."""
        before = self.tokenizer(prompt, add_special_tokens=False)["input_ids"]
        with self.torch.inference_mode():
            read = self.model(
                self.torch.tensor([before or [self.tokenizer.eos_token_id]]), use_cache=True, logits_to_keep=1
            )
            return [self._log_probability(read, continuation) for continuation in continuations]

    def _log_probability(self, read: Any, continuation: str) -> float:
        """`read` is what the model made of the prompt; a copy of its cache, for the next one needs it too."""
        tokens = self.tokenizer(continuation, add_special_tokens=False, return_tensors="pt")["input_ids"]
        if tokens.shape[1] == 0:
            return 0.0
        more = self.model(tokens.long(), past_key_values=deepcopy(read.past_key_values), use_cache=True)
        logits = self.torch.cat([read.logits[0, -1:], more.logits[0, :-1]])
        return self._sum_chosen(logits, tokens[0])

    def _sum_chosen(self, logits: Any, tokens: Any) -> float:
        return float(self.torch.log_softmax(logits.float(), dim=-1).gather(1, tokens[:, None]).sum())

    def decode(self, tokens: Sequence[int]) -> str:
        return str(self.tokenizer.decode(list(tokens)))

    def _read(self, tokens: list[int], tokens_in: int, sampling: Sampling) -> Generated:
        ends = _end_tokens(self.model)
        place = next((index for index, token in enumerate(tokens) if token in ends), None)
        kept = tokens if place is None else tokens[:place]
        text = str(self.tokenizer.decode(kept, skip_special_tokens=True))
        cut = min((text.find(stop) for stop in sampling.stop if stop in text), default=None)
        finish = "length" if place is None and cut is None else "stop"
        return Generated(text if cut is None else text[:cut], tokens_in, len(kept), finish)


def _end_tokens(model: Any) -> set[int]:
    ends = model.generation_config.eos_token_id
    return set(ends) if isinstance(ends, list) else {ends}


def _processors(sampling: Sampling, seeds: Sequence[int]) -> Any:
    """Temperature, nucleus, then noise: with these, taking the likeliest token is an exact draw."""
    from transformers import LogitsProcessorList, TemperatureLogitsWarper, TopPLogitsWarper

    if sampling.temperature == 0 or sampling.beams > 1:
        return LogitsProcessorList()
    processors: list[Any] = [TemperatureLogitsWarper(float(sampling.temperature))]
    if sampling.top_p < 1:
        processors.append(TopPLogitsWarper(float(sampling.top_p)))
    return LogitsProcessorList([*processors, _gumbel_noise(seeds)])


def _gumbel_noise(seeds: Sequence[int]) -> Any:
    import torch

    generators = [torch.Generator().manual_seed(seed) for seed in seeds]

    def add_noise(_tokens: Any, scores: Any) -> Any:
        noise = torch.stack([torch.rand(scores.shape[1], generator=each) for each in generators])
        # rand is in [0, 1); the clamp keeps log(0) out.
        return scores - torch.log(-torch.log(noise.clamp_min(1e-20)))

    return add_noise
