"""The disk is slow: whoever saves waits for it, nobody is told too early, and the others go on."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from heed.site.serve import running
from heed.store.database import Database
from heed.store.judgments import read_judgments
from heed.store.settling import Settling
from heed.store.studies import Study
from heed.workspace import Workspace

pytestmark = pytest.mark.parametrize("database", ["sqlite"], indirect=True)  # a server has disks of its own
SAVING = 5
ANSWERS = {"preference": "slightly_a", "rating": "dangerous", "usefulness": "never"}


class SlowDisk:
    """Holds up every fsync of the log while it is slow."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.waited, self.goes = 0, threading.Event()
        self.goes.set()
        real = Settling._sync

        def sync(settling: Settling) -> None:
            self.waited += not self.goes.is_set()
            assert self.goes.wait(30)
            real(settling)

        monkeypatch.setattr(Settling, "_sync", sync)

    def __enter__(self) -> None:
        self.goes.clear()

    def __exit__(self, *_error: object) -> None:
        self.goes.set()


@pytest.fixture
def visitor(workspace: Workspace, visitor_at: Callable[[str], Any]) -> Iterator[Callable[[], Any]]:
    """Browsers at a site that really runs: several of them ask at once."""
    with running(workspace) as address:
        yield lambda: visitor_at(address)


def test_others_go_on_and_nobody_is_told_too_early(
    database: Database,
    make_study: Callable[..., Study],
    come: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    study = make_study(examples=4, labels_per_item=SAVING + 1)
    path, disk = f"/work/{study.code}", SlowDisk(monkeypatch)
    people = [come(f"person {number}", study) for number in range(SAVING + 1)]
    for person in people:
        person.get(path)
    *saving, reader = people
    twice = {**saving[0].hidden(), **ANSWERS}
    with ThreadPoolExecutor(SAVING + 1) as pool, disk:
        pages = [pool.submit(person.send, path, **ANSWERS) for person in saving]
        ended = time.monotonic() + 10
        while len(read_judgments(database, study)) < SAVING and time.monotonic() < ended:
            time.sleep(0.01)
        assert len(read_judgments(database, study)) == SAVING
        again = pool.submit(saving[0].client.post, path, data=twice)
        before = reader.hidden()["task"]
        for _ in range(3):  # answered, because the disk holds up only those who save
            reader.get(path)
            assert reader.hidden()["task"] == before
        assert not any(page.done() for page in [*pages, again])
        disk.goes.set()
        assert all("Saved." in page.result(30).text for page in pages)
        assert "Already saved" in again.result(30).text
    assert disk.waited <= 2  # one for the first, one for all who came after it
