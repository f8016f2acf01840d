"""The rules of handing out, over random histories: K, never twice, everybody's items, nothing starved."""

import secrets
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, example, given, settings
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
STEPS = ("submit", "submit", "look", "skip", "expire", "late", "overtaken", "exclude", "add")
PEOPLE = 4


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """One for all histories, each of which is a study of its own."""
    opened = open_database(Workspace(tmp_path_factory.mktemp("rules")))
    yield opened
    opened.close()


def item(study: str, number: int) -> Item:
    policy = "base" if number % 2 else "other"
    return Item(f"{study}-{number}", f"e{number}", None, None, None, "t", "s", policy, "ref", "x", "y", None)


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
            add_items(self.database, self.study, [item(self.study.name, 1_000 + self.added)], [])
        elif kind == "exclude" and len(self.excluded) < 2:
            with self.database.read() as connection:
                worker = connection.scalar(sa.select(accounts.c.worker).where(accounts.c.id == person))
            exclude_account(self.database, self.study, str(worker), "a test")
            self.excluded.add(person)
        elif kind == "overtaken":
            self.work("expire", person)
            self.step("submit", self.people[(self.people.index(person) + 1) % PEOPLE])
            self.step("late", person)
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
        problems = check_store(self.database)["problems"]
        assert [problem for problem in problems if self.study.name in problem] == []
        rows = read_judgments(self.database, self.study)
        assert len(rows) == len({pair for pair in self.given if pair[0] not in self.excluded})


def finish(history: History) -> None:
    """Everybody who is left works until there is nothing for them; then nothing may be left undone."""
    rest = [person for person in history.people if person not in history.excluded]
    while sum(history.work("submit", person) for person in rest):
        pass
    with history.database.read() as connection:
        mine = items.c.study == history.study.id
        rows = connection.execute(sa.select(items.c.id, items.c.wanted, items.c.purpose).where(mine)).all()
        had = connection.execute(
            sa.select(leases.c.item, leases.c.account).where(leases.c.study == history.study.id)
        ).all()
    labels = Counter(name for person, name in history.given if person not in history.excluded)
    for id, wanted, purpose in rows:
        seen_by = {account for name, account in had if name == id}
        if purpose == "ordinary":
            # Exactly K, unless everybody who is left has had it: skipped it, or answered too late.
            assert labels[id] == wanted or (labels[id] < wanted and seen_by >= set(rest))
        elif purpose == "shared":
            assert seen_by >= set(rest)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example(
    steps=[("overtaken", 0), ("overtaken", 1), ("exclude", 1), ("late", 0)],
    labels_per_item=1,
    shared=0.3,
    anchors=1,
)
@given(
    steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, PEOPLE - 1)), min_size=5, max_size=30),
    labels_per_item=st.integers(1, 3),
    shared=st.sampled_from([0.0, 0.3]),
    anchors=st.integers(0, 1),
)
def test_the_rules_hold_in_every_history(
    steps: list[tuple[str, int]], labels_per_item: int, shared: float, anchors: int, database: Database
) -> None:
    history = begin(database, Layout(labels_per_item, 0, shared, anchors, frozenset({"base", "ref"}), 4))
    for kind, number in steps:
        history.step(kind, history.people[number])
    history.check()
    finish(history)
    history.check()


def begin(database: Database, layout: Layout) -> History:
    name = secrets.token_hex(4)
    row = {"name": name, "code": name, "protocol": "helpfulness", "options": {}, "parents": [], "seed": 0}
    row |= {"labels_per_item": layout.labels_per_item, "lease_seconds": 600}
    study = add_study(database, row, place_items([item(name, number) for number in range(8)], layout))
    set_state(database, study, "open")
    people = []
    with database.write() as connection:
        for number in range(PEOPLE):
            people.append(add_account(connection, f"{name} {number}", "none", "labeler"))
            join_study(connection, study.id, people[-1])
    return History(database, find_study(database, name=name), people)


def test_who_is_excluded_gets_nothing(database: Database) -> None:
    history = begin(database, Layout(1))
    history.step("exclude", history.people[0])
    with pytest.raises(UserError, match="has ended"):
        next_task(database, history.study, history.people[0])
