"""A database that an earlier Heed filled becomes one of today, with all its rows."""

from collections.abc import Iterator
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from heed.store.backup import check_store
from heed.store.database import FILE_NAME, Database, open_database
from heed.store.migrate import config_for
from heed.store.tables import metadata
from heed.workspace import Workspace

# As the first version of the tables had them; written out, because today's tables may have moved on.
ROWS: dict[str, list[dict[str, Any]]] = {
    "settings": [{"name": "secret", "value": "s"}],
    "accounts": [
        {"id": 1, "name": "Ann", "password": "hash", "role": "labeler", "kind": "human", "worker": "w1",
         "created": 5, "consented": 6, "panel": None, "participant": None, "pay_cents_per_hour": 900},
        {"id": 2, "name": "Bøb 🦓", "password": "hash", "role": "admin", "kind": "simulated", "worker": "w2",
         "created": 7, "consented": None, "panel": None, "participant": None, "pay_cents_per_hour": None},
    ],
    "studies": [
        {"id": 1, "name": "one", "code": "c1", "protocol": "helpfulness", "state": "open",
         "labels_per_item": 2, "lease_seconds": 600, "seed": 3, "options": "{}", "parents": "[]",
         "created": 8, "pay_cents_per_item": None},
    ],
    "invites": [
        {"id": 1, "study": 1, "role": "labeler", "kind": "human", "uses": 1, "most_uses": 4, "created": 5,
         "expires": 99},
    ],
    "memberships": [
        {"study": 1, "account": 1, "joined": 9, "excluded": None, "reason": None},
        {"study": 1, "account": 2, "joined": 9, "excluded": 10, "reason": "too fast"},
    ],
    "items": [
        {"id": f"i{n}", "study": 1, "position": n, "purpose": "ordinary", "example": f"e{n}", "domain": None,
         "subreddit": "Advice", "split": "test", "title": "T", "situation": "Story\n<b>", "policy_a": "one",
         "policy_b": "two", "text_a": "A", "text_b": "B", "reference": None, "expected": None, "wanted": 2,
         "taken": 1, "full": False}
        for n in (1, 2)
    ],
    "leases": [
        {"id": n, "token": f"t{n}", "item": f"i{n}", "account": 1, "study": 1, "state": state, "stage": 0,
         "answers": "{}", "draft": '{"comment": "half"}', "first": "b", "granted": 11, "expires": 999,
         "note": None}
        for n, state in ((1, "done"), (2, "running"))
    ],
    "instructions": [{"version": "v", "text": "Read.", "first_used": 10}],
    "judgments": [
        {"id": n, "item": "i1", "account": 1, "study": 1, "revision": n, "kind": "human", "choice": "a",
         "strength": 0.5, "answers": '{"comment": "<script>"}', "first": "b", "seconds": 2.5, "started": 11,
         "saved": 12 + n, "instructions": "v"}
        for n in (1, 2)
    ],
}  # fmt: skip


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def old(request: pytest.FixtureRequest, workspace: Workspace) -> Iterator[str]:
    """The address of a database with the first tables and rows in all of them."""
    if request.param == "sqlite":
        url = f"sqlite:///{workspace.folder() / FILE_NAME}"
    else:
        url = request.getfixturevalue("postgres_server")
    database = Database(url)
    with database.write() as connection:
        command.upgrade(config_for(connection), "0001")
        for table, rows in ROWS.items():
            there = sa.Table(table, sa.MetaData(), autoload_with=connection)
            connection.execute(sa.insert(there), rows)
    yield url
    if not database.is_sqlite:
        with database.write() as connection:
            connection.execute(sa.text("DROP SCHEMA public CASCADE"))
            connection.execute(sa.text("CREATE SCHEMA public"))
    database.close()


def test_every_row_of_the_first_tables_is_kept(workspace: Workspace, old: str) -> None:
    database = open_database(workspace, old)
    with database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        for table, rows in ROWS.items():
            there = metadata.tables[table]
            found = connection.execute(sa.select(there).order_by(*there.primary_key)).mappings()
            assert [dict(row) for row in found] == rows, table
    assert check_store(database)["problems"] == []
    for words in ("UPDATE judgments SET strength = 0", "DELETE FROM judgments"):
        with pytest.raises(sa.exc.DBAPIError, match="append-only"), database.write() as connection:
            connection.execute(sa.text(words))
    database.close()
