"""Sections on preference over the reference: the rates, the matrix of differences, and the domains."""

from typing import TYPE_CHECKING

import polars as pl

from heed.errors import UserError
from heed.reports.content import Chart, Section, Table
from heed.reports.drawing import (
    GREYS,
    SMALLEST_POINTS,
    half_line,
    interval_bars,
    interval_points,
    legend_below,
    short,
)
from heed.reports.study import Study
from heed.statistics.preference import continuous_scores, item_outcomes, preference_rate, wilson_rate
from heed.statistics.significance import compare_policies
from heed.statistics.two_way import two_way_mean

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHARES = frozenset({"rate", "low", "high", "wilson_low", "wilson_high", "difference"})


def preference_section(study: Study) -> Section | None:
    """T5's Fig. 3: how often each policy is preferred over the reference, by majority."""
    if study.seen.is_empty():
        return None
    table = preference_table(study.seen, study)
    text = (
        f"The share of items on which more workers preferred the policy than {study.against}; a tie counts "
        f"half. Intervals are {study.level} cluster bootstrap over examples, or Wilson's where fewer than "
        "ten items were won or lost; the method column says which. Single votes have an interval that would "
        "also hold for other workers (two-way clusters)."
    )
    chart = Chart(
        "preference",
        "Preference over the reference",
        f"Share of items preferred over {study.against}, with {study.level} intervals.",
        lambda axes: _draw_rates(axes, table, study),
        height_inches=1.1 + 0.42 * table.height,
    )
    votes, remarks = _vote_table(study, table["policy"].to_list())
    tables = [Table("preference", "Preference rates", table, _SHARES)]
    if votes.height:
        tables.append(
            Table("votes", "Single votes, interval for other examples and other workers", votes, _SHARES)
        )
    return Section("Preference", text, tables, [chart], remarks)


def _vote_table(study: Study, order: list[str]) -> tuple[pl.DataFrame, list[str]]:
    """The share of single votes per policy, with an interval that would hold for other workers too."""
    rows, remarks = [], []
    for policy in order:
        part = study.seen.filter(pl.col("policy") == policy)
        columns = [part[name].to_numpy() for name in ("score", "example", "worker")]
        try:
            mean = two_way_mean(columns[0], columns[1], columns[2], level=study.how.level)
        except UserError as error:
            remarks.append(f"No interval for other workers, {policy}: {error}")
            continue
        ends = {"low": max(0.0, mean.low), "high": min(1.0, mean.high)}
        rows.append(
            {
                "policy": policy,
                "rate": mean.value,
                **ends,
                "votes": mean.n,
                "workers": part["worker"].n_unique(),
            }
        )
    return pl.DataFrame(rows), remarks


def preference_table(seen: pl.DataFrame, study: Study) -> pl.DataFrame:
    """One row per policy, best first."""
    rows = []
    for (policy,), part in seen.group_by("policy", maintain_order=True):
        rate, wilson = preference_rate(part, how=study.how), wilson_rate(part, level=study.how.level)
        rows.append(
            {
                "policy": policy,
                "rate": rate.value,
                "low": rate.low,
                "high": rate.high,
                "wilson_low": wilson.low,
                "wilson_high": wilson.high,
                "items": rate.n,
                "judgments": part.height,
                "method": rate.method.partition(",")[0],
            }
        )
    return pl.DataFrame(rows).sort("rate", "policy", descending=[True, False])


def significance_section(study: Study) -> Section | None:
    """T5's Fig. 4: every pair of policies."""
    if len(study.policies) < 2:
        return None
    try:
        table = compare_policies(policy_scores(study.seen))
    except UserError as error:
        return Section("Differences between policies", remarks=[str(error)])
    order = preference_table(study.seen, study)["policy"].to_list()
    text = (
        "A cell is the difference of the preference rates in points, row minus column. Its p comes from a "
        "paired t-test of the continuous scores (±1 definitely, ±0.5 slightly, averaged over the workers who "
        "agree with the majority), raw and, in brackets, after Holm's correction over all pairs."
    )
    chart = Chart(
        "significance",
        "Differences between policies",
        "Difference of preference rates in points (row minus column), p raw and (Holm).",
        lambda axes: _draw_matrix(axes, table, order),
        width_inches=max(6.5, 1.3 + 0.9 * len(order)),
        height_inches=0.9 + 0.62 * len(order),
    )
    shown = Table("significance", "Pairs of policies", table, _SHARES)
    return Section("Differences between policies", text, [shown], [chart])


def policy_scores(seen: pl.DataFrame) -> pl.DataFrame:
    """policy, example, outcome, score; several items of one example are averaged."""
    parts = []
    for (policy,), part in seen.group_by("policy", maintain_order=True):
        scored = item_outcomes(part).join(continuous_scores(part), on="item")
        parts.append(
            scored.group_by("example", maintain_order=True)
            .agg(pl.col("outcome", "score").mean())
            .with_columns(policy=pl.lit(policy))
        )
    return pl.concat(parts)


def domain_section(study: Study) -> Section | None:
    """T5's Fig. 12: the same rates by kind of advice."""
    known = study.seen.filter(pl.col("domain").is_not_null())
    domains = sorted(known["domain"].unique().to_list())
    if len(domains) < 2:
        return None
    tables = [
        preference_table(known.filter(pl.col("domain") == domain), study).with_columns(domain=pl.lit(domain))
        for domain in domains
    ]
    table = pl.concat(tables).select("domain", "policy", "rate", "low", "high", "items", "method")
    chart = Chart(
        "domains",
        "Preference by domain",
        f"Share of items preferred over {study.against} by domain, with {study.level} intervals.",
        lambda axes: _draw_domains(axes, table, study.against or ""),
        height_inches=1.5 + 0.5 * len(study.policies),
    )
    shown = Table("domains", "Preference rates by domain", table, _SHARES)
    return Section("Domains", tables=[shown], charts=[chart])


def _draw_rates(axes: "Axes", table: pl.DataFrame, study: Study) -> None:
    values = [100 * value for value in table["rate"]]
    ends = [(100 * low, 100 * high) for low, high in table.select("low", "high").iter_rows()]
    interval_bars(axes, table["policy"].to_list(), values, ends)
    for place, (value, (_, high)) in enumerate(zip(values, ends, strict=True)):
        label = axes.text(
            high + 1, table.height - 1 - place, f"{value:.1f}", va="center", fontsize=SMALLEST_POINTS
        )
        label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1})  # over the 50 % line
    half_line(axes, _by_definition(study.against or ""))
    axes.set_xlim(0, max(60, *(high + 8 for _, high in ends)))
    axes.set_xlabel(f"preferred over {study.against} (% of items)")


def _by_definition(against: str) -> str:
    return f"50 %, {short([against])[0]} by definition"


def _draw_domains(axes: "Axes", table: pl.DataFrame, against: str) -> None:
    policies = (
        table.group_by("policy", maintain_order=True)
        .agg(pl.col("rate").mean())
        .sort("rate", descending=True, maintain_order=True)["policy"]
        .to_list()
    )
    series = {}
    for domain in table["domain"].unique(maintain_order=True):
        rows = {row["policy"]: row for row in table.filter(pl.col("domain") == domain).iter_rows(named=True)}
        there = [rows.get(policy) for policy in policies]
        values = [100 * row["rate"] if row else float("nan") for row in there]
        ends = [(100 * row["low"], 100 * row["high"]) if row else (0.0, 0.0) for row in there]
        series[domain] = (values, ends)
    interval_points(axes, policies, series)
    half_line(axes, _by_definition(against))
    axes.set_xlim(-1.5, max(60, axes.get_xlim()[1]))
    axes.set_xlabel(f"preferred over {short([against])[0]} (% of items)")
    legend_below(axes)


def _draw_matrix(axes: "Axes", table: pl.DataFrame, order: list[str]) -> None:
    cells = {(row["policy"], row["against"]): row for row in table.iter_rows(named=True)}
    size = len(order)
    for row, first in enumerate(order):
        for column, second in enumerate(order):
            if first == second:
                continue
            found = cells.get((first, second)) or cells[second, first]
            difference = found["difference"] if (first, second) in cells else -found["difference"]
            _draw_cell(axes, (column, row), 100 * difference, found["p"], found["p_holm"])
    axes.set_xlim(-0.5, size - 0.5)
    axes.set_ylim(size - 0.5, -0.5)
    axes.set_xticks(range(size), short(order), rotation=20, ha="right")
    axes.set_yticks(range(size), short(order))
    axes.set_xlabel("column: the policy subtracted")
    axes.set_ylabel("row: the policy")


def _draw_cell(axes: "Axes", place: tuple[int, int], points: float, raw: float, holm: float) -> None:
    """Darker where the difference is significant after correction, in words too."""
    from matplotlib.patches import Rectangle

    sure = holm < 0.05
    shade = GREYS[4] if sure else GREYS[5]
    corner = (place[0] - 0.5, place[1] - 0.5)
    axes.add_patch(Rectangle(corner, 1, 1, facecolor=shade, edgecolor=GREYS[1], linewidth=0.6))
    shown = 0.0 if abs(points) < 0.05 else points  # no minus before a zero
    text = f"{shown:+.1f}\n{_p(raw)} ({_p(holm)})"
    weight = "bold" if sure else "normal"
    axes.text(*place, text, ha="center", va="center", fontsize=SMALLEST_POINTS, fontweight=weight)


def _p(value: float) -> str:
    return "<.001" if value < 0.001 else f"{value:.3f}".lstrip("0") if value < 1 else "1"
