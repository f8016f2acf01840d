"""The rules of handing out, over random histories: K, never twice, everybody's items, nothing starved."""

import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from heed.errors import UserError
from heed.judging.handout import answer_task, next_task
from heed.judging.placing import Layout, place_items
from heed.store.accounts import add_account, join_study
from heed.store.backup import check_store
from heed.store.database import Database, open_database
from heed.store.judgments import read_judgments
from heed.store.leases import exclude_account, find_lease, give_back
from heed.store.studies import Item, Study, add_items, add_study, find_study, set_state
from heed.store.tables import accounts, items, leases
from heed.workspace import Workspace

ANSWERS = {"preference": "definitely_a", "rating": "dangerous", "usefulness": "never"}
STEPS = ("submit", "submit", "submit", "look", "skip", "expire", "late", "exclude", "add")
PEOPLE = 5


def item(number: int) -> Item:
    policy = "base" if number % 2 else "other"
    return Item(f"item-{number}", f"e{number}", None, None, None, "t", "s", policy, "ref", "x", "y", None)


@dataclass
class History:
    """A small study in the middle of its life."""

    database: Database
    study: Study
    people: list[int]
    given: set[tuple[int, str]] = field(default_factory=set)
    """Whom the site has told that an item of theirs is saved."""
    excluded: set[int] = field(default_factory=set)
    held: dict[int, str] = field(default_factory=dict)
    added: int = 0

    def step(self, kind: str, person: int) -> None:
        if person in self.excluded:
            return
        if kind == "add":
            self.added += 1
            add_items(self.database, self.study, [item(1_000 + self.added)], [])
        elif kind == "exclude" and len(self.excluded) < 2:
            with self.database.read() as connection:
                worker = connection.scalar(sa.select(accounts.c.worker).where(accounts.c.id == person))
            exclude_account(self.database, self.study, str(worker), "a test")
            self.excluded.add(person)
        elif kind == "late" and person in self.held:
            self.submit(person, self.held[person])
        else:
            self.work(kind, person)

    def work(self, kind: str, person: int) -> bool:
        task = next_task(self.database, self.study, person)
        if task is None:
            return False
        self.held[person] = task.token
        if kind == "submit":
            self.submit(person, task.token)
        elif kind == "skip":
            lease = find_lease(self.database, self.study, task.token, person)
            assert give_back(self.database, lease, "skipped", "")
        elif kind == "expire":
            with self.database.write() as connection:
                which = sa.update(leases).where(leases.c.token == task.token)
                connection.execute(which.values(expires=1))
        return True

    def submit(self, person: int, token: str) -> None:
        lease = find_lease(self.database, self.study, token, person)
        outcome = answer_task(self.database, self.study, lease, ANSWERS, 1.0)
        if outcome == "saved":
            assert (person, lease.item) not in self.given, "twice"
            self.given.add((person, lease.item))

    def check(self) -> None:
        assert check_store(self.database)["problems"] == []
        rows = read_judgments(self.database, self.study)
        assert len(rows) == len({pair for pair in self.given if pair[0] not in self.excluded})


def finish(history: History) -> None:
    """Everybody who is left works until there is nothing for them; then nothing may be left undone."""
    rest = [person for person in history.people if person not in history.excluded]
    while sum(history.work("submit", person) for person in rest):
        pass
    with history.database.read() as connection:
        rows = connection.execute(sa.select(items.c.id, items.c.wanted, items.c.purpose)).all()
        had = connection.execute(sa.select(leases.c.item, leases.c.account)).all()
    labels = Counter(name for person, name in history.given if person not in history.excluded)
    for id, wanted, purpose in rows:
        seen_by = {account for name, account in had if name == id}
        if purpose == "ordinary":
            # Exactly K, unless everybody who is left has had it: skipped it, or answered too late.
            assert labels[id] == wanted or (labels[id] < wanted and seen_by >= set(rest))
        elif purpose == "shared":
            assert seen_by >= set(rest)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, PEOPLE - 1)), max_size=40),
    st.integers(1, 3),
    st.sampled_from([0.0, 0.3]),
    st.integers(0, 1),
)
def test_the_rules_hold_in_every_history(
    steps: list[tuple[str, int]], labels_per_item: int, shared: float, anchors: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(Workspace(Path(folder)))
        try:
            history = begin(
                database, Layout(labels_per_item, 0, shared, anchors, frozenset({"base", "ref"}), 4)
            )
            for kind, number in steps:
                history.step(kind, history.people[number])
                history.check()
            finish(history)
            history.check()
        finally:
            database.close()


def begin(database: Database, layout: Layout) -> History:
    row = {"name": "s", "code": "c", "protocol": "helpfulness", "options": {}, "parents": [], "seed": 0}
    row |= {"labels_per_item": layout.labels_per_item, "lease_seconds": 600}
    add_study(database, row, place_items([item(number) for number in range(8)], layout))
    study = find_study(database, name="s")
    set_state(database, study, "open")
    people = []
    for number in range(PEOPLE):
        with database.write() as connection:
            people.append(add_account(connection, f"person {number}", "none", "labeler"))
            join_study(connection, study.id, people[-1])
    return History(database, find_study(database, name="s"), people)


def test_who_is_excluded_gets_nothing() -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(Workspace(Path(folder)))
        history = begin(database, Layout(1))
        history.step("exclude", history.people[0])
        with pytest.raises(UserError, match="has ended"):
            next_task(database, history.study, history.people[0])
        database.close()
