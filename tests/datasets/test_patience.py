"""No rule takes long over a text that was made to make it take long."""

import time
from collections.abc import Callable

import pytest

from heed.datasets import text
from heed.datasets.cleaning import clean
from heed.datasets.questions import strip_questions
from heed.datasets.summaries import parse

PIECES = [
    "*",
    "1",
    "a ",
    "the ",
    "- ",
    "[",
    "(",
    "\n",
    "edit ",
    "update ",
    "EDIT: ",
    "final ",
    "?",
    '" ',
    "tl;dr ",
    "u/",
    ".",
]
RULES: list[Callable[[str], object]] = [
    clean, parse, strip_questions, text.find_update, text.find_meta, text.find_link, text.find_others,
]  # fmt: skip


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_repetition_is_read_quickly(rule: Callable[[str], object]) -> None:
    for piece in PIECES:
        for start, end in (("", "x"), ("EDIT ", "x TL;DR y"), ("[update ", "!")):
            started = time.perf_counter()
            rule(start + piece * 400 + end)
            assert time.perf_counter() - started < 2, f"{piece!r} repeated"
