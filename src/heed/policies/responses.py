"""Responses as Parquet: one file, by policy and example; how long each took lies beside it."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl

from heed.errors import NotFoundError
from heed.manifest import TIMINGS_NAME
from heed.records import Response
from heed.workspace import Artifact, Workspace, open_artifact

RESPONSES_NAME = "responses.parquet"
_SCHEMA: dict[str, Any] = {
    "example_id": pl.String,
    "policy": pl.String,
    "sample": pl.Int64,
    "text": pl.String,
    "choice": pl.Int64,
    "finish": pl.String,
    "failure": pl.String,
    "prompt_hash": pl.String,
    "tokens_in": pl.Int64,
    "tokens_out": pl.Int64,
    "seconds": pl.Float64,
    "seed": pl.Int64,
    "temperature": pl.Float64,
    "top_p": pl.Float64,
}
_KEY = ["example_id", "policy", "sample"]


def responses_place(workspace: Workspace, name: str) -> Path:
    return workspace.root / "responses" / name


def write_responses(responses: Sequence[Response], folder: Path) -> None:
    frame = pl.DataFrame([asdict(response) for response in responses], schema=_SCHEMA)
    frame.drop("seconds").write_parquet(folder / RESPONSES_NAME)
    frame.select(*_KEY, "seconds").write_parquet(folder / TIMINGS_NAME)


def open_responses(workspace: Workspace, name: str) -> Artifact:
    """The responses of this name, or a sentence that lists the ones there are."""
    place = responses_place(workspace, name)
    if not place.is_dir():
        there = ", ".join(sorted(path.name for path in place.parent.glob("*") if path.is_dir())) or "none"
        raise NotFoundError(f"There are no responses '{name}' in {workspace.root} (there: {there}).")
    return open_artifact(place)


def read_frame(artifact: Artifact) -> pl.DataFrame:
    """All responses with their seconds, as a frame with the columns of records.Response."""
    responses = pl.read_parquet(artifact.path / RESPONSES_NAME)
    timings = pl.read_parquet(artifact.path / TIMINGS_NAME)
    return responses.join(timings, on=_KEY, how="left", maintain_order="left").select(list(_SCHEMA))


def read_responses(artifact: Artifact) -> list[Response]:
    return [Response(**row) for row in read_frame(artifact).iter_rows(named=True)]
