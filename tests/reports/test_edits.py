"""The section on edits, from frozen judgments of a blind study of edits."""

import json
from collections.abc import Callable
from dataclasses import asdict, replace

import polars as pl
import pytest

from heed.records import Judgment
from heed.reports.content import Section
from heed.reports.drawing import render
from heed.reports.edits import edit_section, few_edits
from heed.reports.study import Study, make_study
from heed.statistics.frozen import SCHEMA

Simulate = Callable[..., list[Judgment]]


def study_of(judgments: list[Judgment]) -> Study:
    return make_study(pl.DataFrame([asdict(judgment) for judgment in judgments], schema=SCHEMA))


def edited(judgment: Judgment, number: int, **changes: object) -> Judgment:
    """Even edits add a word and win, odd ones drop a word and lose; the reward always likes the edit."""
    longer = number % 2 == 0
    before = "He hid my phone and I cried."
    after = f"{before} Twice." if longer else "He hid my phone and."
    made = replace(
        judgment,
        item=f"i{number}",
        example=f"e{number}",
        policy_a="edit",
        policy_b="lm",
        text_a=after,
        text_b=before,
    )
    answers = {"editor": "w99", "longer_by_characters": len(after) - len(before)}
    scores = json.dumps({"reward": [0.8, 0.2]})
    choice, strength = ("a", 1.0) if longer else ("b", -1.0)
    made = replace(made, answers=json.dumps(answers), scores=scores, choice=choice, strength=strength)  # type: ignore[arg-type]
    return replace(made, **changes)  # type: ignore[arg-type]


@pytest.fixture
def edits(simulate: Simulate) -> list[Judgment]:
    base = simulate(5, situations=10, kind="human")
    return [edited(replace(judgment, worker=f"w{k % 3}"), k // 3) for k, judgment in enumerate(base)]


def frames(section: Section | None) -> dict[str, pl.DataFrame]:
    assert section is not None
    return {table.name: table.frame for table in section.tables}


def test_edits_by_length_with_scores(edits: list[Judgment]) -> None:
    section = edit_section(study_of(edits))
    found = frames(section)
    rates = found["edits"].rows_by_key("edit", named=True, unique=True)
    assert (rates["longer"]["preferred"], rates["shorter"]["preferred"]) == (1.0, 0.0)
    assert rates["all"]["items"] == rates["longer"]["items"] + rates["shorter"]["items"] == 60
    scored = found["scored_edits"].rows_by_key("edit", named=True, unique=True)
    assert (scored["shorter"]["prefers_edit"], scored["shorter"]["agree"]) == (1.0, 0.0)
    assert scored["all"]["mean_change"] == pytest.approx(0.6)
    assert set(found["small_edits"]["edit"]) == {
        "He hid my phone and I cried. {+Twice.+}",
        "He hid my phone [-and I cried.-] {+and.+}",
    }
    assert section is not None
    assert section.remarks == []
    assert render(section.charts[0], "")["png"].startswith(b"\x89PNG")


def test_few_edits_are_a_caution_and_simulated_editors_a_remark(edits: list[Judgment]) -> None:
    study = study_of([replace(judgment, policy_a="simulated_edit", scores="{}") for judgment in edits])
    assert few_edits(study) == "Few edits: 60 were judged; below 100 the share preferred spans 20 points."
    section = edit_section(study)
    assert section is not None
    assert section.remarks == ["60 of the 60 edits were not written by a person."]
    assert set(frames(section)) == {"edits"}


def test_other_studies_have_no_edits(simulate: Simulate) -> None:
    study = study_of(simulate(5, situations=3, kind="human"))
    assert edit_section(study) is None
    assert few_edits(study) is None


def test_all_ties_still_have_a_rate(edits: list[Judgment]) -> None:
    section = edit_section(study_of([replace(judgment, choice="tie", strength=0.0) for judgment in edits]))
    assert set(frames(section)["edits"]["preferred"]) == {0.5}
    assert frames(section)["scored_edits"]["agree"].null_count() == 3
