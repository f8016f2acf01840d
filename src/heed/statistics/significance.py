"""Which policies differ: TuringAdvice's matrix (Fig. 4, App. C), raw p beside Holm's.

A cell's difference is that of the preference rates; its p comes from the continuous scores, paired by
example. Not a test of one policy against 50 %: that is the interval of `preference.preference_rate`.
"""

from itertools import combinations

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from heed.errors import UserError
from heed.statistics.frames import numbers, refuse_double_votes, require


def paired_t_test(first: ArrayLike, second: ArrayLike) -> tuple[float, float]:
    """Student's t and two-sided p for pairs.

    Where all differences are equal, t has no variance to stand on. The rule: no difference at all gives t = 0
    and p = 1; a constant difference gives t = ±∞ and p = 0.
    """
    differences = numbers(first, "The first scores") - numbers(second, "The second scores")
    if len(differences) < 2:
        raise UserError("A paired t-test needs at least two examples that both policies were judged on.")
    if np.ptp(differences) < 1e-12:  # equal up to rounding
        step = float(differences[0])
        return (0.0, 1.0) if abs(step) < 1e-12 else (float(np.copysign(np.inf, step)), 0.0)
    from scipy.stats import ttest_1samp

    result = ttest_1samp(differences, 0.0)
    return float(result.statistic), float(result.pvalue)


def holm(raw: ArrayLike) -> list[float]:
    """Holm's step-down correction of a family of p values."""
    from statsmodels.stats.multitest import multipletests

    values = numbers(raw, "The p values")
    return [float(p) for p in multipletests(values, method="holm")[1]] if len(values) else []


def compare_policies(scores: pl.DataFrame) -> pl.DataFrame:
    """Every pair of policies, from `policy, example, outcome, score`, on the examples both were judged on.

    Columns out: policy, against, difference (of preference rates, policy − against), t, p, p_holm, n.
    """
    require(scores, "policy", "example", "outcome", "score")
    refuse_double_votes(scores, "policy", "example")
    names = sorted(scores["policy"].unique().to_list())
    if len(names) < 2:
        raise UserError(f"Comparing policies needs two of them; there is only {names[0]}.")
    rows = [_compare(scores, first, second) for first, second in combinations(names, 2)]
    corrected = pl.Series("p_holm", holm([row["p"] for row in rows]))
    return pl.DataFrame(rows).with_columns(corrected).select(*_COLUMNS)


_COLUMNS = ("policy", "against", "difference", "t", "p", "p_holm", "n")


def _compare(scores: pl.DataFrame, first: str, second: str) -> dict[str, str | float | int]:
    left = scores.filter(pl.col("policy") == first)
    right = scores.filter(pl.col("policy") == second)
    both = left.join(right, on="example", suffix="_other").sort("example")  # sums in one order, always
    if both.height < 2:
        raise UserError(
            f"{first} and {second} share {both.height} examples: a paired test needs at least two, "
            "so judge both policies on the same examples."
        )
    t, p = paired_t_test(both["score"].to_numpy(), both["score_other"].to_numpy())
    difference = float((both["outcome"] - both["outcome_other"]).to_numpy().mean())
    return {"policy": first, "against": second, "difference": difference, "t": t, "p": p, "n": both.height}
