"""Sections on machines that judge: accuracy against people, also where people were sure, and calibration."""

from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from heed.errors import UserError
from heed.reports.agreement import scored
from heed.reports.content import Chart, Section, Table
from heed.reports.drawing import GREYS, interval_curve, legend_below
from heed.reports.study import Study
from heed.statistics.frozen import oriented
from heed.statistics.preference import item_outcomes
from heed.statistics.reward import calibration, reward_accuracy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

HIGH_CONFIDENCE = 0.75  # of the largest strength: "definitely", or 8 and 9 of the nine-point scale
MOST_DRAWN = 4  # more curves than that cannot be told apart in grey
_SHARES = frozenset({"accuracy", "low", "high", "sure", "sure_low", "sure_high", "calibration_error"})
_BINS = frozenset({"from_probability", "to_probability", "predicted", "observed", "low", "high"})


def judge_section(study: Study) -> Section | None:
    """Every machine judge against the majority of people on the same items."""
    if study.machine.is_empty():
        return None
    people = _majorities(study)
    if people.is_empty():
        return None
    rows: list[dict[str, Any]] = []
    remarks: list[str] = []
    for (judge,), part in study.machine.sort("worker").group_by("worker", maintain_order=True):
        said = part.select("item", reward_a="strength", reward_b=pl.lit(0.0))
        try:
            rows.append({"judge": judge, **_accuracy(people.join(said, on="item"), study, remarks, judge)})
        except UserError as error:
            remarks.append(f"No accuracy of {judge}: {error}")
    text = (
        "How often a machine chooses what the majority of people chose. Items on which people are tied are "
        "left out, a machine's tie counts half. Sure are the items where people's mean strength reaches "
        f"{HIGH_CONFIDENCE:g} of the largest."
    )
    shown = [Table("machine_judges", "Machine judges against people's majority", _frame(rows), _SHARES)]
    return Section("Machine judges", text, shown if rows else [], [], remarks)


def reward_section(study: Study) -> Section | None:
    """How often a metric scores the chosen text higher, also where people were sure; and calibration."""
    metrics = scored(study.judgments)
    if metrics.is_empty() or study.kind == "machine":  # a machine's choice against its own score says nothing
        return None
    rows: list[dict[str, Any]] = []
    bins: list[pl.DataFrame] = []
    remarks: list[str] = []
    for (name,), part in metrics.group_by("metric", maintain_order=True):
        joined = study.judgments.join(part, on="item").with_columns(
            reward_a=pl.col("first"), reward_b=pl.col("second"), confidence=pl.col("strength").abs()
        )
        try:
            found = _accuracy(joined, study, remarks, name)
            table, gap = _calibrated(joined)
        except UserError as error:
            remarks.append(f"No accuracy of {name}: {error}")
            continue
        rows.append({"metric": name, **found, "calibration_error": gap})
        bins.append(table.select(pl.lit(name).alias("metric"), pl.all()))
    if not rows:
        return Section("Scored texts", "", [], [], remarks)
    text = (
        "A score predicts that a text is preferred with the logistic function of the difference of scores, "
        "as a reward model is trained to. Other scores are on no such scale; their calibration says how far "
        "they are from one."
    )
    tables = [
        Table("reward_accuracy", "Metrics against people's choices", _frame(rows), _SHARES),
        Table("calibration", "Predicted and observed preference", pl.concat(bins), _BINS),
    ]
    return Section("Scored texts", text, tables, [_chart(bins)], remarks)


def _majorities(study: Study) -> pl.DataFrame:
    """item, example, choice of the majority, confidence: how strong people's mean opinion is."""
    seen = oriented(study.judgments)
    if seen.is_empty():
        return seen
    strength = seen.group_by("item").agg(confidence=pl.col("strength").mean().abs())
    words = {1.0: "a", 0.0: "b", 0.5: "tie"}
    return (
        item_outcomes(seen)
        .join(strength, on="item")
        .with_columns(choice=pl.col("outcome").replace_strict(words))
    )


def _accuracy(rows: pl.DataFrame, study: Study, remarks: list[str], name: object) -> dict[str, Any]:
    every = reward_accuracy(rows, how=study.how)
    found = {"accuracy": every.value, "low": every.low, "high": every.high, "n": every.n}
    try:
        sure = reward_accuracy(rows, high_confidence=HIGH_CONFIDENCE, how=study.how)
    except UserError:
        remarks.append(f"{name}: on nothing that it judged were people sure.")
        return {**found, "sure": None, "sure_low": None, "sure_high": None, "n_sure": 0}
    return {**found, "sure": sure.value, "sure_low": sure.low, "sure_high": sure.high, "n_sure": sure.n}


def _calibrated(joined: pl.DataFrame) -> tuple[pl.DataFrame, float]:
    decided = joined.filter(pl.col("choice").is_in(["a", "b"]))
    margins = (decided["reward_a"] - decided["reward_b"]).to_numpy()
    return calibration(margins, (decided["choice"] == "a").to_numpy().astype(np.float64))


def _frame(rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(rows, infer_schema_length=None)


def _chart(bins: list[pl.DataFrame]) -> Chart:
    drawn = bins[:MOST_DRAWN]
    more = f" The first {MOST_DRAWN} of {len(bins)} metrics." if len(bins) > MOST_DRAWN else ""
    return Chart(
        "calibration",
        "Calibration",
        f"Predicted against observed preference for the first text, with Wilson's intervals.{more}",
        lambda axes: _draw(axes, drawn),
        height_inches=4.2,
    )


def _draw(axes: "Axes", bins: list[pl.DataFrame]) -> None:
    axes.plot([0, 100], [0, 100], color=GREYS[4], linewidth=1, label="as predicted")
    for number, table in enumerate(bins):
        observed = (table["observed"] * 100).to_list()
        ends = [(100 * low, 100 * high) for low, high in table.select("low", "high").iter_rows()]
        places = (table["predicted"] * 100).to_list()
        interval_curve(axes, places, observed, ends, table["metric"][0], number)
    axes.axhline(50, color=GREYS[0], linestyle="--", linewidth=0.8)
    axes.set_xlim(-2, 102)
    axes.set_ylim(-2, 102)
    axes.set_xlabel("predicted preference (%)")
    axes.set_ylabel("observed preference (%)")
    legend_below(axes)
