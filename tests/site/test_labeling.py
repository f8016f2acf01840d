from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from heed.store.database import Database
from heed.store.judgments import read_judgments
from heed.store.studies import Study
from heed.store.tables import items, leases

MakeStudy = Callable[..., Study]
Come = Callable[..., Any]
HELPFUL = {"preference": "slightly_b", "rating": "slightly_helpful", "reason": "writing"}
ANSWERS = {
    "helpfulness": [HELPFUL],
    "comparison": [{"interpretation_a": "One.", "interpretation_b": "Two."}, {"preference": "7"}],
    "plausibility": [{"likelier": "a", "fit_a": "L", "fit_b": "E"}],
    "axes": [{"coherence": "5"}, {"accuracy": "4", "coverage": "3", "overall": "2"}],
    "edit": [{"edit": "Another text altogether."}],
}


@pytest.mark.parametrize("protocol", ANSWERS)
def test_from_invite_to_done(database: Database, make_study: MakeStudy, come: Come, protocol: str) -> None:
    study = make_study(protocol, examples=1)
    person = come("Ann", study)
    assert "<h1>" in person.page.text
    assert "Begin" in person.page.text
    person.get(f"/work/{study.code}")
    for number, answers in enumerate(ANSWERS[protocol]):
        assert ("Story 0" in person.page.text) == (
            protocol in ("helpfulness", "plausibility", "edit") or number == 1
        )
        person.send(f"/work/{study.code}", **answers, seconds="12.5")
    assert "Saved." in person.page.text
    (row,) = read_judgments(database, study)
    assert (row["seconds"], row["kind"]) == (12.5, "human")
    assert row["instructions"].startswith(protocol)
    while "Done" not in person.page.text:
        for answers in ANSWERS[protocol]:
            person.send(f"/work/{study.code}", **answers)
    assert (
        len(read_judgments(database, study))
        == {"helpfulness": 2, "comparison": 2, "plausibility": 1, "axes": 3, "edit": 3}[protocol]
    )


def test_nothing_tells_who_wrote_it(database: Database, make_study: MakeStudy, come: Come) -> None:
    """Every byte that a labeler is ever sent, headers and addresses included."""
    studies = [make_study(protocol, examples=2) for protocol in ANSWERS]
    seen: list[Any] = []
    for study in studies:
        person = come(f"Ann {study.protocol}", study)
        for path in (
            "/",
            "/home",
            f"/instructions/{study.code}",
            f"/work/{study.code}",
            f"/studies/{study.code}",
        ):
            person.get(path)
        person.get(f"/work/{study.code}")
        while 'id="task"' in person.page.text:
            person.send(f"/work/{study.code}/draft", **ANSWERS[study.protocol][0])
            person.get(f"/work/{study.code}")
            person.send(f"/work/{study.code}", preference="nonsense")
            for answers in ANSWERS[study.protocol]:
                person.send(f"/work/{study.code}", **answers)
        person.get(f"/work/{study.code}/last")
        seen += person.seen
    with database.read() as connection:
        ids = connection.scalars(sa.select(items.c.id)).all()
    secrets = ["zebra", "walrus", "reference", "actual", "alternative", "example-", 'answers"', *ids]
    secrets += [study.name for study in studies]
    assert len(seen) > 60
    for answer in seen:
        sent = (str(answer.url) + str(answer.headers) + answer.text).lower()
        sent = sent.replace("preference", "")
        assert [word for word in secrets if word in sent] == [], answer.url


def test_the_post_is_not_sent_early(make_study: MakeStudy, come: Come) -> None:
    study = make_study("comparison", examples=1)
    person = come("Ann", study)
    for _ in range(2):
        assert "Story 0" not in person.get(f"/work/{study.code}").text
        assert "Title 0" not in person.page.text
    person.send(f"/work/{study.code}", interpretation_a="x")
    assert person.page.status_code == 400
    assert "Story 0" not in person.page.text
    person.send(f"/work/{study.code}", interpretation_a="first reading", interpretation_b="y")
    assert "Story 0" in person.page.text
    assert "first reading" in person.page.text


def test_a_draft_survives_a_reload(make_study: MakeStudy, come: Come) -> None:
    study = make_study(examples=1)
    person = come("Ann", study)
    person.get(f"/work/{study.code}")
    page = person.page
    assert (
        person.send(f"/work/{study.code}/draft", preference="slightly_b", comment="half a th").status_code
        == 204
    )
    person.page = page
    assert "half a th" in person.get(f"/work/{study.code}").text
    assert person.page.text.count("checked") == 1


def test_a_judgment_takes_few_statements(database: Database, make_study: MakeStudy, come: Come) -> None:
    """Every statement is a way to the database server and back; pages under load wait for little else."""
    study = make_study()
    person = come("Ann", study)
    person.get(f"/work/{study.code}")
    person.send(f"/work/{study.code}", **HELPFUL)  # what is asked once, and then known, is known now
    asked: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_rest: Any) -> None:
        asked.append(statement)

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        person.send(f"/work/{study.code}", **HELPFUL)  # saves, and fetches the next item
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)
    assert "Saved." in person.page.text
    begun = [statement for statement in asked if statement.startswith("BEGIN")]  # only SQLite's are seen here
    assert len(asked) - len(begun) == (8 if database.is_sqlite else 7), asked


def test_what_was_refused_becomes_the_draft(make_study: MakeStudy, come: Come) -> None:
    study = make_study()
    person = come("Ann", study)
    person.get(f"/work/{study.code}")
    refused = person.send(f"/work/{study.code}", preference="slightly_b", comment="half a thought")
    assert refused.status_code == 400
    again = person.get(f"/work/{study.code}")
    assert "half a thought" in again.text
    assert again.text.count(" checked") == 1


def test_a_draft_without_a_remark_leaves_remarks_closed(make_study: MakeStudy, come: Come) -> None:
    study = make_study()
    person = come("Ann", study)
    person.get(f"/work/{study.code}")
    for comment, is_open in (("", False), ("well", True)):
        person.client.post(f"/work/{study.code}/draft", data={**person.hidden(), "comment": comment})
        assert ("<details open>" in person.get(f"/work/{study.code}").text) is is_open


def test_markup_is_shown_as_text(make_study: MakeStudy, come: Come) -> None:
    study = make_study(examples=1)
    person = come("Ann", study)
    person.get(f"/work/{study.code}")
    assert "<script>alert(1)" not in person.page.text
    assert "&lt;script&gt;alert(1)" in person.page.text
    person.send(f"/work/{study.code}", comment="</textarea><script>evil()</script>", preference="slightly_a")
    assert person.page.status_code == 400
    assert "<script>evil" not in person.page.text


def test_bad_input(database: Database, make_study: MakeStudy, come: Come) -> None:
    study, other = make_study(examples=2), make_study("comparison", examples=2)
    ann, bob = come("Ann", study), come("Bob", study)
    work = f"/work/{study.code}"
    ann.get(work)
    good, form = ann.page, ann.hidden()
    cases: list[tuple[dict[str, str], int, str]] = [
        ({"preference": "10"}, 400, "is not one of the answers"),
        ({}, 400, "Please answer"),
        ({**HELPFUL, "protocol": "comparison"}, 400, "another kind of study"),
        ({**HELPFUL, "interpretation_a": "x"}, 400, "has no question"),
        ({**HELPFUL, "comment": "x" * 10_000_000}, 413, "too long"),
        ({**HELPFUL, "comment": "x" * 30_000}, 400, "at most 20,000"),
        ({**HELPFUL, "csrf": "wrong"}, 403, "out of date"),
        ({**HELPFUL, "task": "unknown"}, 404, "not yours"),
    ]
    for answers, status, words in cases:
        ann.page = good
        ann.send(work, **answers)
        assert (ann.page.status_code, words in ann.page.text) == (status, True), words
    ann.page = good
    ann.send(f"/work/{other.code}", **HELPFUL)
    assert ann.page.status_code == 404
    bob.get(work)
    bob.send(work, **{**HELPFUL, "task": form["task"]})
    assert (bob.page.status_code, "not yours" in bob.page.text) == (404, True)
    assert read_judgments(database, study) == []
    ann.page = good
    assert "Saved." in ann.send(work, **HELPFUL).text
    ann.page = good
    assert "Already saved" in ann.send(work, **{**HELPFUL, "preference": "definitely_a"}).text
    assert [row["strength"] for row in read_judgments(database, study)] in ([0.5], [-0.5])


def test_a_stale_lease(database: Database, make_study: MakeStudy, come: Come) -> None:
    study = make_study(examples=1, labels_per_item=1)
    ann, bob = come("Ann", study), come("Bob", study)
    work = f"/work/{study.code}"
    ann.get(work)
    with database.write() as connection:
        connection.execute(sa.update(leases).values(expires=1))
    bob.get(work)
    while 'id="task"' in bob.page.text:
        bob.send(work, **HELPFUL)
    ann.send(work, **HELPFUL)
    assert ann.page.status_code == 409
    assert "Your answer is kept" in ann.page.text


def test_skip_report_and_correct(database: Database, make_study: MakeStudy, come: Come) -> None:
    study = make_study(examples=2)
    person = come("Ann", study)
    work = f"/work/{study.code}"
    assert person.get(f"{work}/last").status_code == 400
    for how in ("skip", "report"):
        person.get(work)
        person.send(f"{work}/back", how=how, note="<b>broken</b>")
    person.send(work, **HELPFUL)
    person.get(f"{work}/last")
    assert person.page.text.count("checked") == 3
    person.send(f"{work}/last", **{**HELPFUL, "preference": "definitely_a"})
    (row,) = read_judgments(database, study)
    assert (row["revision"], abs(row["strength"])) == (2, 1.0)
    researcher = come("Rea", role="researcher")
    page = researcher.get(f"/studies/{study.code}")
    assert "&lt;b&gt;broken&lt;/b&gt;" in page.text


def test_marks_without_javascript(database: Database, make_study: MakeStudy, come: Come) -> None:
    study = make_study(examples=1, tags=True)
    person = come("Ann", study)
    assert "Physical commonsense" in person.page.text
    work = f"/work/{study.code}"
    person.get(work)
    marked = {"mark_1_words": "Answer one", "mark_1_social": "yes", "mark_1_note": "<i>odd</i>"}
    person.send(work, **HELPFUL, **{**marked, "mark_1_words": "nowhere"})
    assert (person.page.status_code, "Mark 1: its words are not in the text" in person.page.text) == (
        400,
        True,
    )
    assert ">\nnowhere</textarea>" in person.page.text
    assert person.page.text.count("checked") == 4
    assert "Saved." in person.send(work, **HELPFUL, **marked).text
    person.get(f"{work}/last")
    assert "&lt;i&gt;odd&lt;/i&gt;" in person.page.text
    assert ">\nAnswer one</textarea>" in person.page.text
    assert person.page.text.count("checked") == 4
    person.send(f"{work}/last", **HELPFUL)
    first, second = read_judgments(database, study, every_revision=True)
    assert ('"tags": ["social"]' in first["answers"], "social" in second["answers"]) == (True, False)


def test_news_have_words_and_instructions_of_their_own(
    database: Database, make_study: MakeStudy, come: Come
) -> None:
    study = make_study("comparison", examples=1, about="news")
    person = come("Ann", study)
    assert "Which summary of the news is better?" in person.page.text
    work = f"/work/{study.code}"
    assert "Store and show the article" in person.get(work).text
    person.send(work, **ANSWERS["comparison"][0])
    assert "Now that you know the article" in person.page.text
    assert "the post" not in person.page.text
    person.send(work, **ANSWERS["comparison"][1])
    (row,) = read_judgments(database, study)
    assert row["instructions"].startswith("comparison_news-")
