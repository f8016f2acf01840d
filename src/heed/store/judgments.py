"""Judgments: appended, never changed. A correction is a new revision; the newest one counts."""

import json
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

import sqlalchemy as sa

from heed.store.database import Database
from heed.store.leases import RUNNING, Lease, lock_item, move_taken
from heed.store.studies import Study
from heed.store.tables import accounts, instructions, items, judgments, leases, memberships

Outcome = Literal["saved", "already", "late", "gone"]
_TOKEN = leases.c.token == sa.bindparam("which")
_FINISH = sa.update(leases).where(_TOKEN).values(state="done", draft="{}")
_FINISH_RUNNING = _FINISH.where(leases.c.state == RUNNING)
_KIND = sa.select(accounts.c.kind).where(accounts.c.id == sa.bindparam("who")).scalar_subquery()
_INSERT = sa.insert(judgments).values(
    {c.name: _KIND if c.name == "kind" else sa.bindparam(c.name) for c in judgments.c if c.name != "id"}
)
# PostgreSQL does both in one statement that needs no begin and no commit: one way to the server, not four.
_FINISHED = _FINISH_RUNNING.returning(leases.c.item).cte("finished")
_GIVEN = [c for c in judgments.c if c.name not in ("id", "item", "kind")]
_FINISH_AND_INSERT = (
    sa.insert(judgments)
    .from_select(
        ["item", "kind", *(c.name for c in _GIVEN)],
        sa.select(_FINISHED.c.item, _KIND, *(sa.bindparam(f"new_{c.name}", type_=c.type) for c in _GIVEN)),
    )
    .returning(judgments.c.id)
)
_DONE_BY = (
    sa.select(sa.func.count())
    .select_from(leases)
    .where(leases.c.account == sa.bindparam("account"), leases.c.study == sa.bindparam("study"))
    .where(leases.c.state == "done")
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """An answer that was checked and mapped to choice and strength, seen from a."""

    choice: str
    strength: float
    answers: dict[str, Any]
    seconds: float | None
    instructions: str


def record_instructions(database: Database, version: str, text: str) -> None:
    """Keep the text that a version stands for, the first time it is used."""
    if version in database.recorded_instructions:
        return
    with database.look() as connection:
        there = connection.scalar(sa.select(instructions.c.version).where(instructions.c.version == version))
    if there is None:
        row = {"version": version, "text": text, "first_used": int(time.time())}
        # Another labeler may have been first in the meantime; then it is there, which is all we want.
        with suppress(sa.exc.IntegrityError), database.write() as connection:
            connection.execute(sa.insert(instructions).values(row))
    database.recorded_instructions.add(version)


def save_judgment(database: Database, study: Study, lease: Lease, verdict: Verdict) -> Outcome:
    """Store the answer to a lease, once. `late`: the lease ran out and others filled the item; it is kept."""
    # Nearly always it runs; then the item's count stays as it is, and its row need not be locked.
    if _save_running(database, study, lease, verdict):
        return "saved"
    with database.write() as connection:
        return _save_late(connection, study, lease, verdict)


def _save_running(database: Database, study: Study, lease: Lease, verdict: Verdict) -> bool:
    if not database.is_sqlite:
        row = _to_row(study, lease, verdict)
        # Names of their own: those of columns would be taken for what the lease is to be changed to.
        new = {f"new_{column.name}": row[column.name] for column in _GIVEN}
        with database.look() as connection:
            given = {"which": lease.token, "who": lease.account, **new}
            return connection.execute(_FINISH_AND_INSERT, given).first() is not None
    with database.write() as connection:
        runs = bool(connection.execute(_FINISH_RUNNING, {"which": lease.token}).rowcount)
        if runs:
            _insert(connection, study, lease, verdict)
        return runs


def _save_late(connection: sa.Connection, study: Study, lease: Lease, verdict: Verdict) -> Outcome:
    """The answer to a lease that does not run any more."""
    taken, wanted = lock_item(connection, lease.item)
    which = leases.c.token == lease.token
    state = connection.scalar(sa.select(leases.c.state).where(which).with_for_update())
    if state == "done":
        return "already"
    if state != "expired":
        return "gone"
    if wanted and taken >= wanted:
        kept = json.dumps(verdict.answers, ensure_ascii=False)
        connection.execute(sa.update(leases).where(which).values(state="late", note=kept))
        return "late"
    move_taken(connection, lease.item, +1)
    connection.execute(_FINISH, {"which": lease.token})
    _insert(connection, study, lease, verdict)
    return "saved"


def revise_judgment(database: Database, study: Study, lease: Lease, verdict: Verdict) -> bool:
    """A correction: the next revision of a judgment that was saved. False: there is none to correct."""
    with database.write() as connection:
        lock_item(connection, lease.item)
        if connection.scalar(sa.select(leases.c.state).where(leases.c.token == lease.token)) != "done":
            return False
        mine = (judgments.c.item == lease.item) & (judgments.c.account == lease.account)
        before = connection.scalar(sa.select(sa.func.max(judgments.c.revision)).where(mine))
        _insert(connection, study, lease, verdict, (before or 0) + 1)
        return True


def count_judged(database: Database, study: Study, account: int) -> int:
    """How many items this person has finished."""
    with database.look() as connection:
        return int(connection.scalar(_DONE_BY, {"account": account, "study": study.id}) or 0)


def last_answer(database: Database, study: Study, account: int) -> tuple[str, dict[str, Any]] | None:
    """The newest judgment of this person, as the token of its lease and its answers; they may correct it."""
    mine = (judgments.c.study == study.id) & (judgments.c.account == account)
    both = (leases.c.item == judgments.c.item) & (leases.c.account == judgments.c.account)
    statement = (
        sa.select(leases.c.token, judgments.c.answers)
        .join(judgments, both)
        .where(mine, leases.c.state == "done")
        .order_by(judgments.c.id.desc())
        .limit(1)
    )
    with database.read() as connection:
        row = connection.execute(statement).first()
    return (row.token, json.loads(row.answers)) if row else None


def read_judgments(database: Database, study: Study, every_revision: bool = False) -> list[dict[str, Any]]:
    """Judgments that count, joined with their items; the newest revision of each unless all are asked for."""
    columns = [
        *(judgments.c[name] for name in ("item", "revision", "kind", "choice", "strength", "answers")),
        *(judgments.c[name] for name in ("first", "seconds", "started", "saved", "instructions")),
        *(items.c[name] for name in ("example", "domain", "subreddit", "split", "title", "situation")),
        *(items.c[name] for name in ("policy_a", "policy_b", "text_a", "text_b", "reference")),
        *(items.c[name] for name in ("purpose", "position")),
        accounts.c.worker,
    ]
    member = (memberships.c.study == judgments.c.study) & (memberships.c.account == judgments.c.account)
    statement = (
        sa.select(*columns)
        .join(items, items.c.id == judgments.c.item)
        .join(accounts, accounts.c.id == judgments.c.account)
        .join(memberships, member)
        .where(judgments.c.study == study.id, memberships.c.excluded.is_(None))
        .order_by(judgments.c.item, accounts.c.worker, judgments.c.revision)
    )
    with database.read() as connection:
        rows = [dict(row) for row in connection.execute(statement).mappings()]
    if every_revision:
        return rows
    return list({(row["item"], row["worker"]): row for row in rows}.values())


def _insert(
    connection: sa.Connection, study: Study, lease: Lease, verdict: Verdict, revision: int = 1
) -> None:
    connection.execute(_INSERT, _to_row(study, lease, verdict, revision))


def _to_row(study: Study, lease: Lease, verdict: Verdict, revision: int = 1) -> dict[str, Any]:
    row = {"item": lease.item, "account": lease.account, "study": study.id, "who": lease.account}
    row |= {"revision": revision, "choice": verdict.choice, "strength": verdict.strength}
    row |= {"answers": json.dumps(verdict.answers, ensure_ascii=False), "first": lease.first}
    row |= {"seconds": verdict.seconds, "started": lease.granted, "saved": int(time.time())}
    return {**row, "instructions": verdict.instructions}
