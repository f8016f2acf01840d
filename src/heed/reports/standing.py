"""Sections on the standing and its cost: Bradley–Terry, label counts, machine help, time."""

from typing import TYPE_CHECKING

import polars as pl

from heed.errors import UserError
from heed.reports.content import Chart, Section, Table
from heed.reports.drawing import interval_bars
from heed.reports.study import Study
from heed.statistics.frozen import oriented
from heed.statistics.prediction_powered import powered_preference_rate
from heed.statistics.preference import item_outcomes
from heed.statistics.ranking import RANKING_RESAMPLING, bradley_terry

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHARES = frozenset({"plain", "plain_low", "plain_high", "powered", "powered_low", "powered_high", "saving"})


def ranking_section(study: Study) -> Section | None:
    """Bradley–Terry over every comparison between policies."""
    pairs = _pairs(study)
    if pairs.is_empty():
        return None
    games = pairs.select("example", model_a="policy_a", model_b="policy_b", winner="choice")
    try:
        ranking = bradley_terry(games, study.how.at_most(RANKING_RESAMPLING.resamples))
    except UserError as error:
        return Section("Bradley–Terry", remarks=[str(error)])
    rows = [
        (name, s.value, s.low, s.high, s.n)
        for name, s in zip(ranking.policies, ranking.strengths, strict=True)
    ]
    table = pl.DataFrame(rows, schema=["policy", "strength", "low", "high", "games"], orient="row")
    chart = Chart(
        "bradley_terry",
        "Bradley–Terry strengths",
        f"Strength relative to an average policy (1), with {study.level} intervals; single votes, ties half.",
        lambda axes: _draw_strengths(axes, table),
        height_inches=0.9 + 0.4 * table.height,
    )
    shown = Table("bradley_terry", "Bradley–Terry strengths", table)
    return Section("Bradley–Terry", "", [shown], [chart])


def counts_section(study: Study) -> Section:
    """Table 11's label counts by policy pair, and the time it took."""
    counts = (
        study.judgments.group_by("policy_a", "policy_b", maintain_order=True)
        .agg(
            judgments=pl.len(),
            items=pl.col("item").n_unique(),
            examples=pl.col("example").n_unique(),
            median_seconds=pl.col("seconds").median(),
            hours=pl.col("seconds").sum() / 3600,
        )
        .sort("policy_a", "policy_b", nulls_last=True)
    )
    return Section("Label counts", tables=[Table("label_counts", "Judgments by pair of policies", counts)])


def powered_section(study: Study) -> Section | None:
    """Human labels helped by machine judgments, the plain interval beside the powered one."""
    if study.machine.is_empty() or study.against is None:
        return None
    human, machine = study.seen, oriented(study.machine, study.against)
    rows, remarks = [], []
    for policy in study.policies:
        try:
            rows.append({"policy": policy, **_powered_row(human, machine, policy, study.how.level)})
        except UserError as error:
            remarks.append(f"No prediction-powered interval for {policy}: {error}")
    text = (
        "Majorities of people on some items, machine judgments on all: PPI++ corrects the machine by its "
        "error where both judged. It holds for the people's preference if the items they judged are a "
        "random sample."
    )
    shown = [Table("prediction_powered", "Plain and prediction-powered rates", pl.DataFrame(rows), _SHARES)]
    return Section("Fewer labels with a machine's help", text, shown if rows else [], [], remarks)


def _powered_row(
    human: pl.DataFrame, machine: pl.DataFrame, policy: str, level: float
) -> dict[str, float | int]:
    people, judge = (item_outcomes(f.filter(pl.col("policy") == policy)) for f in (human, machine))
    both = people.join(judge, on="item", suffix="_machine")
    rest = judge.join(people, on="item", how="anti")
    found = powered_preference_rate(
        both["outcome"].to_numpy(),
        both["outcome_machine"].to_numpy(),
        rest["outcome"].to_numpy(),
        level=level,
    )
    return {
        "plain": found.plain.value,
        "plain_low": found.plain.low,
        "plain_high": found.plain.high,
        "powered": found.powered.value,
        "powered_low": found.powered.low,
        "powered_high": found.powered.high,
        "labels": both.height,
        "labels_for_equal_width": found.labels_for_equal_width,
        "saving": found.saving,
    }


def _pairs(study: Study) -> pl.DataFrame:
    two = pl.col("policy_b").is_not_null() & (pl.col("policy_a") != pl.col("policy_b"))
    return study.judgments.filter(two & (pl.col("choice") != "none"))


def _draw_strengths(axes: "Axes", table: pl.DataFrame) -> None:
    ends = list(table.select("low", "high").iter_rows())
    interval_bars(axes, table["policy"].to_list(), table["strength"].to_list(), ends)
    axes.axvline(1, color="#222222", linestyle="--", linewidth=1)
    axes.set_xlabel("strength (an average policy is 1)")
