"""`heed report` on a file and on an artifact of the workspace, and what stays unloaded until it is called."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from heed.cli.report import report
from heed.cli.shell import command
from heed.errors import NotFoundError
from heed.records import Judgment
from heed.statistics.frozen import FILE_NAME, write_judgments
from heed.workspace import Workspace

ONE = Judgment(
    study="s",
    protocol="advice",
    item="i",
    example="e",
    domain=None,
    subreddit=None,
    split=None,
    situation=None,
    policy_a="rules",
    policy_b="reference",
    text_a="Talk.",
    text_b="See a vet soon.",
    reference=None,
    worker="w",
    kind="human",
    choice="b",
    strength=-1.0,
    answers="{}",
    scores="{}",
    shown_first="a",
    seconds=None,
    started=None,
    instruction_version="1",
    revision=1,
)
MANY = [
    replace(ONE, item=f"i{k}", example=f"e{k}", worker=worker, choice=choice, strength=strength)
    for k in range(8)
    for worker in "uvw"
    for choice, strength in ((("a", 1.0), ("b", -1.0))[k % 2],)
]


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> typer.Typer:
    monkeypatch.setattr("heed.reports.drawing.FORMATS", ("svg",))  # fonts inside PDF are slow
    app = typer.Typer()
    app.command("report")(command(report))
    return app


def test_an_artifact_is_found_by_its_name(app: typer.Typer, tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "space")
    with workspace.draft(workspace.root / "judgments" / "pilot", "judgments", "pilot") as draft:
        write_judgments(MANY, draft.path / FILE_NAME)
    arguments = ["pilot", "--into", str(tmp_path / "out"), "--workspace", str(workspace.root), "--json"]
    result = CliRunner().invoke(app, [*arguments, "--set", "resamples=200"])
    found = json.loads(result.stdout)
    assert found["preference"][0]["rate"] == 0.5
    assert Path(found["page"]).exists()
    assert "pilot" not in json.dumps(found["cautions"])


def test_a_person_sees_rates_cautions_and_the_page(app: typer.Typer, tmp_path: Path) -> None:
    write_judgments(MANY, tmp_path / "j.parquet")
    result = CliRunner().invoke(app, [str(tmp_path / "j.parquet"), "--into", str(tmp_path / "out")])
    assert "24 human judgments" in result.stdout
    assert "50.0%" in result.stdout
    assert "Few labels" in result.stdout


def test_what_is_not_there_is_said(app: typer.Typer, tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["nothing", "--into", str(tmp_path / "x"), "--workspace", str(tmp_path)])
    assert isinstance(result.exception, NotFoundError)
    assert "neither a file nor an artifact" in str(result.exception)


def test_commands_load_nothing_heavy_until_they_run() -> None:
    heavy = ("scipy", "statsmodels", "matplotlib", "pandas", "evalica", "numpy", "polars")
    code = f"import sys, heed.cli.stats, heed.cli.report; print([m for m in {heavy} if m in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.strip() == "[]"
