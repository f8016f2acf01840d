"""Examples as Parquet: one schema for every kind, one file per split, rows in the order of their ids."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import polars as pl

from heed.errors import NotFoundError
from heed.records import Example, Reference
from heed.workspace import Artifact, Workspace, open_artifact

_REFERENCE = pl.Struct({"text": pl.String, "score": pl.Int64, "id": pl.String, "author": pl.String})
SCHEMA: dict[str, Any] = {
    "id": pl.String,
    "kind": pl.String,
    "split": pl.String,
    "subreddit": pl.String,
    "domain": pl.String,
    "created": pl.Int64,
    "title": pl.String,
    "text": pl.String,
    "references": pl.List(_REFERENCE),
    "choices": pl.List(pl.String),
    "label": pl.Int64,
    "post_id": pl.String,
    "meta": pl.String,
}
DATA_FOLDER = "data"


def write_examples(examples: Iterable[Example], folder: Path) -> dict[str, int]:
    """One file per split below `folder`/data; how many examples each has."""
    by_split: dict[str, list[Example]] = {}
    for example in examples:
        by_split.setdefault(example.split, []).append(example)
    (folder / DATA_FOLDER).mkdir()
    for split, members in sorted(by_split.items()):
        rows = [_to_row(example) for example in sorted(members, key=lambda member: member.id)]
        pl.DataFrame(rows, schema=SCHEMA).write_parquet(folder / DATA_FOLDER / f"{split}.parquet")
    return {split: len(members) for split, members in sorted(by_split.items())}


def open_dataset(workspace: Workspace, name: str) -> Artifact:
    """The dataset of this name, or a sentence that lists the ones there are."""
    place = workspace.root / "datasets" / name
    if not place.is_dir():
        there = sorted(path.name for path in place.parent.glob("*") if path.is_dir())
        known = f"there are {', '.join(there)}" if there else "there is none yet: make one with 'heed build'"
        raise NotFoundError(f"There is no dataset '{name}' in {workspace.root}: {known}.")
    return open_artifact(place)


def read_frame(dataset: Artifact, split: str | None = None) -> pl.DataFrame:
    """All examples of a dataset, or of one split, as a frame."""
    paths = sorted((dataset.path / DATA_FOLDER).glob(f"{split or '*'}.parquet"))
    if not paths:
        known = ", ".join(path.stem for path in sorted((dataset.path / DATA_FOLDER).glob("*.parquet")))
        raise NotFoundError(f"Dataset '{dataset.manifest.name}' has no split '{split}': it has {known}.")
    return pl.concat([pl.read_parquet(path) for path in paths])


def read_examples(dataset: Artifact, split: str | None = None) -> list[Example]:
    return [_from_row(row) for row in read_frame(dataset, split).iter_rows(named=True)]


def _to_row(example: Example) -> dict[str, Any]:
    row = {name: getattr(example, name) for name in SCHEMA}
    row["choices"] = list(example.choices)
    row["references"] = [
        {"text": r.text, "score": r.score, "id": r.id, "author": r.author} for r in example.references
    ]
    return row


def _from_row(row: dict[str, Any]) -> Example:
    references = tuple(Reference(**reference) for reference in row["references"])
    return Example(**{**row, "references": references, "choices": tuple(row["choices"])})
