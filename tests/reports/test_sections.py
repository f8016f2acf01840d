"""Sections that the advice round does not have: axes, questions, matrices, rewards, machine help, reading."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace

import numpy as np
import polars as pl
import pytest

from heed.records import Judgment
from heed.reports.agreement import agreement_section, matrix_section
from heed.reports.cloze import average_idf, cloze_section
from heed.reports.content import Section
from heed.reports.methods import methods_paragraph
from heed.reports.overlap import overlap_section
from heed.reports.qualitative import hard_readings, random_readings
from heed.reports.ratings import axis_section
from heed.reports.rewards import reward_section
from heed.reports.standing import powered_section
from heed.reports.study import Study, make_study
from heed.statistics.frozen import SCHEMA

Simulate = Callable[..., list[Judgment]]


@pytest.fixture(scope="module")
def base(simulate: Simulate) -> list[Judgment]:
    return simulate(11, situations=40, kind="human")


def study_of(judgments: list[Judgment]) -> Study:
    return make_study(pl.DataFrame([asdict(judgment) for judgment in judgments], schema=SCHEMA))


def table_of(section: Section | None, name: str) -> pl.DataFrame:
    assert section is not None
    return next(table.frame for table in section.tables if table.name == name)


def test_axes_have_means_and_a_line_on_length(base: list[Judgment]) -> None:
    made = [
        replace(
            j,
            policy_b=None,
            text_b=None,
            choice="none",
            strength=0.0,
            text_a="x" * (100 + 10 * k),
            item=f"i{k}",
        )
        for k, j in enumerate(base[:60])
    ]
    made = [
        replace(j, answers=json.dumps({"overall": 1 + k // 10, "note": "fine"})) for k, j in enumerate(made)
    ]
    section = axis_section(study_of(made))
    assert "majority" not in methods_paragraph(study_of(made))
    means = table_of(section, "axes")
    assert means["axis"].unique().to_list() == ["overall"]
    assert means["n"].sum() == 60
    lines = table_of(section, "quality_by_length")
    assert lines["per_100_characters"].min() > 0.5  # type: ignore[operator]
    assert lines["at_reference_length"].null_count() == lines.height
    named = [replace(j, policy_a="ref") if j.policy_a == "rules" else j for j in made]
    lines = table_of(axis_section(study_of(named)), "quality_by_length")
    own = lines.filter(pl.col("policy") == "ref").row(0, named=True)
    assert own["at_reference_length"] == pytest.approx(own["quality"])


def question(blank: Judgment, k: int, right: bool, letters: tuple[str, str]) -> Judgment:
    asked = "How do I tell her?" if k % 2 else "Is it too late now?"
    return replace(
        blank,
        protocol="cloze",
        item=f"q{k}",
        example=f"q{k}",
        policy_a="actual",
        policy_b="alternative",
        text_a=asked,
        text_b="Which flat is cheaper?",
        situation="We met in May and now I like her." if k % 3 else "My landlord raised the rent.",
        choice="a" if right else "b",
        answers=json.dumps({"actual": letters[0], "alternative": letters[1]}),
    )


def test_cloze_has_people_beside_models(base: list[Judgment]) -> None:
    letters = [("L", "E" if k % 2 else "U") for k in range(20)]
    people = [question(base[0], k, k % 4 != 0, letters[k]) for k in range(20)]
    made = [replace(judgment, worker=worker) for judgment in people for worker in ("u", "v", "w")]
    model = [question(base[0], k, k % 2 == 0, letters[k]) for k in range(20)]
    made += [replace(judgment, worker="minilm", kind="machine") for judgment in model]
    section = cloze_section(study_of(made))
    pairs = table_of(section, "pair_types")
    overall = pairs.filter(pl.col("pair_type") == "overall").row(0, named=True)
    assert (overall["by human"], overall["by minilm"], overall["n"]) == (0.75, 0.5, 20)
    assert pairs.filter(pl.col("pair_type") == "C+E")["share"][0] == 0.5
    assert set(table_of(section, "interrogatives")["interrogative"]) == {"how", "is"}
    assert table_of(section, "idf")["n_wrong"].to_list() == [5]


def test_idf_is_higher_for_rarer_words() -> None:
    common, rare = average_idf(["the the", "zebra"], ["the cat", "the dog", "the zebra"])
    assert rare > common


def test_matrix_and_rewards_use_the_scores_of_the_texts(base: list[Judgment]) -> None:
    rng = np.random.default_rng(0)
    made = []
    for j in base:
        good = 1.0 if j.item < "s020" else -1.0
        scores = json.dumps({"reward": [good, 0.0], "rouge": [0.1, 0.2]})
        choice = "a" if (good > 0) == (rng.random() < 0.9) else "b"
        made.append(replace(j, policy_b=j.policy_a, scores=scores, choice=choice))  # type: ignore[arg-type]
    study = study_of(made)
    cells = table_of(matrix_section(study), "agreement_matrix_1")
    assert set(cells["first"]) == {"labeler", "ensemble", "length", "copying", "ROUGE-L", "reward", "rouge"}
    cell = cells.filter((pl.col("first") == "labeler") & (pl.col("second") == "reward"))
    assert cell["agreement"][0] == pytest.approx(0.9, abs=0.07)
    rewards = table_of(reward_section(study), "reward_accuracy").rows(named=True)
    assert {row["metric"] for row in rewards} == {"reward", "rouge"}
    assert max(row["accuracy"] for row in rewards) == pytest.approx(0.9, abs=0.04)


def test_matrices_are_by_temperature(base: list[Judgment]) -> None:
    heats = {"rules": (0.7, 0.7), "tfidf": (1.0, 1.0), "gpt-3": (None, None), "t5-11b": (0.7, 0.3)}
    made = [
        replace(j, policy_a="lm", policy_b="lm", temperature_a=heats[j.policy_a][0], top_p_a=1.0)
        for j in base
        if j.policy_a in heats
    ]
    sides = [heats[j.policy_a][1] for j in base if j.policy_a in heats]
    made = [replace(j, temperature_b=heat, top_p_b=1.0) for j, heat in zip(made, sides, strict=True)]
    section = matrix_section(study_of(made))
    assert section is not None
    assert sorted(table.title for table in section.tables) == [
        "Agreement on two texts of lm",
        "Agreement on two texts of lm at T 0.7",
        "Agreement on two texts of lm at T 1",
    ]
    pairs = [table.frame.filter(pl.col("first") == "length")["pairs"].max() for table in section.tables]
    assert all(isinstance(count, int) and count <= 120 for count in pairs)
    assert section.remarks == ["Left out: 40 pairs whose two texts were sampled in different ways."]


def test_machine_judgments_narrow_the_human_interval(simulate: Simulate) -> None:
    made = simulate(12, situations=300, kind="human")
    machine = [replace(j, kind="machine", worker="judge") for j in made[::3]]
    people = [j for j in made if j.example < "s060"]
    section = powered_section(study_of(people + machine))
    row = table_of(section, "prediction_powered").filter(pl.col("policy") == "second-best").row(0, named=True)
    assert row["labels"] == 60
    assert row["saving"] > 0.1
    assert row["powered_high"] - row["powered_low"] < row["plain_high"] - row["plain_low"]
    assert row["labels_for_equal_width"] > 60


def test_hard_items_split_the_workers(simulate: Simulate) -> None:
    made = simulate(13, situations=8, workers=5, kind="human")
    split = [replace(j, choice="ab"[k % 2]) if j.item == "s003-rules" else j for k, j in enumerate(made)]  # type: ignore[arg-type]
    study = study_of([replace(j, choice="b") if j.item != "s003-rules" else j for j in split])
    (reading,) = hard_readings(study, 5)
    assert reading.example == "s003"
    answer = next(answer for answer in reading.answers if answer.policy == "rules")
    assert {answer.wins, answer.losses} == {2, 3}
    assert len(reading.answers) == 6


def test_random_items_are_seeded_and_whole(base: list[Judgment]) -> None:
    study = study_of(base)
    first, again = random_readings(study, 3), random_readings(study, 3)
    assert first == again
    assert len({reading.example for reading in first}) == 3
    assert all(len(reading.answers) == 6 and reading.situation and reading.reference for reading in first)


def test_a_plan_for_the_next_study_uses_this_ones_agreement(base: list[Judgment]) -> None:
    section = agreement_section(study_of(base))
    plan = table_of(section, "plan")
    assert plan["labelers"].to_list() == [1, 3, 5, 9]
    assert plan["items"].is_sorted(descending=True)
    assert plan["items"][0] == pytest.approx(0.25 * (1.96 + 0.8416) ** 2 / 0.05**2, rel=0.01)


def test_overlap_with_reference_and_situation(base: list[Judgment]) -> None:
    made = [
        replace(j, text_a=j.situation or "")
        if j.policy_a == "rules"
        else replace(j, text_a=f"zz {j.reference}")
        for j in base
    ]
    table = table_of(overlap_section(study_of(made)), "overlap")
    rows = {row["policy"]: row for row in table.iter_rows(named=True)}
    assert "reference" not in rows
    assert rows["rules"]["copied_bigrams"] == 1.0
    assert rows["tfidf"]["rougeL"] > 0.95 > rows["rules"]["rougeL"]
    assert overlap_section(study_of([replace(j, reference=None) for j in base])) is None
