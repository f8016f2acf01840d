"""What every statistic asks of its input: the columns are there, filled, and say each thing once.

Not a place for statistics; a frame that passes here can be computed with and never gives a silent NaN.
"""

import numpy as np
import polars as pl
from numpy.typing import ArrayLike, NDArray

from heed.errors import UserError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def require(frame: pl.DataFrame, *columns: str) -> None:
    """The columns exist, hold at least one row and no null or NaN."""
    missing = [name for name in columns if name not in frame.columns]
    if missing:
        raise UserError(
            f"Column {', '.join(missing)} is missing; the columns are {', '.join(frame.columns)}."
        )
    if frame.is_empty():
        raise UserError("There are no judgments to compute from.")
    empty = [name for name in columns if _has_gap(frame[name])]
    if empty:
        raise UserError(f"Column {', '.join(empty)} has empty cells; fill them or drop these rows first.")


def refuse_double_votes(frame: pl.DataFrame, *keys: str) -> None:
    """One row per combination of keys; the rule for a worker who appears twice on one item."""
    double = frame.group_by(keys, maintain_order=True).len().filter(pl.col("len") > 1)
    if double.is_empty():
        return
    first = double.row(0, named=True)
    where = ", ".join(f"{key} {first[key]}" for key in keys)
    raise UserError(
        f"{double.height} combinations of {' and '.join(keys)} appear more than once (first: {where}): "
        "keep one judgment each, for instance the last revision."
    )


def numbers(values: ArrayLike, name: str) -> Floats:
    """A flat array of finite numbers, or a sentence that names what is not."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise UserError(f"{name} must be a flat list of numbers.")
    if not np.isfinite(array).all():
        raise UserError(f"{name} has {int((~np.isfinite(array)).sum())} values that are not finite numbers.")
    return array


def codes(values: ArrayLike) -> tuple[Integers, int]:
    """Every value as the number of its kind, 0 … kinds − 1, and how many kinds there are."""
    kinds, positions = np.unique(np.asarray(values), return_inverse=True)
    return positions.astype(np.int64), len(kinds)


def _has_gap(column: pl.Series) -> bool:
    return column.null_count() > 0 or (column.dtype.is_float() and bool(column.is_nan().any()))
