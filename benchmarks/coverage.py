"""How often each 95 % interval holds the truth, over simulated studies whose truth is known.

The generators below use NumPy alone and share no code with the estimators. Prints the table that
docs/statistics.md quotes: `python benchmarks/coverage.py [--simulations 2000] [--only NAME]`.
"""

import argparse
import time
from collections.abc import Callable
from functools import cache

import numpy as np
import polars as pl

from heed.records import Estimate
from heed.statistics.agreement import ensemble_agreement, percent_agreement
from heed.statistics.agreement_matrix import agreement_matrix, metric
from heed.statistics.bootstrap import Resampling, clustered_mean
from heed.statistics.length import length_controlled_preference, length_line, preference_by_length
from heed.statistics.likert import axis_means
from heed.statistics.prediction_powered import powered_mean, powered_preference_rate
from heed.statistics.preference import preference_rate, wilson_rate
from heed.statistics.ranking import bradley_terry
from heed.statistics.reward import reward_accuracy
from heed.statistics.two_way import two_way_mean

HOW = Resampling(resamples=1_000)
Bounds = tuple[float, float]
Case = Callable[[np.random.Generator], tuple[Bounds, float]]


def bounds(estimate: Estimate) -> Bounds:
    return estimate.low, estimate.high


@cache
def grid(rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Row and column numbers of a full table, flat."""
    first, second = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    return first.ravel(), second.ravel()


def votes_on_items(
    rng: np.random.Generator, rate: float, items: int, workers: int, spread: float = 2.0
) -> np.ndarray:
    """Votes items × workers; each item has its own chance, drawn from a Beta with the wanted mean."""
    chance = rng.beta(rate * spread, (1 - rate) * spread, items)
    return (rng.random((items, workers)) < chance[:, None]).astype(float)


@cache
def majority_truth(rate: float, spread: float = 2.0) -> float:
    """The chance that two or three of three votes are for the policy: E[3q² − 2q³] of the Beta."""
    a, b = rate * spread, (1 - rate) * spread
    second = a * (a + 1) / ((a + b) * (a + b + 1))
    third = second * (a + 2) / (a + b + 2)
    return 3 * second - 2 * third


def study(rng: np.random.Generator, rate: float, items: int = 200) -> pl.DataFrame:
    votes = votes_on_items(rng, rate, items, 3)
    item, worker = grid(items, 3)
    return pl.DataFrame({"item": item, "example": item, "worker": worker, "score": votes.ravel()})


def preference_case(rate: float, method: Callable[..., Estimate], items: int = 200) -> Case:
    def run(rng: np.random.Generator) -> tuple[Bounds, float]:
        frame = study(rng, rate, items)
        found = method(frame) if method is wilson_rate else method(frame, how=HOW)
        return bounds(found), majority_truth(rate)

    return run


def bare_bootstrap(rng: np.random.Generator) -> tuple[Bounds, float]:
    """Why a rare win gets Wilson's interval: the outcomes of a rate of .025, bootstrapped all the same."""
    outcomes = (votes_on_items(rng, 0.025, 200, 3).sum(1) > 1).astype(float)
    return bounds(clustered_mean(outcomes, np.arange(200), HOW)), majority_truth(0.025)


def by_example(rng: np.random.Generator) -> tuple[Bounds, float]:
    votes = votes_on_items(rng, 0.3, 200, 3)
    return bounds(clustered_mean(votes.ravel(), grid(200, 3)[0], HOW)), 0.3


def labelers_differ(rng: np.random.Generator, labelers: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """200 examples × 3 votes from a pool of labelers with tastes of their own; truth 0."""
    taste, quality = rng.normal(0, 0.3, labelers), rng.normal(0, 0.5, 200)
    example = grid(200, 3)[0]
    labeler = np.concatenate([rng.choice(labelers, 3, replace=False) for _ in range(200)])
    return taste[labeler] + quality[example] + rng.normal(0, 1, 600), example, labeler


def by_labeler(rng: np.random.Generator) -> tuple[Bounds, float]:
    taste = rng.normal(0, 0.5, 60)
    labeler = np.repeat(np.arange(60), 10)
    return bounds(clustered_mean(taste[labeler] + rng.normal(0, 1, 600), labeler, HOW)), 0.0


def two_way_case(labelers: int) -> Case:
    def run(rng: np.random.Generator) -> tuple[Bounds, float]:
        return bounds(two_way_mean(*labelers_differ(rng, labelers))), 0.0

    return run


def one_way_with_tastes(rng: np.random.Generator) -> tuple[Bounds, float]:
    values, examples, _ = labelers_differ(rng, 30)
    return bounds(clustered_mean(values, examples, HOW)), 0.0


def labels(rng: np.random.Generator, workers: int) -> pl.DataFrame:
    """300 items with a true side; a worker says it with chance .8."""
    truth = rng.integers(0, 2, 300)
    said = np.where(rng.random((300, workers)) < 0.8, truth[:, None], 1 - truth[:, None])
    item, worker = grid(300, workers)
    return pl.DataFrame({"item": item, "worker": worker, "label": said.ravel().astype(str)})


def agreement_of_two(rng: np.random.Generator) -> tuple[Bounds, float]:
    return bounds(percent_agreement(labels(rng, 3), how=HOW)), 0.8**2 + 0.2**2


def agreement_with_ensemble(rng: np.random.Generator) -> tuple[Bounds, float]:
    right = 0.8**3 + 3 * 0.8**2 * 0.2  # three others by majority
    return bounds(ensemble_agreement(labels(rng, 4), how=HOW)), 0.8 * right + 0.2 * (1 - right)


def matrix_error(rng: np.random.Generator) -> tuple[Bounds, float]:
    """Value ± 1.96 bootstrapped standard errors of one cell, three comparisons per post."""
    post = np.repeat(rng.normal(0, 1, 200), 3)
    shared = post + rng.normal(0, 1, 600)
    first, second = shared + rng.normal(0, 1, 600), shared + rng.normal(0, 1, 600)
    columns = {"one": metric(first, np.zeros(600)), "other": metric(second, np.zeros(600))}
    row = agreement_matrix(columns, np.repeat(np.arange(200), 3), how=HOW).row(1, named=True)
    half = 1.96 * row["standard_error"]
    truth = 0.5 + np.arcsin(2 / 3) / np.pi  # sign agreement of normals with correlation 2/3
    return (row["agreement"] - half, row["agreement"] + half), float(truth)


def rating(rng: np.random.Generator) -> tuple[Bounds, float]:
    quality = np.repeat(rng.normal(4, 1, 120), 3)
    item, worker = grid(120, 3)
    columns = {"example": item, "item": item, "worker": worker, "rating": quality + rng.normal(0, 1, 360)}
    frame = pl.DataFrame(columns).with_columns(policy=pl.lit("p"), axis=pl.lit("overall"))
    row = axis_means(frame, HOW).row(0, named=True)
    return (row["low"], row["high"]), 4.0


def strength(rng: np.random.Generator) -> tuple[Bounds, float]:
    """Four policies, 300 examples × 2 games; the interval of the strongest."""
    true = np.array([1.0, 1.5, 2.0, 3.0])
    a = rng.integers(0, 4, 600)
    b = (a + rng.integers(1, 4, 600)) % 4
    won = rng.random(600) < true[a] / (true[a] + true[b])
    columns = {"model_a": a.astype(str), "model_b": b.astype(str), "winner": np.where(won, "a", "b")}
    frame = pl.DataFrame(columns).with_columns(example=pl.int_range(pl.len()) // 2)
    found = bradley_terry(frame, Resampling(resamples=200))
    place = found.policies.index("3")
    return bounds(found.strengths[place]), float(3.0 / np.exp(np.log(true).mean()))


def lengths(rng: np.random.Generator) -> pl.DataFrame:
    policy = rng.integers(0, 2, 900)
    ratio = rng.normal(0.5 * policy, 0.4)
    won = rng.random(900) < 1 / (1 + np.exp(-(1.5 * ratio + 0.5 * policy)))
    columns = {"example": np.repeat(np.arange(300), 3), "score": won.astype(float), "log_length_ratio": ratio}
    names = pl.Series(np.where(policy == 1, "long", "short"))
    return pl.DataFrame(columns).with_columns(policy=names, opponent=pl.lit("reference"))


def at_equal_length(rng: np.random.Generator) -> tuple[Bounds, float]:
    found = length_controlled_preference(lengths(rng), "reference")["long"]
    return bounds(found), float(1 / (1 + np.exp(-0.5)))


def slope(rng: np.random.Generator) -> tuple[Bounds, float]:
    characters = rng.gamma(9, 50, 200)
    ratings = 4 + 0.0034 * characters + rng.normal(0, 1, 200)
    return bounds(length_line(ratings, characters, np.arange(200)).per_hundred_characters), 0.34


def length_bin_case(examples: int) -> Case:
    def draw(rng: np.random.Generator) -> tuple[Bounds, float]:
        """No effect of length at all: the first of four bins has the overall rate."""
        votes = votes_on_items(rng, 0.4, examples, 3)
        columns = {"example": grid(examples, 3)[0], "score": votes.ravel()}
        columns["log_length_ratio"] = np.repeat(rng.normal(0, 1, examples), 3)
        row = preference_by_length(pl.DataFrame(columns), bins=4, how=HOW).row(0, named=True)
        return (row["low"], row["high"]), 0.4

    return draw


def reward(rng: np.random.Generator) -> tuple[Bounds, float]:
    gap = rng.normal(0, 1, 400)
    seen = gap + rng.normal(0, 1, 400)
    columns = {"example": np.arange(400) // 2, "reward_a": gap, "reward_b": np.zeros(400)}
    frame = pl.DataFrame(columns).with_columns(choice=pl.Series(np.where(seen > 0, "a", "b")))
    return bounds(reward_accuracy(frame, how=HOW)), 0.75  # signs of normals with correlation 1/√2


def powered_case(which: str, labelled: int) -> Case:
    def run(rng: np.random.Generator) -> tuple[Bounds, float]:
        truth = rng.normal(1, 1, labelled + 1_000)
        machine = truth + rng.normal(0.7, 0.7, labelled + 1_000)
        tuning = "none" if which == "untuned" else "optimal"
        found = powered_mean(truth[:labelled], machine[:labelled], machine[labelled:], tuning=tuning)
        return bounds(found.plain if which == "plain" else found.powered), 1.0

    return run


def powered_rate(rng: np.random.Generator) -> tuple[Bounds, float]:
    """100 human outcomes at a rate of .3, 1,000 judged by a machine that is right four times in five."""
    human = (rng.random(1_100) < 0.3).astype(float)
    machine = np.where(rng.random(1_100) < 0.8, human, 1 - human)
    return bounds(powered_preference_rate(human[:100], machine[:100], machine[100:]).powered), 0.3


CASES: dict[str, Case] = {
    "preference rate .41, 200 items": preference_case(0.41, preference_rate),
    "preference rate .41, Wilson, 200 items": preference_case(0.41, wilson_rate),
    "preference rate .41, 20 items": preference_case(0.41, preference_rate, 20),
    "preference rate .025, 200 items": preference_case(0.025, preference_rate),
    "rate .025, bootstrap all the same": bare_bootstrap,
    "mean of votes, by example": by_example,
    "mean of votes, by labeler, 60 labelers": by_labeler,
    "mean of votes, two-way, 30 labelers": two_way_case(30),
    "mean of votes, two-way, 6 labelers": two_way_case(6),
    "the same by example only, 30 labelers with tastes": one_way_with_tastes,
    "percent agreement": agreement_of_two,
    "labeler against ensemble of three": agreement_with_ensemble,
    "agreement matrix cell, ± 1.96 standard errors": matrix_error,
    "Likert mean": rating,
    "Bradley-Terry strength": strength,
    "length-controlled preference": at_equal_length,
    "quality per 100 characters": slope,
    "preference in a length bin, 75 examples": length_bin_case(300),
    "preference in a length bin, 10 examples": length_bin_case(40),
    "reward-model accuracy": reward,
    "plain mean, 40 labels": powered_case("plain", 40),
    "PPI mean, 40 labels": powered_case("untuned", 40),
    "PPI++ mean, 40 labels": powered_case("tuned", 40),
    "PPI++ mean, 200 labels": powered_case("tuned", 200),
    "PPI++ preference rate, 100 labels": powered_rate,
}


def cover(case: Case, simulations: int, seed: int = 0) -> tuple[float, float]:
    """The share of simulations whose interval holds the truth, and the mean width."""
    found = [case(rng) for rng in np.random.default_rng(seed).spawn(simulations)]
    held = [low <= truth <= high for (low, high), truth in found]
    return float(np.mean(held)), float(np.mean([high - low for (low, high), _ in found]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=2_000)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    print("| interval | coverage % | mean width | seconds |\n|---|---|---|---|")
    for name, case in CASES.items():
        if asked.only in name:
            started = time.perf_counter()
            share, width = cover(case, asked.simulations)
            seconds = time.perf_counter() - started
            print(f"| {name} | {100 * share:.1f} | {width:.3f} | {seconds:.0f} |", flush=True)


if __name__ == "__main__":
    main()
