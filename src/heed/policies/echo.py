"""A deterministic fake that ships with Heed, so that everything can be tried without a model.

It repeats the beginning of what it was asked, cut by the seed; a choice is drawn by the seed too.
"""

import random
from collections.abc import Sequence
from typing import Any

from heed.policies.policy import Answer, Ask, Policy
from heed.policies.prompts import hash_prompt
from heed.policies.table import Setting


class Echo:
    """`samples`: another seed repeats another number of words."""

    name = "echo"
    batch = 64
    samples = True

    def describe(self) -> dict[str, Any]:
        return {}

    def answer(self, asks: Sequence[Ask]) -> list[Answer]:
        return [self._one(ask) for ask in asks]

    def _one(self, ask: Ask) -> Answer:
        dice = random.Random(ask.seed)
        choices = ask.example.choices
        words = f"{ask.example.title} {ask.example.text}".split()
        kept = words[: dice.randint(8, 40)]
        choice = dice.randrange(len(choices)) if choices else None
        text = choices[choice] if choice is not None else f"You said: {' '.join(kept)}"
        return Answer(
            text,
            choice=choice,
            prompt_hash=hash_prompt(" ".join(words)),
            tokens_in=len(words),
            tokens_out=len(kept),
        )


def open_echo(_argument: str, _setting: Setting) -> Policy:
    return Echo()
