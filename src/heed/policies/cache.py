"""Answers already made, by the hash of what was asked and how: the reason why a killed run goes on.

One append-only file per policy and its options. A line that was cut by a kill is left out when it is read.
"""

import hashlib
import os
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from heed.policies.policy import Answer, Ask, Decoding, Policy
from heed.workspace import Workspace

Timed = tuple[Answer, float]


class AnswerCache:
    """Everything this policy has answered under these options."""

    def __init__(self, workspace: Workspace, policy: Policy, decoding: Decoding) -> None:
        how = {"policy": policy.name, "is": policy.describe(), "decoding": asdict(decoding)}
        self._path = workspace.folder("cache", "answers") / f"{_hash(how)}.jsonl"
        self._known = _read(self._path)

    def find(self, ask: Ask) -> Timed | None:
        return self._known.get(_key(ask))

    def add(self, answers: Iterable[tuple[Ask, Answer]], seconds_each: float) -> None:
        """Write and make sure that it is written: what was counted survives a kill."""
        entries = [(_key(ask), answer) for ask, answer in answers]
        lines = [
            msgspec.json.encode({"key": key, "seconds": seconds_each, "answer": answer}) + b"\n"
            for key, answer in entries
        ]
        with self._path.open("ab") as stream:
            stream.write(b"".join(lines))
            stream.flush()
            os.fsync(stream.fileno())
        self._known.update((key, (answer, seconds_each)) for key, answer in entries)


class _Line(msgspec.Struct):
    key: str
    seconds: float
    answer: Answer


def _read(path: Path) -> dict[str, Timed]:
    """The later of two answers to the same ask counts: it was retried."""
    if not path.exists():
        return {}
    known: dict[str, Timed] = {}
    good = bytearray()
    for line in path.read_bytes().splitlines(keepends=True):
        try:
            entry = msgspec.json.decode(line, type=_Line)
        except msgspec.DecodeError:
            continue
        if line.endswith(b"\n"):
            known[entry.key] = (entry.answer, entry.seconds)
            good += line
    if len(good) < path.stat().st_size:
        path.write_bytes(good)
    return known


def _key(ask: Ask) -> str:
    example = ask.example
    shown = (example.id, example.kind, example.subreddit, example.created, example.title, example.text)
    people = [reference.text for reference in example.references]
    return _hash([*shown, list(example.choices), people, ask.sample, ask.seed])


def _hash(what: Any) -> str:
    return hashlib.sha256(msgspec.json.encode(what, order="deterministic")).hexdigest()[:32]
