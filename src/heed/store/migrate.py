"""Brings a database to the newest tables with Alembic; the steps are in migrations/versions."""

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from heed.errors import UserError
from heed.store.database import Database

_FOLDER = Path(__file__).parent / "migrations"
_LOCK = 0x48454544  # any number that every Heed agrees on


def migrate(database: Database) -> None:
    """Make or upgrade the tables; two servers that start together do it one after the other."""
    with database.write() as connection:
        if not database.is_sqlite:
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        here, newest = version(connection), _scripts().get_current_head()
        if here == newest:
            return
        if here is not None and here not in {script.revision for script in _scripts().walk_revisions()}:
            raise UserError(f"The database is of a newer Heed (its tables are {here}): update Heed.")
        command.upgrade(config_for(connection), "head")


def version(connection: sa.Connection) -> str | None:
    """The step that this database is at."""
    return MigrationContext.configure(connection).get_current_revision()


def config_for(connection: sa.Connection) -> Config:
    """What Alembic's commands need to know to work on this connection."""
    config = _config()
    config.attributes["connection"] = connection
    return config


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())
