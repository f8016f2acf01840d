"""The question-choice study (Asking the Right Question): accuracy by pair type, by idf, by interrogative.

Letters rate a question against its narrative: G very general, L compatible-likely, U compatible-unlikely,
E explicitly, I implicitly incompatible; C stands for L or U. A pair type is ACTUAL + ALTERNATIVE.
"""

import warnings
from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from heed.errors import UserError
from heed.records import Estimate
from heed.statistics.frames import codes, numbers, require
from heed.statistics.preference import proportion

LETTERS = ("G", "L", "U", "E", "I")
# Table 4's rows: the letters the actual question may have, and those the alternative may have.
PAIR_TYPES = {
    "C+E": ("LU", "E"),
    "C+{C,I}": ("LU", "LUI"),
    "C+C": ("LU", "LU"),
    "L+{U,I}": ("L", "UI"),
    "overall": ("GLUEI", "GLUEI"),
}


def pair_type_table(items: pl.DataFrame, solvers: Sequence[str]) -> pl.DataFrame:
    """Table 4 from `actual, alternative` letters and one 0/1 column per solver (people, models).

    Columns out: pair_type, share (of the data), n, then per solver its accuracy, low and high. A pair type
    that does not occur has n 0 and null accuracies.
    """
    require(items, "actual", "alternative", *solvers)
    unknown = (set(items["actual"]) | set(items["alternative"])) - set(LETTERS)
    if unknown:
        raise UserError(f"Letter {min(unknown)} is unknown; known: {', '.join(LETTERS)}.")
    rows = [_pair_type_row(items, name, *letters, solvers) for name, letters in PAIR_TYPES.items()]
    return pl.DataFrame(rows, infer_schema_length=None)


def idf_t_test(average_idf: ArrayLike, correct: ArrayLike) -> dict[str, float | int]:
    """Is the average idf of questions answered right another than of those answered wrong? Welch's t."""
    values, right = numbers(average_idf, "The idf values"), np.asarray(correct, dtype=bool)
    first, second = values[right], values[~right]
    if min(len(first), len(second)) < 2:
        raise UserError("The idf test needs at least two questions answered right and two answered wrong.")
    if max(np.ptp(first), np.ptp(second)) < 1e-12:
        raise UserError("All idf values are equal within right and wrong answers, so there is no test.")
    from scipy.stats import ttest_ind

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # one side may be constant; Welch's t still stands
        result = ttest_ind(first, second, equal_var=False)
    return {
        "mean_right": float(first.mean()),
        "mean_wrong": float(second.mean()),
        "n_right": len(first),
        "n_wrong": len(second),
        "t": float(result.statistic),
        "p": float(result.pvalue),
    }


def interrogative_table(questions: Sequence[str], correct: ArrayLike) -> pl.DataFrame:
    """Accuracy by the question's first word, contractions cut at the apostrophe (What's counts as what).

    Columns out: interrogative, accuracy, low, high, n, most frequent first.
    """
    right = np.asarray(correct, dtype=bool)
    if len(questions) != len(right) or not len(right):
        raise UserError(f"{len(questions)} questions but {len(right)} answers.")
    words = np.array([_first_word(question) for question in questions])
    positions, count = codes(words)
    kinds = np.unique(words)
    rows = []
    for kind in range(count):
        part = right[positions == kind]
        share = proportion(float(part.sum()), len(part))
        rows.append((str(kinds[kind]), share.value, share.low, share.high, share.n))
    frame = pl.DataFrame(rows, schema=["interrogative", "accuracy", "low", "high", "n"], orient="row")
    return frame.sort(["n", "interrogative"], descending=[True, False])


def _pair_type_row(
    items: pl.DataFrame, name: str, actual: str, alternative: str, solvers: Sequence[str]
) -> dict[str, str | int | float | None]:
    part = items.filter(pl.col("actual").is_in(list(actual)) & pl.col("alternative").is_in(list(alternative)))
    row: dict[str, str | int | float | None] = {
        "pair_type": name,
        "share": part.height / items.height,
        "n": part.height,
    }
    for solver in solvers:
        share = _share_right(part[solver])
        row[solver] = share.value if share else None
        row[f"{solver}_low"] = share.low if share else None
        row[f"{solver}_high"] = share.high if share else None
    return row


def _share_right(answers: pl.Series) -> Estimate | None:
    return proportion(float(answers.sum()), len(answers)) if len(answers) else None


def _first_word(question: str) -> str:
    words = question.strip().lower().replace("’", "'").split()
    return words[0].split("'")[0].strip('?,.!"') if words else "(empty)"
