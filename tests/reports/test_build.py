"""The whole report: files, marks, recovery of known rates, repeatability, and data that allows little."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from heed.errors import UserError
from heed.records import Judgment
from heed.reports.build import ReportOptions, write_report
from heed.reports.preference import preference_table
from heed.reports.study import make_study
from heed.statistics.bootstrap import Resampling
from heed.statistics.frozen import SCHEMA, write_judgments

Simulate = Callable[..., list[Judgment]]
QUICK = ReportOptions(resamples=500, readings=2)
FIGURES = {
    "preference",
    "significance",
    "ratings",
    "domains",
    "bradley_terry",
    "length_bins",
    "lengths",
    "workers",
}


@pytest.fixture(scope="module")
def report(round_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    into = tmp_path_factory.mktemp("report") / "out"
    write_report(round_folder, into, QUICK)
    return into


def report_on(folder: Path, judgments: list[Judgment]) -> tuple[dict[str, object], str]:
    write_judgments(judgments, folder / "some.parquet")
    found = write_report(folder / "some.parquet", folder / "out", QUICK)
    return found, (folder / "out" / "index.html").read_text(encoding="utf-8")


def test_every_figure_and_table_is_there_in_every_format(report: Path) -> None:
    figures = {path.name for path in (report / "figures").iterdir()}
    assert figures == {f"{name}.{ending}" for name in FIGURES for ending in ("svg", "pdf", "png")}
    assert (report / "figures" / "preference.png").read_bytes().startswith(b"\x89PNG")
    assert (report / "figures" / "preference.pdf").read_bytes().startswith(b"%PDF")
    for table in (report / "tables").glob("*.csv"):
        rows = json.loads(table.with_suffix(".json").read_text())
        assert pl.read_csv(table).height == len(rows)
        assert table.with_suffix(".tex").read_text().count(r"\\") == len(rows) + 1


def test_page_needs_no_other_file_and_no_network(report: Path) -> None:
    page = (report / "index.html").read_text(encoding="utf-8")
    assert page.count('<img src="data:image/svg+xml;base64,') == len(FIGURES)
    assert "<script" not in page
    assert "http" not in page


def test_simulated_judgments_are_marked_on_the_page_and_on_every_figure(report: Path) -> None:
    page = (report / "index.html").read_text(encoding="utf-8")
    assert '<p class="mark">simulated judgments, not human</p>' in page
    for figure in (report / "figures").glob("*.svg"):
        assert "SIMULATED JUDGMENTS, NOT HUMAN" in figure.read_text(), figure.name


def test_human_judgments_are_not_marked(
    simulate: Simulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heed.reports.drawing.FORMATS", ("svg",))
    found, page = report_on(tmp_path, simulate(1, situations=12, kind="human"))
    assert found["kind"] == "human"
    assert "not human" not in page
    assert "NOT HUMAN" not in (tmp_path / "out" / "figures" / "preference.svg").read_text()


def test_known_rates_lie_within_the_intervals(simulate: Simulate, true_rates: dict[str, float]) -> None:
    """Ten rounds of six policies: at least nine intervals of ten hold the true rate."""
    held = []
    for seed in range(10):
        frame = pl.DataFrame([_row(judgment) for judgment in simulate(seed)], schema=SCHEMA)
        study = make_study(frame, how=Resampling(resamples=1_000))
        rows = preference_table(study.seen, study).iter_rows(named=True)
        held += [row["low"] <= true_rates[row["policy"]] <= row["high"] for row in rows]
    assert len(held) == 60
    assert sum(held) >= 54


def test_the_report_recovers_the_known_rates(report: Path, true_rates: dict[str, float]) -> None:
    rows = json.loads((report / "tables" / "preference.json").read_text())
    held = [row["low"] <= true_rates[row["policy"]] <= row["high"] for row in rows]
    assert (len(held), sum(held) >= 5) == (6, True)


def test_another_level_reaches_every_interval_and_every_caption(
    round_folder: Path, report: Path, tmp_path: Path
) -> None:
    write_report(round_folder, tmp_path / "half", QUICK.model_copy(update={"level": 0.5}))
    page = (tmp_path / "half" / "index.html").read_text(encoding="utf-8")
    assert "with 50 % intervals" in page
    assert "95 %" not in page
    compared = set()
    for table in sorted((report / "tables").glob("*.json")):
        usual, narrow = (
            json.loads((place / "tables" / table.name).read_text()) for place in (report, tmp_path / "half")
        )
        for one, other in zip(usual, narrow, strict=True):
            if one.get("low") is not None and one["high"] - one["low"] > 0:
                compared.add(table.stem)
                assert other["high"] - other["low"] < one["high"] - one["low"], (table.name, one)
    assert {"preference", "bradley_terry", "agreement", "domains"} <= compared


def test_same_judgments_same_bytes(round_folder: Path, report: Path, tmp_path: Path) -> None:
    write_report(round_folder, tmp_path / "again", QUICK)
    for path in sorted(report.rglob("*.*")):
        assert path.read_bytes() == (tmp_path / "again" / path.relative_to(report)).read_bytes(), path.name


def test_methods_have_the_numbers_filled_in(report: Path) -> None:
    page = (report / "index.html").read_text(encoding="utf-8")
    assert "31 simulated workers gave 3,600 judgments of 1,200 blinded items on 200 examples" in page
    assert "(500 resamples, seed 0)" in page
    assert "paired t-tests" in page.split("Methods</h2>")[1]


POOR: dict[str, Callable[[list[Judgment]], list[Judgment]]] = {
    "one worker": lambda few: [replace(j, worker="w") for j in few[::3]],
    "one item": lambda few: few[:3],
    "one judgment": lambda few: few[:1],
    "all ties": lambda few: [replace(j, choice="tie", strength=0.0) for j in few],
    "no shared examples": lambda few: [replace(j, example=f"{j.example}-{j.policy_a}") for j in few],
    "two studies with the same ids": lambda few: few + [replace(j, study="another") for j in few],
    "strange names": lambda few: [
        replace(
            j,
            policy_a={"rules": "a$b$_{c}", "tfidf": "<script>模型", "gpt-3": "x" * 90}.get(
                j.policy_a, j.policy_a
            ),
        )
        for j in few
    ],
    "nothing optional": lambda few: [
        replace(j, seconds=None, started=None, subreddit=None, situation=None, reference=None) for j in few
    ],
}


@pytest.mark.parametrize("change", POOR)
def test_poor_data_gives_remarks_and_never_nan(
    simulate: Simulate, tmp_path: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heed.reports.drawing.FORMATS", ("svg",))  # fonts inside PDF are slow
    found, page = report_on(tmp_path, POOR[change](simulate(3, situations=6)))
    assert found["preference"]
    assert ">nan<" not in page.lower()
    assert "NaN" not in (tmp_path / "out" / "tables" / "preference.json").read_text()
    assert "<script>" not in page
    if change == "no shared examples":
        assert any("a paired test needs at least two" in str(remark) for remark in found["remarks"])  # type: ignore[attr-defined]
    if change in ("one worker", "one item"):
        assert any("greement" in str(line) for line in [*found["remarks"], *found["cautions"]])  # type: ignore[misc]


def test_a_section_that_cannot_be_made_says_why(
    simulate: Simulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many items of a single example: enough wins for a bootstrap, but nothing to resample."""
    monkeypatch.setattr("heed.reports.drawing.FORMATS", ("svg",))
    made = [replace(j, example="only") for j in simulate(6, situations=60) if j.policy_a == "second-best"]
    found, page = report_on(tmp_path, made)
    assert any("at least two clusters" in str(remark) for remark in found["remarks"])  # type: ignore[attr-defined]
    assert "Judgments per worker" in page


def test_without_a_common_opponent_policies_are_ranked(
    simulate: Simulate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heed.reports.drawing.FORMATS", ("svg",))
    round_robin = simulate(4, situations=20)
    sides = [("p", "q"), ("q", "r"), ("r", "p")]
    made = [
        replace(j, policy_a=sides[k % 3][0], policy_b=sides[k % 3][1], item=f"i{k}")
        for k, j in enumerate(round_robin)
    ]
    found, page = report_on(tmp_path, made)
    assert found["preference"] == []
    assert "Bradley–Terry" in page


def test_another_opponent_can_be_asked_for(
    round_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("heed.reports.drawing.FORMATS", ("svg",))
    options = ReportOptions(resamples=500, against="t5-11b")
    found = write_report(round_folder, tmp_path / "out", options)
    assert [row["policy"] for row in found["preference"]] == ["reference"]
    page = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    assert "reference was compared with t5-11b." in page
    assert "paired t-tests" not in page.split("Methods</h2>")[1]
    with pytest.raises(UserError, match="No judgment is about nobody; known:"):
        write_report(round_folder, tmp_path / "out", ReportOptions(against="nobody"))


def test_folders_that_are_no_reports_are_left_alone(round_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("all of it")
    with pytest.raises(UserError, match="not a report"):
        write_report(round_folder, tmp_path / "mine", QUICK)
    with pytest.raises(UserError, match="is a file"):
        write_report(round_folder, tmp_path / "mine" / "thesis.txt", QUICK)
    assert (tmp_path / "mine" / "thesis.txt").read_text() == "all of it"


def _row(judgment: Judgment) -> dict[str, object]:
    return {name: getattr(judgment, name) for name in SCHEMA}
