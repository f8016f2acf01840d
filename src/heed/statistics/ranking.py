"""Bradley–Terry strengths (evalica's) and win rates, with intervals that resample whole examples.

Rows are `model_a, model_b, winner` with winner a, b or tie; a tie is half a win for both. Strengths are
scaled to a geometric mean of 1, so 2 beats an average policy two times in three. Not for a fixed opponent:
that is `preference`.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from heed.errors import UserError
from heed.records import Estimate
from heed.statistics.bootstrap import Resampling, interval, resample_weights
from heed.statistics.frames import Floats, codes, require

if TYPE_CHECKING:
    from evalica import Winner

RANKING_RESAMPLING = Resampling(resamples=500)
WINNERS = ("a", "b", "tie")


@dataclass(frozen=True, slots=True)
class Ranking:
    """Policies from strongest to weakest, each with its strength."""

    policies: tuple[str, ...]
    strengths: tuple[Estimate, ...]


def bradley_terry(comparisons: pl.DataFrame, how: Resampling = RANKING_RESAMPLING) -> Ranking:
    """Strengths with percentile intervals; resampled by `example` where there is that column, else by row.

    Refused where wins do not connect the policies both ways, for the strengths would then be without bound.
    A resample can lose that connection; evalica then gives a large but finite strength, and the number of
    such resamples stands in the options.
    """
    cells, positions, names = _tabulate(comparisons)
    _refuse_unconnected(cells, cells["n"].to_numpy(), names)
    values = _strengths(cells, cells["n"].to_numpy(), names)
    weights = _resampled_counts(positions, comparisons, cells.height, how)
    replicates = np.stack([_strengths(cells, row, names) for row in weights])
    loose = sum(not _connected(cells, row, len(names)) for row in weights)
    options = (*how.recorded(), ("unconnected_resamples", loose))
    played = _games(cells, names)
    estimates = [
        Estimate(
            float(values[k]), *interval(replicates[:, k], how.level), int(played[k]), "Bradley-Terry", options
        )
        for k in range(len(names))
    ]
    order = np.argsort(-values, kind="stable")
    return Ranking(tuple(names[k] for k in order), tuple(estimates[k] for k in order))


def win_rates(comparisons: pl.DataFrame) -> pl.DataFrame:
    """Wins plus half the ties over games, averaged over opponents (evalica's average win rate).

    Columns out: policy, win_rate, n (games).
    """
    import evalica

    cells, _, names = _tabulate(comparisons)
    result = evalica.average_win_rate(*_sides(cells), weights=cells["n"].cast(pl.Float64).to_list())
    rates = result.scores
    return pl.DataFrame(
        {"policy": names, "win_rate": [float(rates[name]) for name in names], "n": _games(cells, names)}
    ).sort("win_rate", descending=True, maintain_order=True)


def _tabulate(comparisons: pl.DataFrame) -> tuple[pl.DataFrame, np.ndarray, list[str]]:
    """Distinct (model_a, model_b, winner) with counts, each row's place among them, and the policies."""
    require(comparisons, "model_a", "model_b", "winner")
    wrong = comparisons.filter(~pl.col("winner").is_in(WINNERS))
    if wrong.height:
        raise UserError(f"winner is a, b or tie; {wrong.height} are not, the first is {wrong['winner'][0]}.")
    same = comparisons.filter(pl.col("model_a") == pl.col("model_b"))
    if same.height:
        raise UserError(f"{same.height} comparisons are of {same['model_a'][0]} with itself.")
    keys = ["model_a", "model_b", "winner"]
    cells = comparisons.group_by(keys).len("n").sort(keys).with_row_index("place")
    joined = comparisons.select(keys).join(cells, on=keys, how="left", maintain_order="left")
    names = sorted(set(comparisons["model_a"]) | set(comparisons["model_b"]))
    return cells, joined["place"].to_numpy().astype(np.int64), names


def _strengths(cells: pl.DataFrame, weights: np.ndarray, names: list[str]) -> Floats:
    import evalica
    import pandas

    result = evalica.bradley_terry(
        *_sides(cells), index=pandas.Index(names), weights=weights.astype(np.float64).tolist()
    )
    return np.asarray(result.scores.loc[names], dtype=np.float64)


def _sides(cells: pl.DataFrame) -> tuple[list[str], list[str], list["Winner"]]:
    from evalica import Winner

    outcome = {"a": Winner.X, "b": Winner.Y, "tie": Winner.Draw}
    return cells["model_a"].to_list(), cells["model_b"].to_list(), [outcome[w] for w in cells["winner"]]


def _resampled_counts(
    positions: np.ndarray, comparisons: pl.DataFrame, cells: int, how: Resampling
) -> Floats:
    """Per resample, how often each cell occurs: resamples × cells."""
    by = comparisons["example"].to_numpy() if "example" in comparisons.columns else np.arange(len(positions))
    clusters, count = codes(by)
    table = np.zeros((count, cells))
    np.add.at(table, (clusters, positions), 1.0)
    return resample_weights(count, how.resamples, np.random.default_rng(how.seed)) @ table


def _games(cells: pl.DataFrame, names: list[str]) -> list[int]:
    both = pl.concat([cells.select("n", policy="model_a"), cells.select("n", policy="model_b")])
    counts = dict(both.group_by("policy").agg(pl.col("n").sum()).iter_rows())
    return [int(counts[name]) for name in names]


def _connected(cells: pl.DataFrame, weights: np.ndarray, policies: int) -> bool:
    """Whether from every policy a chain of wins (ties count both ways) leads to every other."""
    return bool(_components(cells, weights, policies)[0] == 1)


def _components(cells: pl.DataFrame, weights: np.ndarray, policies: int) -> tuple[int, np.ndarray]:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    positions, _ = codes(np.concatenate([cells["model_a"].to_numpy(), cells["model_b"].to_numpy()]))
    first, second = positions[: cells.height], positions[cells.height :]
    winner = cells["winner"].to_numpy()
    there = weights > 0
    a_scores, b_scores = there & (winner != "b"), there & (winner != "a")
    rows = np.concatenate([first[a_scores], second[b_scores]])
    columns = np.concatenate([second[a_scores], first[b_scores]])
    graph = coo_array((np.ones(len(rows)), (rows, columns)), shape=(policies, policies))
    count, labels = connected_components(graph, connection="strong")
    return int(count), labels


def _refuse_unconnected(cells: pl.DataFrame, weights: np.ndarray, names: list[str]) -> None:
    count, labels = _components(cells, weights, len(names))
    if count == 1:
        return
    smallest = int(np.bincount(labels).argmin())
    group = ", ".join(name for name, label in zip(names, labels, strict=True) if label == smallest)
    raise UserError(
        f"Bradley-Terry has no finite answer: {group} never won against or never lost to the rest (or never "
        "met them). Add comparisons that link the policies, or leave these out."
    )
