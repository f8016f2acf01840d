"""Takedowns in what was made from a corpus: datasets, responses, scores, judgments.

Known by their columns, not by their rooms, because those stand above this one. An example goes as a whole
when its post, one of its references or a question borrowed from elsewhere must go, and with it everything
that was made of it. More than needed may go; nothing that was asked to go stays.
"""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from heed.corpus.takedown_list import TakedownList
from heed.manifest import MANIFEST_NAME, hash_files
from heed.workspace import Artifact, Workspace

_CARD = "README.md"
# Texts kept by hash alone, so that nobody can tell whose they are; they are made again when needed.
_CACHES = ("answers", "tfidf")
_EXAMPLE_COLUMNS = ("example_id", "example")
Choose = Callable[[Mapping[str, Any]], pl.Expr | None]


def erase_derived(workspace: Workspace, asked: TakedownList) -> dict[str, int]:
    """Erase from every artifact but the corpora; how many rows went, by kind/name."""
    artifacts = [each for each in workspace.artifacts() if each.manifest.kind != "corpus"]
    gone: set[str] = set()
    erased: dict[str, int] = {}
    for artifact in artifacts:
        if artifact.manifest.kind == "dataset":
            _count(erased, artifact, _erase(artifact, lambda columns: _of_dataset(columns, asked), gone))
    for artifact in artifacts:
        if artifact.manifest.kind != "dataset" and gone:
            _count(erased, artifact, _erase(artifact, lambda columns: _of_examples(columns, gone), set()))
    if gone:
        _forget_caches(workspace)
    return erased


def _count(erased: dict[str, int], artifact: Artifact, rows: int) -> None:
    if rows:
        erased[f"{artifact.manifest.kind}/{artifact.manifest.name}"] = rows


def _of_dataset(columns: Mapping[str, Any], asked: TakedownList) -> pl.Expr | None:
    """Examples and dropped things of a post or comment, or written by an author."""
    ids = sorted(asked.posts | asked.comments)
    matches = [pl.col(name).is_in(ids) for name in ("id", "post_id") if name in columns]
    if "references" in columns:
        reference = pl.element().struct
        by = reference.field("id").is_in(ids) | reference.field("author").is_in(sorted(asked.authors))
        matches.append(pl.col("references").list.eval(by.fill_null(value=False)).list.any())
    if "meta" in columns and ids:
        matches.append(pl.col("meta").str.contains_any([f'"{each}"' for each in ids]))
    return pl.any_horizontal(*(match.fill_null(value=False) for match in matches)) if matches else None


def _of_examples(columns: Mapping[str, Any], gone: set[str]) -> pl.Expr | None:
    names = [name for name in _EXAMPLE_COLUMNS if name in columns]
    return pl.col(names[0]).is_in(sorted(gone)) if names else None


def _erase(artifact: Artifact, choose: Choose, gone: set[str]) -> int:
    """Rewrite the tables that hold what must go, and note it; the ids of examples that went join `gone`."""
    rows = 0
    for path in sorted(artifact.path.rglob("*.parquet")):
        match = choose(pl.read_parquet_schema(path))
        if match is None:
            continue
        frame = pl.read_parquet(path)
        out = frame.filter(match)
        if len(out):
            _rewrite(path, frame.filter(~match))
            rows += len(out)
            gone |= set(out["id"].to_list()) if "references" in frame.columns else set()
    if rows:
        _note(artifact, rows)
    return rows


def _rewrite(path: Path, frame: pl.DataFrame) -> None:
    scratch = path.with_suffix(".writing")
    frame.write_parquet(scratch)
    scratch.replace(path)


def _note(artifact: Artifact, rows: int) -> None:
    """A dataset's card quotes examples, so it is replaced by a sentence."""
    card = artifact.path / _CARD
    if card.exists():
        card.write_text(
            f"# {artifact.manifest.name}\n\nA takedown erased {rows:,} rows; the card went with them.\n"
        )
    note = {"what": "takedown", "rows_erased": rows}
    counts = artifact.manifest.counts
    revised = artifact.manifest.revised(files=hash_files(artifact.path), counts=counts, note=note)
    revised.write(artifact.path / MANIFEST_NAME)


def _forget_caches(workspace: Workspace) -> None:
    for name in _CACHES:
        shutil.rmtree(workspace.root / "cache" / name, ignore_errors=True)
