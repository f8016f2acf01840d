"""Judgments of machines: stored beside people's, with the kind machine, and without a lease.

They take no place of an item: K labels of people are wanted as before, and `labels` counts only those.
"""

import hashlib
import json
import re
import time

import sqlalchemy as sa

from heed.errors import UserError
from heed.store.accounts import add_account, join_study
from heed.store.database import Database
from heed.store.judgments import Verdict
from heed.store.studies import Item, Study
from heed.store.tables import accounts, items, judgments

_ITEM = [items.c[name] for name in Item.__slots__]
_NO_PASSWORD = "none"  # no hash, so nobody can sign in with it


def enter_machine(database: Database, study: Study, judge: str) -> int:
    """The account of a machine judge in a study; the same judge is the same worker in every study."""
    name = f"machine {judge}"
    with database.write() as connection:
        where = accounts.c.name == name
        row = connection.execute(sa.select(accounts.c.id, accounts.c.kind).where(where)).first()
        if row is not None and row.kind != "machine":
            raise UserError(f"Somebody has the name '{name}', which a machine judge needs.")
        if row is None:
            account = add_account(connection, name, _NO_PASSWORD, "labeler", "machine")
            connection.execute(sa.update(accounts).where(where).values(worker=_worker(judge)))
        else:
            account = int(row.id)
        join_study(connection, study.id, account)
        return account


def read_unjudged(database: Database, study: Study, account: int) -> list[Item]:
    """The items of a study that this account has no judgment of, in the order of handing out."""
    judged = sa.exists().where(judgments.c.item == items.c.id, judgments.c.account == account)
    statement = sa.select(*_ITEM).where(items.c.study == study.id, ~judged).order_by(items.c.position)
    with database.read() as connection:
        return [Item(**row) for row in connection.execute(statement).mappings()]


def add_judgments(database: Database, study: Study, account: int, verdicts: dict[str, Verdict]) -> None:
    """Store verdicts by item. Both orders were asked, so neither text was first."""
    now = int(time.time())
    rest = {"account": account, "study": study.id, "kind": "machine", "revision": 1, "first": "none"}
    rows = [
        {
            **rest,
            "item": item,
            "choice": verdict.choice,
            "strength": verdict.strength,
            "answers": json.dumps(verdict.answers, ensure_ascii=False),
            "seconds": verdict.seconds,
            "started": now,
            "saved": now,
            "instructions": verdict.instructions,
        }
        for item, verdict in verdicts.items()
    ]
    if rows:
        with database.write() as connection:
            connection.execute(sa.insert(judgments), rows)


def _worker(judge: str) -> str:
    """A pseudonym that tells the judge where it can: length, rouge, endpoint-1f3a…."""
    if re.fullmatch(r"[a-zA-Z0-9_:-]{1,32}", judge):
        return judge
    return f"{judge.partition(':')[0][:19]}-{hashlib.sha256(judge.encode()).hexdigest()[:12]}"
