"""`heed corruptions`: how often a scorer prefers the summary that was built to be better, set by set."""

from collections import Counter
from typing import Any

import polars as pl

from heed.datasets.examples import open_dataset, read_examples
from heed.errors import UserError
from heed.policies.corruptions import SETS, construct_pairs, score_pairs
from heed.policies.policy import Decoding
from heed.policies.scorers import open_scorer
from heed.policies.table import Setting
from heed.statistics.reward import constructed_sets
from heed.workspace import Workspace

NO_SCORE = "the scorer gives no score"


def score_corruptions(
    workspace: Workspace,
    dataset: str,
    scorer: str,
    split: str | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> dict[str, Any]:
    """Table 18 for one scorer: the rate of each set with its interval, and what was left out and why."""
    artifact = open_dataset(workspace, dataset)
    everything = list(read_examples(artifact, split))
    asked = [example for example in everything if example.references][:limit]
    if not asked:
        raise UserError(f"Dataset '{dataset}' has no example with a reference: take a TL;DR or news dataset.")
    pairs, left_out = construct_pairs(asked, everything, seed)
    score = open_scorer(scorer, Setting(workspace, artifact, Decoding()))
    rows, why = [], ""
    for outcome in score_pairs(pairs, score):
        if len(outcome) == 2:
            left_out[outcome[0].set][NO_SCORE] += 1
            why = why or outcome[1]
            continue
        pair, better, worse = outcome
        rows.append((pair.set, better, worse))
    if not rows:
        raise UserError(f"No pair could be scored: {why}")
    return {
        "dataset": dataset,
        "scorer": scorer,
        "examples": len(asked),
        "seed": seed,
        "sets": _sets(rows, left_out),
    }


def _sets(rows: list[tuple[str, float, float]], left_out: dict[str, Counter[str]]) -> list[dict[str, Any]]:
    frame = pl.DataFrame(rows, schema=["set", "reward_a", "reward_b"], orient="row")
    found = {row["set"]: row for row in constructed_sets(frame).iter_rows(named=True)}
    ties = dict(frame.filter(pl.col("reward_a") == pl.col("reward_b")).group_by("set").len().iter_rows())
    empty = {"rate": None, "low": None, "high": None, "n": 0}
    return [
        {
            "set": name,
            **empty,
            **found.get(name, {}),
            "ties": ties.get(name, 0),
            "left_out": dict(left_out[name]),
        }
        for name in SETS
    ]
