"""`heed power`: what it prints, against statsmodels and against studies that are simulated with it."""

import json
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.power import NormalIndPower
from typer.testing import CliRunner

from heed.cli.main import build_app
from heed.errors import UserError


def run(*words: str) -> Any:
    done = CliRunner().invoke(build_app(["power", "doctor"]), ["power", *words], catch_exceptions=False)
    return json.loads(done.stdout) if "--json" in words else done.stdout


def test_a_five_point_difference() -> None:
    """The numbers that docs/statistics.md quotes."""
    found = run("--json")
    assert (found["items"], found["judgments"]) == (470, 1_410)
    assert [(row["labels_per_item"], row["items"]) for row in found["choices"]][::3] == [(1, 783), (9, 366)]
    said = run("--difference", "0.05", "--labels-per-item", "4")
    assert said.startswith("To see 50 % against 55 % with power 0.8: ")
    assert "4" in [line.split()[0] for line in said.splitlines() if line.strip()]


def test_flags_reach_the_formula() -> None:
    flags = ["--labels-per-item", "1", "--power", "0.9", "--level", "0.99", "--difference", "0.01"]
    expected = NormalIndPower().solve_power(0.01 / 0.5, power=0.9, alpha=0.01, ratio=0)
    assert run(*flags, "--json")["items"] == pytest.approx(expected, rel=0.001)
    both = run(*flags, "--policies", "2", "--json")
    expected = NormalIndPower().solve_power(0.01 / 0.5, power=0.9, alpha=0.01, ratio=1)
    assert both["items"] == pytest.approx(expected, rel=0.001)
    assert both["judgments"] == 2 * both["items"]


def test_what_so_many_items_show_is_what_simulated_studies_see() -> None:
    """2,000 studies of 200 items, each vote a coin of the item's own chance (beta, correlation .25)."""
    found = run("--items", "200", "--agreement", "0.25", "--labels-per-item", "5", "--json")
    rate, total, rng = 0.5 + found["smallest_difference"], 1 / 0.25 - 1, np.random.default_rng(1)
    even = rng.binomial(5, rng.beta(total / 2, total / 2, (2_000, 200))).mean(1) / 5
    moved = rng.binomial(5, rng.beta(rate * total, (1 - rate) * total, (2_000, 200))).mean(1) / 5
    assert (np.abs(even - 0.5) < found["half_width"]).mean() == pytest.approx(0.95, abs=0.015)
    assert (moved - 0.5 > found["half_width"]).mean() == pytest.approx(0.8, abs=0.03)


def test_words_for_items() -> None:
    said = run("--items", "470")
    assert said.startswith("470 items × 3 labels (1,410 judgments) see 50 % against 55 % with power 0.8.")
    assert "with power 0.80" in said
    assert "± 3.5 points" in said
    assert "see no difference at all" in run("--items", "1")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--difference", "0.7"], "between 0 and 1"),
        (["--difference", "0"], "must differ"),
        (["--level", "1"], "Power and significance"),
        (["--policies", "3"], "one or two policies"),
        (["--agreement", "2", "--items", "10"], "agreement"),
    ],
)
def test_mistakes_are_sentences(words: list[str], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        run(*words)
