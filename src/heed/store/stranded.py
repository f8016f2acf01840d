"""Items that still want labels while everybody invited has had them: only somebody new can help."""

import sqlalchemy as sa

from heed.store.database import Database
from heed.store.studies import Study
from heed.store.tables import items, leases, memberships

# An item that ran out in somebody's hands may go to them again; whoever is excluded gets nothing more.
_HAD = (
    sa.exists()
    .where(leases.c.item == items.c.id, leases.c.account == memberships.c.account)
    .where(leases.c.state.not_in(("expired", "running")))
    .correlate(items, memberships)
)
_MAY_HAVE_IT = sa.exists().where(
    memberships.c.study == items.c.study, memberships.c.excluded.is_(None), ~_HAD
)
_SOMEBODY = sa.exists().where(memberships.c.study == items.c.study)


def count_stranded(database: Database, study: Study) -> int:
    """How many of a study's items nobody in it may judge any more; 0 before anybody was invited."""
    open_items = sa.select(sa.func.count()).where(items.c.study == study.id, items.c.full.is_(False))
    with database.look() as connection:
        stranded = open_items.where(items.c.wanted > 0, _SOMEBODY, ~_MAY_HAVE_IT)
        return int(connection.scalar(stranded) or 0)
