"""The whole demo, without the language model: what a visitor finds afterwards, and what a second run does."""

import re
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from heed.demo.accounts import claim_workspace
from heed.demo.run import run_demo
from heed.errors import UserError
from heed.site.app import create_app
from heed.store.accounts import add_account, find_account
from heed.store.database import open_database
from heed.workspace import Workspace


@pytest.mark.slow
def test_the_demo_from_dumps_to_report(workspace: Workspace) -> None:
    steps: list[str] = []
    result = run_demo(workspace, False, steps.append)
    assert [step.split()[0] for step in steps] == ["The", "Simulated", "The"]
    assert result["study"]["kinds"] == {"simulated": 42 * 8 * 3}
    assert result["study"]["wanted"] == 42 * 8 * 3
    rates = {row["policy"]: row for row in result["report"]["preference"]}
    copies = {"title", "lead:3", "random:3", "echo", "best_of:4:echo"}
    assert set(rates) == {"second_best", "template", "tfidf", *copies}
    assert all(0 <= row["low"] <= row["rate"] <= row["high"] <= 1 for row in rates.values())
    # The simulated labelers like texts with many different words, and a template has few.
    assert rates["template"]["high"] < rates["tfidf"]["low"]
    with TestClient(create_app(workspace)) as client:
        _look_at_the_report(client, rates["tfidf"])
        _try_labeling(client, result["accounts"])
    page = Path(result["report"]["page"])
    written = page.stat().st_mtime_ns
    again = run_demo(workspace, model=False)
    assert page.stat().st_mtime_ns == written
    assert [again[part] for part in ("study", "report", "accounts")] == [
        result[part] for part in ("study", "report", "accounts")
    ]


def _look_at_the_report(client: TestClient, rate: dict[str, Any]) -> None:
    first = client.get("/").text
    link = re.search(r'<a href="([^"]+)">Report: demo</a> <b class="mark">([^<]+)</b>', first)
    assert link is not None
    assert link[2] == "simulated judgments, not human"
    report = client.get(link[1]).text
    assert '<p class="mark">simulated judgments, not human</p>' in report
    for number in (rate["rate"], rate["low"], rate["high"]):
        assert f"{100 * number:.1f} %" in report
    figures = re.findall(r'<img src="([^"]{0,40})', report)
    assert len(figures) > 5
    assert all(figure.startswith("data:image/svg+xml;base64,") for figure in figures)
    linked = re.findall(r'href="((?:figures|tables)/[^"]+)"', report)
    assert {client.get(link[1] + path).status_code for path in linked} == {200}


def _try_labeling(client: TestClient, accounts: list[dict[str, str]]) -> None:
    labeler = next(account for account in accounts if account["role"] == "labeler")
    home = _sign_in(client, labeler)
    home = client.post("/consent", data={"csrf": _token(home), "agree": "yes"}).text
    works = re.findall(r'href="(/work/[^"]+)"', client.get("/home").text)
    assert len(works) == 3
    for work in works:
        assert '<form id="task"' in client.get(work).text
    client.post("/sign-out", data={"csrf": _token(client.get("/home").text)})
    for account in accounts:
        if account["role"] != "labeler":
            studies = _sign_in(client, account)
            assert all(name in studies for name in ("demo", "try-comparison", "try-plausibility"))
            client.post("/sign-out", data={"csrf": _token(studies)})


def _sign_in(client: TestClient, account: dict[str, str]) -> str:
    form = {"csrf": _token(client.get("/sign-in").text), "name": account["name"]}
    return client.post("/sign-in", data={**form, "password": account["password"]}).text


def _token(page: str) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', page)
    assert found is not None
    return found[1]


def test_no_demo_accounts_where_people_work(workspace: Workspace) -> None:
    database = open_database(workspace)
    with database.write() as connection:
        add_account(connection, "Ann", "no password", "labeler")
    with pytest.raises(UserError, match="has accounts of its own"):
        run_demo(workspace, model=False)
    assert find_account(database, name="demo-admin") is None


def test_an_interrupted_demo_keeps_its_passwords_to_itself(workspace: Workspace) -> None:
    database = open_database(workspace)
    claim_workspace(workspace, database)
    file = workspace.root / "demo" / "accounts.json"
    assert file.stat().st_mode & 0o777 == 0o600
    kept = file.read_text()
    with database.write() as connection:
        add_account(connection, "simulated-1", "no password", "labeler", "simulated")
    claim_workspace(workspace, database)
    assert file.read_text() == kept
    other = Workspace(workspace.root.parent / "other")
    claim_workspace(other, open_database(other))
    assert (other.root / "demo" / "accounts.json").read_text() != kept
