"""Leases: who holds which item until when. The statements behind judging/handout.py.

`items.taken` counts running leases and judgments that count, so that one row lock decides whether an item has
room. Locks are taken in one order (account, item, lease), so that two labelers never wait for each other.
"""

import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from heed.errors import NotFoundError, UserError
from heed.store.database import Database
from heed.store.studies import Study
from heed.store.tables import accounts, items, leases, memberships

_TRIES = 5


@dataclass(frozen=True, slots=True)
class Lease:
    """An item in somebody's hands. `first` is the text, a or b, that this labeler sees first."""

    token: str
    account: int
    study: int
    state: str
    stage: int
    answers: dict[str, Any]
    draft: dict[str, Any]
    first: str
    granted: int
    expires: int
    item: str
    title: str
    situation: str
    text_a: str
    text_b: str | None


_LEASE = [
    *(leases.c[name] for name in Lease.__slots__[:11]),
    *(items.c[name] for name in ("title", "situation", "text_a", "text_b")),
]


def grant_lease(database: Database, study: Study, account: int, side: Callable[[str], str]) -> Lease | None:
    """The item this person holds, else the next one that has room and that they never had; None: no more."""
    expire_leases(database, study)
    with database.write() as connection:
        connection.execute(sa.select(accounts.c.id).where(accounts.c.id == account).with_for_update())
        _refuse_strangers(connection, study, account)
        token = _running(connection, study, account) or _take(connection, study, account, side)
        return _read(connection, token) if token else None


def find_lease(database: Database, study: Study, token: str, account: int) -> Lease:
    """A lease of this person in this study; any other is as good as none."""
    with database.read() as connection:
        found = _read(connection, token)
    if found is None or (found.account, found.study) != (account, study.id):
        raise NotFoundError("This item is not yours: it may never have been, or the address is wrong.")
    return found


def keep_draft(database: Database, lease: Lease, draft: dict[str, Any]) -> None:
    with database.write() as connection:
        where = (leases.c.token == lease.token) & leases.c.state.in_(("running", "expired"))
        connection.execute(sa.update(leases).where(where).values(draft=json.dumps(draft)))


def finish_stage(database: Database, study: Study, lease: Lease, answers: dict[str, Any]) -> None:
    """Store a stage's answers for good; only then does the next stage exist. A repetition changes nothing."""
    values = {
        "stage": lease.stage + 1,
        "answers": json.dumps({**lease.answers, **answers}),
        "draft": "{}",
        "expires": int(time.time()) + study.lease_seconds,
    }
    where = (leases.c.token == lease.token) & (leases.c.stage == lease.stage)
    # A lease that ran out keeps its answers too: its holder goes on there if the item still has room.
    held = leases.c.state.in_(("running", "expired"))
    with database.write() as connection:
        connection.execute(sa.update(leases).where(where, held).values(values))


def give_back(database: Database, lease: Lease, state: str, note: str) -> bool:
    """The item goes to somebody else; `state` is skipped or reported. False: there was nothing to give."""
    with database.write() as connection:
        lock_item(connection, lease.item)
        where = (leases.c.token == lease.token) & (leases.c.state == "running")
        changed = connection.execute(sa.update(leases).where(where).values(state=state, note=note or None))
        if changed.rowcount:
            move_taken(connection, lease.item, -1)
        return bool(changed.rowcount)


def expire_leases(database: Database, study: Study) -> None:
    """Give the items of leases that ran out back to the others."""
    over = (leases.c.study == study.id) & (leases.c.state == "running") & (leases.c.expires < time.time())
    with database.read() as connection:
        if connection.scalar(sa.select(leases.c.id).where(over).limit(1)) is None:
            return
    with database.write() as connection:
        for id, item in connection.execute(sa.select(leases.c.id, leases.c.item).where(over)).all():
            free = sa.select(items.c.id).where(items.c.id == item).with_for_update(skip_locked=True)
            if connection.scalar(free) is None:
                continue
            gone = sa.update(leases).where(over, leases.c.id == id).values(state="expired")
            if connection.execute(gone).rowcount:
                move_taken(connection, item, -1)


def exclude_account(database: Database, study: Study, worker: str, reason: str) -> int:
    """Nothing of this person counts any more, and their items are handed out again; how many items."""
    with database.write() as connection:
        one = sa.select(accounts.c.id).where(accounts.c.worker == worker).with_for_update()
        account = connection.scalar(one)
        member = (memberships.c.study == study.id) & (memberships.c.account == account)
        now = {"excluded": int(time.time()), "reason": reason}
        fresh = sa.update(memberships).where(member, memberships.c.excluded.is_(None)).values(now)
        if not connection.execute(fresh).rowcount:
            raise NotFoundError(f"Study '{study.name}' has no labeler {worker} who is not excluded already.")
        held = leases.c.state.in_(("running", "done"))
        mine = (leases.c.study == study.id) & (leases.c.account == account) & held
        theirs = connection.scalars(sa.select(leases.c.item).where(mine).order_by(leases.c.item)).all()
        for item in theirs:
            move_taken(connection, item, -1)
        connection.execute(sa.update(leases).where(mine).values(state="withdrawn"))
        return len(theirs)


def lock_item(connection: sa.Connection, item: str) -> tuple[int, int]:
    """How many places of the item are taken and wanted; nobody changes that before we are done."""
    statement = sa.select(items.c.taken, items.c.wanted).where(items.c.id == item).with_for_update()
    taken, wanted = connection.execute(statement).one()
    return taken, wanted


def move_taken(connection: sa.Connection, item: str, by: int) -> None:
    taken = items.c.taken + by
    statement = sa.update(items).where(items.c.id == item)
    connection.execute(statement.values(taken=taken, full=taken >= items.c.wanted))


def _refuse_strangers(connection: sa.Connection, study: Study, account: int) -> None:
    where = (memberships.c.study == study.id) & (memberships.c.account == account)
    row = connection.execute(sa.select(memberships.c.excluded).where(where)).first()
    if row is None:
        raise UserError("You were not invited to this study.")
    if row.excluded is not None:
        raise UserError("Your part in this study has ended. Thank you for your work.")


def _running(connection: sa.Connection, study: Study, account: int) -> str | None:
    where = (leases.c.study == study.id) & (leases.c.account == account) & (leases.c.state == "running")
    return connection.scalar(sa.select(leases.c.token).where(where).order_by(leases.c.id).limit(1))


def _take(connection: sa.Connection, study: Study, account: int, side: Callable[[str], str]) -> str | None:
    item = _next_item(connection, study, account)
    if item is None:
        return None
    move_taken(connection, item, +1)
    now = int(time.time())
    times = {"granted": now, "expires": now + study.lease_seconds}
    mine = (leases.c.item == item) & (leases.c.account == account)
    back = sa.update(leases).where(mine).values(state="running", **times).returning(leases.c.token)
    token: str | None = connection.scalar(back)
    if token is None:
        token = secrets.token_urlsafe(16)
        row = {"token": token, "item": item, "account": account, "study": study.id, "state": "running"}
        row |= {"stage": 0, "answers": "{}", "draft": "{}", "first": side(item), **times}
        connection.execute(sa.insert(leases).values(row))
    return token


def _next_item(connection: sa.Connection, study: Study, account: int) -> str | None:
    """The first item with room. Others' locks are skipped, but an item is never missed because of one."""
    had = (leases.c.item == items.c.id) & (leases.c.account == account) & (leases.c.state != "expired")
    statement = (
        sa.select(items.c.id)
        .where(items.c.study == study.id, items.c.full.is_(False), ~sa.exists().where(had))
        .order_by(items.c.position)
        .limit(1)
    )
    item = connection.scalar(statement.with_for_update(skip_locked=True))
    for _ in range(_TRIES):
        if item is not None or connection.scalar(statement) is None:
            break
        item = connection.scalar(statement.with_for_update())
    return item


def _read(connection: sa.Connection, token: str) -> Lease | None:
    statement = sa.select(*_LEASE).join(items, items.c.id == leases.c.item).where(leases.c.token == token)
    row = connection.execute(statement).mappings().first()
    if row is None:
        return None
    return Lease(**{**row, "answers": json.loads(row["answers"]), "draft": json.loads(row["draft"])})
