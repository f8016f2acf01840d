"""What a policy is: a name, a description, and `answer(asks) -> answers`.

Adding one = one file, one line in `table.py`, one test, one line in the docs. A policy knows nothing of
caching, resuming or files; that is `generate`'s work.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from heed.records import Example


@dataclass(frozen=True, slots=True)
class Decoding:
    """How a policy that samples should sample; temperature 0 is the likeliest answer."""

    temperature: float = 0.0
    top_p: float = 1.0
    beams: int = 1
    most_tokens: int = 256


@dataclass(frozen=True, slots=True)
class Ask:
    """One request: an example, and which sample of it; the seed belongs to this ask alone."""

    example: Example
    sample: int
    seed: int


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. With a `failure` there is no text; `finish` is 'stop', 'length' or 'failed'."""

    text: str
    choice: int | None = None
    finish: str = "stop"
    failure: str | None = None
    prompt_hash: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None


def failed(reason: str, prompt_hash: str = "") -> Answer:
    return Answer("", finish="failed", failure=reason, prompt_hash=prompt_hash)


class Policy(Protocol):
    """`batch` is how many asks it likes at once; `samples` says whether another seed gives another answer."""

    name: str
    batch: int
    samples: bool

    def describe(self) -> dict[str, Any]:
        """Everything that decides its answers: options, hashes of what it learned from. Never a key."""
        ...

    def answer(self, asks: Sequence[Ask]) -> list[Answer]:
        """One answer per ask, in order; a failure is an answer."""
        ...
