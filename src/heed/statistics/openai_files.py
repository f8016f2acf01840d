"""OpenAI's public comparison and axis files (JSON lines) as frozen judgments, ready for a report.

A comparison is turned so that the two texts stand in one order for every worker. Its confidence is
a two-sided scale from 1 to 9 with 5 in the middle; the distance from the middle becomes the strength, the
choice its sign. Not a reader of other people's JSON: a row that is neither is refused with its number.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from heed.errors import NotFoundError, UnreadableError
from heed.records import Judgment
from heed.statistics.frozen import REFERENCE_NAMES, SCHEMA, check_judgments

_MIDDLE, _FARTHEST, _LEAST = 5, 4, 0.5


def read_openai(path: Path) -> pl.DataFrame:
    """Every line as a frozen judgment."""
    rows = _lines(path)
    key = next((key for key in _READERS if isinstance(rows[0], dict) and key in rows[0]), None)
    if key is None:
        raise UnreadableError(
            f"{path} is neither OpenAI's comparison nor its axis format (no summaries, no summary)."
        )
    found = []
    for number, row in enumerate(rows, 1):
        try:
            found.append(_READERS[key](row))
        except KeyError as error:
            raise UnreadableError(f"{path}, row {number}, lacks the key {error}.") from None
        except (TypeError, IndexError, ValueError):
            raise UnreadableError(f"{path}, row {number}, is not shaped like the others.") from None
    frame = pl.DataFrame([{name: getattr(j, name) for name in SCHEMA} for j in found], schema=SCHEMA)
    check_judgments(frame)
    return frame


def _lines(path: Path) -> list[Any]:
    rows = []
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        raise NotFoundError(f"There is no file {path}.") from None
    for number, line in enumerate(lines, 1):
        try:
            rows += [msgspec.json.decode(line)] if line.strip() else []
        except msgspec.DecodeError as error:
            raise UnreadableError(f"{path}, line {number}, is not JSON: {error}.") from None
    if not rows:
        raise UnreadableError(f"{path} is empty.")
    return rows


def _comparison(row: dict[str, Any]) -> Judgment:
    sides = [(str(side["policy"]), str(side["text"])) for side in row["summaries"]]
    chosen = sides[row["choice"]]
    (policy_a, text_a), (policy_b, text_b) = sorted(sides)
    is_a = chosen == (policy_a, text_a)
    size = _size(row.get("extra", {}).get("confidence"))
    reference = next((text for policy, text in sides if policy in REFERENCE_NAMES), None)
    return Judgment(
        protocol="comparison",
        item="|".join([row["info"]["id"], policy_a, text_a, policy_b, text_b]),
        policy_a=policy_a,
        policy_b=policy_b,
        text_a=text_a,
        text_b=text_b,
        reference=reference,
        choice="a" if is_a else "b",
        strength=size if is_a else -size,
        answers=msgspec.json.encode(row.get("extra", {})).decode(),
        **_shared(row),
    )


def _axis(row: dict[str, Any]) -> Judgment:
    summary = row["summary"]
    axes = {name: rating for name, rating in summary["axes"].items() if rating is not None}
    return Judgment(
        protocol="likert",
        item="|".join([row["info"]["id"], summary["policy"], summary["text"]]),
        policy_a=summary["policy"],
        policy_b=None,
        text_a=summary["text"],
        text_b=None,
        reference=None,
        choice="none",
        strength=0.0,
        answers=msgspec.json.encode(axes).decode(),
        **_shared(row),
    )


_READERS: dict[str, Callable[[dict[str, Any]], Judgment]] = {"summaries": _comparison, "summary": _axis}


def _shared(row: dict[str, Any]) -> dict[str, Any]:
    info = row["info"]
    body = [info.get("title"), info.get("post") or info.get("article")]
    return {
        "study": row.get("batch") or "openai",
        "example": info["id"],
        "domain": None,
        "subreddit": info.get("subreddit"),
        "split": row.get("split"),
        "situation": "\n\n".join(part for part in body if part) or None,
        "worker": row["worker"],
        "kind": "human",
        "scores": "{}",
        "shown_first": "none",
        "seconds": None,
        "started": None,
        "instruction_version": "unknown",
        "revision": 1,
    }


def _size(confidence: int | None) -> float:
    """Distance from the middle over the farthest; a choice made at the middle still leans a little."""
    return 1.0 if confidence is None else max(abs(confidence - _MIDDLE), _LEAST) / _FARTHEST
