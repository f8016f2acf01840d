"""The server is killed again and again while labelers work: what they were told is saved is there."""

import html
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable

import pytest

from heed.errors import UserError
from heed.judging.accounts import invite
from heed.judging.simulate import Browser
from heed.store.backup import check_store
from heed.store.database import Database
from heed.store.judgments import read_judgments
from heed.store.leases import find_lease
from heed.store.studies import Study
from heed.workspace import Workspace

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("database", ["sqlite"], indirect=True)]
KILLS = int(os.environ.get("HEED_KILLS", "4"))
PORT = 18_771
SITE = f"http://127.0.0.1:{PORT}"
HEED = [sys.executable, "-c", "from heed.cli.main import main; main()"]
ANSWERS = {"preference": "slightly_a", "rating": "dangerous", "usefulness": "never"}


def start(workspace: Workspace) -> subprocess.Popen[bytes]:
    words = ["serve", "--port", str(PORT), "--quiet", "--workspace", str(workspace.root)]
    process = subprocess.Popen([*HEED, *words])
    for _ in range(300):
        try:
            urllib.request.urlopen(f"{SITE}/health", timeout=1).close()
            return process
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the site does not start")


def hidden(page: str) -> dict[str, str]:
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page)
    return {name: html.unescape(value) for name, value in found}


def keep_judging(link: str, code: str, told: list[str], ended: threading.Event) -> None:
    """Judge until told to end; whenever the site is away, try again with the next page."""
    browser = Browser(SITE)
    page = browser.send(link, {**hidden(browser.get(link)), "name": link[-20:], "password": "long enough"})
    browser.send("/consent", {**hidden(page), "agree": "yes"})
    while not ended.is_set():
        try:
            page = browser.get(f"/work/{code}")
            form = hidden(
                page[page.index('<form id="task"') : page.index("</form>", page.index('id="task"'))]
            )
            if "Saved." in browser.send(f"/work/{code}", {**form, **ANSWERS}):
                told.append(form["task"])
        except UserError:
            time.sleep(0.05)


def test_nothing_that_was_acknowledged_is_lost(
    workspace: Workspace, database: Database, make_study: Callable[..., Study]
) -> None:
    study = make_study(examples=400, labels_per_item=8)
    links = [invite(database, "labeler", study) for _ in range(4)]
    told: list[list[str]] = [[] for _ in links]
    ended = threading.Event()
    process = start(workspace)
    threads = [
        threading.Thread(target=keep_judging, args=(link, study.code, mine, ended))
        for link, mine in zip(links, told, strict=True)
    ]
    for thread in threads:
        thread.start()
    for _ in range(KILLS):
        before = sum(map(len, told))
        while sum(map(len, told)) < before + 12:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process = start(workspace)
    ended.set()
    for thread in threads:
        thread.join()
    process.terminate()
    process.wait()
    rows = read_judgments(database, study, every_revision=True)
    tokens = [token for mine in told for token in mine]
    print(f"{KILLS} kills, {len(tokens)} acknowledged, {len(rows)} stored")
    assert len(tokens) == len(set(tokens)) >= 12 * KILLS
    assert {find_state(database, study, token) for token in tokens} == {"done"}
    assert len({(row["item"], row["worker"]) for row in rows}) == len(rows) >= len(tokens)
    assert check_store(database)["problems"] == []


def find_state(database: Database, study: Study, token: str) -> str:
    """The state of a lease whose judgment exists."""
    for account in range(1, 10):
        try:
            return find_lease(database, study, token, account).state
        except UserError:
            continue
    return "lost"
