"""What labelers are told, one Markdown file per protocol. A text's version is its name and its hash."""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Instructions:
    """A text and the version that every judgment made under it records."""

    version: str
    text: str


@cache
def read_instructions(protocol: str) -> Instructions:
    text = (Path(__file__).parent / f"{protocol}.md").read_text(encoding="utf-8")
    return Instructions(f"{protocol}-{hashlib.sha256(text.encode()).hexdigest()[:12]}", text)
