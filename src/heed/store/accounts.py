"""Accounts, invites and settings in the database. Passwords arrive hashed and tokens verified."""

import secrets
import time
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from heed.errors import NotFoundError, UserError
from heed.records import JudgeKind
from heed.store.database import Database
from heed.store.tables import accounts, invites, memberships, settings


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who can sign in. `worker` is the pseudonym that exports show."""

    id: int
    name: str
    password: str
    role: str
    kind: JudgeKind
    worker: str
    created: int
    consented: int | None


@dataclass(frozen=True, slots=True)
class Invite:
    """Permission to make accounts of one role, for one study or for none."""

    id: int
    study: int | None
    role: str
    kind: JudgeKind
    uses: int
    most_uses: int
    expires: int

    @property
    def is_open(self) -> bool:
        return self.uses < self.most_uses and time.time() < self.expires


ACCOUNT_COLUMNS = [accounts.c[name] for name in Account.__slots__]
_INVITE = [invites.c[name] for name in Invite.__slots__]
# Built once: building a statement costs more than running it.
_BY_ID = sa.select(*ACCOUNT_COLUMNS).where(accounts.c.id == sa.bindparam("key"))
_BY_NAME = sa.select(*ACCOUNT_COLUMNS).where(accounts.c.name == sa.bindparam("key"))


def site_secret(database: Database) -> str:
    """The key that signs sessions and invites: made once, the same for every server on this database."""
    with database.write() as connection:
        found = connection.scalar(sa.select(settings.c.value).where(settings.c.name == "secret"))
        if found is None:
            found = secrets.token_hex(32)
            connection.execute(sa.insert(settings).values(name="secret", value=found))
        return str(found)


def add_account(
    connection: sa.Connection, name: str, password: str, role: str, kind: JudgeKind = "human"
) -> int:
    """A new account; a name that is taken is said."""
    if connection.scalar(sa.select(accounts.c.id).where(accounts.c.name == name)) is not None:
        raise UserError(f"The name '{name}' is taken: choose another.")
    row: dict[str, Any] = {"name": name, "password": password, "role": role, "kind": kind}
    row |= {"worker": f"w{secrets.token_hex(6)}", "created": int(time.time())}
    return int(connection.execute(sa.insert(accounts).values(row).returning(accounts.c.id)).scalar_one())


def find_account(database: Database, *, id: int | None = None, name: str | None = None) -> Account | None:
    """By id or by name."""
    statement, key = (_BY_ID, id) if name is None else (_BY_NAME, name)
    with database.look() as connection:
        row = connection.execute(statement, {"key": key}).first()
    return Account(*row) if row else None


def count_accounts(database: Database) -> int:
    """How many can sign in."""
    with database.look() as connection:
        return int(connection.scalar(sa.select(sa.func.count()).select_from(accounts)) or 0)


def record_consent(database: Database, account: int) -> None:
    with database.write() as connection:
        statement = sa.update(accounts).where(accounts.c.id == account, accounts.c.consented.is_(None))
        connection.execute(statement.values(consented=int(time.time())))


def add_invite(
    database: Database, role: str, study: int | None, kind: JudgeKind, most_uses: int, lasts_seconds: int
) -> int:
    now = int(time.time())
    row: dict[str, Any] = {"role": role, "study": study, "kind": kind, "uses": 0, "most_uses": most_uses}
    row |= {"created": now, "expires": now + lasts_seconds}
    with database.write() as connection:
        statement = sa.insert(invites).values(row).returning(invites.c.id)
        return int(connection.execute(statement).scalar_one())


def find_invite(connection: sa.Connection, id: int, lock: bool = False) -> Invite:
    statement = sa.select(*_INVITE).where(invites.c.id == id)
    row = connection.execute(statement.with_for_update() if lock else statement).mappings().first()
    if row is None:
        raise NotFoundError("This invite does not exist.")
    return Invite(**row)


def use_invite(database: Database, id: int, name: str, password: str) -> int:
    """Make the account that an invite allows, and put it into the invite's study."""
    with database.write() as connection:
        invite = find_invite(connection, id, lock=True)
        if not invite.is_open:
            raise UserError("This invite has expired or was used up: ask for a new one.")
        account = add_account(connection, name, password, invite.role, invite.kind)
        connection.execute(sa.update(invites).where(invites.c.id == id).values(uses=invites.c.uses + 1))
        if invite.study is not None:
            join_study(connection, invite.study, account)
        return account


def use_invite_again(database: Database, id: int, account: int) -> None:
    """Put an account that exists into the invite's study; who is in it already uses nothing up."""
    with database.write() as connection:
        invite = find_invite(connection, id, lock=True)
        where = (memberships.c.study == invite.study) & (memberships.c.account == account)
        if connection.scalar(sa.select(memberships.c.study).where(where)) is not None:
            return
        if not invite.is_open or invite.study is None:
            raise UserError("This invite has expired or was used up: ask for a new one.")
        connection.execute(sa.update(invites).where(invites.c.id == id).values(uses=invites.c.uses + 1))
        join_study(connection, invite.study, account)


def join_study(connection: sa.Connection, study: int, account: int) -> None:
    where = (memberships.c.study == study) & (memberships.c.account == account)
    if connection.scalar(sa.select(memberships.c.study).where(where)) is None:
        row = {"study": study, "account": account, "joined": int(time.time())}
        connection.execute(sa.insert(memberships).values(row))
