"""Judging by hand in a real browser, from the invite to the saved judgment."""

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from heed.judging.accounts import invite
from heed.site.serve import running
from heed.store.database import Database, open_database
from heed.store.judgments import read_judgments
from heed.store.studies import Study
from heed.workspace import Workspace

pytestmark = pytest.mark.slow


@pytest.fixture
def database(workspace: Workspace) -> Iterator[Database]:
    """SQLite only: the other database changes nothing that a browser sees."""
    opened = open_database(workspace)
    yield opened
    opened.close()


@pytest.fixture
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("CI needs chromium on the path")
        pytest.skip("needs chromium on the path")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=flags)
        yield chromium
        chromium.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_two_protocols_by_keyboard(
    workspace: Workspace,
    database: Database,
    make_study: Callable[..., Study],
    browser: Any,
    width: int,
    scheme: str,
) -> None:
    helpful, compared = make_study(examples=1), make_study("comparison", examples=1)
    problems: list[str] = []
    with running(workspace) as site:
        for study in (helpful, compared):
            page = browser.new_context(
                viewport={"width": width, "height": 900}, color_scheme=scheme
            ).new_page()
            page.on("console", lambda message: problems.append(message.text))
            page.on("pageerror", lambda error: problems.append(str(error)))
            enter(page, site + invite(database, "labeler", study))
            judge_helpfulness(page) if study is helpful else judge_comparison(page)
            page.wait_for_url("**?saved")
            assert page.get_by_role("status").first.inner_text() == "Saved."
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert problems == []
    (row,) = read_judgments(database, helpful)
    assert abs(row["strength"]) == 0.5
    assert '"usefulness": "never"' in row["answers"]
    assert row["seconds"] is not None
    (row,) = read_judgments(database, compared)
    assert abs(row["strength"]) == 0.5
    assert '"interpretation_a": "A key was lost."' in row["answers"]


def enter(page: Any, link: str) -> None:
    page.goto(link)
    page.fill("[name=name]", f"Ann {link[-8:]}")
    page.fill("[name=password]", "long enough")
    page.click("main button")
    page.check("[name=agree]")
    page.click("main button")
    page.click("a.button")
    page.wait_for_selector("#task")


def judge_helpfulness(page: Any) -> None:
    assert page.locator("fieldset:visible").count() == 2
    page.keyboard.press("2")
    page.keyboard.press("3")
    assert page.locator("fieldset:visible").count() == 3
    page.locator("#draft", has_text="Draft kept.").wait_for()
    page.reload()
    assert page.locator("input:checked").count() == 2
    page.locator("[name=usefulness]").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")


def judge_comparison(page: Any) -> None:
    assert "Story" not in page.content()
    page.fill("[name=interpretation_a]", "A key was lost.")
    page.fill("[name=interpretation_b]", "A key was found.")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#situation")
    page.keyboard.press("7")
    page.keyboard.press("Enter")
