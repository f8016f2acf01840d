"""How the event loop waits for the disk: one fsync at a time, and all whom it settled go on together.

A thread for each of them would give every one a turn of its own, with a page of somebody else in between.
"""

import asyncio

from heed.store.settling import Settling


class Disk:
    def __init__(self) -> None:
        self._sync: asyncio.Future[None] | None = None

    async def wait_for(self, settling: Settling, commit: int) -> None:
        """Return when this commit is on disk; the loop is free in the meantime."""
        while not settling.is_settled(commit):
            if self._sync is None or self._sync.done():
                loop = asyncio.get_running_loop()
                self._sync = loop.run_in_executor(None, settling.settle, commit)
            # One that is under way may have begun before our commit: then we come round once more.
            await asyncio.shield(self._sync)
