"""Machine judges against people's majority, and calibration of scores."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace

import numpy as np
import polars as pl
import pytest

from heed.records import Judgment
from heed.reports.content import Section
from heed.reports.drawing import render
from heed.reports.rewards import judge_section, reward_section
from heed.reports.study import Study, make_study
from heed.statistics.frozen import SCHEMA

Simulate = Callable[..., list[Judgment]]


def study_of(judgments: list[Judgment]) -> Study:
    return make_study(pl.DataFrame([asdict(judgment) for judgment in judgments], schema=SCHEMA))


def frame_of(section: Section | None, name: str) -> pl.DataFrame:
    assert section is not None
    return next(table.frame for table in section.tables if table.name == name)


def voted(blank: Judgment, item: int, choices: str, size: float = 1.0) -> list[Judgment]:
    words = {"a": ("a", size), "b": ("b", -size), "t": ("tie", 0.0)}
    return [
        replace(
            blank,
            item=f"i{item}",
            example=f"e{item}",
            worker=f"w{k}",
            choice=words[c][0],
            strength=words[c][1],  # type: ignore[arg-type]
        )
        for k, c in enumerate(choices)
    ]


def machine(blank: Judgment, item: int, choice: str) -> Judgment:
    (made,) = voted(blank, item, choice)
    return replace(made, worker="judge", kind="machine")


@pytest.fixture
def blank(simulate: Simulate) -> Judgment:
    return simulate(1, situations=1, kind="human")[0]


def test_machine_judges_are_compared_with_the_majority(blank: Judgment) -> None:
    # Right, wrong, half (its tie); the tied item and the one that no person saw are left out.
    made = [
        *voted(blank, 0, "aab"),
        *voted(blank, 1, "bbb"),
        *voted(blank, 2, "aaa"),
        *voted(blank, 3, "abt"),
    ]
    said = [machine(blank, k, choice) for k, choice in enumerate("aataa")]
    row = frame_of(judge_section(study_of(made + said)), "machine_judges").row(0, named=True)
    assert (row["judge"], row["n"], row["accuracy"]) == ("judge", 3, 0.5)
    # People are sure of items 1 and 2, on which it is wrong and undecided.
    assert (row["n_sure"], row["sure"]) == (2, 0.25)
    assert row["low"] < 0.5 < row["high"]


def test_nobody_sure_and_nothing_shared_are_remarks(blank: Judgment) -> None:
    weak = voted(blank, 0, "aaa", size=0.25)
    section = judge_section(study_of([*weak, machine(blank, 0, "a")]))
    assert section is not None
    assert section.remarks == ["judge: on nothing that it judged were people sure."]
    row = section.tables[0].frame.row(0, named=True)
    assert (row["accuracy"], row["sure"], row["n_sure"]) == (1.0, None, 0)
    assert row["low"] < 0.3  # one right item is no certainty
    apart = judge_section(study_of([*weak, machine(blank, 9, "a")]))
    assert apart is not None
    assert apart.tables == []
    assert apart.remarks[0].startswith("No accuracy of judge")


def test_calibration_of_a_score_that_is_right_about_itself(blank: Judgment) -> None:
    rng = np.random.default_rng(2)
    made = []
    for item, margin in enumerate(rng.normal(0, 2, 600)):
        choice = "a" if rng.random() < 1 / (1 + np.exp(-margin)) else "b"
        (judgment,) = voted(blank, item, choice)
        scores = {"reward": [float(margin), 0.0], "loud": [float(5 * margin), 0.0]}
        made.append(replace(judgment, scores=json.dumps(scores)))
    section = reward_section(study_of(made))
    errors = dict(frame_of(section, "reward_accuracy").select("metric", "calibration_error").iter_rows())
    assert errors["reward"] < 0.06
    assert errors["loud"] > 0.1
    bins = frame_of(section, "calibration").filter(pl.col("metric") == "reward")
    inside = bins.filter(pl.col("predicted").is_between(pl.col("low"), pl.col("high")))
    assert inside.height >= bins.height - 2
    assert section is not None
    assert render(section.charts[0], "")["png"].startswith(b"\x89PNG")


def test_a_machine_is_not_compared_with_itself(blank: Judgment) -> None:
    alone = [replace(machine(blank, k, "a"), scores=json.dumps({"length": [2.0, 1.0]})) for k in range(4)]
    assert reward_section(study_of(alone)) is None
    assert judge_section(study_of(alone)) is None
