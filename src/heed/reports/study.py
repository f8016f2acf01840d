"""The judgments a report speaks of, and which of them count.

Human judgments count alone wherever there are any; machine judgments then only help prediction-powered
intervals. Without people, the report is about simulated or machine judgments and says so everywhere.
"""

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from heed.errors import UserError
from heed.records import JudgeKind
from heed.statistics.bootstrap import RESAMPLING, Resampling
from heed.statistics.frozen import KINDS, counted_kind, distinct_items, oriented, reference_policy

# Fig. 12 of TuringAdvice; every other subreddit (Advice, techsupport, needadvice, internetparents) is life.
_RELATIONSHIP = ("relationships", "relationship_advice", "dating_advice", "dating", "marriage", "love")
_DOMAINS = {**dict.fromkeys(_RELATIONSHIP, "relationship"), "legaladvice": "legal"}


@dataclass(frozen=True)
class Study:
    """The counted judgments of one kind, the policy they are compared with, and how intervals are drawn."""

    judgments: pl.DataFrame
    kind: JudgeKind
    left_out: dict[str, int]
    machine: pl.DataFrame
    against: str | None
    how: Resampling
    price: float | None = None
    """Of one judgment, in whatever money."""
    hourly: float | None = None
    """Of an hour at work."""

    @cached_property
    def seen(self) -> pl.DataFrame:
        """Comparisons from the side of each policy against the reference policy; empty when there is none."""
        if self.against is None:
            return oriented(self.judgments).clear()
        return oriented(self.judgments, self.against)

    @cached_property
    def policies(self) -> list[str]:
        return sorted(self.seen["policy"].unique().to_list())

    @property
    def level(self) -> str:
        """Of every interval, in words."""
        return f"{100 * self.how.level:g} %"

    @property
    def mark(self) -> str:
        """What every figure and page must say when no person judged."""
        return "" if self.kind == "human" else f"{self.kind} judgments, not human"


def make_study(judgments: pl.DataFrame, against: str | None = None, how: Resampling = RESAMPLING) -> Study:
    """Choose the judgments that count and the policy to compare with."""
    judgments = distinct_items(judgments)
    kind = counted_kind(judgments)
    counted = judgments.filter(pl.col("kind") == kind).with_columns(domain=_domain())
    others: dict[str, int] = {
        name: judgments.filter(pl.col("kind") == name).height for name in KINDS if name != kind
    }
    machine = judgments.filter(pl.col("kind") == "machine") if kind == "human" else judgments.clear()
    known = set(counted["policy_a"]) | set(counted["policy_b"].drop_nulls())
    if against is not None and against not in known:
        raise UserError(f"No judgment is about {against}; known: {', '.join(sorted(known))}.")
    left_out = {name: count for name, count in others.items() if count}
    return Study(counted, kind, left_out, machine, against or reference_policy(counted), how)


def _domain() -> pl.Expr:
    """The domain as frozen, else from the subreddit."""
    from_subreddit = (
        pl.when(pl.col("subreddit").is_not_null())
        .then(pl.col("subreddit").str.to_lowercase().replace_strict(_DOMAINS, default="life"))
        .otherwise(pl.lit(None, pl.String))
    )
    return pl.coalesce(pl.col("domain"), from_subreddit)
