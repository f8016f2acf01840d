"""How many items and labelers it takes to see a difference, before anybody is paid.

The model: votes on an item are correlated (`agreement`, an intraclass correlation; Krippendorff's α of a
pilot estimates it), so the mean of k votes has the variance p(1 − p)(1 + (k − 1)·agreement) / k. The test
is the two-sided normal one. Not a simulation of a particular protocol.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist

from heed.errors import UserError

_MOST_ITEMS = 1 << 40


@dataclass(frozen=True, slots=True)
class Design:
    """What a study is planned with."""

    labelers: int = 3
    rate: float = 0.5
    """The rate that the difference is seen from."""
    agreement: float = 0.4
    """Between the α of crowd studies (.2 to .5) and the κ of .6 that TuringAdvice reports."""
    policies: int = 1
    """1: a policy against the fixed rate. 2: two policies on separate votes, which doubles the variance."""
    significance: float = 0.05
    power: float = 0.8


@dataclass(frozen=True, slots=True)
class Plan:
    """A study that would see the difference."""

    items: int
    labelers: int
    judgments: int
    power: float


def vote_variance(rate: float, labelers: int, agreement: float) -> float:
    """Variance of one item's share of votes."""
    return rate * (1 - rate) * (1 + (labelers - 1) * agreement) / labelers


def power_of(items: int, difference: float, design: Design | None = None) -> float:
    """The chance to see that a rate is `difference` above the design's rate."""
    design = design or Design()
    _check(difference, design)
    still = vote_variance(design.rate, design.labelers, design.agreement)
    moved = vote_variance(design.rate + difference, design.labelers, design.agreement)
    before = math.sqrt(design.policies * still)
    after = math.sqrt((design.policies - 1) * still + moved)
    edge = NormalDist().inv_cdf(1 - design.significance / 2) * before
    shift = abs(difference) * math.sqrt(items)
    return NormalDist().cdf((shift - edge) / after) + NormalDist().cdf((-shift - edge) / after)


def items_needed(difference: float, design: Design | None = None) -> Plan:
    """The smallest number of items with which the difference is seen with the wanted power."""
    design = design or Design()
    low, high = 0, 1
    while power_of(high, difference, design) < design.power:
        low, high = high, 2 * high
        if high > _MOST_ITEMS:
            raise UserError(f"A difference of {difference} is too small to be seen with any number of items.")
    while high - low > 1:
        middle = (low + high) // 2
        enough = power_of(middle, difference, design) >= design.power
        low, high = (low, middle) if enough else (middle, high)
    judgments = high * design.labelers * design.policies
    return Plan(high, design.labelers, judgments, power_of(high, difference, design))


def half_width(items: int, design: Design | None = None) -> float:
    """Half of the confidence interval of a rate, as it will be when the truth is the design's rate."""
    design = design or Design()
    variance = design.policies * vote_variance(design.rate, design.labelers, design.agreement)
    return NormalDist().inv_cdf(1 - design.significance / 2) * math.sqrt(variance / items)


def smallest_difference(items: int, design: Design | None = None) -> float | None:
    """The smallest rise that so many items show with the wanted power; None: not even the largest."""
    design = design or Design()
    low, high = 0.0, 1 - design.rate - 1e-6
    if power_of(items, high, design) < design.power:
        return None
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (low, middle) if power_of(items, middle, design) >= design.power else (middle, high)
    return high


def _check(difference: float, design: Design) -> None:
    if difference == 0 or not 0 < design.rate < 1 or not 0 < design.rate + difference < 1:
        raise UserError(
            f"Rate {design.rate} and rate plus difference {design.rate + difference} must differ and lie "
            "between 0 and 1."
        )
    if design.labelers < 1 or design.policies not in (1, 2) or not 0 <= design.agreement <= 1:
        raise UserError("A plan needs at least one labeler, one or two policies and an agreement in [0, 1].")
    if not 0 < design.power < 1 or not 0 < design.significance < 1:
        raise UserError("Power and significance lie between 0 and 1.")
