import threading
from collections import Counter
from collections.abc import Callable

import pytest
import sqlalchemy as sa

from heed.errors import NotFoundError, UserError
from heed.judging.handout import answer_task, correct_task, first_side, next_task, open_lease
from heed.store.backup import check_store
from heed.store.database import Database
from heed.store.judgments import read_judgments
from heed.store.leases import exclude_account, find_lease, give_back
from heed.store.studies import Study, count_study, find_study, list_labelers, list_notes, set_state
from heed.store.tables import items, leases

HELPFUL = {"preference": "definitely_a", "rating": "dangerous", "usefulness": "never"}
MakeStudy = Callable[..., Study]
Hire = Callable[[Study, str], int]


def judge(database: Database, study: Study, account: int) -> str | None:
    """Do one item; its outcome, or None when there was none."""
    task = next_task(database, study, account)
    if task is None:
        return None
    return answer_task(database, study, find_lease(database, study, task.token, account), HELPFUL, 1.0)


def test_everybody_works_at_once(database: Database, make_study: MakeStudy, hire: Hire) -> None:
    study = make_study(examples=15, labels_per_item=3)
    people = [hire(study, f"person {number}") for number in range(12)]
    outcomes: list[str] = []
    problems: list[BaseException] = []

    def work(account: int) -> None:
        try:
            while outcome := judge(database, study, account):
                outcomes.append(outcome)
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=work, args=(account,)) for account in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    rows = read_judgments(database, study, every_revision=True)
    assert outcomes == ["saved"] * 90
    assert Counter(Counter(row["item"] for row in rows).values()) == {3: 30}
    assert len({(row["item"], row["worker"]) for row in rows}) == 90
    assert check_store(database)["problems"] == []
    assert count_study(database, study)["labels"] == 90


def test_the_same_item_until_it_is_done(database: Database, make_study: MakeStudy, hire: Hire) -> None:
    study = make_study()
    account = hire(study, "Ann")
    first, again = next_task(database, study, account), next_task(database, study, account)
    assert first is not None
    assert again is not None
    assert first.token == again.token
    lease = find_lease(database, study, first.token, account)
    assert answer_task(database, study, lease, HELPFUL, 1.0) == "saved"
    assert answer_task(database, study, lease, HELPFUL, 1.0) == "already"
    assert (
        answer_task(database, study, find_lease(database, study, first.token, account), HELPFUL, 1.0)
        == "already"
    )
    assert len(read_judgments(database, study, every_revision=True)) == 1


def run_out(database: Database, token: str) -> None:
    with database.write() as connection:
        connection.execute(sa.update(leases).where(leases.c.token == token).values(expires=1))


def test_a_lease_that_ran_out_goes_to_another(database: Database, make_study: MakeStudy, hire: Hire) -> None:
    study = make_study(examples=1, labels_per_item=1, pairs="reference")
    ann, bob = hire(study, "Ann"), hire(study, "Bob")
    tasks = [next_task(database, study, ann)]
    assert tasks[0] is not None
    slow = find_lease(database, study, tasks[0].token, ann)
    assert judge(database, study, bob) == "saved"
    assert judge(database, study, bob) is None
    run_out(database, slow.token)
    assert judge(database, study, bob) == "saved"
    assert answer_task(database, study, slow, HELPFUL, 1.0) == "late"
    assert [note["state"] for note in list_notes(database, study)] == ["late"]
    assert check_store(database)["problems"] == []


def test_late_but_nobody_else_took_it(database: Database, make_study: MakeStudy, hire: Hire) -> None:
    study = make_study(examples=1)
    ann, bob = hire(study, "Ann"), hire(study, "Bob")
    task = next_task(database, study, ann)
    assert task is not None
    run_out(database, task.token)
    next_task(database, study, bob)
    lease = find_lease(database, study, task.token, ann)
    assert lease.state == "expired"
    assert answer_task(database, study, lease, HELPFUL, 1.0) == "saved"
    assert check_store(database)["problems"] == []


def test_a_stage_of_a_lease_that_ran_out_is_kept(
    database: Database, make_study: MakeStudy, hire: Hire
) -> None:
    study = make_study("comparison", examples=1, labels_per_item=2)
    ann, bob = hire(study, "Ann"), hire(study, "Bob")
    task = next_task(database, study, ann)
    assert task is not None
    run_out(database, task.token)
    next_task(database, study, bob)
    form = {"interpretation_a": "One.", "interpretation_b": "Two."}
    assert answer_task(database, study, find_lease(database, study, task.token, ann), form, None) is None
    again = next_task(database, study, ann)
    assert again is not None
    assert (again.token, again.number, list(again.earlier.values())) == (task.token, 1, ["One.", "Two."])
    assert check_store(database)["problems"] == []


def test_skip_and_report(database: Database, make_study: MakeStudy, hire: Hire) -> None:
    study = make_study(examples=1)
    account = hire(study, "Ann")
    for state in ("skipped", "reported"):
        task = next_task(database, study, account)
        assert task is not None
        lease = find_lease(database, study, task.token, account)
        assert give_back(database, lease, state, "a note")
        assert not give_back(database, lease, state, "a note")
        assert answer_task(database, study, lease, HELPFUL, 1.0) == "gone"
    assert next_task(database, study, account) is None
    assert [note["state"] for note in list_notes(database, study)] == ["skipped", "reported"]
    with database.read() as connection:
        assert connection.scalar(sa.select(sa.func.sum(items.c.taken))) == 0


def test_an_excluded_labeler_does_not_count(database: Database, make_study: MakeStudy, hire: Hire) -> None:
    study = make_study(examples=2, labels_per_item=1)
    ann, bob = hire(study, "Ann"), hire(study, "Bob")
    for _ in range(3):
        judge(database, study, ann)
    next_task(database, study, ann)
    worker = next(row["worker"] for row in list_labelers(database, study) if row["judgments"] == 3)
    assert exclude_account(database, study, worker, "too fast") == 4
    assert read_judgments(database, study) == []
    with pytest.raises(UserError, match="has ended"):
        next_task(database, study, ann)
    with pytest.raises(NotFoundError):
        exclude_account(database, study, worker, "again")
    assert [judge(database, study, bob) for _ in range(5)] == ["saved"] * 4 + [None]
    assert check_store(database)["problems"] == []


def test_a_correction_is_a_new_revision(database: Database, make_study: MakeStudy, hire: Hire) -> None:
    study = make_study(examples=1)
    account = hire(study, "Ann")
    task = next_task(database, study, account)
    assert task is not None
    lease = find_lease(database, study, task.token, account)
    assert not correct_task(database, study, lease, HELPFUL, None)
    answer_task(database, study, lease, HELPFUL, 1.0)
    assert correct_task(database, study, lease, {**HELPFUL, "preference": "slightly_b"}, 2.0)
    assert [row["revision"] for row in read_judgments(database, study, every_revision=True)] == [1, 2]
    (row,) = read_judgments(database, study)
    assert (row["revision"], abs(row["strength"])) == (2, 0.5)


def test_judgments_cannot_be_changed(database: Database, make_study: MakeStudy, hire: Hire) -> None:
    study = make_study(examples=1)
    judge(database, study, hire(study, "Ann"))
    for statement in ("UPDATE judgments SET strength = 0", "DELETE FROM judgments"):
        with pytest.raises(sa.exc.DBAPIError, match="append-only"), database.write() as connection:
            connection.execute(sa.text(statement))


def test_who_may_not(database: Database, make_study: MakeStudy, hire: Hire) -> None:
    study = make_study(examples=1)
    ann, bob = hire(study, "Ann"), hire(study, "Bob")
    task = next_task(database, study, ann)
    assert task is not None
    with pytest.raises(NotFoundError, match="not yours"):
        find_lease(database, study, task.token, bob)
    with pytest.raises(UserError, match="another kind of study"):
        open_lease(database, study, task.token, ann, "comparison", "judge")
    with pytest.raises(UserError, match="answered already"):
        open_lease(database, study, task.token, ann, "helpfulness", "other")
    other = make_study("comparison")
    with pytest.raises(UserError, match="not invited"):
        next_task(database, other, ann)
    set_state(database, study, "paused")
    with pytest.raises(UserError, match="paused"):
        next_task(database, find_study(database, name=study.name), ann)


def test_sides_are_even_and_fixed(make_study: MakeStudy) -> None:
    study = make_study()
    sides = Counter(first_side(study, f"item {number}", 1) for number in range(1_000))
    assert 440 < sides["a"] < 560
    assert first_side(study, "x", 1) == first_side(study, "x", 1)
    assert len({first_side(study, "x", account) for account in range(20)}) == 2
