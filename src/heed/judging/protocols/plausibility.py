"""Which question did the writer ask, and how does each fit (Asking the Right Question, the human study)."""

from collections.abc import Mapping
from typing import Any

from heed.judging.protocols.protocol import REMARKS, Protocol, Question, Stage

_FITS = (
    ("G", "Very general: fits almost any story"),
    ("L", "Compatible, and likely"),
    ("U", "Compatible, but unlikely"),
    ("E", "Incompatible: the story says otherwise"),
    ("I", "Incompatible: not said, but it follows from the story"),
)
_QUESTIONS = (
    Question(
        "likelier",
        "Which question did the writer more likely ask?",
        (("a", "Question A"), ("b", "Question B")),
    ),
    Question("fit_a", "How does question A fit the story?", _FITS),
    Question("fit_b", "How does question B fit the story?", _FITS),
    *REMARKS,
)


def _lean(answers: Mapping[str, Any]) -> float:
    return 1.0 if answers["likelier"] == "a" else -1.0


def _to_frozen(answers: Mapping[str, Any], first: str) -> dict[str, Any]:
    """The letters by what the questions are; a is always the actual one."""
    frozen = {name: answer for name, answer in answers.items() if not name.startswith("fit_")}
    actual, alternative = ("fit_a", "fit_b") if first == "a" else ("fit_b", "fit_a")
    return {**frozen, "actual": answers[actual], "alternative": answers[alternative]}


PLAUSIBILITY = Protocol(
    name="plausibility",
    title="Which question was asked?",
    text_names=("Question A", "Question B"),
    situation_name="The story",
    source="choices",
    labels_per_item=3,
    stages=(Stage("judge", _QUESTIONS),),
    lean=_lean,
    to_frozen=_to_frozen,
    frozen_as="cloze",
)
