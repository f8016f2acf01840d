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
from heed.statistics.frames import Floats, Integers, codes, require

if TYPE_CHECKING:
    from evalica import Winner

RANKING_RESAMPLING = Resampling(resamples=500)
WINNERS = ("a", "b", "tie")


@dataclass(frozen=True, slots=True)
class Ranking:
    """Policies from strongest to weakest, each with its strength."""

    policies: tuple[str, ...]
    strengths: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class _Games:
    """The distinct (first, second, winner) that occur, how often, and which of them each row is."""

    names: list[str]
    first: Integers
    second: Integers
    winner: list[str]
    counts: Floats
    rows: Integers


def bradley_terry(comparisons: pl.DataFrame, how: Resampling = RANKING_RESAMPLING) -> Ranking:
    """Strengths with percentile intervals; resampled by `example` where there is that column, else by row.

    Refused where wins do not connect the policies both ways, for the strengths would then be without bound.
    A resample can lose that connection; evalica then gives a large but finite strength, and the number of
    such resamples stands in the options.
    """
    games = _tabulate(comparisons)
    _refuse_unconnected(games)
    values = _strengths(games, games.counts)
    weights = _resampled_counts(games, comparisons, how)
    replicates = np.stack([_strengths(games, row) for row in weights])
    loose = sum(_components(games, row)[0] > 1 for row in weights)
    options = (*how.recorded(), ("unconnected_resamples", loose))
    order = np.argsort(-values, kind="stable")
    played = _played(games)
    estimates = [
        Estimate(
            float(values[k]), *interval(replicates[:, k], how.level), played[k], "Bradley-Terry", options
        )
        for k in order
    ]
    return Ranking(tuple(games.names[k] for k in order), tuple(estimates))


def win_rates(comparisons: pl.DataFrame) -> pl.DataFrame:
    """Wins plus half the ties over games, averaged over opponents (evalica's average win rate).

    Columns out: policy, win_rate, n (games).
    """
    import evalica

    games = _tabulate(comparisons)
    rates = evalica.average_win_rate(*_sides(games), weights=games.counts.tolist()).scores
    values = [float(rates[place]) for place in range(len(games.names))]
    frame = pl.DataFrame({"policy": games.names, "win_rate": values, "n": _played(games)})
    return frame.sort("win_rate", descending=True, maintain_order=True)


def _tabulate(comparisons: pl.DataFrame) -> _Games:
    require(comparisons, "model_a", "model_b", "winner")
    wrong = comparisons.filter(~pl.col("winner").is_in(WINNERS))
    if wrong.height:
        raise UserError(f"winner is a, b or tie; {wrong.height} are not, the first is {wrong['winner'][0]}.")
    same = comparisons.filter(pl.col("model_a") == pl.col("model_b"))
    if same.height:
        raise UserError(f"{same.height} comparisons are of {same['model_a'][0]} with itself.")
    keys = ["model_a", "model_b", "winner"]
    cells = comparisons.group_by(keys).len("n").sort(keys).with_row_index("place")
    rows = comparisons.select(keys).join(cells, on=keys, how="left", maintain_order="left")["place"]
    names = sorted(set(comparisons["model_a"]) | set(comparisons["model_b"]))
    place = {name: number for number, name in enumerate(names)}
    first, second = (
        np.array([place[name] for name in cells[side]], dtype=np.int64) for side in ("model_a", "model_b")
    )
    counts = cells["n"].to_numpy().astype(np.float64)
    return _Games(names, first, second, cells["winner"].to_list(), counts, rows.to_numpy().astype(np.int64))


def _strengths(games: _Games, weights: Floats) -> Floats:
    import evalica
    import pandas

    index = pandas.RangeIndex(len(games.names))
    scores = evalica.bradley_terry(*_sides(games), index=index, weights=weights.tolist()).scores
    values = np.empty(len(games.names))
    values[scores.index.to_numpy()] = scores.to_numpy()
    return values


def _sides(games: _Games) -> tuple[list[int], list[int], list["Winner"]]:
    from evalica import Winner

    outcome = {"a": Winner.X, "b": Winner.Y, "tie": Winner.Draw}
    return games.first.tolist(), games.second.tolist(), [outcome[winner] for winner in games.winner]


def _resampled_counts(games: _Games, comparisons: pl.DataFrame, how: Resampling) -> Floats:
    """Per resample, how often each distinct game occurs: resamples × distinct games."""
    has_example = "example" in comparisons.columns
    by = comparisons["example"].to_numpy() if has_example else np.arange(comparisons.height)
    clusters, count = codes(by)
    table = np.zeros((count, len(games.counts)))
    np.add.at(table, (clusters, games.rows), 1.0)
    return resample_weights(count, how.resamples, np.random.default_rng(how.seed)) @ table


def _played(games: _Games) -> list[int]:
    places = np.concatenate([games.first, games.second])
    counts = np.bincount(places, weights=np.tile(games.counts, 2), minlength=len(games.names))
    return [int(count) for count in counts]


def _components(games: _Games, weights: Floats) -> tuple[int, Integers]:
    """Groups of policies that chains of wins (ties count both ways) connect in both directions."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    winner, there = np.array(games.winner), weights > 0
    a_scores, b_scores = there & (winner != "b"), there & (winner != "a")
    rows = np.concatenate([games.first[a_scores], games.second[b_scores]])
    columns = np.concatenate([games.second[a_scores], games.first[b_scores]])
    size = len(games.names)
    graph = coo_array((np.ones(len(rows)), (rows, columns)), shape=(size, size))
    count, labels = connected_components(graph, connection="strong")
    return int(count), labels.astype(np.int64)


def _refuse_unconnected(games: _Games) -> None:
    count, labels = _components(games, games.counts)
    if count == 1:
        return
    smallest = int(np.bincount(labels).argmin())
    group = ", ".join(name for name, label in zip(games.names, labels, strict=True) if label == smallest)
    raise UserError(
        f"Bradley-Terry has no finite answer: {group} never won against or never lost to the rest (or never "
        "met them). Add comparisons that link the policies, or leave these out."
    )
