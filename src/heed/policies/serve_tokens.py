"""The part of the completions protocol that speaks of tokens: prompts as numbers, and their probabilities.

Evaluation harnesses ask for it (`echo` with `logprobs`). Only a language model can answer; it says so by
having the two functions below.
"""

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from heed.errors import UserError
from heed.models.token_scores import TokenScore
from heed.policies.policy import Policy

Prompt = str | list[int]


@runtime_checkable
class KnowsTokens(Protocol):
    """A policy with a tokenizer and probabilities."""

    def decode(self, tokens: Sequence[int]) -> str: ...

    def score_tokens(self, prompt: str | Sequence[int]) -> list[TokenScore]: ...


def split_prompts(prompt: str | list[str] | list[int] | list[list[int]]) -> list[Prompt]:
    """One request may carry one prompt or several, each as text or as tokens."""
    if isinstance(prompt, str):
        return [prompt]
    tokens = [each for each in prompt if isinstance(each, int)]
    return [tokens] if tokens else [each for each in prompt if not isinstance(each, int)]


def as_text(prompt: Prompt, policy: Policy) -> str:
    return prompt if isinstance(prompt, str) else _knowing(policy).decode(prompt)


def scored_choice(index: int, prompt: Prompt, policy: Policy) -> dict[str, Any]:
    """The prompt echoed with the log-probability of each token, and one token more."""
    scores = _knowing(policy).score_tokens(prompt)
    logprobs = {
        "tokens": [score.text for score in scores],
        "token_logprobs": [score.logprob for score in scores],
        "top_logprobs": [_likeliest(score) for score in scores],
    }
    text = "".join(score.text for score in scores)
    return {"index": index, "text": text, "finish_reason": "length", "logprobs": logprobs}


def _likeliest(score: TokenScore) -> dict[str, float] | None:
    return None if score.likeliest_logprob is None else {score.likeliest: score.likeliest_logprob}


def _knowing(policy: Policy) -> KnowsTokens:
    if not isinstance(policy, KnowsTokens):
        raise UserError(f"The policy {policy.name} knows text alone: no token numbers, no log-probabilities.")
    return policy
