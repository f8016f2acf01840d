"""One summary, four axes of seven points each; coherence before the post is shown (App. C)."""

from collections.abc import Mapping
from typing import Any

from heed.judging.protocols.protocol import REMARKS, Protocol, Question, Stage


def _axis(name: str, words: str, rubric: dict[int, str]) -> Question:
    points = tuple((str(point), rubric.get(point, "")) for point in range(1, 8))
    return Question(name, words, points, scale=True)


_COHERENCE = _axis(
    "coherence",
    "Coherence: can the summary be read on its own?",
    {1: "cannot be understood", 4: "understood with effort", 7: "perfectly clear"},
)
_ACCURACY = _axis(
    "accuracy",
    "Accuracy: is what it says also what the post says?",
    {1: "plainly wrong", 4: "one fault that matters", 5: "small faults only", 7: "nothing wrong"},
)
_COVERAGE = _axis(
    "coverage",
    "Coverage: is what matters in the post there?",
    {1: "nothing that matters", 4: "half of what matters", 7: "all that matters"},
)
_OVERALL = _axis(
    "overall", "Overall: how good is it?", {1: "terrible", 4: "usable", 7: "could not be better"}
)


def _lean(_answers: Mapping[str, Any]) -> None:
    return None


AXES = Protocol(
    name="axes",
    title="How good is this summary?",
    text_names=("The summary",),
    situation_name="The post",
    source="single",
    labels_per_item=1,
    stages=(
        Stage("read", (_COHERENCE,), shows_situation=False),
        Stage("rate", (_ACCURACY, _COVERAGE, _OVERALL, *REMARKS)),
    ),
    lean=_lean,
)
