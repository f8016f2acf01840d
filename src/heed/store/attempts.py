"""Sign-ins that failed lately, by address and by name: the same count for every server on this database."""

import time

import sqlalchemy as sa

from heed.store.database import Database
from heed.store.tables import failures

_KEPT_SECONDS = 86_400


def count_failures(database: Database, keys: tuple[str, ...], within_seconds: float) -> int:
    """How many there were for the worst of the keys."""
    lately = failures.c.at > time.time() - within_seconds
    counts = sa.select(sa.func.count()).where(failures.c.key.in_(keys), lately).group_by(failures.c.key)
    with database.look() as connection:
        return max(connection.scalars(counts), default=0)


def record_failure(database: Database, keys: tuple[str, ...]) -> None:
    """Note one for each key, and forget those of yesterday."""
    now = int(time.time())
    with database.write(promised=False) as connection:
        connection.execute(sa.delete(failures).where(failures.c.at < now - _KEPT_SECONDS))
        connection.execute(sa.insert(failures), [{"key": key, "at": now} for key in keys])
