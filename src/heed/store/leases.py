"""Leases: who holds which item until when. The statements behind judging/handout.py.

`items.taken` counts running leases and judgments that count, so that one row lock decides whether an item has
room. Locks are taken in one order (item, lease), so that two labelers never wait for each other. What
everybody gets wants 0 labels and is never full.
"""

import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from heed.errors import NotFoundError, UserError
from heed.store.database import Database
from heed.store.studies import Study
from heed.store.tables import accounts, items, leases, memberships

RUNNING = "running"
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


_SHOWN = [items.c[name] for name in ("title", "situation", "text_a", "text_b")]
_OWN = [leases.c[name] for name in Lease.__slots__[:11]]
_ME = (leases.c.study == sa.bindparam("my_study")) & (leases.c.account == sa.bindparam("me"))
_HELD = leases.c.state == RUNNING
_OVER = (leases.c.study == sa.bindparam("my_study")) & _HELD & (leases.c.expires < sa.bindparam("now"))

# Built once: building a statement costs more than running it, and these run for every item.
_READ = (
    sa.select(*_OWN, *_SHOWN)
    .join(items, items.c.id == leases.c.item)
    .where(leases.c.token == sa.bindparam("which"))
)
_MINE = sa.select(leases.c.token).where(_ME, _HELD).scalar_subquery()
_HAD = sa.select(sa.func.count()).select_from(leases).where(_ME, leases.c.state.not_in(("expired", "barred")))
_STAND = sa.select(
    memberships.c.excluded,
    _MINE.label("token"),
    _HAD.scalar_subquery().label("had"),
    sa.exists().where(_OVER).label("over"),
).where(memberships.c.study == sa.bindparam("my_study"), memberships.c.account == sa.bindparam("me"))
# Held to the end, so that nobody is excluded while an item is on its way to them.
_STAND = _STAND.with_for_update(read=True, of=memberships)
# Without the study, which the item implies: with it, PostgreSQL may read all of the study's leases.
_HAD_IT = (leases.c.item == items.c.id) & (leases.c.account == sa.bindparam("me"))
_OPEN = (
    sa.select(items.c.id)
    .where(items.c.study == sa.bindparam("my_study"), items.c.full.is_(False))
    .where(~sa.exists().where(_HAD_IT, leases.c.state != "expired"))
    .order_by(items.c.wanted, items.c.position)
    .limit(1)
)
# What everybody gets waits until it is due; when nothing else is left, what is shared is handed out at once.
_DUE = _OPEN.where((items.c.wanted > 0) | (items.c.position <= sa.bindparam("had")))
_LEFT = _OPEN.where((items.c.wanted > 0) | (items.c.purpose == "shared"))


def _moved(by: Any) -> dict[str, Any]:
    full = (items.c.wanted > 0) & (items.c.taken + by >= items.c.wanted)
    return {"taken": items.c.taken + by, "full": full}


def _take_first(wanted: sa.Select[Any], skip_locked: bool) -> Any:
    first = wanted.with_for_update(key_share=True, skip_locked=skip_locked).scalar_subquery()
    return sa.update(items).where(items.c.id == first).values(_moved(1)).returning(items.c.id, *_SHOWN)


_TAKE_DUE, _TAKE_LEFT = _take_first(_DUE, skip_locked=True), _take_first(_LEFT, skip_locked=True)
_TAKE_LEFT_LATER = _take_first(_LEFT, skip_locked=False)
_MOVE = sa.update(items).where(items.c.id == sa.bindparam("which")).values(_moved(sa.bindparam("by")))


def _hold(insert: Any) -> Any:
    """A new lease, or the person's own that ran out; nothing where they hold it in another window."""
    again = {"state": RUNNING, "granted": insert.excluded.granted, "expires": insert.excluded.expires}
    ran_out = leases.c.state == "expired"
    return insert.on_conflict_do_update(
        index_elements=["item", "account"], set_=again, where=ran_out
    ).returning(*_OWN)


_HOLD = {True: _hold(sqlite.insert(leases)), False: _hold(postgresql.insert(leases))}


def grant_lease(database: Database, study: Study, account: int, side: Callable[[str], str]) -> Lease | None:
    """The item this person holds, else the next one that has room and that they never had; None: no more."""
    while True:
        try:
            with database.write(promised=False) as connection:
                stand = _stand(connection, study, account)
                if stand.token is not None:
                    return _read(connection, stand.token)
                if not stand.over:
                    return _take(database, connection, study, account, side, stand.had)
        except sa.exc.IntegrityError:
            continue  # the same person, in another window, was first: they hold that one
        expire_leases(database, study)


def find_lease(database: Database, study: Study, token: str, account: int) -> Lease:
    """A lease of this person in this study; any other is as good as none."""
    with database.look() as connection:
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
    now = {"my_study": study.id, "now": time.time()}
    with database.write(promised=False) as connection:
        # In one order, so that two who do this at once never wait for each other in a circle.
        which = sa.select(leases.c.id, leases.c.item).where(_OVER).order_by(leases.c.item)
        for id, item in connection.execute(which, now).all():
            lock_item(connection, item)
            gone = sa.update(leases).where(_OVER, leases.c.id == id).values(state="expired")
            if connection.execute(gone, now).rowcount:
                move_taken(connection, item, -1)


def exclude_account(database: Database, study: Study, worker: str, reason: str) -> int:
    """Nothing of this person counts any more, and their items are handed out again; how many items."""
    with database.write() as connection:
        one = sa.select(accounts.c.id).where(accounts.c.worker == worker).with_for_update(key_share=True)
        account = connection.scalar(one)
        member = (memberships.c.study == study.id) & (memberships.c.account == account)
        now = {"excluded": int(time.time()), "reason": reason}
        fresh = sa.update(memberships).where(member, memberships.c.excluded.is_(None)).values(now)
        if not connection.execute(fresh).rowcount:
            raise NotFoundError(f"Study '{study.name}' has no labeler {worker} who is not excluded already.")
        return len(_withdraw(connection, (leases.c.study == study.id) & (leases.c.account == account)))


def _withdraw(connection: sa.Connection, mine: sa.ColumnElement[bool]) -> list[str]:
    """End these leases for good and free the places that they took; the items."""
    # Items first, as everybody does: whoever hands back or answers late at this moment has done it by then.
    for item in connection.scalars(sa.select(leases.c.item).where(mine).order_by(leases.c.item)).all():
        lock_item(connection, item)
    end = sa.update(leases).where(mine).values(state="withdrawn")
    held = end.where(leases.c.state.in_((RUNNING, "done"))).returning(leases.c.item)
    freed = list(connection.scalars(held))
    for item in freed:
        move_taken(connection, item, -1)
    # One that ran out takes no place, and must not take one by a late answer.
    connection.execute(end.where(leases.c.state == "expired"))
    return freed


def lock_item(connection: sa.Connection, item: str) -> tuple[int, int]:
    """How many places of the item are taken and wanted; nobody changes that before we are done."""
    statement = sa.select(items.c.taken, items.c.wanted).where(items.c.id == item)
    statement = statement.with_for_update(key_share=True)
    taken, wanted = connection.execute(statement).one()
    return taken, wanted


def move_taken(connection: sa.Connection, item: str, by: int) -> None:
    connection.execute(_MOVE, {"which": item, "by": by})


def _stand(connection: sa.Connection, study: Study, account: int) -> sa.Row[Any]:
    """What this person holds and how many they have had, and whether some lease of the study has run out."""
    key = {"my_study": study.id, "me": account, "now": time.time()}
    row = connection.execute(_STAND, key).first()
    if row is None:
        raise UserError("You were not invited to this study.")
    if row.excluded is not None:
        raise UserError("Your part in this study has ended. Thank you for your work.")
    return row


def _take(
    database: Database,
    connection: sa.Connection,
    study: Study,
    account: int,
    side: Callable[[str], str],
    had: int,
) -> Lease | None:
    item = _take_item(connection, {"my_study": study.id, "me": account, "had": had})
    if item is None:
        return None
    now = int(time.time())
    row = {"token": secrets.token_urlsafe(16), "item": item.id, "account": account, "study": study.id}
    row |= {"state": RUNNING, "stage": 0, "answers": "{}", "draft": "{}", "first": side(item.id)}
    row |= {"granted": now, "expires": now + study.lease_seconds}
    held = connection.execute(_HOLD[database.is_sqlite], row).first()
    if held is None:
        raise sa.exc.IntegrityError("held already", None, Exception())
    return _to_lease({**held._mapping, **item._mapping})


def _take_item(connection: sa.Connection, key: dict[str, int]) -> sa.Row[Any] | None:
    """The first item with room. Others' locks are skipped, but an item is never missed because of one."""
    item = connection.execute(_TAKE_DUE, key).first() or connection.execute(_TAKE_LEFT, key).first()
    for _ in range(_TRIES):
        if item is not None or connection.scalar(_LEFT, key) is None:
            break
        item = connection.execute(_TAKE_LEFT_LATER, key).first()
    return item


def _read(connection: sa.Connection, token: str) -> Lease | None:
    row = connection.execute(_READ, {"which": token}).first()
    return _to_lease(dict(row._mapping)) if row else None


def _to_lease(row: dict[str, Any]) -> Lease:
    row.pop("id", None)
    return Lease(**{**row, "answers": json.loads(row["answers"]), "draft": json.loads(row["draft"])})
