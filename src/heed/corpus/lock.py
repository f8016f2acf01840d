"""One writer per corpus: the lock is held by a process and goes with it, however that ends."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager

from heed.corpus.store import CORPORA
from heed.errors import BusyError
from heed.workspace import Workspace


@contextmanager
def corpus_lock(workspace: Workspace, name: str) -> Iterator[None]:
    """Hold the corpus, or say at once that somebody else does."""
    with (workspace.folder(CORPORA, name) / ".lock").open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BusyError(
                f"Another command is writing to the corpus '{name}' in {workspace.root}: "
                f"wait until it has ended, or use another corpus."
            ) from None
        yield
