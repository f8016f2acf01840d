"""Majority vote, with ties said out loud. Not weighted by skill: that is `aggregation`."""

import polars as pl

from heed.statistics.frames import refuse_double_votes, require


def majority(votes: pl.DataFrame) -> pl.DataFrame:
    """From `item, worker, label`: per item the label most workers gave, or null and `tied` when several lead.

    Columns out: item, label, tied, votes (how many workers), share (of the leading label). A worker who voted
    twice on one item is refused.
    """
    require(votes, "item", "worker", "label")
    refuse_double_votes(votes, "item", "worker")
    counts = votes.group_by("item", "label").len("given").sort("item", "label")
    leading = pl.col("given") == pl.col("given").max()
    return (
        counts.group_by("item", maintain_order=True)
        .agg(
            label=pl.when(leading.sum() == 1).then(pl.col("label").filter(leading).first()),
            tied=leading.sum() > 1,
            votes=pl.col("given").sum(),
            share=pl.col("given").max() / pl.col("given").sum(),
        )
        .sort("item")
    )


def label_rates(votes: pl.DataFrame) -> dict[str, float]:
    """The share of items whose majority is each label; items without a majority count as `(tied)`."""
    labels = majority(votes).select(pl.col("label").cast(pl.String).fill_null("(tied)"))
    counts = labels["label"].value_counts(normalize=True, name="share").sort("label")
    return dict(counts.iter_rows())
