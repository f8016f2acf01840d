"""Baselines that only copy: the title, the first sentences, sentences at random in the order of the post.

For a choice, `random` picks a choice.
"""

import random
import re
from collections.abc import Sequence
from typing import Any, Literal

from heed.policies.policy import Answer, Ask, Policy, failed
from heed.policies.table import Setting, whole_number
from heed.records import Example

Kind = Literal["title", "lead", "random"]
# A sentence ends at . ! or ? with whatever closes it, before white space; a line break ends one as well.
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"'”’)\]]*\s+|\n+")


def sentences(text: str) -> list[str]:
    """The sentences of a text in order."""
    pieces, start = [], 0
    for match in _SENTENCE_END.finditer(text):
        pieces.append(text[start : match.end()].strip())
        start = match.end()
    return [piece for piece in [*pieces, text[start:].strip()] if piece]


def lead_sentences(text: str, count: int) -> list[str]:
    return sentences(text)[:count]


def random_sentences(text: str, count: int, dice: random.Random) -> list[str]:
    """So many sentences at random, in the order of the text."""
    found = sentences(text)
    drawn = sorted(dice.sample(range(len(found)), k=min(count, len(found))))
    return [found[place] for place in drawn]


class Extract:
    """Copies `count` sentences, or the title."""

    batch = 1024

    def __init__(self, kind: Kind, count: int) -> None:
        self.name = kind if kind == "title" or (kind, count) == ("random", 0) else f"{kind}:{count}"
        self.samples = kind == "random"
        self._kind = kind
        self._count = count

    def describe(self) -> dict[str, Any]:
        return {"kind": self._kind, "count": self._count}

    def answer(self, asks: Sequence[Ask]) -> list[Answer]:
        return [self._one(ask) for ask in asks]

    def _one(self, ask: Ask) -> Answer:
        if ask.example.choices:
            return self._choose(ask)
        text = self._copy(ask.example, random.Random(ask.seed))
        return Answer(text) if text else failed("nothing_to_copy")

    def _choose(self, ask: Ask) -> Answer:
        if self._kind != "random":
            return failed("not_for_choices")
        choice = random.Random(ask.seed).randrange(len(ask.example.choices))
        return Answer(ask.example.choices[choice], choice=choice)

    def _copy(self, example: Example, dice: random.Random) -> str:
        if self._kind == "title":
            return example.title
        if self._kind == "lead":
            return " ".join(lead_sentences(example.text, self._count))
        return " ".join(random_sentences(example.text, self._count, dice))


def open_title(_argument: str, _setting: Setting) -> Policy:
    return Extract("title", 0)


def open_lead(argument: str, _setting: Setting) -> Policy:
    return Extract("lead", whole_number("lead", argument, default=3))


def open_random(argument: str, _setting: Setting) -> Policy:
    return Extract("random", whole_number("random", argument, default=3))
