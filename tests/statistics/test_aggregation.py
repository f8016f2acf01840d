"""Dawid–Skene against crowd-kit, and on data whose truth is known."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.errors import UserError
from heed.statistics.aggregation import dawid_skene
from heed.statistics.votes import majority


def simulated(
    seed: int, items: int = 60, skills: tuple[float, ...] = (0.9, 0.8, 0.7, 0.6, 0.55)
) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, items)
    rows = []
    for item in range(items):
        for worker, skill in enumerate(skills):
            said = truth[item] if rng.random() < skill else rng.integers(0, 3)
            rows.append((f"i{item:03}", f"w{worker}", "abc"[said], "abc"[truth[item]]))
    return pl.DataFrame(rows, schema=["item", "worker", "label", "truth"], orient="row")


@given(seed=st.integers(0, 2**32 - 1))
@pytest.mark.filterwarnings("ignore::pandas.errors.Pandas4Warning")  # inside crowd-kit
@settings(max_examples=4, deadline=None)
def test_equals_crowd_kit(seed: int) -> None:
    crowd = pytest.importorskip("crowdkit.aggregation", reason="crowd-kit, the development oracle, is absent")
    import pandas as pd

    frame = simulated(seed)
    table = pd.DataFrame({"task": frame["item"], "worker": frame["worker"], "label": frame["label"]})
    theirs = crowd.DawidSkene(n_iter=15, tol=-1e9).fit(table)
    ours = dawid_skene(frame, iterations=15, tolerance=-1e9)  # the same fixed number of steps
    expected = theirs.probas_.loc[list(ours.items), list(ours.labels)].to_numpy()
    assert ours.probabilities == pytest.approx(expected, abs=1e-6)
    assert ours.priors == pytest.approx(theirs.priors_[list(ours.labels)].to_numpy(), abs=1e-6)


def test_beats_the_majority_when_skills_differ() -> None:
    frame = simulated(1, items=400, skills=(0.95, 0.95, 0.2, 0.2, 0.2))
    truth = frame.unique("item").select("item", "truth")
    ours = dawid_skene(frame).best().join(truth, on="item")
    plain = majority(frame).join(truth, on="item")
    right = (ours["label"] == ours["truth"]).mean()
    assert right > (plain["label"] == plain["truth"]).fill_null(False).mean() + 0.05
    assert right > 0.9


def test_error_matrices_are_distributions_and_say_who_is_good() -> None:
    result = dawid_skene(simulated(2, items=300))
    assert result.errors.sum(2) == pytest.approx(np.ones((5, 3)))
    skill = np.trace(result.errors, axis1=1, axis2=2)
    assert skill.argmax() == 0
    assert result.converged


def test_one_worker_and_double_votes_are_refused() -> None:
    frame = simulated(0)
    with pytest.raises(UserError, match="at least two workers"):
        dawid_skene(frame.filter(pl.col("worker") == "w0"))
    with pytest.raises(UserError, match="more than once"):
        dawid_skene(pl.concat([frame, frame]))
