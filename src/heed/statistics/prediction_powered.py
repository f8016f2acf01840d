"""Prediction-powered intervals: few human labels and many machine judgments, still valid for the humans.

PPI (Angelopoulos et al., Science 2023) and its tuned form PPI++ (Angelopoulos, Duchi, Zrnic 2023): the
machine's mean over everything, corrected by its error where humans labelled too. The plain human interval
always stands beside it. Valid when the labelled cases are a random sample of all; nothing here can check
that.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from heed.errors import UserError
from heed.records import Estimate
from heed.statistics.bootstrap import LEVEL
from heed.statistics.frames import Floats, numbers

Tuning = Literal["none", "optimal"]
Recorded = tuple[tuple[str, str | int | float | bool], ...]
SMALLEST_LABELLED = 20  # below, the normal interval itself is not to be trusted; see docs/statistics.md


@dataclass(frozen=True, slots=True)
class PredictionPowered:
    """The powered interval, the plain one from the human labels alone, and what the machine saved."""

    powered: Estimate
    plain: Estimate
    labels_for_equal_width: int
    """How many human labels the plain interval would need to be as narrow."""
    saving: float
    """The share of those labels that the machine saved; negative when it made things worse."""
    weight: float
    """λ: how far the machine is trusted, 0 not at all, 1 as in plain PPI."""


def powered_mean(
    labels: ArrayLike,
    predictions: ArrayLike,
    unlabelled: ArrayLike,
    *,
    tuning: Tuning = "optimal",
    level: float = LEVEL,
) -> PredictionPowered:
    """The mean label: `labels` and `predictions` on the same cases, `unlabelled` predictions on others."""
    human, machine = numbers(labels, "The labels"), numbers(predictions, "The predictions")
    rest = numbers(unlabelled, "The unlabelled predictions")
    _check(human, machine, rest)
    weight = _optimal_weight(human, machine, rest) if tuning == "optimal" else 1.0
    value = weight * rest.mean() + (human - weight * machine).mean()
    variance = weight**2 * rest.var(ddof=1) / len(rest) + (human - weight * machine).var(ddof=1) / len(human)
    plain_variance = human.var(ddof=1) / len(human)
    options = (("level", level), ("tuning", tuning), ("unlabelled", len(rest)))
    half, plain_half = (_quantile(level, len(human)) * float(v) ** 0.5 for v in (variance, plain_variance))
    powered = _around(float(value), half, len(human), "PPI++" if tuning == "optimal" else "PPI", options)
    plain = _around(float(human.mean()), plain_half, len(human), "Student", (("level", level),))
    needed = len(human) * float(plain_variance / variance) if variance > 0 else float(len(human))
    return PredictionPowered(powered, plain, round(needed), 1 - len(human) / needed, float(weight))


def powered_preference_rate(
    outcomes: ArrayLike,
    machine_outcomes: ArrayLike,
    unlabelled: ArrayLike,
    *,
    tuning: Tuning = "optimal",
    level: float = LEVEL,
) -> PredictionPowered:
    """The same for item outcomes in [0, 1]; interval ends are cut at 0 and 1."""
    result = powered_mean(outcomes, machine_outcomes, unlabelled, tuning=tuning, level=level)
    human = np.asarray(outcomes, dtype=np.float64)
    if human.min() < 0 or human.max() > 1:
        raise UserError("An outcome lies in [0, 1]: 1 preferred, 0.5 tied, 0 not.")
    return PredictionPowered(
        _cut(result.powered),
        _cut(result.plain),
        result.labels_for_equal_width,
        result.saving,
        result.weight,
    )


def _optimal_weight(human: Floats, machine: Floats, rest: Floats) -> float:
    """λ that makes the variance smallest: cov(Y, f) / ((1 + n/N) var f), kept in [0, 1]."""
    spread = float(np.concatenate([machine, rest]).var(ddof=1))
    if spread == 0:
        return 0.0
    together = float(np.cov(human, machine, ddof=1)[0, 1])
    return float(np.clip(together / ((1 + len(human) / len(rest)) * spread), 0.0, 1.0))


def _quantile(level: float, n: int) -> float:
    """Student's instead of the normal quantile: with few labels the variances are themselves estimates."""
    from scipy.stats import t

    return float(t.ppf((1 + level) / 2, n - 1))


def _around(value: float, half: float, n: int, method: str, options: Recorded) -> Estimate:
    return Estimate(value, value - half, value + half, n, method, options)


def _cut(estimate: Estimate) -> Estimate:
    low, high = max(0.0, estimate.low), min(1.0, estimate.high)
    return Estimate(estimate.value, low, high, estimate.n, estimate.method, estimate.options)


def _check(human: Floats, machine: Floats, rest: Floats) -> None:
    if len(human) != len(machine):
        raise UserError(f"{len(human)} labels but {len(machine)} predictions for the same cases.")
    if len(human) < SMALLEST_LABELLED or len(rest) < 2:
        raise UserError(
            f"Prediction-powered intervals need {SMALLEST_LABELLED} human labels and two unlabelled "
            f"predictions; there are {len(human)} and {len(rest)}."
        )
    if np.ptp(human) == 0:
        raise UserError(
            "All human labels are equal, so the interval has no width to learn; label more cases."
        )
