"""Authors become keyed-hash pseudonyms before anything is written.

The key stays in the workspace's secret folder; a manifest carries only its fingerprint. Whoever has the key
can turn a name into its pseudonym (a takedown needs that), nobody can turn a pseudonym into a name.
"""

import hashlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path

import polars as pl

from heed.errors import UserError
from heed.workspace import Workspace

PREFIX = "p_"
# What stands in a dump where the author is gone.
NOBODY = ("[deleted]", "[removed]", "")
_KEY_BYTES = 32
# 64 bits: among a hundred million authors the chance that any two collide is about one in four thousand.
_DIGEST_BYTES = 8
_CACHE_MOST = 1_000_000


class Pseudonyms:
    """Names in, pseudonyms out; remembers recent ones because a thread's authors recur."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self._known = _Memory(self.of)

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256(b"heed pseudonym key " + self.key).hexdigest()[:16]

    def of(self, author: str) -> str:
        """Reddit's names are unique without regard to case."""
        digest = hashlib.blake2b(author.lower().encode(), key=self.key, digest_size=_DIGEST_BYTES)
        return PREFIX + digest.hexdigest()

    def of_column(self, authors: pl.Series) -> pl.Series:
        """The pseudonym of each author, None for nobody. Several threads may ask at once."""
        if len(self._known) > _CACHE_MOST:
            self._known = _Memory(self.of)
        return pl.Series(map(self._known.__getitem__, authors.to_list()), dtype=pl.String)


class _Memory(dict[str | None, str | None]):
    """One look-up per line: a name that is not there yet is added by the look-up itself."""

    def __init__(self, of: Callable[[str], str]) -> None:
        super().__init__(dict.fromkeys([None, *NOBODY]))
        self._of = of

    def __missing__(self, name: str) -> str:
        pseudonym = self[name] = self._of(name)
        return pseudonym


def workspace_pseudonyms(workspace: Workspace) -> Pseudonyms:
    """The workspace's own key, made on first use and readable by its owner alone."""
    path = workspace.folder("secrets") / "pseudonym.key"
    if not path.exists():
        _create_key(path)
    key = bytes.fromhex(path.read_text().strip())
    if len(key) != _KEY_BYTES:
        raise UserError(f"{path} does not hold a key of {_KEY_BYTES} bytes in hex: restore it from a backup.")
    return Pseudonyms(key)


def _create_key(path: Path) -> None:
    """Exclusive creation: of two first ingests at once, one makes the key and both use it."""
    scratch = path.with_name(f".key.{os.getpid()}")
    handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w") as stream:
        stream.write(secrets.token_bytes(_KEY_BYTES).hex() + "\n")
        stream.flush()
        os.fsync(handle)
    try:
        path.hardlink_to(scratch)
    except FileExistsError:
        pass
    finally:
        scratch.unlink()
