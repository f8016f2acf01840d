"""The ids that must not come back: kept in the workspace, applied to every later ingest and build.

Only ids and pseudonyms are kept, never names or texts.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec
import polars as pl

from heed.manifest import write_atomically
from heed.records import Kind
from heed.workspace import Workspace

_FILE_NAME = "takedowns.jsonl"


@dataclass(frozen=True)
class TakedownList:
    """What was asked to be forgotten, by kind; ids without t3_ and t1_."""

    posts: frozenset[str] = frozenset()
    comments: frozenset[str] = frozenset()
    authors: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.posts or self.comments or self.authors)

    def __or__(self, other: "TakedownList") -> "TakedownList":
        return TakedownList(
            self.posts | other.posts, self.comments | other.comments, self.authors | other.authors
        )

    def matches(self, kind: Kind) -> pl.Expr:
        """Rows to forget. A comment goes with its post: it quotes and retells it."""
        by_author = pl.col("author").is_in(sorted(self.authors)).fill_null(value=False)
        if kind == "post":
            return pl.col("id").is_in(sorted(self.posts)) | by_author
        of_post = pl.col("post_id").is_in(sorted(self.posts))
        return pl.col("id").is_in(sorted(self.comments)) | of_post | by_author

    def entries(self) -> list[dict[str, str]]:
        kinds = {"post": self.posts, "comment": self.comments, "author": self.authors}
        return [{"kind": kind, "id": key} for kind, keys in kinds.items() for key in sorted(keys)]


def read_takedowns(workspace: Workspace) -> TakedownList:
    """Everything this workspace was ever asked to forget."""
    lines = [msgspec.json.decode(line) for line in _stored(workspace).splitlines()]
    return from_entries(lines)


def from_entries(entries: Iterable[dict[str, str]]) -> TakedownList:
    keys: dict[str, set[str]] = {"post": set(), "comment": set(), "author": set()}
    for entry in entries:
        keys[entry["kind"]].add(entry["id"])
    return TakedownList(*(frozenset(keys[kind]) for kind in ("post", "comment", "author")))


def remember_takedowns(workspace: Workspace, new: TakedownList) -> None:
    """Add to the list before anything is erased, so that an interrupted takedown is not forgotten."""
    known = read_takedowns(workspace).entries()
    day = time.strftime("%Y-%m-%d", time.gmtime())
    added = [{**entry, "asked": day} for entry in new.entries() if entry not in known]
    lines = b"".join(msgspec.json.encode(entry) + b"\n" for entry in added)
    workspace.folder()
    write_atomically(_path(workspace), _stored(workspace) + lines)


def _path(workspace: Workspace) -> Path:
    return workspace.root / _FILE_NAME


def _stored(workspace: Workspace) -> bytes:
    return _path(workspace).read_bytes() if _path(workspace).exists() else b""
