"""Files of judgments that were made elsewhere, brought to the three shapes statistics work on.

Known by their columns or keys: `task, worker, label`; `model_a, model_b, winner` (also model_x and model_y);
OpenAI's comparison and axis JSON lines; our own frozen Parquet. Nothing is guessed beyond that: a file that
is none of these is refused.
"""

from dataclasses import dataclass
from pathlib import Path

import polars as pl

from heed.errors import NotFoundError, UnreadableError, UserError
from heed.statistics.frozen import counted_kind, distinct_items, read_judgments
from heed.statistics.likert import axis_ratings
from heed.statistics.openai_files import read_openai

WINNER_WORDS = {
    **dict.fromkeys(["a", "model_a", "left", "x", "model_x"], "a"),
    **dict.fromkeys(["b", "model_b", "right", "y", "model_y"], "b"),
    **dict.fromkeys(["tie", "draw", "both", "neither", "tie (bothbad)", "bothbad"], "tie"),
}
JSON_LINES = (".jsonl", ".json", ".ndjson")
_ITEM_NAMES = ("item", "task", "id", "question_id")
_EXAMPLE_NAMES = ("example", "prompt", "question_id")
_WORKER_NAMES = ("worker", "judge", "annotator", "labeler")


@dataclass(frozen=True, slots=True)
class Loaded:
    """What a file holds: `votes` item, worker, label; `comparisons` model_a, model_b, winner; `ratings`."""

    format: str
    votes: pl.DataFrame | None = None
    comparisons: pl.DataFrame | None = None
    ratings: pl.DataFrame | None = None
    remarks: tuple[str, ...] = ()


def load(paths: list[Path]) -> Loaded:
    """All files as one; they must be of one format."""
    parts = [_load_one(path) for path in paths]
    formats = sorted({part.format for part in parts})
    if len(formats) > 1:
        raise UserError(f"The files are of different formats ({', '.join(formats)}): give them one by one.")
    return Loaded(
        formats[0],
        _together([part.votes for part in parts]),
        _together([part.comparisons for part in parts]),
        _together([part.ratings for part in parts]),
        tuple(remark for part in parts for remark in part.remarks),
    )


def _load_one(path: Path) -> Loaded:
    if path.is_dir() or path.suffix in (".parquet", *JSON_LINES):
        return _from_frozen(find_judgments(path))
    if not path.exists():
        raise NotFoundError(f"There is no file {path}.")
    return _from_table(path)


def find_judgments(place: Path) -> pl.DataFrame:
    """Whole judgments with texts: frozen Parquet, an artifact's folder, or OpenAI's JSON lines."""
    return read_openai(place) if place.suffix in JSON_LINES else read_judgments(place)


def _from_table(path: Path) -> Loaded:
    separator = "\t" if path.suffix == ".tsv" else ","
    try:
        frame = pl.read_csv(path, separator=separator, infer_schema=False)
    except (pl.exceptions.PolarsError, UnicodeDecodeError) as error:
        raise UnreadableError(f"{path} cannot be read as a table: {str(error).splitlines()[0]}.") from None
    if {"task", "worker", "label"} <= set(frame.columns):
        return Loaded("task, worker, label", votes=frame.select("worker", "label", item="task"))
    for first, second in (("model_a", "model_b"), ("model_x", "model_y")):
        if {first, second, "winner"} <= set(frame.columns):
            return _from_pairs(
                frame.rename({first: "model_a", second: "model_b"}), f"{first}, {second}, winner"
            )
    raise UnreadableError(
        f"{path} has the columns {', '.join(frame.columns)}; Heed reads task, worker, label or model_a, "
        "model_b, winner."
    )


def _from_pairs(frame: pl.DataFrame, name: str) -> Loaded:
    words = frame["winner"].str.to_lowercase()
    strange = words.filter(~words.is_in(list(WINNER_WORDS)))
    if len(strange):
        raise UnreadableError(
            f"winner is {strange[0]!r} in {len(strange)} rows; known: a, b, left, right, tie."
        )
    frame = frame.with_columns(winner=words.replace_strict(WINNER_WORDS, return_dtype=pl.String))
    item, worker = _first_there(frame, _ITEM_NAMES), _first_there(frame, _WORKER_NAMES)
    example = _first_there(frame, _EXAMPLE_NAMES)
    columns = {"example": example} if example else {}
    comparisons = frame.select("model_a", "model_b", "winner", **columns)
    if not item or not worker:
        return Loaded(name, comparisons=comparisons)
    votes = _same_way_round(frame.rename({item: "item", worker: "worker"}))
    return Loaded(name, votes=votes, comparisons=comparisons)


def _same_way_round(frame: pl.DataFrame) -> pl.DataFrame:
    """Votes as item, worker, label a/b/tie, where a is the model that came first on the item's first row."""
    turned = pl.col("model_a") != pl.col("model_a").first().over("item")
    other = pl.col("winner").replace({"a": "b", "b": "a"})
    return frame.select("item", "worker", label=pl.when(turned).then(other).otherwise("winner"))


def _from_frozen(frame: pl.DataFrame) -> Loaded:
    frame, kind = distinct_items(frame), counted_kind(frame)
    left = [name for name in frame["kind"].unique().sort() if name != kind]
    remarks = tuple(f"Left out: {(frame['kind'] == name).sum()} {name} judgments." for name in left)
    frame = frame.filter(pl.col("kind") == kind)
    pairs = frame.filter((pl.col("choice") != "none") & pl.col("policy_b").is_not_null())
    between = pairs.filter(pl.col("policy_a") != pl.col("policy_b"))
    comparisons = between.select("example", model_a="policy_a", model_b="policy_b", winner="choice")
    votes = pairs.select("item", "worker", label="choice")
    shapes = (votes, comparisons, axis_ratings(frame))
    first, second, third = (part if part.height else None for part in shapes)
    return Loaded("judgments with texts", first, second, third, remarks)


def _first_there(frame: pl.DataFrame, names: tuple[str, ...]) -> str | None:
    return next((name for name in names if name in frame.columns), None)


def _together(frames: list[pl.DataFrame | None]) -> pl.DataFrame | None:
    there = [frame for frame in frames if frame is not None]
    return pl.concat(there, how="diagonal") if there else None
