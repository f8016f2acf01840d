"""A batch of lines becomes rows: parsed, filtered to the wanted subreddits, brought into their columns."""

from dataclasses import dataclass

import polars as pl

from heed.corpus.batches import Batch
from heed.corpus.fields import comment_rows, post_rows
from heed.corpus.lines import Rejects, kind_or_reason, parse
from heed.corpus.pseudonyms import Pseudonyms


@dataclass(frozen=True)
class Converted:
    """What some lines became; `bad` are the numbers of the unusable ones and why."""

    posts: pl.DataFrame
    comments: pl.DataFrame
    bad: Rejects
    blank: int


def convert(batch: Batch, wanted: frozenset[str] | None, file: str, pseudonyms: Pseudonyms) -> Converted:
    """A pure function but for the pseudonyms it remembers; several threads may call it at once."""
    raw, bad = parse(batch.data, batch.numbers)
    if wanted is not None:
        raw = raw.filter(pl.col("subreddit").str.to_lowercase().is_in(sorted(wanted)))
    raw = raw.with_columns(kind=kind_or_reason())
    rejected = raw.filter(~pl.col("kind").is_in(["post", "comment"])).select("line", "kind").rows()
    posts, comments = (raw.filter(pl.col("kind") == kind) for kind in ("post", "comment"))
    return Converted(
        posts=post_rows(posts, file, pseudonyms) if len(posts) else posts,
        comments=comment_rows(comments, file, pseudonyms) if len(comments) else comments,
        bad=[entry for entry in bad if entry[1] != "blank"] + rejected,
        blank=sum(reason == "blank" for _, reason in bad),
    )
