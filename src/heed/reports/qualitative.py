"""Pages to read: one situation with every policy's text and its votes, random ones and hard ones.

Hard means that workers split: at least four votes and at least 40 % on each side.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from heed.reports.study import Study

FEWEST_VOTES = 4
SMALLER_SIDE = 0.4


@dataclass(frozen=True, slots=True)
class Answer:
    """One policy's text on one example and what workers said of it."""

    policy: str
    text: str
    wins: int
    losses: int
    ties: int
    ratings: str


@dataclass(frozen=True, slots=True)
class Reading:
    """One example to read."""

    example: str
    subreddit: str
    situation: str
    reference: str
    answers: tuple[Answer, ...]


def random_readings(study: Study, count: int) -> list[Reading]:
    """Examples drawn without looking at the outcome."""
    examples = sorted(study.seen["example"].unique().to_list())
    chosen = np.random.default_rng(study.how.seed).permutation(len(examples))[:count]
    return [_reading(study.seen, examples[place]) for place in sorted(chosen)]


def hard_readings(study: Study, count: int) -> list[Reading]:
    """Examples with an item that split the workers, most votes first."""
    split = (
        study.seen.group_by("item")
        .agg(
            pl.col("example").first(),
            votes=pl.len(),
            smaller=pl.min_horizontal((pl.col("score") == 1).mean(), (pl.col("score") == 0).mean()),
        )
        .filter((pl.col("votes") >= FEWEST_VOTES) & (pl.col("smaller") >= SMALLER_SIDE))
        .sort("votes", "item", descending=[True, False])
    )
    examples = split["example"].unique(maintain_order=True).to_list()[:count]
    return [_reading(study.seen, example) for example in examples]


def _reading(seen: pl.DataFrame, example: str) -> Reading:
    rows = seen.filter(pl.col("example") == example).sort("policy", "item", "worker")
    first = rows.row(0, named=True)
    answers = [_answer(part) for _, part in rows.group_by("policy", "text", maintain_order=True)]
    reference = first["reference"] or first["opponent_text"] or ""
    return Reading(example, first["subreddit"] or "", first["situation"] or "", reference, tuple(answers))


def _answer(part: pl.DataFrame) -> Answer:
    ratings = part.filter(pl.col("score") == 0)["answers"].str.json_path_match("$.rating").drop_nulls()
    words = ", ".join(
        f"{name.replace('_', ' ')} × {count}"
        for name, count in ratings.value_counts().sort(by=pl.all()).iter_rows()
    )
    wins, losses = int((part["score"] == 1).sum()), int((part["score"] == 0).sum())
    text = part["text"][0] or ""
    return Answer(part["policy"][0], text, wins, losses, part.height - wins - losses, words)
