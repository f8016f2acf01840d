"""Every caution speaks when it should, and keeps still on a clean round."""

from collections.abc import Callable
from dataclasses import asdict, replace

import polars as pl
import pytest

from heed.records import Judgment
from heed.reports.cautions import cautions, dominating_worker
from heed.reports.study import Study, make_study
from heed.statistics.frozen import SCHEMA

Simulate = Callable[..., list[Judgment]]


def study_of(judgments: list[Judgment]) -> Study:
    return make_study(pl.DataFrame([asdict(judgment) for judgment in judgments], schema=SCHEMA))


def dominated(judgments: list[Judgment]) -> list[Judgment]:
    taken: set[str] = set()
    made = []
    for judgment in judgments:
        mine = judgment.item not in taken
        taken.add(judgment.item)
        made.append(replace(judgment, worker="boss") if mine else judgment)
    return made


def drifting(judgments: list[Judgment]) -> list[Judgment]:
    middle = 1_790_000_000 + 432_000
    return [replace(j, choice="a", strength=1.0) if (j.started or 0) > middle else j for j in judgments]


def longer_wins(judgments: list[Judgment]) -> list[Judgment]:
    return [replace(j, choice="a" if len(j.text_a) > len(j.text_b or "") else "b") for j in judgments]


def noisy(judgments: list[Judgment]) -> list[Judgment]:
    return [replace(j, choice="ab"[hash_of(j) % 2]) for j in judgments]  # type: ignore[arg-type]


def hash_of(judgment: Judgment) -> int:
    return sum(map(ord, judgment.item + judgment.worker))


def first_wins(judgments: list[Judgment]) -> list[Judgment]:
    return [replace(j, choice=j.shown_first) if k % 3 else j for k, j in enumerate(judgments)]


def test_clean_human_round_has_none(simulate: Simulate) -> None:
    assert cautions(study_of(simulate(7, kind="human"))) == []


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda js: js[:600], "Few labels: gpt-3 was judged on 33 items"),
        (lambda js: js[::2], "items have fewer than 3 votes"),
        (dominated, "One labeler dominates: boss gave 33%"),
        (drifting, "Drift: the later half"),
        (longer_wins, "Length confound: the longer text won 100.0%"),
        (noisy, "Low agreement: Krippendorff's α is"),
        (first_wins, "Position bias: the text shown first won"),
    ],
)
def test_cautions_speak(
    simulate: Simulate, change: Callable[[list[Judgment]], list[Judgment]], sentence: str
) -> None:
    found = cautions(study_of(change(simulate(7, kind="human"))))
    assert any(sentence in line for line in found), found


def test_simulated_and_mixed_judgments_are_said(simulate: Simulate) -> None:
    made = simulate(7, situations=40)
    assert "No person judged" in cautions(study_of(made))[0]
    people = [replace(j, kind="human", worker=f"person-{j.worker}") for j in made]
    assert "left out of the rates: 720 simulated judgments" in cautions(study_of(made + people))[0]


@pytest.mark.parametrize(
    ("counts", "dominates"),
    [
        ((100, 100, 100, 100), False),  # a quarter each, which is an equal share
        ((140, 90, 90, 80), False),  # 35 %, below 1.5 quarters
        ((160, 80, 80, 80), True),  # 40 %
        ((290, 110), False),  # 72 % of two
        ((310, 90), True),  # 77 % of two
        ((400,), True),  # nobody else to ask
        ((100, *[20] * 15), False),  # a quarter, not more
        ((110, *[20] * 15), True),  # 27 % among sixteen
    ],
)
def test_dominating_is_relative_to_an_equal_share(
    simulate: Simulate, counts: tuple[int, ...], dominates: bool
) -> None:
    workers = [f"w{number}" for number, count in enumerate(counts) for _ in range(count)]
    made = simulate(7, situations=40, kind="human")[: len(workers)]
    shared = [replace(judgment, worker=worker) for judgment, worker in zip(made, workers, strict=True)]
    sentence = dominating_worker(study_of(shared))
    assert (sentence is not None) == dominates
    if sentence is not None:
        assert sentence.startswith("One labeler dominates: w0 gave ")
        assert sentence.endswith(f"(labelers: {len(counts)}).")
