"""Which advice helps more, and what is wrong with the other (TuringAdvice, section 4 and appendix)."""

from collections.abc import Mapping
from typing import Any

from heed.judging.protocols.marks import marks_by_side
from heed.judging.protocols.protocol import REMARKS, Protocol, Question, Stage

_LEAN = {"definitely_a": 1.0, "slightly_a": 0.5, "slightly_b": -0.5, "definitely_b": -1.0}
_TAGS = (
    ("inference", "Natural language inference: it does not follow, or contradicts what was said"),
    ("reading", "Reading comprehension: it misses or misreads the situation"),
    ("coreference", "Coreference: it mixes up who or what is meant"),
    ("social", "Social commonsense: people do not act or feel like this"),
    ("physical", "Physical commonsense: things do not work like this"),
)
_QUESTIONS = (
    Question(
        "preference",
        "Which advice is more helpful?",
        (
            ("definitely_a", "A, definitely"),
            ("slightly_a", "A, slightly"),
            ("slightly_b", "B, slightly"),
            ("definitely_b", "B, definitely"),
        ),
    ),
    Question(
        "rating",
        "How is the other one, the worse of the two?",
        (
            ("slightly_helpful", "Slightly helpful"),
            ("not_helpful", "Not helpful"),
            ("dangerous", "Dangerous: following it could do harm"),
        ),
    ),
    Question(
        "reason",
        "What is the main problem of the worse one?",
        (
            ("meaning", "Meaning: what it says is off, or misses the point"),
            ("writing", "Writing: it is hard to read or badly put"),
        ),
        when=("rating", ("slightly_helpful",)),
    ),
    Question(
        "usefulness",
        "Could the worse one help anybody, in another situation?",
        (("possibly", "Possibly helpful to somebody"), ("never", "Never helpful to anybody")),
        when=("rating", ("not_helpful", "dangerous")),
    ),
    *REMARKS,
)


def _lean(answers: Mapping[str, Any]) -> float:
    return _LEAN[answers["preference"]]


def _to_frozen(answers: Mapping[str, Any], first: str) -> dict[str, Any]:
    """Statistics know one `reason`, whichever of the two questions was asked."""
    frozen = dict(answers)
    if "tags" in frozen:
        frozen["tags"] = marks_by_side(frozen["tags"], first)
    if "usefulness" in frozen:
        frozen["reason"] = frozen.pop("usefulness")
    return frozen


HELPFULNESS = Protocol(
    name="helpfulness",
    title="Which advice helps more?",
    text_names=("Advice A", "Advice B"),
    situation_name="The situation",
    source="pairs",
    labels_per_item=3,
    stages=(Stage("judge", _QUESTIONS),),
    lean=_lean,
    to_frozen=_to_frozen,
    tags=_TAGS,
)
