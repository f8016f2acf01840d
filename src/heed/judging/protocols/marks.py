"""Error tags on spans of the texts (TuringAdvice, App. F.1): read from a form, checked, put back into a form.

A form names the words; where they are is found here, in the text as it is stored, so that a span always lies
inside its text. `start` only tells which place is meant when the words occur several times.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

MOST_MARKS = 6
LONGEST_NOTE = 2_000
PREFIX = "mark_"
_FIELDS = ("words", "text", "start", "note")

Options = Sequence[tuple[str, str]]
Mark = dict[str, Any]


class _MarkError(Exception):
    """What is wrong with one mark, as the end of a sentence."""


def read_marks(tags: Options, form: Mapping[str, str], texts: Sequence[str]) -> tuple[list[Mark], list[str]]:
    """The marks of a form and a sentence for everything that is wrong with them. Empty ones are no marks."""
    names = [*_FIELDS, *(value for value, _ in tags)]
    known = {f"{PREFIX}{number}_{name}" for number in range(1, MOST_MARKS + 1) for name in names}
    problems = [f"This form has no mark '{name[:40]}'." for name in form if name not in known]
    marks = []
    for number in range(1, MOST_MARKS + 1):
        fields = {name: form.get(f"{PREFIX}{number}_{name}", "").strip() for name in names}
        chosen = [value for value, _ in tags if fields[value]]
        if not (fields["words"] or fields["note"] or chosen):
            continue
        try:
            marks.append(_read(fields, chosen, texts))
        except _MarkError as error:
            problems.append(f"Mark {number}: {error}")
    return marks, problems


def marks_to_form(marks: Sequence[Mark]) -> dict[str, str]:
    """The fields that `read_marks` would read these marks from."""
    form: dict[str, str] = {}
    for number, mark in enumerate(marks, start=1):
        fields = {name: str(mark[name]) for name in _FIELDS} | dict.fromkeys(mark["tags"], "yes")
        form |= {f"{PREFIX}{number}_{name}": value for name, value in fields.items()}
    return form


def marks_by_side(marks: Sequence[Mark], first: str) -> list[Mark]:
    """The same marks on a and b instead of the first and second text shown."""
    second = "b" if first == "a" else "a"
    return [
        {"side": first if mark["text"] == 1 else second, **{n: v for n, v in mark.items() if n != "text"}}
        for mark in marks
    ]


def _read(fields: dict[str, str], chosen: list[str], texts: Sequence[str]) -> Mark:
    if not fields["words"]:
        raise _MarkError("name the words that it is about.")
    if not chosen:
        raise _MarkError("choose at least one kind of error.")
    if len(fields["note"]) > LONGEST_NOTE:
        raise _MarkError(f"a note has at most {LONGEST_NOTE:,} characters.")
    number, start, end = _find(fields, texts)
    words = texts[number - 1][start:end]
    return {
        "text": number,
        "start": start,
        "end": end,
        "words": words,
        "tags": chosen,
        "note": fields["note"],
    }


def _find(fields: dict[str, str], texts: Sequence[str]) -> tuple[int, int, int]:
    """Which text the words are in, counted from 1, and from where to where."""
    numbers = range(1, len(texts) + 1)
    if fields["text"] and fields["text"] not in map(str, numbers):
        raise _MarkError("it is about none of the texts that are shown.")
    if len(fields["words"]) > 2 * max(len(text) for text in texts):
        raise _MarkError("its words are longer than the texts.")
    # Line ends and runs of spaces differ between a page and a stored text; the words do not.
    words = re.compile(r"\s+".join(map(re.escape, fields["words"].split())))
    asked = [int(fields["text"])] if fields["text"] else numbers
    found = {number: [m.span() for m in words.finditer(texts[number - 1])] for number in asked}
    found = {number: spans for number, spans in found.items() if spans}
    if not found:
        raise _MarkError("its words are not in the text: copy them as they stand.")
    if len(found) > 1:
        raise _MarkError("its words are in both texts: say which one is meant.")
    ((number, spans),) = found.items()
    near = int(fields["start"]) if fields["start"].isdecimal() else 0
    return number, *min(spans, key=lambda span: abs(span[0] - near))
