"""Cleans what prompted models leave around their answer: what belongs to a page or a chat, not to a reply."""

import re

_LEADS = re.compile(
    r"^\s*(?:(?:TL;?DR|summary|advice|answer|reply|comment|question|response)\s*:|"
    r"(?:sure|certainly|of course|okay|here(?:'s| is))[^\n]{0,80}:\s*\n)\s*",
    re.IGNORECASE,
)
# What a page shows around a comment: points, buttons, another commenter's line.
_PAGE_LINES = re.compile(
    r"^\s*(?:\d+ (?:points?|replies|comments?)\b.*|(?:reply|share|report|save|permalink|give award|edit)\s*$|"
    r"(?:level \d|\[deleted\]|\[removed\])\s*$|\S{1,30} commented \(.*|u/\S+.*points?.*)$",
    re.IGNORECASE,
)
_TAGS = re.compile(
    r"</?(?:p|br|div|span|a|b|i|em|strong|blockquote|html|body)\b[^>]*>|<\|[^|>]{1,30}\|>", re.IGNORECASE
)


def clean_answer(text: str) -> str:
    """The answer alone; empty when nothing else was there."""
    text = _TAGS.sub("", text).strip().strip("~").strip()
    text = _LEADS.sub("", text, count=1)
    lines: list[str] = []
    for line in text.split("\n"):
        if _PAGE_LINES.match(line):
            if any(kept.strip() for kept in lines):
                break  # after the answer a page goes on with the next comment
            continue
        lines.append(line.rstrip())
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    return text[1:-1].strip() if re.fullmatch(r'"[^"]+"', text) else text
