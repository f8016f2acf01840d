"""What labelers are told: Markdown pieces, put together for a study. A version is a name and a hash.

A protocol has its own piece, and may have another about news. Forum studies end with the forum's lingo.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from heed.store.studies import Study

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Instructions:
    """A text and the version that every judgment made under it records."""

    version: str
    text: str


def instructions_of(study: Study) -> Instructions:
    """What the labelers of this study read."""
    news, tags = study.options.get("about") == "news", bool(study.options.get("tags"))
    return read_instructions(study.protocol, news=news, tags=tags)


@cache
def read_instructions(protocol: str, *, news: bool = False, tags: bool = False) -> Instructions:
    special = news and (_FOLDER / f"{protocol}_news.md").exists()
    pieces = [f"{protocol}_news" if special else protocol, *(["tags"] if tags else [])]
    name = "-".join(pieces)
    pieces += [] if special else ["lingo"]
    text = "\n".join((_FOLDER / f"{piece}.md").read_text(encoding="utf-8") for piece in pieces)
    return Instructions(f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}", text)
