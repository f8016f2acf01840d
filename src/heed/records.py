"""The nouns that flow from room to room. Plain frozen data: no behaviour, no storage."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["post", "comment"]
Role = Literal["asker", "moderator", "admin", "automoderator", "user", "deleted"]
State = Literal["present", "deleted", "removed", "deleted_later", "removed_later"]
JudgeKind = Literal["human", "simulated", "machine"]
Choice = Literal["a", "b", "tie", "none"]


@dataclass(frozen=True, slots=True)
class Post:
    """What somebody wrote when they asked for help; `id` has no t3_ in front."""

    id: str
    subreddit: str
    author: str | None
    role: Role
    title: str
    text: str
    url: str | None
    is_self: bool
    score: int | None
    upvote_ratio: float | None
    comment_count: int | None
    created: int | None
    edited: bool
    edited_at: int | None
    state: State
    stickied: bool
    over_18: bool
    generated: bool
    retrieved: int | None
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Comment:
    """A reply; `parent_id` is None for a top-level comment, else the id of the comment it answers."""

    id: str
    post_id: str
    parent_id: str | None
    subreddit: str
    author: str | None
    role: Role
    text: str
    score: int | None
    score_hidden: bool
    gilded: bool
    created: int | None
    edited: bool
    edited_at: int | None
    state: State
    stickied: bool
    generated: bool
    retrieved: int | None
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Reference:
    """What a person wrote for an example: advice, a summary. `author` is a pseudonym."""

    text: str
    score: int | None = None
    id: str | None = None
    author: str | None = None


@dataclass(frozen=True, slots=True)
class Example:
    """What a model sees, and what people wrote for it, best first; the same fields for every kind of dataset.

    A choice between texts has `choices` and, as `label`, the place of the right one. `meta` is a JSON object.
    """

    id: str
    kind: str
    split: str
    subreddit: str
    domain: str
    created: int | None
    title: str
    text: str
    references: tuple[Reference, ...] = ()
    choices: tuple[str, ...] = ()
    label: int | None = None
    post_id: str | None = None
    meta: str = "{}"


@dataclass(frozen=True, slots=True)
class Response:
    """What a policy answered. A failure is a response too: no text, and the reason in `failure`.

    `choice` is the place of the chosen text where the example is a choice. `finish` is 'stop', 'length' or
    'failed'. Token counts are None where nobody counted.
    """

    example_id: str
    policy: str
    sample: int
    text: str
    choice: int | None
    finish: str
    failure: str | None
    prompt_hash: str
    tokens_in: int | None
    tokens_out: int | None
    seconds: float
    seed: int
    temperature: float
    top_p: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its uncertainty, and how it was obtained."""

    value: float
    low: float
    high: float
    n: int
    method: str
    options: tuple[tuple[str, str | int | float | bool], ...] = ()


@dataclass(frozen=True, slots=True)
class Judgment:
    """One worker's answer to one blinded question, frozen: revisions resolved, texts joined.

    Reports and training read only this. A comparison has two policies; a rating of one text has None for
    `policy_b` and `text_b`, and none for `choice`. `strength` is positive where
    a was chosen, negative where b was, else 0; a protocol without degrees writes 1 and −1.
    """

    study: str
    protocol: str
    item: str
    example: str
    domain: str | None
    subreddit: str | None
    split: str | None
    situation: str | None
    """What the worker read before the answers."""
    policy_a: str
    policy_b: str | None
    text_a: str
    text_b: str | None
    reference: str | None
    worker: str
    kind: JudgeKind
    choice: Choice
    strength: float
    answers: str
    """The form's own answers as a JSON object; which keys statistics look for is in docs/statistics.md."""
    scores: str
    """A JSON object of metrics that scored the texts: name → [score of a, score of b]."""
    shown_first: Choice
    seconds: float | None
    started: int | None
    """Seconds since 1970, UTC."""
    instruction_version: str
    revision: int
    temperature_a: float | None = None
    """How the texts were sampled; None where nobody knows, as for a text that no run of ours made."""
    temperature_b: float | None = None
    top_p_a: float | None = None
    top_p_b: float | None = None
    purpose: str | None = None
    """ordinary; shared, which everybody judges; anchor, which shows drift."""
    batch: int | None = None
    """Of an anchor: which of a worker's batches it was due in, from 0."""
