"""Who must never get an item: somebody who wrote one of its texts, or knows one of them.

A bar is a lease that was never held. Nobody gets an item twice, so who is barred does not get it once; the
hand-out needs no rule of its own, and the database's constraint on leases holds for bars too.
"""

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass

import sqlalchemy as sa

from heed.store.database import Database
from heed.store.tables import accounts, leases

WRITER = "wrote the edit"
KNOWER = "saw the original"


@dataclass(frozen=True, slots=True)
class Bar:
    """Somebody who must never get an item, and why."""

    item: str
    account: int
    why: str


def bar_accounts(connection: sa.Connection, study: int, bars: Sequence[Bar]) -> None:
    now = int(time.time())
    rest = {"study": study, "state": "barred", "stage": 0, "answers": "{}", "draft": "{}", "first": "a"}
    rest |= {"granted": now, "expires": now}
    rows = [
        {
            **rest,
            "token": secrets.token_urlsafe(16),
            "item": bar.item,
            "account": bar.account,
            "note": bar.why,
        }
        for bar in bars
    ]
    if rows:
        connection.execute(sa.insert(leases), rows)


def list_holders(database: Database, study: int) -> dict[str, list[tuple[int, str]]]:
    """By item: account and pseudonym of everybody who was ever given it."""
    statement = (
        sa.select(leases.c.item, accounts.c.id, accounts.c.worker)
        .join(accounts, accounts.c.id == leases.c.account)
        .where(leases.c.study == study, leases.c.state != "barred")
        .order_by(leases.c.id)
    )
    found: dict[str, list[tuple[int, str]]] = {}
    with database.read() as connection:
        for item, account, worker in connection.execute(statement):
            found.setdefault(item, []).append((account, worker))
    return found


def list_writers(database: Database, study: int) -> dict[str, str]:
    """By item: the pseudonym of who wrote the edit that it is about."""
    statement = (
        sa.select(leases.c.item, accounts.c.worker)
        .join(accounts, accounts.c.id == leases.c.account)
        .where(leases.c.study == study, leases.c.state == "barred", leases.c.note == WRITER)
    )
    with database.read() as connection:
        return {row.item: row.worker for row in connection.execute(statement)}
