"""Other people's files as frames: JSONL, JSON, CSV or Parquet; a sentence when they are not what they say."""

from collections.abc import Callable
from pathlib import Path

import polars as pl

from heed.errors import NotFoundError, UnreadableError, UserError

_READERS: dict[str, Callable[[Path], pl.DataFrame]] = {
    ".parquet": pl.read_parquet,
    ".csv": pl.read_csv,
    ".jsonl": pl.read_ndjson,
    ".ndjson": pl.read_ndjson,
    ".json": pl.read_json,
}


def read_table(path: Path) -> pl.DataFrame:
    """One file; what it is follows from its name."""
    reader = _READERS.get(path.suffix.lower())
    if not path.is_file():
        raise NotFoundError(f"There is no file {path}.")
    if reader is None:
        raise UserError(f"{path.name} is none of {', '.join(_READERS)}: rename or convert it.")
    try:
        frame = reader(path)
    except (pl.exceptions.PolarsError, OSError, ValueError) as error:
        raise UnreadableError(
            f"{path} cannot be read as {path.suffix}: {str(error).splitlines()[0]}."
        ) from None
    if frame.is_empty():
        raise UserError(f"{path} has no rows.")
    return frame


def need_columns(frame: pl.DataFrame, names: list[str], path: Path) -> None:
    """Say which columns are missing and which there are."""
    missing = [name for name in names if name not in frame.columns]
    if missing:
        there = ", ".join(frame.columns)
        raise UserError(f"{path} has no column {', '.join(missing)}: it has {there}.")
