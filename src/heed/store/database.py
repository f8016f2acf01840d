"""One database: SQLite in the workspace, or PostgreSQL where HEED_DATABASE says so.

`look()`, `read()` and `write()` are the only ways in. A write that returned has reached the disk: SQLite's
by settling.py, PostgreSQL's by its default. No tables and no statements are here.
"""

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa
from sqlalchemy.pool import QueuePool

from heed.errors import UserError
from heed.store.settling import Settling
from heed.workspace import Workspace

DATABASE_VARIABLE = "HEED_DATABASE"
FILE_NAME = "heed.sqlite"
_BUSY_MILLISECONDS = 20_000
# Whoever finds all in use waits a moment: a connection more, opened and closed again, would cost much more.
_POOL: dict[str, Any] = {"pool_size": 20, "max_overflow": 0}
_NO_RESET: dict[str, Any] = {"pool_reset_on_return": None}  # nothing was begun that could be left open
# Kinds of PostgreSQL connections. A setting of the connection saves a statement in every transaction.
_ALONE: dict[str, Any] = {"isolation_level": "AUTOCOMMIT", "skip_autocommit_rollback": True, **_NO_RESET}
_HASTY: dict[str, Any] = {"connect_args": {"options": "-c synchronous_commit=off"}}
# The commits of this request that somebody has yet to settle; None: who writes waits for the disk.
_OWED: ContextVar[list[int] | None] = ContextVar("owed", default=None)


class Database:
    """An engine, and the lock that lets the writers of one process queue instead of poll."""

    def __init__(self, url: str) -> None:
        self.url = sa.make_url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self.engine = _sqlite(self.url) if self.is_sqlite else _postgres(self.url)
        self._writing = self.engine.execution_options(heed_writes=True)
        self._looking = _sqlite(self.url, False) if self.is_sqlite else _postgres(self.url, _ALONE)
        self._hasty = self._writing if self.is_sqlite else _postgres(self.url, _HASTY)
        self._writers = threading.Lock()
        self.settling = Settling(self.path) if self.path else None
        self.recorded_instructions: set[str] = set()
        """Versions that are known to be stored; they are never removed."""

    @property
    def path(self) -> Path | None:
        """The file of an SQLite database."""
        return Path(self.url.database) if self.is_sqlite and self.url.database else None

    @contextmanager
    def look(self) -> Iterator[sa.Connection]:
        """For one statement: there is nothing to begin and to end, which is most of its cost.

        One that reads; on PostgreSQL also one that writes, which is on disk when it returns.
        """
        with self._looking.connect() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A transaction that sees one state of the database."""
        with self.engine.begin() as connection:
            yield connection

    @contextmanager
    def write(self, promised: bool = True) -> Iterator[sa.Connection]:
        """A transaction that is on disk when the block ends, or did not happen.

        Not `promised`: it is seen by all and survives a killed server, but perhaps not a power cut.
        """
        engine = self._writing if promised else self._hasty
        with self._writers if self.is_sqlite else nullcontext(), engine.begin() as connection:
            yield connection
        if promised and self.settling:
            self._settle_or_owe(self.settling)

    @contextmanager
    def owing(self) -> Iterator[list[int]]:
        """Promised writes in this block are on disk only when `settling` has settled what this list holds.

        For the event loop, which must not stand still while a disk is slow. PostgreSQL never owes anything.
        """
        owed: list[int] = []
        token = _OWED.set(owed)
        try:
            yield owed
        finally:
            _OWED.reset(token)

    def _settle_or_owe(self, settling: Settling) -> None:
        commit, owed = settling.count_commit(), _OWED.get()
        if owed is None:
            settling.settle(commit)
        else:
            owed.append(commit)

    def close(self) -> None:
        for engine in (self.engine, self._looking, self._hasty):
            engine.dispose()


def open_database(workspace: Workspace, url: str | None = None) -> Database:
    """The database of a workspace with all its tables, made when it is not there yet."""
    from heed.store.migrate import migrate

    url = url or os.environ.get(DATABASE_VARIABLE) or f"sqlite:///{workspace.folder() / FILE_NAME}"
    try:
        database = Database(url)
        migrate(database)
    except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ModuleNotFoundError) as error:
        raise UserError(f"{DATABASE_VARIABLE} is not an address Heed can open: {error}.") from None
    except sa.exc.OperationalError as error:
        raise UserError(f"The database cannot be opened: {_first_line(error)}.") from None
    return database


def _first_line(error: sa.exc.OperationalError) -> str:
    return str(error.orig).strip().splitlines()[0].rstrip(".")


def _postgres(url: sa.URL, mode: Mapping[str, Any] = MappingProxyType({})) -> sa.Engine:
    if url.get_backend_name() != "postgresql":
        raise UserError(f"{DATABASE_VARIABLE} names {url.get_backend_name()}: sqlite or postgresql is known.")
    url = url.set(drivername="postgresql+psycopg")
    return sa.create_engine(url, **_POOL, **mode)


def _sqlite(url: sa.URL, begins: bool = True) -> sa.Engine:
    engine = sa.create_engine(url, poolclass=QueuePool, **_POOL, **({} if begins else _NO_RESET))
    sa.event.listen(engine, "connect", _set_pragmas)
    if begins:
        sa.event.listen(engine, "begin", _begin)
    return engine


def _set_pragmas(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # transactions begin in _begin, not where the driver guesses
    for pragma in (
        f"busy_timeout={_BUSY_MILLISECONDS}",
        "journal_mode=WAL",
        "synchronous=NORMAL",  # at commits; settling.py does the rest, for several at once
        "foreign_keys=ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: sa.Connection) -> None:
    # A writer takes the lock at once: a reader that turned writer could fail half-way.
    immediate = connection.get_execution_options().get("heed_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
