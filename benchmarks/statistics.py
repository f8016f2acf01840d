"""The ratios that docs/statistics.md quotes, all from one run: `python benchmarks/statistics.py`.

The cluster bootstrap does 10,000 resamples over 200 examples × 6 policies × 3 labelers four ways; the
agreement matrix is 60,000 comparisons with people, an ensemble and five metrics.
"""

import random
import time
from collections.abc import Callable

import numpy as np
import polars as pl
from scipy import stats

from heed.statistics.agreement_matrix import Opinions, agreement_matrix, ensemble, metric, people
from heed.statistics.bootstrap import Resampling, bootstrap_ratios, interval

EXAMPLES, POLICIES, LABELERS, RESAMPLES = 200, 6, 3, 10_000
LOOP_SHARE = 50  # the pure Python loop runs this fraction of the resamples and is scaled up


def timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def ours(votes: np.ndarray) -> list[tuple[float, float]]:
    tops = votes.sum(2)
    replicates = bootstrap_ratios(tops, np.full_like(tops, LABELERS), Resampling(resamples=RESAMPLES))
    return [interval(replicates[:, policy]) for policy in range(POLICIES)]


def python_loop(votes: list[list[list[float]]], resamples: int) -> list[list[float]]:
    """What one would write first: draw examples, add their votes up."""
    draw, found = random.Random(0), []
    for _ in range(resamples):
        sample = [votes[draw.randrange(EXAMPLES)] for _ in range(EXAMPLES)]
        sums = [0.0] * POLICIES
        for example in sample:
            for policy in range(POLICIES):
                sums[policy] += sum(example[policy])
        found.append([total / (EXAMPLES * LABELERS) for total in sums])
    return found


def numpy_loop(votes: np.ndarray) -> np.ndarray:
    """A loop over resamples with NumPy inside."""
    rng = np.random.default_rng(0)
    means = [votes[rng.integers(0, EXAMPLES, EXAMPLES)].mean((0, 2)) for _ in range(RESAMPLES)]
    return np.quantile(np.array(means), [0.025, 0.975], axis=0)


def scipys(votes: np.ndarray) -> object:
    """scipy.stats.bootstrap over examples, vectorised, all policies at once, in pieces of 1,000."""
    means = votes.mean(2).T
    return stats.bootstrap(
        (means,),
        np.mean,
        axis=-1,
        n_resamples=RESAMPLES,
        method="percentile",
        batch=1_000,
        rng=np.random.default_rng(0),
    )


def compare_bootstraps() -> None:
    votes = (np.random.default_rng(1).random((EXAMPLES, POLICIES, LABELERS)) < 0.3).astype(float)
    ours(votes)
    best = min(timed(lambda: ours(votes)) for _ in range(5))
    nested = votes.tolist()
    others = {
        "Python loop": LOOP_SHARE * timed(lambda: python_loop(nested, RESAMPLES // LOOP_SHARE)),
        "NumPy inside a loop": timed(lambda: numpy_loop(votes)),
        "scipy.stats.bootstrap": min(timed(lambda: scipys(votes)) for _ in range(2)),
    }
    print(f"cluster bootstrap, ours: {best:.3f} s")
    for name, seconds in others.items():
        print(f"{name}: {seconds:.3f} s, {seconds / best:.0f} times ours")


def big_matrix(comparisons: int = 60_000) -> tuple[dict[str, Opinions], np.ndarray]:
    rng = np.random.default_rng(2)
    truth, names = rng.normal(0, 1, comparisons), [f"c{k}" for k in range(comparisons)]
    groups = {}
    for group, size in (("researcher", 2), ("labeler", 4)):
        seen = truth[:, None] + rng.normal(0, 1, (comparisons, size))
        votes = pl.DataFrame(
            {
                "comparison": np.repeat(names, size),
                "worker": np.tile([f"{group}{k}" for k in range(size)], comparisons),
                "vote": np.sign(np.where(np.abs(seen) < 0.1, 0, seen)).astype(int).ravel(),
            }
        )
        groups[group] = people(votes, names)
    metrics = {
        name: metric(truth + rng.normal(0, noise, comparisons), np.zeros(comparisons))
        for name, noise in (("length", 4), ("copying", 5), ("ROUGE", 4), ("logprob", 4), ("reward", 1))
    }
    columns = {**groups, "ensemble": ensemble(groups["labeler"]), **metrics}
    return columns, rng.integers(0, comparisons // 3, comparisons)


def time_matrix() -> None:
    started = time.perf_counter()
    columns, posts = big_matrix()
    made = time.perf_counter()
    table = agreement_matrix(columns, posts, ensemble_of={"ensemble": "labeler"})
    seconds = time.perf_counter() - made
    print(f"agreement matrix, 60,000 comparisons, {len(columns)} columns, {table.height} cells, ", end="")
    print(f"1,000 resamples: {seconds:.1f} s (counting the votes: {made - started:.1f} s)")


if __name__ == "__main__":
    compare_bootstraps()
    time_matrix()
