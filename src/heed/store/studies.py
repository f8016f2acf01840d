"""Studies and their items in the database, and the counts that say how far they are."""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from heed.errors import NotFoundError, UserError
from heed.store.bars import Bar, bar_accounts
from heed.store.database import Database
from heed.store.tables import accounts, items, judgments, leases, memberships, studies

STATES = ("draft", "open", "paused", "closed")


@dataclass(frozen=True, slots=True)
class Study:
    """What is asked, of whom it does not say. `parents` are the artifacts that its items came from."""

    id: int
    name: str
    code: str
    protocol: str
    state: str
    labels_per_item: int
    lease_seconds: int
    seed: int
    parents: tuple[dict[str, str], ...]
    created: int
    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Item:
    """One question before it is blinded: a is a policy's text, b another's or nothing."""

    id: str
    example: str
    domain: str | None
    subreddit: str | None
    split: str | None
    title: str
    situation: str
    policy_a: str
    policy_b: str | None
    text_a: str
    text_b: str | None
    reference: str | None


@dataclass(frozen=True, slots=True)
class Placed:
    """An item with its place. `wanted` 0: everybody gets it, when they have had `position` items."""

    item: Item
    position: int
    wanted: int
    purpose: str = "ordinary"


STUDY_COLUMNS = [studies.c[name] for name in Study.__slots__]
_BY_NAME = sa.select(*STUDY_COLUMNS).where(studies.c.name == sa.bindparam("key"))


def add_study(
    database: Database, row: dict[str, Any], placed: Sequence[Placed], bars: Sequence[Bar] = ()
) -> Study:
    """A new study with its items, and with who must not get which."""
    with database.write() as connection:
        if connection.scalar(sa.select(studies.c.id).where(studies.c.name == row["name"])) is not None:
            raise UserError(f"There is a study '{row['name']}' already: choose another name.")
        row = {**row, "state": "draft", "created": int(time.time())}
        row["options"], row["parents"] = json.dumps(row["options"]), json.dumps(row["parents"])
        id = connection.execute(sa.insert(studies).values(row).returning(studies.c.id)).scalar_one()
        connection.execute(sa.insert(items), [_to_row(id, each) for each in placed])
        _count_anew(connection)
        bar_accounts(connection, id, bars)
    return find_study(database, name=row["name"])


def add_items(
    database: Database, study: Study, new: Sequence[Item], parents: Sequence[dict[str, str]]
) -> int:
    """Ordinary items behind the ones there are; one that the study has is left alone. How many were new."""
    with database.write() as connection:
        mine = items.c.study == study.id
        there = set(connection.scalars(sa.select(items.c.id).where(mine)))
        last = connection.scalar(sa.select(sa.func.max(items.c.position)).where(mine, items.c.wanted > 0))
        start, fresh = (last or 0) + 1, [item for item in new if item.id not in there]
        rows = [_to_row(study.id, Placed(i, start + n, study.labels_per_item)) for n, i in enumerate(fresh)]
        if rows:
            connection.execute(sa.insert(items), rows)
            _count_anew(connection)
            all_parents = [*study.parents, *(parent for parent in parents if parent not in study.parents)]
            statement = sa.update(studies).where(studies.c.id == study.id)
            connection.execute(statement.values(parents=json.dumps(all_parents)))
    return len(rows)


def count_pairs(database: Database, study: Study) -> list[dict[str, Any]]:
    """How many ordinary items and labels each two policies have, and how many items everybody gets."""
    columns = [items.c.policy_a, items.c.policy_b, items.c.purpose]
    statement = sa.select(
        *columns, sa.func.count().label("items"), sa.func.sum(items.c.wanted).label("labels")
    )
    statement = statement.where(items.c.study == study.id).group_by(*columns).order_by(*columns)
    with database.look() as connection:
        return [dict(row) for row in connection.execute(statement).mappings()]


def find_study(database: Database, *, name: str) -> Study:
    """By name, or a sentence that lists the ones there are."""
    with database.look() as connection:
        row = connection.execute(_BY_NAME, {"key": name}).first()
    if row is not None:
        return to_study(row)
    with database.look() as connection:
        names = connection.scalars(sa.select(studies.c.name).order_by(studies.c.name)).all()
    raise NotFoundError(f"There is no study '{name}' (there: {', '.join(names) or 'none'}).")


def list_studies(database: Database, account: int | None = None) -> list[Study]:
    """All studies, or the ones that an account was invited to."""
    statement = sa.select(*STUDY_COLUMNS).order_by(studies.c.created, studies.c.id)
    if account is not None:
        joined = memberships.c.study == studies.c.id
        statement = statement.join(memberships, joined).where(memberships.c.account == account)
    with database.read() as connection:
        return [to_study(row) for row in connection.execute(statement)]


def set_state(database: Database, study: Study, state: str) -> None:
    if study.state == "closed" and state != "closed":
        raise UserError(f"Study '{study.name}' is closed, for good: make a new one.")
    with database.write() as connection:
        connection.execute(sa.update(studies).where(studies.c.id == study.id).values(state=state))


def count_study(database: Database, study: Study) -> dict[str, Any]:
    """How far a study is: items, labels, leases that run, what was skipped or reported.

    `labels` are on ordinary items; what everybody gets has no number to reach and is counted beside them.
    """
    everybody = items.c.wanted == 0
    counted = sa.select(sa.func.count(), sa.func.coalesce(sa.func.sum(items.c.wanted), 0))
    by_state = sa.select(everybody, leases.c.state, sa.func.count()).join(items, items.c.id == leases.c.item)
    with database.read() as connection:
        total, wanted = connection.execute(counted.where(items.c.study == study.id)).one()
        grouped = by_state.where(leases.c.study == study.id).group_by(everybody, leases.c.state)
        rows = [(bool(own), state, count) for own, state, count in connection.execute(grouped)]
    states = sorted({state for _, state, _ in rows})
    return {
        "items": total,
        "labels_wanted": int(wanted),
        "labels": sum(count for own, state, count in rows if state == "done" and not own),
        "labels_of_everybody": sum(count for own, state, count in rows if state == "done" and own),
        "leases": {state: sum(count for _, other, count in rows if other == state) for state in states},
    }


def list_labelers(database: Database, study: Study) -> list[dict[str, Any]]:
    """Everybody in a study by pseudonym, with how many judgments they gave."""
    given = (
        sa.select(judgments.c.account, sa.func.count(sa.distinct(judgments.c.item)).label("judgments"))
        .where(judgments.c.study == study.id)
        .group_by(judgments.c.account)
        .subquery()
    )
    statement = (
        sa.select(accounts.c.worker, accounts.c.kind, memberships.c.excluded, memberships.c.reason)
        .add_columns(sa.func.coalesce(given.c.judgments, 0).label("judgments"))
        .join(accounts, accounts.c.id == memberships.c.account)
        .outerjoin(given, given.c.account == accounts.c.id)
        .where(memberships.c.study == study.id)
        .order_by(accounts.c.worker)
    )
    with database.read() as connection:
        return [dict(row) for row in connection.execute(statement).mappings()]


def list_notes(database: Database, study: Study) -> list[dict[str, Any]]:
    """What labelers skipped or reported, and why."""
    statement = (
        sa.select(leases.c.item, leases.c.state, leases.c.note, accounts.c.worker, items.c.example)
        .join(accounts, accounts.c.id == leases.c.account)
        .join(items, items.c.id == leases.c.item)
        .where(leases.c.study == study.id, leases.c.state.in_(("skipped", "reported", "late")))
        .order_by(leases.c.id)
    )
    with database.read() as connection:
        return [dict(row) for row in connection.execute(statement).mappings()]


def _count_anew(connection: sa.Connection) -> None:
    """PostgreSQL plans by counts it took before: for a table it thinks empty, it reads all items for one."""
    if connection.dialect.name == "postgresql":
        connection.exec_driver_sql("ANALYZE items")


def _to_row(study: int, placed: Placed) -> dict[str, Any]:
    place = {"position": placed.position, "wanted": placed.wanted, "purpose": placed.purpose}
    return {**asdict(placed.item), **place, "study": study, "taken": 0, "full": False}


def to_study(row: Sequence[Any]) -> Study:
    """A study from STUDY_COLUMNS."""
    values = dict(zip(Study.__slots__, row, strict=True))
    values |= {"parents": tuple(json.loads(values["parents"])), "options": json.loads(values["options"])}
    return Study(**values)
