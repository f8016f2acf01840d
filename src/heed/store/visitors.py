"""Who asks for a page, about which study, and what they have done there: one statement for every request."""

from dataclasses import dataclass

import sqlalchemy as sa

from heed.store.accounts import ACCOUNT_COLUMNS, Account
from heed.store.database import Database
from heed.store.studies import STUDY_COLUMNS, Study, to_study
from heed.store.tables import accounts, leases, studies

_DONE = (
    sa.select(sa.func.count())
    .where(leases.c.account == accounts.c.id, leases.c.study == studies.c.id, leases.c.state == "done")
    .correlate(accounts, studies)
    .scalar_subquery()
)
# Built once: building a statement costs more than running it.
_VISITOR = (
    sa.select(*ACCOUNT_COLUMNS, *STUDY_COLUMNS, _DONE)
    .select_from(accounts.outerjoin(studies, studies.c.code == sa.bindparam("code")))
    .where(accounts.c.id == sa.bindparam("who"))
)


@dataclass(frozen=True, slots=True)
class Visitor:
    """An account, the study of the address if there is one, and how many of its items they have finished."""

    account: Account | None = None
    study: Study | None = None
    done: int = 0


def find_visitor(database: Database, account: int, code: str | None) -> Visitor:
    """An account and a study that do not exist are None."""
    with database.look() as connection:
        row = connection.execute(_VISITOR, {"who": account, "code": code}).first()
    if row is None:
        return Visitor()
    width = len(ACCOUNT_COLUMNS)
    study = to_study(row[width:-1]) if row[width] is not None else None
    return Visitor(Account(*row[:width]), study, row[-1])
