"""Plans: against statsmodels where it has the case, and against simulated studies."""

import numpy as np
import pytest
from statsmodels.stats.power import NormalIndPower

from heed.errors import UserError
from heed.statistics.power import (
    Design,
    half_width,
    items_needed,
    power_of,
    smallest_difference,
    vote_variance,
)


def test_one_labeler_small_difference_equals_statsmodels() -> None:
    """With one vote per item and nearly equal variances this is the one-sample normal test."""
    difference = 0.01
    plan = items_needed(difference, Design(labelers=1))
    expected = NormalIndPower().solve_power(difference / 0.5, power=0.8, alpha=0.05, ratio=0)
    assert plan.items == pytest.approx(expected, rel=0.001)


def test_the_plan_is_the_smallest() -> None:
    plan = items_needed(0.05)
    assert power_of(plan.items, 0.05) >= 0.8 > power_of(plan.items - 1, 0.05)
    assert plan.judgments == 3 * plan.items


def test_more_labelers_help_less_when_they_agree() -> None:
    apart, alike = (
        [items_needed(0.05, Design(labelers=k, agreement=a)).items for k in (1, 3, 9)] for a in (0.1, 0.9)
    )
    assert apart[0] > apart[1] > apart[2]
    assert apart[0] / apart[2] > 4
    assert alike[0] / alike[2] < 1.1


def test_simulated_studies_reach_the_promised_power() -> None:
    """Beta-binomial votes with the intraclass correlation of the design; 3,000 studies."""
    design, rate = Design(labelers=3, agreement=0.4), 0.6
    plan, rng = items_needed(0.1, design), np.random.default_rng(0)
    total = 1 / design.agreement - 1  # a Beta's a + b for this correlation
    chances = rng.beta(rate * total, (1 - rate) * total, (3_000, plan.items))
    shares = rng.binomial(3, chances).mean(1) / 3
    edge = 1.959964 * (vote_variance(0.5, 3, 0.4) / plan.items) ** 0.5
    assert (np.abs(shares - 0.5) > edge).mean() == pytest.approx(plan.power, abs=0.03)


@pytest.mark.parametrize(
    ("difference", "design", "sentence"),
    [
        (0.0, Design(), "must differ"),
        (0.6, Design(), "between 0 and 1"),
        (0.05, Design(labelers=0), "at least one labeler"),
        (0.05, Design(power=1.5), "Power and significance"),
    ],
)
def test_refuses(difference: float, design: Design, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        items_needed(difference, design)


def test_the_interval_has_the_width_of_simulated_studies() -> None:
    """One vote per item: 1.96 standard errors of a share of 400."""
    rates = np.random.default_rng(0).binomial(400, 0.5, 20_000) / 400
    assert half_width(400, Design(labelers=1)) == pytest.approx(1.96 * rates.std(), rel=0.02)


def test_the_smallest_difference_is_the_one_the_items_were_planned_for() -> None:
    plan = items_needed(0.05)
    assert smallest_difference(plan.items) == pytest.approx(0.05, rel=0.01)
    assert smallest_difference(1) is None
