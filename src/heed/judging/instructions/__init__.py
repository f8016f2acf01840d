"""What labelers are told: Markdown pieces, put together for a study. A version is names and a hash."""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from heed.store.studies import Study


@dataclass(frozen=True)
class Instructions:
    """A text and the version that every judgment made under it records."""

    version: str
    text: str


def instructions_of(study: Study) -> Instructions:
    """What the labelers of this study read."""
    more = ("tags",) if study.options.get("tags") else ()
    return read_instructions(study.protocol, *more)


@cache
def read_instructions(*pieces: str) -> Instructions:
    folder = Path(__file__).parent
    text = "\n".join((folder / f"{piece}.md").read_text(encoding="utf-8") for piece in pieces)
    return Instructions(f"{'-'.join(pieces)}-{hashlib.sha256(text.encode()).hexdigest()[:12]}", text)
