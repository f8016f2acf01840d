"""Best-of-N against KL: which policies make a curve, judged and by scores, and after heed score."""

import json
import math
from collections.abc import Callable
from dataclasses import asdict, replace

import polars as pl
import pytest

from heed.records import Judgment
from heed.reports.best_of import best_of_section, find_curves, metric_curves
from heed.reports.drawing import render
from heed.reports.study import make_study
from heed.statistics.frozen import SCHEMA

Simulate = Callable[..., list[Judgment]]


def test_only_policies_of_one_base_make_a_curve() -> None:
    names = ["lm:x", "best_of:4:lm:x", "best_of:16:lm:x", "best_of:2:lone", "lead:3", "best_of:0:lm:x"]
    found = find_curves(names)
    assert found["policy"].to_list() == ["lm:x", "best_of:4:lm:x", "best_of:16:lm:x"]
    assert found["kl"].to_list() == pytest.approx([0, math.log(4) - 3 / 4, math.log(16) - 15 / 16])
    assert find_curves(["a", "b"]).is_empty()


@pytest.fixture
def judged(simulate: Simulate) -> list[Judgment]:
    """People like the best of 4 most; the reward likes the best of 16 always and the base never."""
    renamed = {"t5-11b": "lm", "second-best": "best_of:4:lm", "rules": "best_of:16:lm"}
    rewards = {"lm": -1.0, "best_of:4:lm": 0.0, "best_of:16:lm": 1.0}
    made = []
    for judgment in simulate(3, situations=60, kind="human"):
        if judgment.policy_a in renamed:
            policy = renamed[judgment.policy_a]
            scores = json.dumps({"reward": [rewards[policy], 0.0]})
            made.append(replace(judgment, policy_a=policy, scores=scores))
    return made


def turned(judgment: Judgment) -> Judgment:
    """The same judgment with a and b changed."""
    other = {"a": "b", "b": "a"}
    first, second = json.loads(judgment.scores)["reward"]
    return replace(
        judgment,
        policy_a=judgment.policy_b or "",
        policy_b=judgment.policy_a,
        text_a=judgment.text_b or "",
        text_b=judgment.text_a,
        choice=other[judgment.choice],  # type: ignore[arg-type]
        strength=-judgment.strength,
        scores=json.dumps({"reward": [second, first]}),
    )


@pytest.mark.parametrize("turn", [False, True])
def test_judged_and_scored_preference_by_kl(judged: list[Judgment], turn: bool) -> None:
    made = [turned(judgment) for judgment in judged] if turn else judged
    frame = pl.DataFrame([asdict(judgment) for judgment in made], schema=SCHEMA)
    section = best_of_section(make_study(frame, "reference"))
    assert section is not None
    rows = {(row["preference"], row["samples"]): row for row in section.tables[0].frame.iter_rows(named=True)}
    assert [rows["by reward", n]["rate"] for n in (1, 4, 16)] == [0.0, 0.5, 1.0]
    assert rows["judged", 4]["rate"] == pytest.approx(0.41, abs=0.15)
    assert rows["judged", 16]["rate"] < rows["judged", 4]["rate"]
    assert rows["judged", 1]["items"] == 60
    assert render(section.charts[0], "")["png"].startswith(b"\x89PNG")


def test_no_curve_no_section(simulate: Simulate) -> None:
    frame = pl.DataFrame([asdict(j) for j in simulate(3, situations=3, kind="human")], schema=SCHEMA)
    assert best_of_section(make_study(frame)) is None


def test_mean_metrics_by_kl() -> None:
    frame = pl.DataFrame(
        {
            "policy": ["lm", "lm", "best_of:8:lm", "best_of:8:lm", "lead:3"],
            "example_id": ["1", "2", "1", "2", "1"],
            "rougeL": [0.1, 0.3, 0.4, None, 0.9],
            "characters": [10, 20, 30, 40, 50],
        }
    )
    table, charts = metric_curves(frame)
    found = {(row["metric"], row["samples"]): row for row in table.iter_rows(named=True)}
    assert set(found) == {("rougeL", 1), ("rougeL", 8), ("characters", 1), ("characters", 8)}
    assert found["rougeL", 1]["mean"] == pytest.approx(0.2)
    assert (found["rougeL", 8]["mean"], found["rougeL", 8]["low"]) == (0.4, None)
    assert found["characters", 8]["low"] <= 35 <= found["characters", 8]["high"]
    assert [chart.name for chart in charts] == ["best_of_rougeL", "best_of_characters"]
    assert render(charts[0], "")["svg"]
    assert metric_curves(frame.filter(pl.col("policy") == "lead:3"))[1] == []
