"""What people wrote: the reference, and the second best as a control."""

from collections.abc import Sequence
from typing import Any

from heed.policies.policy import Answer, Ask, Policy, failed
from heed.policies.table import Setting


class Person:
    """The example's reference at one place; a choice's reference is the right choice."""

    batch = 1024
    samples = False

    def __init__(self, name: str, place: int) -> None:
        self.name = name
        self._place = place

    def describe(self) -> dict[str, Any]:
        return {"place": self._place}

    def answer(self, asks: Sequence[Ask]) -> list[Answer]:
        return [self._one(ask) for ask in asks]

    def _one(self, ask: Ask) -> Answer:
        references = ask.example.references
        if len(references) <= self._place:
            return failed("no_reference")
        return Answer(references[self._place].text, choice=ask.example.label)


def open_reference(_argument: str, _setting: Setting) -> Policy:
    return Person("reference", 0)


def open_second_best(_argument: str, _setting: Setting) -> Policy:
    return Person("second_best", 1)
