"""Mean rating per policy and axis, with intervals that resample whole examples (Figs. 12 and 13).

Ratings are on any numeric scale. How ratings move with length is `length.length_line`.
"""

import msgspec
import polars as pl

from heed.statistics.bootstrap import RESAMPLING, Resampling, clustered_mean
from heed.statistics.frames import refuse_double_votes, require


def axis_means(ratings: pl.DataFrame, how: Resampling = RESAMPLING) -> pl.DataFrame:
    """From `policy, axis, example, item, worker, rating`: policy, axis, mean, low, high, n.

    The interval is null where a policy was rated on a single example.
    """
    require(ratings, "policy", "axis", "example", "item", "worker", "rating")
    refuse_double_votes(ratings, "policy", "axis", "item", "worker")
    rows: list[tuple[str, str, float, float | None, float | None, int]] = []
    for (policy, axis), part in ratings.sort("policy", "axis").group_by(
        "policy", "axis", maintain_order=True
    ):
        values, examples = part["rating"].to_numpy(), part["example"].to_numpy()
        if part["example"].n_unique() < 2:
            rows.append((policy, axis, float(values.mean()), None, None, part.height))
            continue
        mean = clustered_mean(values, examples, how)
        rows.append((policy, axis, mean.value, mean.low, mean.high, mean.n))
    schema = ["policy", "axis", "mean", "low", "high", "n"]
    return pl.DataFrame(rows, schema=schema, orient="row", infer_schema_length=None)


def axis_ratings(judgments: pl.DataFrame) -> pl.DataFrame:
    """policy, axis, example, item, worker, rating, characters of every numeric answer about a single text."""
    rows = []
    for row in judgments.filter(pl.col("choice") == "none").iter_rows(named=True):
        for axis, rating in msgspec.json.decode(row["answers"]).items():
            if isinstance(rating, int | float) and not isinstance(rating, bool):
                keys = {name: row[name] for name in ("example", "item", "worker")}
                about = {"policy": row["policy_a"], "characters": len(row["text_a"])}
                rows.append({**keys, **about, "axis": axis, "rating": float(rating)})
    return pl.DataFrame(rows)
