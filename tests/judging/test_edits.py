import json
import threading
from collections import Counter
from collections.abc import Callable

import pytest

from heed.errors import UserError
from heed.judging.freeze import freeze_study
from heed.judging.handout import answer_task, correct_task, next_task
from heed.judging.protocols.protocol import AnswerError
from heed.judging.studies import StudyOptions, create_study
from heed.reports.edits import edit_section
from heed.reports.study import make_study as study_of
from heed.statistics.frozen import read_judgments as read_frozen
from heed.store.accounts import join_study
from heed.store.backup import check_store
from heed.store.database import Database
from heed.store.judgments import read_judgments
from heed.store.leases import find_lease, give_back
from heed.store.studies import Study, find_study, set_state
from heed.workspace import Workspace

MakeStudy = Callable[..., Study]
Hire = Callable[[Study, str], int]


def edit_once(database: Database, study: Study, account: int, words: str) -> str:
    """Improve one item; the original text."""
    task = next_task(database, study, account)
    assert task is not None
    lease = find_lease(database, study, task.token, account)
    assert answer_task(database, study, lease, {"edit": f"{task.texts[0]} {words}"}, 5.0) == "saved"
    return task.texts[0]


def follow(
    workspace: Workspace, database: Database, source: Study, people: list[int], **options: object
) -> Study:
    chosen = StudyOptions.parse({"protocol": "comparison", "edits": source.name, **options})
    study, _ = create_study(workspace, database, "blind", chosen)
    set_state(database, study, "open")
    with database.write() as connection:
        for account in people:
            join_study(connection, study.id, account)
    return find_study(database, name="blind")


def compare_all(database: Database, study: Study, account: int) -> list[tuple[str, ...]]:
    """Always prefer the text with the word better in it; the texts in the order they were seen."""
    seen = []
    while task := next_task(database, study, account):
        seen.append(task.texts)
        readings = {"interpretation_a": "x", "interpretation_b": "y"}
        answer_task(database, study, find_lease(database, study, task.token, account), readings, None)
        point = "2" if "better" in task.texts[0] else "8"
        lease = find_lease(database, study, task.token, account)
        assert answer_task(database, study, lease, {"preference": point}, 3.0) == "saved"
    return seen


def test_an_edit_must_change_something(database: Database, make_study: MakeStudy, hire: Hire) -> None:
    study = make_study("edit", examples=1)
    account = hire(study, "Ann")
    task = next_task(database, study, account)
    assert task is not None
    lease = find_lease(database, study, task.token, account)
    spaced = task.texts[0].replace(" ", "\r\n ")
    for same, sentence in (
        (task.texts[0], "Nothing is changed yet"),
        (spaced, "Nothing is changed yet"),
        (" ", "Please answer"),
        ("x" * 20_001, "at most 20,000"),
    ):
        with pytest.raises(AnswerError, match=sentence):
            answer_task(database, study, lease, {"edit": same}, 1.0)
    assert answer_task(database, study, lease, {"edit": "Better.", "concern": "hm"}, 1.0) == "saved"
    with pytest.raises(AnswerError, match="Nothing is changed yet"):
        correct_task(database, study, lease, {"edit": task.texts[0]}, 1.0)
    (row,) = read_judgments(database, study)
    assert (row["choice"], json.loads(row["answers"])) == ("none", {"edit": "Better.", "concern": "hm"})


def test_nobody_judges_an_edit_of_what_they_saw(
    workspace: Workspace, database: Database, make_study: MakeStudy, hire: Hire
) -> None:
    source = make_study("edit", examples=1)  # three texts
    ann, bob, cleo = (hire(source, name) for name in ("Ann", "Bob", "Cleo"))
    anns = edit_once(database, source, ann, "better")
    task = next_task(database, source, cleo)
    assert task is not None
    give_back(database, find_lease(database, source, task.token, cleo), "skipped", "")
    bobs = edit_once(database, source, bob, "better")
    assert bobs == task.texts[0]
    study = follow(workspace, database, source, [ann, bob, cleo], labels_per_item=3)
    assert {anns} == {min(texts, key=len) for texts in compare_all(database, study, bob)}
    assert {bobs} == {min(texts, key=len) for texts in compare_all(database, study, ann)}
    # Cleo skipped Bob's original, so she knows it; Ann's is new to her.
    assert {anns} == {min(texts, key=len) for texts in compare_all(database, study, cleo)}
    assert check_store(database)["problems"] == []


def test_the_bar_holds_when_all_work_at_once(
    workspace: Workspace, database: Database, make_study: MakeStudy, hire: Hire
) -> None:
    source = make_study("edit", examples=6)
    people = [hire(source, f"person {number}") for number in range(6)]
    for number in range(18):
        edit_once(database, source, people[number % 6], f"better {people[number % 6]}")
    study = follow(workspace, database, source, people, labels_per_item=4)
    threads = [threading.Thread(target=compare_all, args=(database, study, each)) for each in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    artifact = freeze_study(workspace, database, study, "blind")
    frame = read_frozen(artifact.path)
    editors = [json.loads(answers)["editor"] for answers in frame["answers"]]
    assert Counter(Counter(frame["item"]).values()) == {4: 18}
    assert [e for e, w in zip(editors, frame["worker"], strict=True) if e == w] == []
    assert 0.25 < (frame["shown_first"] == "a").mean() < 0.75


def test_frozen_edits_have_what_tables_17_and_19_need(
    workspace: Workspace, database: Database, make_study: MakeStudy, hire: Hire
) -> None:
    source = make_study("edit", examples=2)
    ann, bob = hire(source, "Ann"), hire(source, "Bob")
    for _ in range(6):
        edit_once(database, source, ann, "better")
    study = follow(workspace, database, source, [ann, bob])
    assert compare_all(database, study, ann) == []
    assert len(compare_all(database, study, bob)) == 6
    frame = read_frozen(freeze_study(workspace, database, study, "blind").path)
    edits = read_frozen(freeze_study(workspace, database, source, "edits").path)
    assert set(edits["choice"]) == {"none"}
    (worker,) = set(edits["worker"])
    answers = [json.loads(text) for text in frame["answers"]]
    assert {(each["editor"], each["longer_by_characters"]) for each in answers} == {(worker, 7)}
    assert (set(frame["policy_a"]), set(frame["policy_b"])) == ({"edit"}, set(edits["policy_a"]))
    assert set(frame["text_b"]) == set(edits["text_a"])
    section = edit_section(study_of(frame))
    assert section is not None
    rates = section.tables[0].frame.rows_by_key("edit", named=True, unique=True)
    assert (rates["longer"]["items"], rates["longer"]["preferred"]) == (6, 1.0)
    assert "shorter" not in rates


def test_edits_come_from_a_study_of_edits(
    workspace: Workspace, database: Database, make_study: MakeStudy
) -> None:
    helpful, source = make_study(examples=1), make_study("edit")
    cases = [
        ({"protocol": "comparison", "edits": helpful.name}, "come from one of 'edit'"),
        ({"protocol": "axes", "edits": source.name}, "compares nothing"),
        ({"protocol": "comparison", "edits": source.name, "responses": "answers"}, "without --responses"),
        ({"protocol": "comparison", "edits": source.name}, "nothing to judge"),
    ]
    for options, sentence in cases:
        with pytest.raises(UserError, match=sentence):
            create_study(workspace, database, "blind", StudyOptions.parse(options))
