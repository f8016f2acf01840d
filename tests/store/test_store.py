import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from heed.errors import NotFoundError, UnreadableError, UserError
from heed.store.accounts import add_account, add_invite, find_account, site_secret, use_invite
from heed.store.backup import back_up, check_store, restore
from heed.store.database import FILE_NAME, Database, open_database
from heed.store.tables import metadata
from heed.workspace import Workspace


def test_the_steps_lead_to_the_tables(database: Database) -> None:
    with database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_the_secret_is_made_once(database: Database) -> None:
    assert site_secret(database) == site_secret(database)


def test_names_are_taken_once(database: Database) -> None:
    with database.write() as connection:
        add_account(connection, "Ann", "hash", "labeler")
    with pytest.raises(UserError, match="'Ann' is taken"), database.write() as connection:
        add_account(connection, "Ann", "hash", "labeler")
    found = find_account(database, name="Ann")
    assert found is not None
    assert (found.role, found.kind) == ("labeler", "human")


def test_an_invite_ends(database: Database) -> None:
    once = add_invite(database, "labeler", None, "simulated", 1, 60)
    account = find_account(database, id=use_invite(database, once, "Ann", "hash"))
    assert account is not None
    assert account.kind == "simulated"
    with pytest.raises(UserError, match="used up"):
        use_invite(database, once, "Bob", "hash")
    with pytest.raises(UserError, match="expired"):
        use_invite(database, add_invite(database, "labeler", None, "human", 1, -1), "Bob", "hash")
    assert find_account(database, name="Bob") is None


def test_backup_and_restore(workspace: Workspace, tmp_path: Path) -> None:
    database = open_database(workspace)
    with database.write() as connection:
        add_account(connection, "Ann", "hash", "labeler")
    copy = tmp_path / "copies" / "one.sqlite"
    assert back_up(database, copy)["bytes"] > 0
    with pytest.raises(UserError, match="never overwrites"):
        back_up(database, copy)
    elsewhere = Workspace(tmp_path / "elsewhere")
    restore(elsewhere, copy)
    with pytest.raises(UserError, match="move it away"):
        restore(elsewhere, copy)
    again = open_database(elsewhere)
    found = check_store(again)
    assert (found["rows"]["accounts"], found["problems"], found["tables"]) == (1, [], "0002")
    database.close()
    again.close()


def test_what_is_no_backup(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        restore(workspace, tmp_path / "absent")
    (tmp_path / "text").write_text("no database")
    with pytest.raises(UnreadableError):
        restore(workspace, tmp_path / "text")


def test_addresses_that_are_none(workspace: Workspace) -> None:
    for url in ("mysql://somewhere/x", "not an address"):
        with pytest.raises(UserError):
            open_database(workspace, url)


def test_a_database_of_a_newer_heed(workspace: Workspace) -> None:
    database = open_database(workspace)
    with database.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    with pytest.raises(UserError, match="newer Heed"):
        open_database(workspace)


@pytest.mark.slow
def test_what_is_promised_waits_for_the_disk(workspace: Workspace, postgres_server: str) -> None:
    database = open_database(workspace, postgres_server)
    words = sa.text("SHOW synchronous_commit")
    with database.write() as promised, database.look() as alone, database.write(promised=False) as hasty:
        assert [each.scalar(words) for each in (promised, alone, hasty)] == ["on", "on", "off"]
    database.close()


WRITER = """
import sys
from heed.store.accounts import add_account
from heed.store.database import open_database
from heed.workspace import Workspace
database = open_database(Workspace(sys.argv[1]))
for number in range(10_000):
    with database.write() as connection:
        add_account(connection, f"{sys.argv[2]}-{number}", "hash", "labeler")
    print(f"{sys.argv[2]}-{number}", flush=True)
"""


def test_what_was_acknowledged_survives_a_kill(workspace: Workspace) -> None:
    told: list[str] = []
    for run in range(3):
        words = [sys.executable, "-c", WRITER, str(workspace.root), str(run)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            told += [process.stdout.readline().strip() for _ in range(20)]
            os.kill(process.pid, signal.SIGKILL)
            told += [line.strip() for line in process.stdout if line.endswith("\n")]
    database = open_database(workspace)
    assert (workspace.root / FILE_NAME).exists()
    assert len(told) >= 60
    assert [name for name in told if find_account(database, name=name) is None] == []
    database.close()
