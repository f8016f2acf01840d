"""Pair similar texts greedily: the two most similar first, then the two most similar of the rest, and so on.

Exact without ever holding all similarities: every row keeps its nearest few; a row whose few are all taken
is looked up again, before its turn comes. `approximate` looks for the nearest by the heaviest terms only
and then measures those exactly.
"""

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_NEAREST = 16
_STEP = 0.02
_HEAVIEST = 24
_BATCH = 100_000
# Rounded, so that (a, b) and (b, a), summed in different orders, are the same number.
_DECIMALS = 5


@dataclass(frozen=True)
class Limits:
    """Pairs below `low` are too far apart, above `high` likely duplicates."""

    low: float
    high: float


@dataclass(frozen=True)
class Pairs:
    """Rows paired with rows, in the order they were paired, and how similar they are."""

    left: Ints
    right: Ints
    similarity: Floats


@dataclass(frozen=True)
class _Edges:
    """Known similarities between rows (left < right), and per row the least one it surely knows about."""

    left: Ints
    right: Ints
    similarity: Floats


def pair_greedily(matrix: Any, limits: Limits, approximate: bool = False) -> Pairs:
    """All pairs a greedy search finds within the limits. Rows must have length 1."""
    free = np.ones(matrix.shape[0], dtype=bool)
    chosen: list[tuple[int, int, float]] = []
    if approximate:
        chosen += _take(_find_by_heaviest(matrix, limits), limits.low, free)
    rest = np.flatnonzero(free)
    found = _pair_exactly(matrix[rest] if approximate else matrix, limits)
    chosen += [(int(rest[left]), int(rest[right]), value) for left, right, value in found]
    left, right, similarity = zip(*chosen, strict=True) if chosen else ((), (), ())
    return Pairs(np.array(left, np.int64), np.array(right, np.int64), np.array(similarity, np.float64))


def _pair_exactly(matrix: Any, limits: Limits) -> list[tuple[int, int, float]]:
    """Level by level downward; before a level is walked, every free row knows all its pairs above it."""
    edges, floors = _find_nearest(matrix, limits)
    free = np.ones(matrix.shape[0], dtype=bool)
    chosen: list[tuple[int, int, float]] = []
    level = limits.high
    while level > limits.low:
        level = max(level - _STEP, limits.low)
        short = np.flatnonzero(free & (floors > level))
        if len(short):
            edges = _add(edges, _look_again(matrix, short, free, Limits(level, limits.high)))
            floors[short] = level
        chosen += _take(edges, level, free)
        edges = _drop_taken(edges, free)
    return chosen


def find_neighbours(matrix: Any, rows: Ints, limits: Limits, count: int) -> list[list[int]]:
    """For each of these rows, the nearest other rows within the limits, nearest first."""
    found = _multiply(matrix[rows], matrix, limits.low, count + _NEAREST)
    lists = []
    for place, row in enumerate(rows):
        span = slice(found.indptr[place], found.indptr[place + 1])
        near = zip(np.round(found.data[span], _DECIMALS), found.indices[span], strict=True)
        kept = [(-value, int(other)) for value, other in near if other != row and value <= limits.high]
        lists.append([other for _, other in sorted(kept)[:count]])
    return lists


def _find_nearest(matrix: Any, limits: Limits) -> tuple[_Edges, Floats]:
    product = _multiply(matrix, matrix, limits.low, _NEAREST)
    counts = np.diff(product.indptr)
    floors = np.full(matrix.shape[0], limits.low)
    some, full = counts > 0, counts == _NEAREST
    least = np.zeros(matrix.shape[0])
    least[some] = np.minimum.reduceat(product.data, product.indptr[:-1][some]) if some.any() else 0
    floors[full] = np.round(least[full], _DECIMALS)
    rows = np.repeat(np.arange(matrix.shape[0]), counts)
    return _to_edges(rows, product.indices.astype(np.int64), product.data, limits), floors


def _look_again(matrix: Any, rows: Ints, free: npt.NDArray[np.bool_], limits: Limits) -> _Edges:
    """Every neighbour above the level that is still free, for rows that may have run out of known ones."""
    columns = np.flatnonzero(free)
    product = _multiply(matrix[rows], matrix[columns], limits.low, len(columns))
    left = np.repeat(rows, np.diff(product.indptr))
    return _to_edges(left, columns[product.indices], product.data, limits)


def _find_by_heaviest(matrix: Any, limits: Limits) -> _Edges:
    """Candidates by each row's heaviest terms, measured again with all terms."""
    light = _keep_heaviest(matrix, _HEAVIEST)
    product = _multiply(light, light, limits.low / 4, _NEAREST * 3)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(product.indptr))
    edges = _to_edges(rows, product.indices.astype(np.int64), product.data, Limits(0.0, 1.0))
    starts = range(0, len(edges.left), _BATCH)
    parts = [_measure(matrix, edges.left[at : at + _BATCH], edges.right[at : at + _BATCH]) for at in starts]
    return _to_edges(edges.left, edges.right, np.concatenate([np.zeros(0), *parts]), limits)


def _keep_heaviest(matrix: Any, count: int) -> Any:
    """Each row's `count` heaviest terms."""
    light = matrix.copy()
    for row in range(matrix.shape[0]):
        span = slice(matrix.indptr[row], matrix.indptr[row + 1])
        if matrix.indptr[row + 1] - matrix.indptr[row] > count:
            values = light.data[span]
            values[np.argpartition(values, -count)[:-count]] = 0
    light.eliminate_zeros()
    return light


def _measure(matrix: Any, rows: Ints, columns: Ints) -> Floats:
    return np.asarray(matrix[rows].multiply(matrix[columns]).sum(axis=1), dtype=np.float64).ravel()


def _multiply(left: Any, right: Any, least: float, count: int) -> Any:
    from sparse_dot_topn import sp_matmul_topn

    return sp_matmul_topn(left, right.T.tocsr(), top_n=count, threshold=least, n_threads=os.cpu_count())


def _to_edges(rows: Ints, columns: Ints, similarity: Any, limits: Limits) -> _Edges:
    """Each pair once, without rows paired with themselves and without likely duplicates."""
    values = np.round(np.asarray(similarity, dtype=np.float64), _DECIMALS)
    fit = (rows != columns) & (values <= limits.high) & (values >= limits.low)
    left, right = np.minimum(rows, columns)[fit], np.maximum(rows, columns)[fit]
    order = np.lexsort((right, left))
    left, right, values = left[order], right[order], values[fit][order]
    first = np.ones(len(left), dtype=bool)
    first[1:] = (left[1:] != left[:-1]) | (right[1:] != right[:-1])
    return _Edges(left[first], right[first], values[first])


def _add(edges: _Edges, more: _Edges) -> _Edges:
    return _to_edges(
        np.concatenate([edges.left, more.left]),
        np.concatenate([edges.right, more.right]),
        np.concatenate([edges.similarity, more.similarity]),
        Limits(0.0, 1.0),
    )


def _take(edges: _Edges, level: float, free: npt.NDArray[np.bool_]) -> list[tuple[int, int, float]]:
    """Walk the known pairs above the level, most similar first, and take those whose rows are both free."""
    near = np.flatnonzero(edges.similarity >= level)
    order = near[np.lexsort((edges.right[near], edges.left[near], -edges.similarity[near]))]
    taken = []
    for left, right, value in zip(
        edges.left[order].tolist(), edges.right[order].tolist(), edges.similarity[order].tolist(), strict=True
    ):
        if free[left] and free[right]:
            free[left] = free[right] = False
            taken.append((left, right, value))
    return taken


def _drop_taken(edges: _Edges, free: npt.NDArray[np.bool_]) -> _Edges:
    both = free[edges.left] & free[edges.right]
    return _Edges(edges.left[both], edges.right[both], edges.similarity[both])
