"""The section on anchors, pairs of two policies in every batch, and the caution when judgments move."""

from typing import TYPE_CHECKING, Any

import polars as pl

from heed.errors import UserError
from heed.reports.content import Chart, Section, Table
from heed.reports.drawing import GREYS, legend_below, reach, short
from heed.reports.study import Study
from heed.statistics.drift import EVERYBODY, batch_rates, batch_slope
from heed.statistics.frozen import oriented

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CLEAR_P = 0.01
_TEXT = (
    "Pairs of the same two policies came in every batch of every worker. Intervals are Wilson's over single "
    "votes. Every batch has its own pairs, so the slope over batches takes the pair as its unit; a worker's "
    "slope is of the distance from what the others said of the same pairs, with Holm's correction over "
    "workers."
)


def drift_section(study: Study) -> Section | None:
    """S7's labeler drift: the rate per batch, for everybody and per worker, and its slopes."""
    votes = anchor_votes(study)
    if votes.is_empty():
        return None
    rates = batch_rates(votes, study.how.level).with_columns(batch=pl.col("batch") + 1)
    slopes, remarks = _slopes(votes, study.how.level)
    shares = frozenset({"rate", "low", "high", "change_per_batch"})
    tables = [Table("drift", f"How often {votes['policy'][0]} won, by batch", rates, shares)]
    tables += [Table("drift_slopes", "Change from batch to batch", slopes, shares)] if slopes.height else []
    chart = Chart(
        "drift",
        "Judgments of the anchors by batch",
        f"How often {votes['policy'][0]} won over {votes['opponent'][0]}: all votes with intervals, and each "
        "worker in grey.",
        lambda axes: _draw(axes, rates, votes["policy"][0]),
        height_inches=3.4,
    )
    return Section("Drift", _TEXT, tables, [chart], remarks)


def anchor_votes(study: Study) -> pl.DataFrame:
    """The judgments of the most frequent anchor pair, from the side of the baseline."""
    anchors = study.judgments.filter((pl.col("purpose") == "anchor") & pl.col("batch").is_not_null())
    seen = oriented(anchors, study.against)
    seen = oriented(anchors) if seen.is_empty() else seen
    if seen.is_empty():
        return seen
    pairs = seen.group_by("policy", "opponent").len().sort("len", "policy", descending=[True, False])
    return seen.join(pairs.head(1).drop("len"), on=["policy", "opponent"])


def drift_over_batches(study: Study) -> str | None:
    """A slope that is clearly not zero."""
    votes = anchor_votes(study)
    slopes = _slopes(votes, study.how.level)[0] if votes.height else pl.DataFrame()
    if slopes.is_empty():
        return None
    clear = slopes.filter(pl.col("p_holm") < CLEAR_P)
    if clear.is_empty():
        return None
    parts = [
        f"{row['worker']} {100 * row['change_per_batch']:+.1f} points (p {p_text(row['p_holm'])})"
        for row in clear.iter_rows(named=True)
    ]
    return f"Drift over batches: judgments of the anchors move per batch, {', '.join(parts)}."


def p_text(value: float) -> str:
    return "< .0001" if value < 0.0001 else f"{value:.4f}"


def _slopes(votes: pl.DataFrame, level: float) -> tuple[pl.DataFrame, list[str]]:
    """One row for everybody, tested alone, and one per worker, corrected for their number."""
    from statsmodels.stats.multitest import multipletests

    rows, without = [], []
    for worker in (None, *sorted(votes["worker"].unique())):
        try:
            slope = batch_slope(votes, worker, level)
        except UserError as error:
            without.append((worker or EVERYBODY, str(error)))
            continue
        change = slope.change
        rows.append((worker or EVERYBODY, change.value, change.low, change.high, change.n, slope.p))
    names = ", ".join(name for name, _ in without)
    remarks = [f"No slope of {names}. {without[0][1]}"] if without else []
    schema = ["worker", "change_per_batch", "low", "high", "pairs", "p"]
    table = pl.DataFrame(rows, schema=schema, orient="row")
    alone = [row[-1] for row in rows if row[0] == EVERYBODY]
    each = [row[-1] for row in rows if row[0] != EVERYBODY]
    corrected = multipletests(each, method="holm")[1].tolist() if each else []
    return table.with_columns(p_holm=pl.Series(alone + corrected, dtype=pl.Float64)), remarks


def _draw(axes: "Axes", rates: pl.DataFrame, policy: str) -> None:
    from matplotlib.ticker import MaxNLocator

    for (worker,), part in rates.group_by("worker", maintain_order=True):
        if worker != EVERYBODY:
            axes.plot(part["batch"], part["rate"] * 100, color=GREYS[4], linewidth=0.8, zorder=1)
    own = rates.filter(pl.col("worker") == EVERYBODY)
    middle = (own["rate"] * 100).to_list()
    ends = [(100 * low, 100 * high) for low, high in own.select("low", "high").iter_rows()]
    bars: dict[str, Any] = {"elinewidth": 1.2, "capsize": 3, "marker": "o", "markersize": 5, "zorder": 2}
    axes.errorbar(
        own["batch"].to_list(), middle, yerr=reach(middle, ends), color=GREYS[0], label=EVERYBODY, **bars
    )
    axes.plot([], [], color=GREYS[4], linewidth=0.8, label="one worker")
    axes.axhline(50, color=GREYS[0], linestyle="--", linewidth=1)
    axes.set_ylim(-3, 103)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("batch")
    axes.set_ylabel(f"won by {short([policy])[0]} (%)")
    legend_below(axes)
