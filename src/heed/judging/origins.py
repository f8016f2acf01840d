"""What frozen judgments say of their texts: how they were sampled, and what machines scored.

Neither is in the database: how a text was sampled is in the responses that it came from, and a scoring
machine judge leaves its scores in its own judgments. A text that two runs made in different ways has no one
answer.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from heed.errors import NotFoundError
from heed.policies.responses import open_responses, read_frame
from heed.workspace import Workspace

Decodings = dict[tuple[str, str, str], tuple[float, float] | None]
"""Example, policy and text → temperature and top-p."""


def read_decodings(workspace: Workspace, parents: Sequence[dict[str, str]]) -> Decodings:
    """How each text of the responses behind a study was sampled; responses that are gone say nothing."""
    found: Decodings = {}
    for parent in parents:
        if parent["kind"] != "responses":
            continue
        try:
            frame = read_frame(open_responses(workspace, parent["name"]))
        except NotFoundError:
            continue
        columns = frame.select("example_id", "policy", "text", "temperature", "top_p")
        for example, policy, text, temperature, top_p in columns.iter_rows():
            key, how = (example, policy, text), (temperature, top_p)
            found[key] = how if found.get(key, how) == how else None
    return found


def decoded(row: dict[str, Any], decodings: Decodings) -> dict[str, float | None]:
    """The temperature and top-p of both texts of a judgment."""
    sides: dict[str, float | None] = {}
    for side in ("a", "b"):
        key = (row["example"], row[f"policy_{side}"], row[f"text_{side}"])
        sides[f"temperature_{side}"], sides[f"top_p_{side}"] = decodings.get(key) or (None, None)
    return sides


def machine_scores(rows: Iterable[dict[str, Any]]) -> dict[str, dict[str, list[float]]]:
    """Per item, what every scoring machine judge gave a and b, under the judge's name."""
    found: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        if row["kind"] == "machine":
            answers = json.loads(row["answers"])
            if "scores" in answers:
                found.setdefault(row["item"], {})[answers["judge"]] = answers["scores"]
    return found
