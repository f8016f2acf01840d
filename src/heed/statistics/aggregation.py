"""Dawid and Skene (1979): true labels and each worker's mistakes, estimated together by EM.

Ours because the library that keeps it declares a deep-learning stack; that library is the oracle of the
tests. For the plain count see `votes`.
"""

from dataclasses import dataclass

import numpy as np
import polars as pl

from heed.errors import UserError
from heed.statistics.frames import Floats, Integers, refuse_double_votes, require

_COLUMNS = ("item", "worker", "label")
_TINY = 1e-10  # keeps a logarithm finite where a worker never gave a label


@dataclass(frozen=True, slots=True)
class DawidSkene:
    """The result: `probabilities` items × labels, `errors` workers × true label × given label."""

    items: tuple[str, ...]
    workers: tuple[str, ...]
    labels: tuple[str, ...]
    probabilities: Floats
    errors: Floats
    priors: Floats
    iterations: int
    converged: bool

    def best(self) -> pl.DataFrame:
        """Per item the likeliest label and its probability."""
        chosen = self.probabilities.argmax(1)
        return pl.DataFrame(
            {
                "item": self.items,
                "label": [self.labels[place] for place in chosen],
                "probability": self.probabilities.max(1),
            }
        )


def dawid_skene(votes: pl.DataFrame, *, iterations: int = 100, tolerance: float = 1e-5) -> DawidSkene:
    """EM from `item, worker, label`, started at the share of votes, until the likelihood stops growing."""
    require(votes, "item", "worker", "label")
    refuse_double_votes(votes, "item", "worker")
    items, workers, labels = (_kinds(votes[name]) for name in _COLUMNS)
    if len(workers) < 2:
        raise UserError("Dawid-Skene needs at least two workers; with one there is nothing to weigh.")
    places = tuple(
        _places(votes[name], kinds) for name, kinds in zip(_COLUMNS, (items, workers, labels), strict=True)
    )
    shape = (len(items), len(workers), len(labels))
    probabilities, errors, priors, done, converged = _iterate(places, shape, iterations, tolerance)
    return DawidSkene(items, workers, labels, probabilities, errors, priors, done, converged)


def _iterate(
    places: tuple[Integers, ...], shape: tuple[int, int, int], iterations: int, tolerance: float
) -> tuple[Floats, Floats, Floats, int, bool]:
    probabilities = _vote_shares(places, shape)
    priors, errors = _maximise(probabilities, places, shape)
    before = -np.inf
    for done in range(1, iterations + 1):
        probabilities = _expect(priors, errors, places, shape)
        priors, errors = _maximise(probabilities, places, shape)
        bound = _evidence(probabilities, priors, errors, places)
        if bound - before < tolerance:
            return probabilities, errors, priors, done, True
        before = bound
    return probabilities, errors, priors, iterations, False


def _vote_shares(places: tuple[Integers, ...], shape: tuple[int, int, int]) -> Floats:
    item, _, label = places
    counts = np.zeros((shape[0], shape[2]))
    np.add.at(counts, (item, label), 1.0)
    return np.asarray(counts / counts.sum(1, keepdims=True))


def _maximise(
    probabilities: Floats, places: tuple[Integers, ...], shape: tuple[int, int, int]
) -> tuple[Floats, Floats]:
    item, worker, label = places
    given = np.zeros((shape[1], shape[2], shape[2]))  # worker × given × true
    np.add.at(given, (worker, label), probabilities[item])
    errors = np.swapaxes(given, 1, 2) + _TINY
    return probabilities.mean(0), errors / errors.sum(2, keepdims=True)


def _expect(
    priors: Floats, errors: Floats, places: tuple[Integers, ...], shape: tuple[int, int, int]
) -> Floats:
    item, worker, label = places
    logs = np.tile(np.log(priors + _TINY), (shape[0], 1))
    np.add.at(logs, item, np.log(errors[worker, :, label]))
    likelihoods = np.exp(logs - logs.max(1, keepdims=True))
    return np.asarray(likelihoods / likelihoods.sum(1, keepdims=True))


def _evidence(probabilities: Floats, priors: Floats, errors: Floats, places: tuple[Integers, ...]) -> float:
    """The evidence lower bound, which EM never lowers."""
    item, worker, label = places
    logs = np.log(errors[worker, :, label])
    entropy = -(probabilities * np.log(probabilities + _TINY)).sum()
    return float(
        (probabilities[item] * logs).sum() + (probabilities @ np.log(priors + _TINY)).sum() + entropy
    )


def _kinds(column: pl.Series) -> tuple[str, ...]:
    return tuple(str(value) for value in column.unique().sort())


def _places(column: pl.Series, kinds: tuple[str, ...]) -> Integers:
    place = {kind: number for number, kind in enumerate(kinds)}
    return np.array([place[str(value)] for value in column], dtype=np.int64)
