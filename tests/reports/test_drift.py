"""The sections on drift over batches and on cost."""

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from heed.errors import UserError
from heed.records import Judgment
from heed.reports.build import ReportOptions, write_report
from heed.reports.content import Section
from heed.reports.cost import cost_section
from heed.reports.drawing import render
from heed.reports.drift import drift_over_batches, drift_section
from heed.reports.study import Study, make_study
from heed.statistics.frozen import SCHEMA

Simulate = Callable[..., list[Judgment]]


def study_of(judgments: list[Judgment]) -> Study:
    return make_study(pl.DataFrame([asdict(judgment) for judgment in judgments], schema=SCHEMA), "reference")


def anchored(blank: Judgment, change: float, batches: int = 12) -> list[Judgment]:
    rng = np.random.default_rng(4)
    made = []
    for batch in range(batches):
        for pair in range(2):
            for worker in range(8):
                won = rng.random() < 0.5 + change * (batch - batches / 2)
                judgment = replace(
                    blank,
                    item=f"i{batch}-{pair}",
                    example=f"e{batch}-{pair}",
                    worker=f"w{worker}",
                    purpose="anchor",
                    batch=batch,
                    choice="a" if won else "b",
                    strength=1.0 if won else -1.0,
                )
                made.append(judgment)
    return made


@pytest.fixture
def blank(simulate: Simulate) -> Judgment:
    return simulate(1, situations=1, kind="human")[0]


def frames(section: Section | None) -> dict[str, pl.DataFrame]:
    assert section is not None
    return {table.name: table.frame for table in section.tables}


def test_a_clear_slope_is_drawn_and_warned_of(blank: Judgment) -> None:
    study = study_of(anchored(blank, 0.06))
    section = drift_section(study)
    found = frames(section)
    assert found["drift"].height == 12 * 9
    assert found["drift"]["batch"].min() == 1
    everybody = found["drift_slopes"].row(0, named=True)
    assert everybody["worker"] == "everybody"
    assert everybody["change_per_batch"] == pytest.approx(0.06, abs=0.02)
    caution = drift_over_batches(study)
    assert caution is not None
    assert "everybody +" in caution
    assert section is not None
    assert render(section.charts[0], "")["png"].startswith(b"\x89PNG")


def test_no_slope_no_caution(blank: Judgment) -> None:
    assert drift_over_batches(study_of(anchored(blank, 0.0))) is None
    assert drift_section(study_of([blank])) is None
    assert drift_over_batches(study_of([blank])) is None


def test_too_few_batches_are_a_remark(blank: Judgment) -> None:
    section = drift_section(study_of(anchored(blank, 0.0, batches=2)))
    assert section is not None
    assert section.remarks[0].startswith("No slope of everybody, w0, w1")
    assert set(frames(section)) == {"drift"}


def test_cost_by_judgment_or_by_hour(blank: Judgment) -> None:
    made = [
        replace(blank, worker=w, item=f"i{k}", seconds=s)
        for k, (w, s) in enumerate([("u", 1800.0), ("u", 3600.0), ("v", None)])
    ]
    priced = replace(study_of(made), price=0.5)
    section = cost_section(priced)
    rows = frames(section)["cost"].rows_by_key("worker", named=True, unique=True)
    assert (rows["u"]["hours"], rows["u"]["cost"], rows["all"]["cost"]) == (1.5, 1.0, 1.5)
    assert (rows["v"]["hours"], rows["v"]["timed_per_hour"]) == (None, None)
    assert section is not None
    assert section.remarks == ["1 judgments have no time and are not in the hours."]
    hourly = frames(cost_section(replace(study_of(made), hourly=12.0)))["cost"]
    assert hourly.rows_by_key("worker", named=True, unique=True)["all"]["cost"] == pytest.approx(18.0)
    assert "cost" not in frames(cost_section(study_of(made)))["cost"].columns
    assert cost_section(study_of([replace(blank, seconds=None)])) is None


def test_two_prices_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="one of the two"):
        write_report(tmp_path, tmp_path / "out", ReportOptions(price=1, hourly=2))
