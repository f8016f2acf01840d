"""Best-of-N curves: what choosing harder buys, against how far it moves from the base policy (KL).

Policies called best_of:N:BASE belong to one curve per BASE; BASE itself is its first point. In a report
the points are preference rates, judged and by every score; after `heed score` they are mean metrics.
"""

import re
from typing import TYPE_CHECKING

import polars as pl

from heed.reports.agreement import scored
from heed.reports.content import Chart, Section, Table
from heed.reports.drawing import GREYS, SMALLEST_POINTS, interval_curve, legend_below, short
from heed.reports.means import mean_by_example
from heed.reports.study import Study
from heed.statistics.bootstrap import Resampling
from heed.statistics.preference import preference_rate
from heed.statistics.reward import best_of_n_kl

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NAME = re.compile(r"best_of:([1-9]\d*):(.+)")
_TEXT = (
    "The best of N answers by a score moves away from its base policy by log N − (N − 1)/N nats. Where the "
    "score goes on rising and people's preference falls, the score is over-optimised."
)
CURVE_METRICS = {
    "rougeL": "ROUGE-L with the reference",
    "logprob": "log-probability per token",
    "characters": "characters per answer",
    "copied": "copied bigrams, share",
}


def find_curves(policies: list[str]) -> pl.DataFrame:
    """base, samples, kl, policy of every policy on a curve with two points or more, in the order of KL."""
    read = [(match[2], int(match[1]), name) for name in policies if (match := _NAME.fullmatch(name))]
    bases = {base for base, _, _ in read}
    points = [*read, *((name, 1, name) for name in policies if name in bases)]
    rows = [(base, samples, best_of_n_kl(samples), name) for base, samples, name in points]
    schema = {"base": pl.String, "samples": pl.Int64, "kl": pl.Float64, "policy": pl.String}
    frame = pl.DataFrame(rows, schema=schema, orient="row").unique(["base", "samples"], keep="last")
    return frame.filter(pl.len().over("base") > 1).sort("base", "samples")


def best_of_section(study: Study) -> Section | None:
    """Fig. 7: preference against KL, judged and by the scores of the texts."""
    points = find_curves(study.policies)
    if points.is_empty():
        return None
    votes = {"judged": study.seen, **_votes_by_score(study)}
    table = pl.concat([_rates(points, seen, name, study.how) for name, seen in votes.items()])
    chart = Chart(
        "best_of",
        "Best-of-N",
        f"Preference over {study.against} against the KL of best-of-N from its base, with intervals.",
        lambda axes: _draw_rates(axes, table, study.against or ""),
        height_inches=3.6,
    )
    shares = frozenset({"rate", "low", "high"})
    return Section("Best-of-N", _TEXT, [Table("best_of", "Preference by KL", table, shares)], [chart])


def metric_curves(frame: pl.DataFrame) -> tuple[pl.DataFrame, list[Chart]]:
    """Mean metrics of scored responses (`policy, example_id` and metrics) by KL; no rows without a curve."""
    points = find_curves(frame["policy"].unique(maintain_order=True).to_list())
    rows = [
        {**point, "metric": metric, **found}
        for metric in CURVE_METRICS
        if metric in frame.columns
        for point in points.iter_rows(named=True)
        if (found := mean_by_example(frame.filter(pl.col("policy") == point["policy"]), metric))
    ]
    table = pl.DataFrame(rows, infer_schema_length=None)
    drawn = table["metric"].unique(maintain_order=True).to_list() if rows else []
    return table, [_metric_chart(table.filter(pl.col("metric") == name), name) for name in drawn]


def _votes_by_score(study: Study) -> dict[str, pl.DataFrame]:
    """Per score, its opinion of every item as the vote of one worker, seen from the policy's side."""
    items = study.seen.unique("item", keep="first", maintain_order=True)
    turned = pl.when(pl.col("policy") == pl.col("policy_a")).then(1).otherwise(-1)
    found = {}
    for (name,), part in scored(study.seen).group_by("metric", maintain_order=True):
        side = (turned * (pl.col("first") - pl.col("second"))).sign()
        joined = items.join(part, on="item").with_columns(worker=pl.lit(name), score=(side + 1) / 2)
        found[f"by {name}"] = joined
    return found


def _rates(points: pl.DataFrame, seen: pl.DataFrame, source: str, how: Resampling) -> pl.DataFrame:
    rows = []
    for point in points.iter_rows(named=True):
        part = seen.filter(pl.col("policy") == point["policy"])
        if part.height:
            rate = preference_rate(part, how=how)
            ends = {"rate": rate.value, "low": rate.low, "high": rate.high, "items": rate.n}
            rows.append({"base": point["base"], "preference": source, **point, **ends})
    return pl.DataFrame(rows)


def _metric_chart(table: pl.DataFrame, metric: str) -> Chart:
    def draw(axes: "Axes") -> None:
        for number, ((base,), part) in enumerate(table.group_by("base", maintain_order=True)):
            _draw_curve(axes, part, "mean", str(base), number)
        axes.set_ylabel(CURVE_METRICS[metric])
        _finish(axes, table)

    title = f"Best-of-N: {CURVE_METRICS[metric]}"
    return Chart(f"best_of_{metric}", title, "By KL of best-of-N from its base.", draw, height_inches=3.6)


def _draw_rates(axes: "Axes", table: pl.DataFrame, against: str) -> None:
    several = table["base"].n_unique() > 1
    percent = table.with_columns(pl.col("rate", "low", "high") * 100)
    for number, ((base, source), part) in enumerate(
        percent.group_by("base", "preference", maintain_order=True)
    ):
        _draw_curve(axes, part, "rate", f"{source}, {base}" if several else str(source), number)
    axes.axhline(50, color=GREYS[0], linestyle="--", linewidth=1)
    axes.set_ylim(0, 100)
    axes.set_ylabel(f"preferred over {short([against])[0]} (%)")
    _finish(axes, table)


def _draw_curve(axes: "Axes", part: pl.DataFrame, value: str, label: str, number: int) -> None:
    ends = list(part.select(pl.col("low", "high").fill_null(pl.col(value))).iter_rows())
    interval_curve(axes, part["kl"].to_list(), part[value].to_list(), ends, label, number)


def _finish(axes: "Axes", table: pl.DataFrame) -> None:
    """The axis of KL, and N above it."""
    points = table.unique("samples").sort("samples")
    axes.set_xlabel("KL from the base policy (nats)")
    for kl, samples in points.select("kl", "samples").iter_rows():
        axes.text(
            kl,
            1.01,
            f"N = {samples}" if samples == points["samples"][0] else str(samples),
            transform=axes.get_xaxis_transform(),
            ha="center",
            fontsize=SMALLEST_POINTS,
        )
    legend_below(axes)
