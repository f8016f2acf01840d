"""Somebody is excluded while everybody works: in the end exactly K labels count on every item."""

import threading
from collections import Counter
from collections.abc import Callable
from functools import partial

import sqlalchemy as sa

from heed.errors import UserError
from heed.judging.handout import answer_task, next_task
from heed.store.backup import check_store
from heed.store.database import Database
from heed.store.judgments import read_judgments
from heed.store.leases import (
    exclude_account,
    expire_leases,
    find_lease,
    give_back,
    grant_lease,
    lock_item,
    move_taken,
)
from heed.store.studies import Study
from heed.store.tables import accounts, leases

HELPFUL = {"preference": "definitely_a", "rating": "dangerous", "usefulness": "never"}
ITEMS, LABELS = 40, 3
MakeStudy = Callable[..., Study]
Hire = Callable[[Study, str], int]


def work_until_nothing_is_left(
    database: Database, study: Study, account: int, told: list[str], steady: bool = False
) -> None:
    """Answer what comes; unless steady, hand every fifth back and answer every seventh too late."""
    for number in range(1, 1_000):
        try:
            task = next_task(database, study, account)
        except UserError:  # excluded
            return
        if task is None:
            return
        lease = find_lease(database, study, task.token, account)
        if number % 5 == 0 and not steady:
            give_back(database, lease, "skipped", "")
            continue
        if number % 7 == 0 and not steady:
            run_out(database, study, task.token)
        if answer_task(database, study, lease, HELPFUL, 1.0) == "saved":
            told.append(task.token)


def run_out(database: Database, study: Study, token: str) -> None:
    with database.write() as connection:
        connection.execute(sa.update(leases).where(leases.c.token == token).values(expires=1))
    expire_leases(database, study)


def test_people_are_excluded_while_all_work(database: Database, make_study: MakeStudy, hire: Hire) -> None:
    study = make_study(examples=ITEMS // 2, labels_per_item=LABELS)
    people = [hire(study, f"person {number}") for number in range(14)]
    told: dict[int, list[str]] = {account: [] for account in people}
    problems: list[BaseException] = []

    def guard(job: Callable[[], object]) -> threading.Thread:
        def run() -> None:
            try:
                job()
            except BaseException as error:
                problems.append(error)

        return threading.Thread(target=run)

    def exclude_after_some(account: int) -> None:
        while len(told[account]) < 2 and not ended.wait(0.002):
            pass
        exclude_account(database, study, worker_of(database, account), "too fast")

    ended = threading.Event()
    # What everybody hands back stays unjudged, rightly: the steady can fill every item by themselves.
    out, steady = people[:4], people[10:]
    workers = [
        guard(partial(work_until_nothing_is_left, database, study, who, told[who], who in steady))
        for who in people
    ]
    excluders = [guard(partial(exclude_after_some, who)) for who in out]
    for thread in workers + excluders:
        thread.start()
    for thread in workers:
        thread.join()
    ended.set()
    for thread in excluders:
        thread.join()
    assert problems == []
    for account in steady:  # what was set free after somebody had already gone home
        work_until_nothing_is_left(database, study, account, told[account], steady=True)
    check_promises(database, study, out, told)


def check_promises(database: Database, study: Study, out: list[int], told: dict[int, list[str]]) -> None:
    rows = read_judgments(database, study)
    assert Counter(Counter(row["item"] for row in rows).values()) == {LABELS: ITEMS}
    assert len({(row["item"], row["worker"]) for row in rows}) == len(rows)
    gone = {worker_of(database, account) for account in out}
    assert {row["worker"] for row in rows} & gone == set()
    kept = sum(len(tokens) for account, tokens in told.items() if account not in out)
    assert kept == len(rows)
    assert check_store(database)["problems"] == []


def worker_of(database: Database, account: int) -> str:
    with database.look() as connection:
        return str(connection.scalar(sa.select(accounts.c.worker).where(accounts.c.id == account)))


def test_a_late_answer_of_an_excluded_person_takes_no_place(
    database: Database, make_study: MakeStudy, hire: Hire
) -> None:
    study = make_study(examples=1, labels_per_item=1, pairs="reference")
    ann, bob = hire(study, "Ann"), hire(study, "Bob")
    task = next_task(database, study, ann)
    assert task is not None
    slow = find_lease(database, study, task.token, ann)
    run_out(database, study, task.token)
    exclude_account(database, study, worker_of(database, ann), "too slow")
    assert answer_task(database, study, slow, HELPFUL, 1.0) == "gone"
    told: list[str] = []
    work_until_nothing_is_left(database, study, bob, told)
    assert len(told) == len(read_judgments(database, study)) == 2
    assert check_store(database)["problems"] == []


def test_handing_back_at_the_moment_of_excluding_frees_one_place(
    database: Database, make_study: MakeStudy, hire: Hire
) -> None:
    study = make_study(examples=1, labels_per_item=2)
    ann = hire(study, "Ann")
    lease = grant_lease(database, study, ann, lambda _item: "a")
    assert lease is not None
    worker = worker_of(database, ann)
    excluding = threading.Thread(target=exclude_account, args=(database, study, worker, "too fast"))
    with database.write() as connection:  # give_back, held up before its end
        lock_item(connection, lease.item)
        excluding.start()
        excluding.join(0.3)
        connection.execute(sa.update(leases).where(leases.c.token == lease.token).values(state="skipped"))
        move_taken(connection, lease.item, -1)
    excluding.join()
    assert check_store(database)["problems"] == []
