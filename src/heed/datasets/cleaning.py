"""Take the later additions out of a post: EDIT and UPDATE parts, and the dashed lines around them.

A marker is the word itself with something that sets it off (a colon, a dash, a number, capitals), at the
start of a line or of a sentence. "Editing…", "Edith…", "updated my resume" and "Update Windows first" are
none.
"""

import re
from dataclasses import dataclass

_LEAD = r"[\s\\*_~>#\[(\"'•-]*"
_KIND = (
    r"(?:(?:an?|one|just an)\s+)?"
    r"(?:(?:final|small|quick|minor|another|last|mini|second|third|big|important)\s+)?"
)
_BOTH = r"edit[ \t]*/[ \t]*update|update[ \t]*/[ \t]*edit"
_WORD = rf"(?P<word>{_BOTH}|edit(?:ed)?(?:\s+to\s+add)?|updated?|updates|eta)"
_DATE = r"\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?"
_NUMBER = r"(?:#|no\.?[ \t]*|number[ \t]*|part[ \t]*)?\d{1,2}(?![\w/])"
_TAIL = rf"(?:[ \t]*(?:{_DATE}|{_NUMBER}|(?:post|time|here)\b))?(?:[ \t]*[(\[][^)\]\n]{{1,40}}[)\]])?"
_SET_OFF = (
    r"[ \t*_~\])\"']*"
    r"(?::|;|=|–|—|-+(?=[\s>])|-{2,}|>|//|\.{1,3}(?=\s)|,|!+(?=[\s*_])|$|(?<=[*_\])])(?=\s))"
)
_MARKED_LINE = re.compile(rf"^{_LEAD}{_KIND}\b{_WORD}\b{_TAIL}{_SET_OFF}", re.IGNORECASE)
# "EDIT thanks for the replies", "Edit 2 thanks": capitals or a number set it off, if no shouting follows.
_LOUD_LINE = re.compile(
    rf"^{_LEAD}(?:EDIT(?:ED)?|UPDATED?|ETA)\b(?:[ \t]*#?\d{{1,2}})?(?=[ \t]+(?![A-Z]{{2,}}\b))"
)
_NUMBERED_LINE = re.compile(rf"^{_LEAD}(?:edit|update)[ \t]*#?\d{{1,2}}(?=[ \t]+\S)", re.IGNORECASE)
_ADDED = r"(?:add|clarify|clarification|clarity|say|include|grammar|spelling|format\w*)"
_ADDED_LINE = re.compile(
    rf"^{_LEAD}(?:edit(?:ed)?[ \t]+(?:to|for)[ \t]+{_ADDED}|update[ \t]+for[ \t]+clari(?:ty|fication))\b",
    re.IGNORECASE,
)
_LATER_EDIT = re.compile(rf"^{_LEAD}edit[ \t]*#?[2-9]\b", re.IGNORECASE)
# "4. Editing to add this one: …": an item put into a list later.
_LISTED = r"(?:\d{1,2}[.)][ \t]*)?"
_ADDING_LINE = re.compile(rf"^{_LEAD}{_LISTED}editing[ \t]+to[ \t]+add\b[^.:\n]{{0,20}}:", re.IGNORECASE)
# Inside a line: after the end of a sentence, with a colon; capitals alone are enough for EDIT.
_INLINE = re.compile(
    rf"(?<=[.!?)\]\"'*])[ \t]+[*_(\[]*{_KIND}(?:(?:edit(?:ed)?|updated?|eta){_TAIL}[*_]*[ \t]*:)",
    re.IGNORECASE,
)
_LOUD_INLINE = re.compile(
    r"(?<=\S)[ \t]+[*_(\[]*(?:EDIT|UPDATE|ETA)(?:[ \t]*#?\d{1,2})?[*_]*[ \t]*(?::|-+(?=\s)|–|—)"
)
_HINT = re.compile(r"edit|update|\beta\b", re.IGNORECASE)
_BLANK = r"[\s\u200b]*"
_SEPARATOR = re.compile(
    rf"^{_BLANK}(?:[-=*_~–—.#+•\\]{_BLANK})+$|^{_BLANK}(?:&nbsp;|&#x200b;|\u200b){_BLANK}$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The text without its additions, and the first words of each part taken out."""

    text: str
    removed: tuple[str, ...]


def clean(text: str) -> Cleaned:
    """Remove edits and updates. At the top only the paragraph goes; further down, all that follows."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    # Most posts have neither word: they only lose their dashed lines.
    lines, removed, cut = text.split("\n"), list[str](), list[str]()
    if _HINT.search(text):
        lines, removed = _strip_top(_break_inline(text).split("\n"))
        lines, cut = _cut_rest(lines)
    kept = [line.rstrip() for line in lines if not is_separator(line)]
    body = re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()
    return Cleaned(body, tuple(part[:80] for part in [*removed, *cut]))


def is_separator(line: str) -> bool:
    """Whether a line holds nothing but dashes and the like, or spaces nobody sees; a blank line is none."""
    return _SEPARATOR.match(line) is not None


def is_marker(line: str) -> bool:
    """Whether a line opens an edit or an update."""
    patterns = (_MARKED_LINE, _LOUD_LINE, _NUMBERED_LINE, _ADDED_LINE, _ADDING_LINE)
    return any(pattern.match(line) for pattern in patterns) and not _is_sentence(line)


def _is_sentence(line: str) -> bool:
    """ "Updates, drivers, reinstalling: …" and "Updated, rebooted, …" list things; they add nothing later."""
    return bool(re.match(r"\W*(?:updates|updated|edited),", line, re.IGNORECASE))


def _break_inline(text: str) -> str:
    """Put an inline marker at the start of a line of its own, so that one rule serves both."""
    for pattern in (_INLINE, _LOUD_INLINE):
        text = pattern.sub(lambda match: "\n" + match.group().lstrip(), text)
    return text


def _strip_top(lines: list[str]) -> tuple[list[str], list[str]]:
    """Drop marked paragraphs, blank lines and separators until the story begins."""
    removed: list[str] = []
    while lines and (not lines[0].strip() or is_separator(lines[0]) or is_marker(lines[0])):
        end = 1
        if is_marker(lines[0]):
            end = _end_of_paragraph(lines)
            if not any(line.strip() and not is_separator(line) for line in lines[end:]):
                return lines, removed  # nothing but the marked part: leave it to the length filters
            removed.append(lines[0].strip())
        lines = lines[end:]
    return lines, removed


def _cut_rest(lines: list[str]) -> tuple[list[str], list[str]]:
    """Cut at the first marker. A short EDIT with most of the story after it loses its paragraph only,
    and so does an item added to a list."""
    for place, line in enumerate(lines):
        if place and is_marker(line):
            end = place + _end_of_paragraph(lines[place:])
            before, after = sum(map(len, lines[:place])), sum(map(len, lines[end:]))
            # A second edit is rarely followed by story: what comes after it is mostly more of the same.
            weight = 2 if _LATER_EDIT.match(line) else 1
            whole = "edit" not in line.lower()[:30] or after <= weight * before
            if whole and not _ADDING_LINE.match(line):
                return lines[:place], [line.strip()]
            rest, removed = _cut_rest(lines[:place] + lines[end:])
            return rest, [line.strip(), *removed]
    return lines, []


def _end_of_paragraph(lines: list[str]) -> int:
    for place, line in enumerate(lines):
        if place and (not line.strip() or is_separator(line)):
            return place
    return len(lines)
