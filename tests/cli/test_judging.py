import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heed.workspace import Workspace

HEED = [sys.executable, "-c", "from heed.cli.main import main; main()"]


@pytest.fixture
def heed(workspace: Workspace, make_responses: Callable[[int], None]) -> Callable[..., Any]:
    """Run the command line on a workspace that has responses."""
    make_responses(2)

    def run(*words: str | Path) -> Any:
        line = [*HEED, *map(str, words), "--workspace", str(workspace.root), "--json"]
        done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
        return json.loads(done.stdout)

    return run


def test_a_study_from_start_to_end(heed: Callable[..., Any], tmp_path: Path) -> None:
    made = heed("study", "create", "one", "--protocol", "helpfulness", "--responses", "answers")
    assert (made["items"], made["labels_per_item"]) == (4, 3)
    assert heed("study", "open", "one")["state"] == "open"
    assert heed("invite", "one", "--site", "https://heed.example/")["link"].startswith(
        "https://heed.example/invite/"
    )
    assert heed("simulate", "one", "--labelers", "3")["labels"] == 12
    status = heed("study", "status", "one")
    assert {row["kind"] for row in status["labelers"]} == {"simulated"}
    assert heed("judgments", "freeze", "one", "--into", "frozen")["kinds"] == {"simulated": 12}
    assert heed("judgments", "export", "one", "--into", tmp_path / "rows.jsonl")["judgments"] == 12
    assert heed("report", "frozen", "--into", tmp_path / "report")["kind"] == "simulated"
    assert heed("store", "check")["problems"] == []
    assert heed("store", "backup", "--into", tmp_path / "copy.sqlite")["bytes"] > 0
    assert heed("study", "pause", "one")["state"] == "paused"
    assert heed("study", "close", "one")["state"] == "closed"
    assert "closed, for good" in heed("study", "open", "one")["error"]
    assert "there: one" in heed("study", "status", "other")["error"]


def test_the_help_loads_no_database_and_no_site() -> None:
    code = (
        "import sys\nfrom heed.cli.main import build_app\nbuild_app()\n"
        "print([m for m in ('sqlalchemy', 'fastapi', 'polars', 'alembic') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_quote_and_add(heed: Callable[..., Any]) -> None:
    words = ("--protocol", "helpfulness", "--responses", "answers", "--pair", "zebra-policy:reference")
    assert heed("study", "create", "two", *words)["items"] == 2
    quoted = heed("study", "quote", "two", "--hourly", "15", "--minutes", "2")
    assert (quoted["judgments"], quoted["cost"]) == (6, 3.0)
    assert "--price" in heed("study", "quote", "two")["error"]
    added = heed("study", "add", "two", "--responses", "answers")
    assert (added["added"], added["there_already"]) == (0, 2)
