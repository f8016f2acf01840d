"""`heed stats` as a person and as a script call it."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from heed.cli.shell import command
from heed.cli.stats import stats


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer()
    app.command("stats")(command(stats))
    return app


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    path = tmp_path / "votes.csv"
    path.write_text("task,worker,label\n1,u,yes\n1,v,yes\n2,u,no\n2,v,yes\n")
    return path


def test_json_holds_agreement_kappa_alpha_and_majority(app: typer.Typer, votes: Path) -> None:
    result = CliRunner().invoke(app, [str(votes), "--json"])
    found = json.loads(result.stdout)
    assert found["percent_agreement"]["value"] == 0.5
    assert found["kappa_pairs"][0]["kappa"] == 0.0
    assert found["alpha"] == pytest.approx(0.0)
    assert [row["label"] for row in found["majority"]] == ["yes", None]


def test_a_person_sees_sentences(app: typer.Typer, votes: Path) -> None:
    result = CliRunner().invoke(app, [str(votes)])
    assert "4 judgments of 2 items by 2 workers" in result.stdout
    assert "Two workers agree: 50.0%" in result.stdout


def test_a_ranking_is_drawn(app: typer.Typer, tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    path.write_text("model_a,model_b,winner\np,q,a\np,q,a\nq,p,a\n")
    result = CliRunner().invoke(app, [str(path)])
    assert "Bradley-Terry" in result.stdout
    assert "0.667" in result.stdout
