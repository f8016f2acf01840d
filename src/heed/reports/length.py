"""Sections on length: how long texts are (T5's Fig. 7), and preference at equal length (S8, App. F)."""

from typing import TYPE_CHECKING

import polars as pl

from heed.errors import UserError
from heed.reports.content import Chart, Section, Table
from heed.reports.drawing import GREYS, reach, short
from heed.reports.study import Study
from heed.statistics.length import length_controlled_preference, preference_by_length

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def length_section(study: Study) -> Section:
    """Characters of every distinct text, per policy."""
    texts = _texts(study.judgments)
    table = (
        texts.group_by("policy", maintain_order=True)
        .agg(
            texts=pl.len(),
            mean=pl.col("characters").mean(),
            deviation=pl.col("characters").std(),
            median=pl.col("characters").median(),
        )
        .sort("policy")
    )
    chart = Chart(
        "lengths",
        "Lengths",
        "Characters per text: median, quartiles, and the range within 1.5 quartile distances.",
        lambda axes: _draw_boxes(axes, texts, table["policy"].to_list()),
        height_inches=1.1 + 0.4 * table.height,
    )
    return Section("Lengths", "", [Table("lengths", "Characters per text", table)], [chart])


def controlled_section(study: Study) -> Section | None:
    """Preference at equal length, and preference by length ratio."""
    if study.seen.is_empty() or study.against is None:
        return None
    tables, charts, remarks = [], [], []
    usable, left = _fit_for_control(study)
    remarks += [f"{name} won or lost every comparison and is left out of the fit." for name in left]
    try:
        found = length_controlled_preference(usable, study.against, level=study.how.level)
        rows = [(name, e.value, e.low, e.high) for name, e in found.items() if name != "(length)"]
        frame = pl.DataFrame(rows, schema=["policy", "rate", "low", "high"], orient="row")
        shares = frozenset({"rate", "low", "high"})
        tables.append(
            Table("length_controlled", "Preference over the reference at equal length", frame, shares)
        )
    except UserError as error:
        remarks.append(f"No length-controlled preference: {error}")
    bins = preference_by_length(study.seen, how=study.how)
    if bins.height > 1:
        shares = frozenset({"rate", "low", "high"})
        tables.append(Table("length_bins", "Preference by ratio of lengths, all policies", bins, shares))
        charts.append(
            Chart(
                "length_bins",
                "Preference by length",
                "Share of votes for the policy's text by its length relative to the reference's.",
                lambda axes: _draw_bins(axes, bins),
                height_inches=2.8,
            )
        )
    text = (
        "A logistic regression on the policies and the log ratio of the two lengths, read off at a ratio of "
        "one; standard errors are clustered by example. It speaks of single votes, not of majorities."
    )
    return Section("Length and preference", text, tables, charts, remarks)


def _fit_for_control(study: Study) -> tuple[pl.DataFrame, list[str]]:
    """Without policies that won or lost everything, whose log odds have no end."""
    means = study.seen.group_by("policy").agg(pl.col("score").mean())
    hopeless = means.filter(pl.col("score").is_in([0.0, 1.0]))["policy"].sort().to_list()
    return study.seen.filter(~pl.col("policy").is_in(hopeless)), hopeless


def _texts(judgments: pl.DataFrame) -> pl.DataFrame:
    sides = [
        judgments.select("example", policy=f"policy_{side}", text=f"text_{side}").drop_nulls()
        for side in ("a", "b")
    ]
    distinct = pl.concat(sides).unique(maintain_order=True)
    return distinct.with_columns(characters=pl.col("text").str.len_chars())


def _draw_boxes(axes: "Axes", texts: pl.DataFrame, policies: list[str]) -> None:
    values = [texts.filter(pl.col("policy") == policy)["characters"].to_list() for policy in policies]
    axes.boxplot(
        values[::-1],
        orientation="horizontal",
        tick_labels=short(policies)[::-1],
        widths=0.6,
        showfliers=False,
        medianprops={"color": GREYS[0], "linewidth": 1.6},
    )
    axes.set_xlim(left=0)
    axes.set_xlabel("characters")


def _draw_bins(axes: "Axes", bins: pl.DataFrame) -> None:
    names = [f"{low:.2f}–{high:.2f}" for low, high in bins.select("from_ratio", "to_ratio").iter_rows()]
    values = [100 * value for value in bins["rate"]]
    ends = [(100 * low, 100 * high) for low, high in bins.select("low", "high").iter_rows()]
    places = list(range(len(names)))
    axes.errorbar(places, values, yerr=reach(values, ends), fmt="o-", color=GREYS[0], capsize=3)
    axes.axhline(50, color=GREYS[0], linestyle="--", linewidth=1)
    axes.set_xticks(places, names)
    axes.set_xlim(-0.5, len(names) - 0.5)
    axes.set_ylim(0, max(60, *(high + 5 for _, high in ends)))
    axes.set_xlabel("length of the policy's text / length of the reference's")
    axes.set_ylabel("% of votes for the policy")
