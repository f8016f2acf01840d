"""Frozen judgments: the Parquet file that judging writes and that reports and training read.

One row is one `Judgment`. The reader checks what every later number relies on; it does not resolve revisions,
which is done when a study is frozen.
"""

from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path
from typing import get_args

import polars as pl

from heed.errors import NotFoundError, UnreadableError, UserError
from heed.records import Choice, JudgeKind, Judgment
from heed.statistics.frames import refuse_double_votes

FILE_NAME = "judgments.parquet"
KINDS: tuple[JudgeKind, ...] = ("human", "simulated", "machine")
REFERENCE_NAMES = ("reference", "ref")
_LATER = tuple(field.name for field in fields(Judgment) if field.default is None)  # not in older files
_SAMPLING = dict.fromkeys(("temperature_a", "temperature_b", "top_p_a", "top_p_b"), pl.Float64)
_TYPES = {"strength": pl.Float64, "seconds": pl.Float64, "started": pl.Int64, "revision": pl.Int64}
_TYPES |= {**_SAMPLING, "batch": pl.Int64}
SCHEMA = pl.Schema({field.name: _TYPES.get(field.name, pl.String) for field in fields(Judgment)})
_OPTIONAL = {
    "domain",
    "subreddit",
    "split",
    "situation",
    "policy_b",
    "text_b",
    "reference",
    "seconds",
    "started",
    *_LATER,
}
_WORDS = {"kind": get_args(JudgeKind), "choice": get_args(Choice), "shown_first": get_args(Choice)}


def write_judgments(judgments: Iterable[Judgment], path: Path) -> None:
    """Write the judgments, sorted, so that the same ones give the same bytes."""
    frame = pl.DataFrame([asdict(judgment) for judgment in judgments], schema=SCHEMA)
    check_judgments(frame)
    path.parent.mkdir(parents=True, exist_ok=True)
    frame.sort("study", "item", "worker").write_parquet(path)


def read_judgments(place: Path) -> pl.DataFrame:
    """The frozen judgments in a Parquet file or in the folder of an artifact."""
    path = place / FILE_NAME if place.is_dir() else place
    try:
        frame = pl.read_parquet(path)
    except FileNotFoundError:
        raise NotFoundError(f"There are no frozen judgments at {path}.") from None
    except pl.exceptions.PolarsError as error:
        raise UnreadableError(f"{path} is not a Parquet file of judgments: {error}.") from None
    frame = frame.with_columns(pl.lit(None).alias(name) for name in _LATER if name not in frame.columns)
    missing = [name for name in SCHEMA if name not in frame.columns]
    if missing:
        raise UnreadableError(f"{path} lacks the columns {', '.join(missing)} of frozen judgments.")
    frame = frame.select(SCHEMA.names()).cast(SCHEMA)
    check_judgments(frame)
    return frame


def check_judgments(frame: pl.DataFrame) -> None:
    """Refuse what would make a number silently wrong."""
    if frame.is_empty():
        raise UserError("There are no judgments in this file.")
    empty = [name for name in SCHEMA if name not in _OPTIONAL and frame[name].null_count()]
    if empty:
        raise UserError(f"Judgments need a value in {', '.join(empty)}; some are empty.")
    for name, words in _WORDS.items():
        strange = frame.filter(~pl.col(name).is_in(words))
        if strange.height:
            raise UserError(f"{name} is one of {', '.join(words)}, not {strange[name][0]!r}.")
    if frame["strength"].is_nan().any() or frame["strength"].abs().max() > 1:  # type: ignore[operator]
        raise UserError("A strength lies in [-1, 1], positive where a is better; some do not.")
    side = pl.when(pl.col("choice") == "a").then(1).when(pl.col("choice") == "b").then(-1).otherwise(0)
    torn = frame.filter(pl.col("strength").sign() != side)
    if torn.height:
        raise UserError(
            f"Choice and strength disagree in {torn.height} judgments, the first on item {torn['item'][0]}: "
            "choice a needs a positive strength, b a negative one, tie and none zero."
        )
    refuse_double_votes(frame, "study", "item", "worker")


def oriented(judgments: pl.DataFrame, against: str | None = None) -> pl.DataFrame:
    """Comparisons seen from one policy each: against a fixed opponent, or from a's side when there is none.

    Adds policy, opponent, text, opponent_text, score (1, 0.5, 0), log_length_ratio, and shown_first as +1, −1
    or 0 from that policy's side; strength is turned too. Ratings of one text are left out. A comparison of
    two texts of one policy has no side to see it from and is left out when `against` is given.
    """
    pairs = judgments.filter((pl.col("choice") != "none") & pl.col("policy_b").is_not_null())
    straight = _seen_from(pairs, "a", "b")
    if against is None:
        return straight
    both = pl.concat([straight, _seen_from(pairs, "b", "a")])
    return both.filter((pl.col("opponent") == against) & (pl.col("policy") != against))


def counted_kind(judgments: pl.DataFrame) -> JudgeKind:
    """Whose judgments count: people's alone wherever there are any; kinds are never mixed."""
    present = set(judgments["kind"])
    return next(kind for kind in KINDS if kind in present)


def distinct_items(judgments: pl.DataFrame) -> pl.DataFrame:
    """Items named after their study where there are several, for two studies may have used one id."""
    if judgments["study"].n_unique() < 2:
        return judgments
    return judgments.with_columns(item=pl.col("study") + "/" + pl.col("item"))


def reference_policy(judgments: pl.DataFrame) -> str | None:
    """What the others are compared with: a policy called reference or ref, else one in every comparison."""
    pairs = judgments.filter(pl.col("policy_b").is_not_null() & (pl.col("policy_a") != pl.col("policy_b")))
    sides = [set(pair) for pair in pairs.select("policy_a", "policy_b").unique().iter_rows()]
    named = next((name for name in REFERENCE_NAMES if any(name in pair for pair in sides)), None)
    always = set.intersection(*sides) if sides else set()
    return named or (str(next(iter(always))) if len(always) == 1 else None)


def _seen_from(pairs: pl.DataFrame, side: str, other: str) -> pl.DataFrame:
    sign = 1.0 if side == "a" else -1.0
    score = (
        pl.when(pl.col("choice") == side).then(1.0).when(pl.col("choice") == other).then(0.0).otherwise(0.5)
    )
    first = (
        pl.when(pl.col("shown_first") == side)
        .then(1)
        .when(pl.col("shown_first") == other)
        .then(-1)
        .otherwise(0)
    )
    lengths = [pl.col(f"text_{name}").fill_null("").str.len_chars().clip(1).log() for name in (side, other)]
    return pairs.with_columns(
        policy=pl.col(f"policy_{side}"),
        opponent=pl.col(f"policy_{other}"),
        text=pl.col(f"text_{side}"),
        opponent_text=pl.col(f"text_{other}"),
        score=score,
        strength=sign * pl.col("strength"),
        log_length_ratio=lengths[0] - lengths[1],
        shown_first=first,
    )
