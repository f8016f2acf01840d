"""What a causal model thinks of every token of a text: the numbers that evaluation harnesses ask for."""

from collections.abc import Sequence
from dataclasses import dataclass

from heed.errors import UserError
from heed.models.causal import CausalModel


@dataclass(frozen=True)
class TokenScore:
    """A token of a text: its log-probability after the ones before it, and the likeliest token there."""

    text: str
    logprob: float | None
    likeliest: str
    likeliest_logprob: float | None


def score_tokens(model: CausalModel, prompt: str | Sequence[int]) -> list[TokenScore]:
    """Every token of a text, and the likeliest next one at the end."""
    torch = model.torch
    tokens = model.tokenizer(prompt)["input_ids"] if isinstance(prompt, str) else list(prompt)
    if model.model.config.is_encoder_decoder or not tokens:
        raise UserError(
            "Only a causal model gives the log-probabilities of a prompt, and of one with tokens."
        )
    with torch.inference_mode():
        logits = torch.log_softmax(model.model(torch.tensor([tokens])).logits[0].float(), dim=-1)
    best = logits.max(dim=-1)
    # Nothing stands before the first token, so it has no probability.
    scores = [TokenScore(model.decode(tokens[:1]), None, "", None)]
    for place, token in enumerate([*tokens[1:], int(best.indices[-1])]):
        likeliest = model.decode([int(best.indices[place])])
        own, most = float(logits[place, token]), float(best.values[place])
        scores.append(TokenScore(model.decode([token]), own, likeliest, most))
    return scores
