"""Reports on the site: researchers see all of them, everybody else what was published, nobody other files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from heed.site.app import create_app
from heed.workspace import Workspace

Come = Callable[..., Any]
PAGE = '<title>Report: {0}</title><style>b {{}}</style><p class="mark">simulated &amp; marked</p><b>{0}</b>'


@pytest.fixture
def reports(workspace: Workspace) -> Workspace:
    for folder, name in (("reports", "secret"), ("published", "open")):
        place = workspace.folder(folder, name)
        (place / "index.html").write_text(PAGE.format(name), encoding="utf-8")
        (workspace.folder(folder, name, "tables") / "t.csv").write_text("policy,rate\n", encoding="utf-8")
        (place / "notes.txt").write_text("not part of the report", encoding="utf-8")
    return workspace


def test_the_first_page_links_what_is_published_and_only_that(reports: Workspace) -> None:
    page = TestClient(create_app(reports)).get("/").text
    assert '<a href="/published/open/">Report: open</a> <b class="mark">simulated &amp; marked</b>' in page
    assert "secret" not in page
    assert "Nothing here yet" not in page
    assert 'href="/home">Sign in' in page


@pytest.mark.usefixtures("reports")
def test_researchers_see_every_report_and_labelers_the_published(come: Come) -> None:
    rea, ann = come("Rea", role="researcher"), come("Ann")
    home = rea.get("/home").text
    assert 'href="/reports/secret/"' in home
    assert 'href="/published/open/"' in home
    assert "<b>secret</b>" in rea.get("/reports/secret/").text
    assert rea.get("/reports/secret/tables/t.csv").text == "policy,rate\n"
    for path in ("/reports/secret/", "/reports/secret/tables/t.csv"):
        refused = ann.get(path)
        assert refused.status_code == 403
        assert "<b>secret</b>" not in refused.text
    assert "<b>open</b>" in ann.get("/published/open/").text


def test_a_report_may_have_its_own_style_and_figures_but_no_script(reports: Workspace) -> None:
    client = TestClient(create_app(reports))
    policy = client.get("/published/open/").headers["content-security-policy"]
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in policy
    assert "script-src" not in policy
    assert "'unsafe-inline'" not in client.get("/").headers["content-security-policy"]
    assert client.get("/published/open").url.path == "/published/open/"


@pytest.mark.parametrize(
    "path",
    [
        "/published/secret/",
        "/published/.hidden/",
        "/published/%2e%2e/",
        "/published/open/notes/notes.txt",
        "/published/open/tables/absent.csv",
        "/published/open/tables/%2e%2e%2findex.html",
        "/published/%2e%2e/reports/secret/",
        "/published/..%2freports%2fsecret/",
        "/published/open/%2e%2e/notes.txt",
    ],
)
def test_nothing_else_is_served(reports: Workspace, path: str) -> None:
    (Path(reports.folder("published", ".hidden")) / "index.html").write_text("hidden\n", encoding="utf-8")
    answer = TestClient(create_app(reports)).get(path)
    # A path that leads out of the folder is, at best, the door of another route.
    assert answer.status_code == 404 or answer.url.path == "/sign-in"
    assert not any(words in answer.text for words in ("not part", "<b>secret</b>", "<b>open</b>", "hidden\n"))
