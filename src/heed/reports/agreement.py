"""Sections on the workers: how far they agree, with each other and with metrics, and who did how much."""

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import msgspec
import polars as pl

from heed.errors import UserError
from heed.records import Estimate
from heed.reports.content import Chart, Section, Table
from heed.reports.drawing import GREYS
from heed.reports.study import Study
from heed.statistics.agreement import ensemble_agreement, krippendorff_alpha, percent_agreement, pooled_kappa
from heed.statistics.agreement_matrix import (
    MATRIX_RESAMPLING,
    Opinions,
    agreement_matrix,
    ensemble,
    metric,
    people,
)
from heed.statistics.overlap import copied_bigrams, rouge
from heed.statistics.power import Design, items_needed

if TYPE_CHECKING:
    from matplotlib.axes import Axes

POINTS = 5
_SAMPLING = ("temperature", "top_p")
_CELL_SHARES = frozenset({"agreement", "standard_error"})


def agreement_section(study: Study) -> Section | None:
    """Percent agreement, κ, α and a worker against the others, over all comparisons."""
    votes = choices(study.judgments)
    if votes.is_empty():
        return None
    remarks: list[str] = []
    ways: dict[str, Callable[[], Estimate | float]] = {
        "two workers, indifferent dropped": lambda: percent_agreement(
            votes, indifferent="tie", how=study.how
        ),
        "two workers": lambda: percent_agreement(votes, how=study.how),
        "worker and majority of three or more others": lambda: ensemble_agreement(votes, how=study.how),
        "Cohen's κ, all pairs": lambda: pooled_kappa(votes),
        "Krippendorff's α": lambda: krippendorff_alpha(votes),
    }
    rows = [_measured(name, compute, remarks) for name, compute in ways.items()]
    schema = {"measure": pl.String, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64, "n": pl.Int64}
    table = pl.DataFrame([row for row in rows if row], schema=schema, orient="row")
    shown = [Table("agreement", "Agreement between workers", table)] if table.height else []
    alpha = next((row[1] for row in rows if row and row[0] == "Krippendorff's α"), None)
    if alpha is not None:
        shown.append(Table("plan", f"To see {POINTS} points from 50 % with a power of 80 %", _plan(alpha)))
    return Section("Agreement", "", shown, [], remarks)


def _plan(alpha: float) -> pl.DataFrame:
    """How many items a next study needs, with this study's α as the correlation of votes."""
    known = min(max(alpha, 0.0), 1.0)
    designs = [Design(labelers=labelers, agreement=known) for labelers in (1, 3, 5, 9)]
    return pl.DataFrame([asdict(items_needed(POINTS / 100, design)) for design in designs])


def matrix_section(study: Study) -> Section | None:
    """Tables 20-23: per policy and temperature, pairs of its own texts, people against metrics."""
    own = study.judgments.filter((pl.col("policy_a") == pl.col("policy_b")) & (pl.col("choice") != "none"))
    if own.is_empty():
        return None
    alike = own.filter(*(pl.col(f"{name}_a").eq_missing(pl.col(f"{name}_b")) for name in _SAMPLING))
    tables: list[Table] = []
    remarks: list[str] = []
    if alike.height < own.height:
        count = own["item"].n_unique() - alike["item"].n_unique()
        remarks.append(f"Left out: {count} pairs whose two texts were sampled in different ways.")
    keys = ["policy_a", *(f"{name}_a" for name in _SAMPLING)]
    for (policy, temperature, top_p), part in alike.group_by(keys, maintain_order=True):
        source = f"{policy}{_sampled(temperature, top_p)}"
        try:
            matrix = _matrix(part)
        except UserError as error:
            remarks.append(f"No agreement matrix for {source}: {error}")
            continue
        name = f"agreement_matrix_{len(tables) + 1}"
        tables.append(Table(name, f"Agreement on two texts of {source}", matrix, _CELL_SHARES))
    text = (
        "Two texts of one policy at one temperature are compared, so that a policy's quality explains "
        "nothing. Indifferent opinions are dropped; an ensemble has at least three workers and leaves out "
        "the one predicted. Standard errors are bootstrapped over examples."
    )
    return Section("People and metrics", text, tables, [], remarks)


def _sampled(temperature: Any, top_p: Any) -> str:
    if temperature is None:
        return ""
    return f" at T {temperature:g}" + ("" if top_p in (None, 1.0) else f", top-p {top_p:g}")


def worker_section(study: Study) -> Section | None:
    """T5's Figs. 10 and 11: judgments per worker."""
    total = study.judgments.height
    table = (
        study.judgments.group_by("worker")
        .agg(judgments=pl.len(), share=pl.len() / total, median_seconds=pl.col("seconds").median())
        .sort("judgments", "worker", descending=[True, False])
    )
    chart = Chart(
        "workers",
        "Judgments per worker",
        f"Judgments of each of the {table.height} workers, most first.",
        lambda axes: _draw_workers(axes, table["judgments"].to_list()),
        height_inches=2.6,
    )
    shown = Table("workers", "Judgments per worker", table, frozenset({"share"}))
    return Section("Workers", "", [shown], [chart])


def choices(judgments: pl.DataFrame) -> pl.DataFrame:
    """The comparisons as votes: item, worker, label."""
    pairs = judgments.filter(pl.col("choice") != "none")
    return pairs.select("item", "worker", label="choice")


def scored(judgments: pl.DataFrame) -> pl.DataFrame:
    """item, metric, first, second: what metrics gave the two texts, one row per item and metric."""
    rows = [
        (row["item"], name, float(pair[0]), float(pair[1]))
        for row in judgments.unique("item", keep="first", maintain_order=True).iter_rows(named=True)
        for name, pair in msgspec.json.decode(row["scores"]).items()
    ]
    schema = {"item": pl.String, "metric": pl.String, "first": pl.Float64, "second": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _matrix(part: pl.DataFrame) -> pl.DataFrame:
    items = part.unique("item", keep="first", maintain_order=True).sort("item")
    names = items["item"].to_list()
    sides = {"a": 1, "b": -1, "tie": 0}
    votes = part.select(
        "worker", comparison="item", vote=pl.col("choice").replace_strict(sides, return_dtype=pl.Int64)
    )
    labelers = people(votes, names)
    columns = {"labeler": labelers, "ensemble": ensemble(labelers), **_metrics(part, items)}
    return agreement_matrix(
        columns, items["example"].to_numpy(), ensemble_of={"ensemble": "labeler"}, how=MATRIX_RESAMPLING
    )


def _metrics(part: pl.DataFrame, items: pl.DataFrame) -> dict[str, Opinions]:
    """Length, copying, ROUGE-L where all have a reference, and every metric that scored all comparisons."""
    texts = [items[name].fill_null("").to_list() for name in ("text_a", "text_b")]
    found = {"length": metric(*([len(text) for text in side] for side in texts))}
    if items["situation"].null_count() == 0:
        sources = items["situation"].to_list()
        found["copying"] = metric(*(list(map(copied_bigrams, side, sources)) for side in texts))
    if items["reference"].null_count() == 0:
        found["ROUGE-L"] = metric(
            *(rouge(side, items["reference"].to_list())["rougeL"].to_list() for side in texts)
        )
    for (name,), rows in scored(part).group_by("metric", maintain_order=True):
        if rows.height == items.height:
            first, second = (rows.sort("item")[side].to_numpy() for side in ("first", "second"))
            found[str(name)] = metric(first, second)
    return found


def _measured(
    name: str, compute: "Callable[[], Estimate | float]", remarks: list[str]
) -> tuple[str, float, float | None, float | None, int | None] | None:
    try:
        found = compute()
    except UserError as error:
        remarks.append(f"Not computed, {name}: {error}")
        return None
    if isinstance(found, Estimate):
        return name, found.value, found.low, found.high, found.n
    return name, found, None, None, None


def _draw_workers(axes: "Axes", counts: list[int]) -> None:
    from matplotlib.ticker import MaxNLocator

    axes.bar(range(1, len(counts) + 1), counts, color=GREYS[2], edgecolor=GREYS[0], linewidth=0.6)
    axes.set_xlim(0.3, len(counts) + 0.7)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("worker, by number of judgments")
    axes.set_ylabel("judgments")
