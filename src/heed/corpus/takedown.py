"""`heed takedown`: forget posts, comments, or everything by one author.

The list is remembered first; then every corpus gets a new snapshot without them, and the bytes are erased
from the old ones and from everything that was made of them. A takedown that was interrupted is finished by
running it again.
"""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl

from heed.corpus.lock import corpus_lock
from heed.corpus.pseudonyms import PREFIX, Pseudonyms, workspace_pseudonyms
from heed.corpus.schema import FOLDERS
from heed.corpus.snapshot import KINDS, write_bucket, write_snapshot
from heed.corpus.store import CORPORA, corpus_names, open_corpus, snapshot_paths
from heed.corpus.takedown_derived import erase_derived
from heed.corpus.takedown_list import TakedownList, from_entries, remember_takedowns
from heed.errors import UserError
from heed.manifest import MANIFEST_NAME, hash_files
from heed.workspace import Workspace, open_artifact

_ENTRY = re.compile(
    r"^(?:t3_(?P<post>\w+)|t1_(?P<comment>\w+)|(?P<pseudonym>p_[0-9a-f]{16})|/?u/(?P<name>[\w-]+))$"
)


def take_down(targets: Iterable[str], workspace: Workspace) -> dict[str, Any]:
    """Forget what `targets` name (ids, pseudonyms, u/names, or files of them); what was removed where."""
    asked = read_targets(targets, workspace_pseudonyms(workspace))
    remember_takedowns(workspace, asked)
    corpora = {name: _take_from_corpus(workspace, name, asked) for name in corpus_names(workspace)}
    derived = erase_derived(workspace, asked)
    totals: Counter[str] = Counter()
    for removed in corpora.values():
        totals.update(removed)
    return {
        "asked": len(asked.entries()),
        "posts": totals["posts"],
        "comments": totals["comments"],
        "corpora": corpora,
        "derived": derived,
    }


def read_targets(targets: Iterable[str], pseudonyms: Pseudonyms) -> TakedownList:
    """t3_ posts, t1_ comments, p_ pseudonyms and u/names; a file holds one a line."""
    entries = []
    for target in targets:
        lines = Path(target).read_text(encoding="utf-8").splitlines() if Path(target).is_file() else [target]
        entries += [
            _entry(line.split("#")[0].strip(), pseudonyms) for line in lines if line.split("#")[0].strip()
        ]
    if not entries:
        raise UserError("Nothing to take down: give ids such as t3_abc or t1_def, or a file with one a line.")
    return from_entries(entries)


def _entry(text: str, pseudonyms: Pseudonyms) -> dict[str, str]:
    match = _ENTRY.match(text)
    if not match:
        raise UserError(
            f"'{text}' is neither a file nor something to take down: give t3_… for a post, t1_… for a "
            f"comment, {PREFIX}… for a pseudonym or u/… for a name."
        )
    kind = str(match.lastgroup)
    if kind == "name":
        return {"kind": "author", "id": pseudonyms.of(match["name"])}
    return {"kind": "author" if kind == "pseudonym" else kind, "id": match[kind].lower()}


def _take_from_corpus(workspace: Workspace, name: str, asked: TakedownList) -> dict[str, int]:
    with corpus_lock(workspace, name):
        corpus = open_corpus(workspace, name)
        before = Counter(corpus.artifact.manifest.counts["taken_down"])
        after = before
        if any(_holds(path, asked) for path in _bucket_files(corpus.artifact.path)):
            options = corpus.artifact.manifest.options
            corpus = write_snapshot(workspace, name, corpus, {}, asked, options)
            after = Counter(corpus.artifact.manifest.counts["taken_down"])
        for old in snapshot_paths(workspace.root / CORPORA / name)[:-1]:
            _erase(old, asked)
    return {kind: after[kind] - before[kind] for kind in FOLDERS.values()}


def _bucket_files(snapshot: Path) -> list[Path]:
    return [path for folder in FOLDERS.values() for path in sorted((snapshot / folder).glob("*.parquet"))]


def _holds(path: Path, asked: TakedownList) -> bool:
    return bool(pl.scan_parquet(path).select(_matches(path, asked).any()).collect().item())


def _matches(path: Path, asked: TakedownList) -> pl.Expr:
    return asked.matches(next(kind for kind in KINDS if FOLDERS[kind] == path.parent.name))


def _erase(snapshot: Path, asked: TakedownList) -> None:
    """Rewrite the buckets of an old snapshot that hold what must go, and leave a note in its manifest."""
    manifest = open_artifact(snapshot).manifest
    counts, erased = dict(manifest.counts), 0
    for path in _bucket_files(snapshot):
        if not _holds(path, asked):
            continue
        rows = pl.read_parquet(path)
        kept = rows.filter(~_matches(path, asked))
        write_bucket(kept, path)
        counts[path.parent.name] -= len(rows) - len(kept)
        erased += len(rows) - len(kept)
    if erased:
        note = {"what": "takedown", "rows_erased": erased}
        revised = manifest.revised(files=hash_files(snapshot), counts=counts, note=note)
        revised.write(snapshot / MANIFEST_NAME)
