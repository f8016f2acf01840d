"""Improve one text. The edit and the original then go blind to somebody else (Tables 17 and 19).

Nothing is compared here: `heed study create --edits` makes the comparisons (judging/edits.py).
"""

from collections.abc import Mapping
from typing import Any

from heed.judging.protocols.protocol import REMARKS, Protocol, Question, Stage

_QUESTIONS = (
    Question(
        "edit", "Make it better: change what is wrong, missing or clumsy, and leave the rest.", edits=True
    ),
    *REMARKS,
)


def _lean(_answers: Mapping[str, Any]) -> None:
    return None


EDIT = Protocol(
    name="edit",
    title="Make this text better",
    text_names=("The text",),
    situation_name="The post",
    source="single",
    labels_per_item=1,
    stages=(Stage("improve", _QUESTIONS),),
    lean=_lean,
)
