"""Brings SQLite's committed writes to the disk, those of several writers at once (group commit).

SQLite would do it inside every commit, one after the other, while the next writer waits. Here a commit hands
its pages to the system, which survives a killed server; then one fsync of the write-ahead log settles
everything committed before it, which survives a power cut. Nobody is told "saved" before that.
"""

import os
import threading
from pathlib import Path


class Settling:
    """The write-ahead log of one database file, and how many commits of this process are surely on disk."""

    def __init__(self, database: Path) -> None:
        # The log is opened anew each time: SQLite may replace it. It holds no locks that closing would drop.
        self._log = database.with_name(f"{database.name}-wal")
        self.committed = self._settled = 0
        self._counting, self._syncing = threading.Lock(), threading.Lock()

    def count_commit(self) -> int:
        """The number of a commit that has just happened, to be settled by it."""
        with self._counting:
            self.committed += 1
            return self.committed

    def is_settled(self, commit: int) -> bool:
        return self._settled >= commit

    def settle(self, commit: int) -> None:
        """Return when this commit, and all before it, is on disk."""
        with self._syncing:
            if self.is_settled(commit):  # somebody's fsync began after our commit
                return
            upto = self.committed
            self._sync()
            self._settled = upto

    def _sync(self) -> None:
        try:
            log = os.open(self._log, os.O_RDONLY)
        except FileNotFoundError:  # folded into the database file, which SQLite has synced by itself
            return
        try:
            os.fsync(log)
        finally:
            os.close(log)
