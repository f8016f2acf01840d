"""Every protocol in a real browser, wide and narrow, from the invite to the saved judgment."""

import json
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


def judge_helpfulness(page: Any) -> None:
    """By keys alone; the draft survives a reload; one question waits for another."""
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


def judge_with_tags(page: Any) -> None:
    """One mark on words that were selected, one on words that were typed; both survive a reload."""
    for key in ("1", "1", "2"):
        page.keyboard.press(key)
    page.locator("#text-2").dblclick(position={"x": 15, "y": 10})
    page.keyboard.press("m")
    for key in ("2", "5"):
        page.keyboard.press(key)
    assert page.locator("fieldset.tagging:visible").count() == 2
    page.fill("[name=mark_2_words]", "to 0.")
    page.select_option("[name=mark_2_text]", "1")
    page.locator("[name=mark_2_inference]").focus()
    page.keyboard.press("Space")
    page.fill("[name=mark_2_note]", "to nobody")
    page.locator("#draft", has_text="Draft kept.").wait_for()
    page.reload()
    assert page.locator(".marks input:checked").count() == 3
    page.locator(".send button").focus()
    page.keyboard.press("Enter")


def judge_comparison(page: Any) -> None:
    assert "Story" not in page.content()
    page.fill("[name=interpretation_a]", "A key was lost.")
    page.fill("[name=interpretation_b]", "A key was found.")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("#situation")
    page.keyboard.press("7")
    page.keyboard.press("Enter")


def judge_axes(page: Any) -> None:
    assert "Story" not in page.content()
    page.keyboard.press("6")
    page.keyboard.press("Enter")
    page.wait_for_selector("#situation")
    for key in ("5", "4", "3"):
        page.keyboard.press(key)
    page.keyboard.press("2")  # all is answered: the last one is corrected
    page.keyboard.press("Enter")


def judge_plausibility(page: Any) -> None:
    for key in ("1", "2", "4"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")


def judge_edit(page: Any) -> None:
    """The box starts with the text, what was not changed is not taken, and a reload then keeps the draft."""
    original = page.locator("#text-1").inner_text()
    assert page.input_value("[name=edit]") == original
    page.click(".send button")
    assert "Nothing is changed yet" in page.get_by_role("alert").inner_text()
    page.fill("[name=edit]", f"{original} And more.")
    page.locator("#draft", has_text="Draft kept.").wait_for()
    page.reload()
    assert page.input_value("[name=edit]") == f"{original} And more."
    page.keyboard.press("Control+Enter")


def same_words(answers: dict[str, Any]) -> bool:
    marks = [(mark["text"], mark["words"], mark["tags"], mark["note"]) for mark in answers["tags"]]
    return marks == [
        (2, "Answer", ["reading", "physical"], ""),
        (1, "to 0.", ["inference"], "to nobody"),
    ]


CASES: dict[str, tuple[dict[str, Any], Callable[[Any], None], Callable[[dict[str, Any]], bool]]] = {
    "helpfulness": ({}, judge_helpfulness, lambda answers: answers["usefulness"] == "never"),
    "helpfulness with tags": ({"tags": True}, judge_with_tags, same_words),
    "comparison": ({}, judge_comparison, lambda answers: answers["interpretation_a"] == "A key was lost."),
    "axes": ({}, judge_axes, lambda answers: list(answers.values()) == [6, 5, 4, 2]),
    "plausibility": ({}, judge_plausibility, lambda answers: list(answers.values()) == ["a", "L", "E"]),
    "edit": ({}, judge_edit, lambda answers: answers["edit"].endswith(" And more.")),
}


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
@pytest.mark.parametrize("case", CASES)
def test_from_the_invite_to_the_saved_judgment(
    workspace: Workspace,
    database: Database,
    make_study: Callable[..., Study],
    browser: Any,
    case: str,
    width: int,
    scheme: str,
) -> None:
    options, judge, is_right = CASES[case]
    study = make_study(case.split(maxsplit=1)[0], examples=1, **options)
    problems: list[str] = []
    with running(workspace) as site:
        page = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme).new_page()
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        enter(page, site + invite(database, "labeler", study))
        judge(page)
        page.wait_for_url("**?saved")
        assert page.get_by_role("status").first.inner_text() == "Saved."
        assert fits(page)
    # The refusal of an unchanged edit is an answer with status 400, which a browser notes.
    assert [problem for problem in problems if "400 (Bad Request)" not in problem] == []
    (row,) = read_judgments(database, study)
    assert is_right(json.loads(row["answers"])), row["answers"]
    assert row["seconds"] is not None


def enter(page: Any, link: str) -> None:
    page.goto(link)
    page.fill("[name=name]", "Ann")
    page.fill("[name=password]", "long enough")
    page.click("main button")
    page.check("[name=agree]")
    page.click("main button")
    page.wait_for_selector("article.prose")
    assert fits(page)
    page.click("a.button")
    page.wait_for_selector("#task")


def fits(page: Any) -> bool:
    """Nothing sticks out to the right."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
