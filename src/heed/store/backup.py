"""Check, back up and restore an SQLite database. PostgreSQL has its own tools for this (pg_dump)."""

import shutil
import sqlite3
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from heed.errors import NotFoundError, UnreadableError, UserError
from heed.store.database import FILE_NAME, Database
from heed.store.migrate import version
from heed.store.tables import items, judgments, leases, metadata
from heed.workspace import Workspace


def check_store(database: Database) -> dict[str, Any]:
    """Rows per table, and what contradicts itself; an empty list of problems is what one hopes for."""
    problems: list[str] = []
    with database.read() as connection:
        if database.is_sqlite:
            found = connection.scalars(sa.text("PRAGMA integrity_check")).all()
            problems += [f"SQLite says: {word}." for word in found if word != "ok"]
        held = sa.select(sa.func.count()).where(
            leases.c.item == items.c.id, leases.c.state.in_(("running", "done"))
        )
        count = held.correlate(items).scalar_subquery()
        wrong = connection.scalars(sa.select(items.c.id).where(items.c.taken != count)).all()
        problems += [f"Item {id} counts its labels wrongly." for id in wrong]
        over = connection.scalars(
            sa.select(items.c.id).where(items.c.taken > items.c.wanted, items.c.wanted > 0)
        ).all()
        problems += [f"Item {id} has more labels than asked for." for id in over]
        names = ("settings",)
        rows = {
            name: connection.scalar(sa.select(sa.func.count()).select_from(table))
            for name, table in metadata.tables.items()
            if name not in names
        }
        newest = connection.scalar(sa.select(sa.func.max(judgments.c.saved)))
        return {"tables": version(connection), "rows": rows, "newest": newest, "problems": problems}


def back_up(database: Database, into: Path) -> dict[str, Any]:
    """A copy of a database in use, as of one moment."""
    source = _need_file(database)
    if into.exists():
        raise UserError(f"{into} is there already: a backup never overwrites another.")
    into.parent.mkdir(parents=True, exist_ok=True)
    part = into.with_name(f"{into.name}.part")
    with sqlite3.connect(source) as here, sqlite3.connect(part) as there:
        here.backup(there)
    here.close()
    there.close()
    part.rename(into)
    return {"backup": str(into), "bytes": into.stat().st_size}


def restore(workspace: Workspace, backup: Path) -> dict[str, Any]:
    """Put a backup where the workspace has no database; the one that is there must be moved away first."""
    if not backup.is_file():
        raise NotFoundError(f"There is no backup {backup}.")
    if backup.read_bytes()[:15] != b"SQLite format 3":
        raise UnreadableError(f"{backup} is not an SQLite database.")
    place = workspace.folder() / FILE_NAME
    if place.exists():
        raise UserError(f"{place} is there: move it away first, with its -wal and -shm files.")
    shutil.copyfile(backup, place)
    return {"restored": str(place), "bytes": place.stat().st_size}


def _need_file(database: Database) -> Path:
    if database.path is None:
        raise UserError("This command is for SQLite; with PostgreSQL, use pg_dump and pg_restore.")
    return database.path
