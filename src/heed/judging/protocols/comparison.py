"""Which summary is better, on nine points, after saying what each means (Learning to summarize, App. C).

The post is not sent before the interpretations are stored: who has read it cannot read a summary naively.
"""

from collections.abc import Mapping
from typing import Any

from heed.judging.protocols.protocol import REMARKS, Protocol, Question, Stage

_MIDDLE = 5
_WORDS = {1: "A, surely", 3: "A, rather", 5: "no difference", 7: "B, rather", 9: "B, surely"}
_FIRST_STAGE = (
    Question("interpretation_a", "In your own words: what does summary A say happened, and what is asked?"),
    Question("interpretation_b", "In your own words: what does summary B say happened, and what is asked?"),
)
_SECOND_STAGE = (
    Question(
        "preference",
        "Now that you know the post: which summary is better?",
        tuple((str(point), _WORDS.get(point, "")) for point in range(1, 10)),
        scale=True,
    ),
    *REMARKS,
)


def _lean(answers: Mapping[str, Any]) -> float:
    return (_MIDDLE - int(answers["preference"])) / 4


COMPARISON = Protocol(
    name="comparison",
    title="Which summary is better?",
    text_names=("Summary A", "Summary B"),
    situation_name="The post",
    source="pairs",
    labels_per_item=1,
    stages=(
        Stage("interpret", _FIRST_STAGE, shows_situation=False),
        Stage("compare", _SECOND_STAGE),
    ),
    lean=_lean,
)
