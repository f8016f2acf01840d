"""Find the TL;DR in a post, however its author wrote it, and take it out of the body.

A marker counts when it opens a line or a sentence or is followed by a colon; "tl;dr at the bottom" points
elsewhere, "sorry, no tl;dr" only talks. Of several summaries the last is taken, and all leave the body.
"""

import re
from dataclasses import dataclass

from heed.datasets.cleaning import clean, is_separator

_MARKER = re.compile(r"(?<![\w/])tl\s?[;:,/.'&-]?\s?dr(?:'s|s)?(?![A-Za-z])", re.IGNORECASE)
_SET_OFF = re.compile(r"[\s*_~\])\"]*(?:[:;=>?]|[-–—]+|\.(?=\s))")
_LEAD_WORDS = (
    r"so|ok|okay|and|pretty much|basically|the|my|here'?s|edit(?:ed)?|update|added|final|summary|conclusion"
    r"|moral of the story|original|story|post|part|long story short|short version|for|a|an|still"
    r"|forgot|your|damn|what['’]?s|#?\d+"
)
_LEAD = re.compile(rf"^[\W_]*(?:(?:{_LEAD_WORDS})(?![a-z0-9])[\W_]*)*$", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?…:)\]][*_\"')\]]*\s*[*_(\[]*$")
_FOUND = (
    r"(?:(?:version|is|are|will\s+be|available|located|provided|found|can\s+be|added|included|right)\s+)*"
)
_POINTER = re.compile(
    rf"^\W*{_FOUND}(?:(?:at|in|on|near|down|towards?)\s+)?(?:the\s+)?(?:very\s+)?"
    r"(?:bottom|end|below|above|top\b|comments?\b|title\b|beginning)",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"^\W*(?:none|nope|no|n/?a|sorry|(?:see|read|just\s+read)?\s*(?:the\s+|it|this)?\s*(?:title|post|it|all)?)\W*$",
    re.IGNORECASE,
)
# A line below the summary that belongs to the letter, not to the story.
_COURTESY = re.compile(
    r"\n[\s\\*_(-]*(?:thanks?\b|thank\s+you|sorry|apologies|i\s+apologi[sz]e|feel\s+free|please\s+(?:help|ask)"
    r"|i['’]?d\s+(?:really\s+)?appreciate|redirected\s+from|p\.?\s?[sd]\b)[\s\S]*",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*(?:[*•+-]|\d+[.)])\s")
_EDGE = " \t\n*_~:;=>-–—|#[]("


@dataclass(frozen=True, slots=True)
class Parsed:
    """The body without any summary, the summary if there is one, and how many markers opened one."""

    body: str
    summary: str | None
    found: int
    marked: bool
    """Whether one of the markers opens a summary, points to one or stands in for one."""


def parse(text: str) -> Parsed:
    """Split a post into body and summary."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    spans, summaries = [], []
    place = 0
    while match := _MARKER.search(text, place):
        place = match.end()
        if not _opens(text, match):
            continue
        end = _find_end(text, match.end())
        words = _tidy(_COURTESY.sub("", text[match.end() : end].rstrip()))
        if _POINTER.match(words) and len(words.split()) <= 12:
            end = match.end() + len(text[match.end() :].split("\n", 1)[0])
        elif not _EMPTY.match(words):
            summaries.append(clean(words).text)
        spans.append((_start_of_lead(text, match.start()), end))
        place = end
    return Parsed(_cut(text, spans), summaries[-1] if summaries else None, len(summaries), bool(spans))


def _opens(text: str, match: re.Match[str]) -> bool:
    """Whether a summary (or a pointer to it) begins here, and not just talk about one."""
    before = text[: match.start()].rsplit("\n", 1)[-1]
    if _LEAD.match(before):
        return True
    if _SENTENCE_END.search(before):
        return True
    set_off = _SET_OFF.match(text, match.end())
    return set_off is not None and ":" in set_off.group()


def _start_of_lead(text: str, start: int) -> int:
    """Where the marker's own lead-in begins ("So, **TL;DR"): the whole line if it holds nothing else."""
    line = text.rfind("\n", 0, start) + 1
    return line if _LEAD.match(text[line:start]) else start


def _find_end(text: str, start: int) -> int:
    """The end of the paragraph; a marker alone on its line takes the next one, and bullets that follow."""
    pieces = re.split(r"(\n[ \t]*\n\s*)", text[start:])
    end, words = 0, ""
    for place in range(0, len(pieces), 2):
        if _tidy(words) and not _BULLET.match(pieces[place]):
            break
        end += len(pieces[place - 1]) * (place > 0) + len(pieces[place])
        words += pieces[place]
        if _tidy(words) and not _BULLET.match(pieces[place]):
            break
    return start + end


def _tidy(words: str) -> str:
    """One line without the markup and signs around it."""
    line = re.sub(r"\s+", " ", re.sub(r"\*\*|__", "", words)).strip()
    line = line.lstrip(_EDGE + ".,?!)").rstrip(" *_~|[(")
    return line[:-1] if line.endswith("]") and "[" not in line else line


def _cut(text: str, spans: list[tuple[int, int]]) -> str:
    kept, place = [], 0
    for start, end in spans:
        kept.append(text[place:start])
        place = max(place, end)
    kept.append(text[place:])
    body = "\n".join(line for line in "".join(kept).split("\n") if not is_separator(line))
    return re.sub(r"\n{3,}", "\n\n", body).strip()
