import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from heed.store.accounts import add_account
from heed.store.database import open_database
from heed.store.settling import Settling
from heed.workspace import Workspace


@pytest.fixture
def syncs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which files were brought to the disk."""
    seen: list[str] = []
    real: Callable[[int], None] = os.fsync

    def note(file: int) -> None:
        seen.append(str(Path(f"/proc/self/fd/{file}").readlink()))
        real(file)

    monkeypatch.setattr(os, "fsync", note)
    return seen


def test_a_write_is_on_disk_when_it_returns(workspace: Workspace, syncs: list[str]) -> None:
    database = open_database(workspace)
    syncs.clear()
    with database.write() as connection:
        add_account(connection, "Ann", "hash", "labeler")
        assert syncs == []
    assert syncs == [f"{database.path}-wal"]
    with database.write(promised=False) as connection:
        add_account(connection, "Bob", "hash", "labeler")
    assert len(syncs) == 1
    database.close()


def test_a_write_that_fails_settles_nothing(workspace: Workspace, syncs: list[str]) -> None:
    database = open_database(workspace)
    syncs.clear()
    with pytest.raises(ZeroDivisionError), database.write():
        _ = 1 / 0
    assert syncs == []
    database.close()


def test_what_is_owed_is_on_disk_when_it_was_settled(workspace: Workspace, syncs: list[str]) -> None:
    database = open_database(workspace)
    syncs.clear()
    with database.owing() as owed:
        for name in ("Ann", "Bob"):
            with database.write() as connection:
                add_account(connection, name, "hash", "labeler")
    assert (len(owed), syncs) == (2, [])
    assert database.settling is not None
    assert not database.settling.is_settled(owed[-1])
    for _ in range(2):  # the second time there is nothing left to do
        database.settling.settle(owed[-1])
        assert syncs == [f"{database.path}-wal"]
        assert database.settling.is_settled(owed[-1])
    with database.write() as connection:
        add_account(connection, "Cem", "hash", "labeler")
    assert len(syncs) == 2
    database.close()


def test_one_sync_is_enough_for_all_who_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settling, begun, go_on = Settling(tmp_path / "heed.sqlite"), threading.Event(), threading.Event()
    syncs = []

    def slow(_self: Settling) -> None:
        syncs.append(1)
        begun.set()
        assert go_on.wait(10)

    monkeypatch.setattr(Settling, "_sync", slow)

    def commit_and_settle() -> None:
        settling.settle(settling.count_commit())

    threads = [threading.Thread(target=commit_and_settle) for _ in range(8)]
    threads[0].start()
    assert begun.wait(10)
    for thread in threads[1:]:
        thread.start()
    while settling.committed < 8:
        pass
    go_on.set()
    for thread in threads:
        thread.join(10)
    # The first was under way when the others committed, so it does not count for them; the second does.
    assert len(syncs) == 2
