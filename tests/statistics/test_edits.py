"""Edits judged blind: rates by length against a plain count, scores beside people, marked changes."""

import random
from collections import defaultdict

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heed.errors import UserError
from heed.statistics.bootstrap import Resampling
from heed.statistics.edits import edit_rates, marked_change, scored_edits

QUICK = Resampling(resamples=200)


def some_votes(seed: int, items: int = 12) -> list[tuple[str, str, str, float, int]]:
    dice = random.Random(seed)
    rows = []
    for item in range(items):
        longer_by = dice.choice([-3, 0, 4])
        for worker in range(dice.randint(1, 3)):
            rows.append((f"i{item}", f"e{item // 2}", f"w{worker}", dice.choice([0.0, 0.5, 1.0]), longer_by))
    return rows


def frame_of(rows: list[tuple[str, str, str, float, int]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["item", "example", "worker", "score", "longer_by"], orient="row")


def counted(rows: list[tuple[str, str, str, float, int]]) -> dict[str, list[float]]:
    """The outcomes by kind of edit, counted in plain Python."""
    balance: dict[str, float] = defaultdict(float)
    length = {}
    for item, _, _, score, longer_by in rows:
        balance[item] += score - 0.5
        length[item] = longer_by
    kinds: dict[str, list[float]] = defaultdict(list)
    for item, sum_ in balance.items():
        outcome = 0.5 if sum_ == 0 else float(sum_ > 0)
        kind = "longer" if length[item] > 0 else "shorter" if length[item] < 0 else "same length"
        kinds[kind].append(outcome)
        kinds["all"].append(outcome)
    return kinds


@given(seed=st.integers(0, 10_000))
@settings(max_examples=25, deadline=None)
def test_rates_equal_a_plain_count(seed: int) -> None:
    rows = some_votes(seed)
    found = {row["edit"]: row for row in edit_rates(frame_of(rows), QUICK).iter_rows(named=True)}
    kinds = counted(rows)
    assert set(found) == set(kinds)
    for kind, outcomes in kinds.items():
        assert found[kind]["items"] == len(outcomes)
        assert found[kind]["preferred"] == pytest.approx(sum(outcomes) / len(outcomes))
        assert found[kind]["low"] <= found[kind]["preferred"] <= found[kind]["high"]
    assert found["all"]["votes"] == len(rows)


def test_scores_beside_people() -> None:
    votes = frame_of(
        [
            ("shorter, edit won", "e1", "w", 1.0, -1),
            ("longer, edit won", "e2", "w", 1.0, 2),
            ("longer, edit lost", "e3", "w", 0.0, 2),
            ("longer, tied", "e4", "w", 0.5, 2),
            ("longer, without score", "e5", "w", 1.0, 2),
        ]
    )
    scores = pl.DataFrame(
        {"item": votes["item"][:4], "before": [0.0, 1.0, 0.0, 0.0], "after": [2.0, 1.0, 1.0, 1.0]}
    )
    found = {row["edit"]: row for row in scored_edits(votes, scores, QUICK).iter_rows(named=True)}
    # Longer: changes 0, +1, +1, so half of one and two prefer the edit; of the two where people decided the
    # score agrees with half (equal scores) and with none.
    longer = found["longer"]
    assert (longer["items"], longer["prefers_edit"]) == (3, pytest.approx(2.5 / 3))
    assert (longer["agree"], longer["mean_change"]) == (0.25, pytest.approx(2 / 3))
    assert found["all"]["mean_change"] == 1.0
    assert (found["shorter"]["mean_change"], found["shorter"]["mean_change_low"]) == (2.0, None)


def test_people_who_never_decide_give_no_agreement() -> None:
    votes = frame_of([("i", "e", "w", 0.5, 3)])
    scores = pl.DataFrame({"item": ["i"], "before": [0.0], "after": [1.0]})
    assert scored_edits(votes, scores, QUICK)["agree"].to_list() == [None, None]
    with pytest.raises(UserError, match="No edit has a score"):
        scored_edits(votes, scores.with_columns(item=pl.lit("other")), QUICK)


def test_nan_scores_are_refused() -> None:
    votes = frame_of([("i", "e", "w", 1.0, 3)])
    with pytest.raises(UserError, match="empty cells"):
        scored_edits(votes, pl.DataFrame({"item": ["i"], "before": [0.0], "after": [float("nan")]}), QUICK)


def test_changes_are_marked() -> None:
    assert marked_change("I lost a good friend today", "I lost a good phone") == (
        "I lost a good [-friend today-] {+phone+}",
        3,
    )
    assert marked_change("the same", "the  same") == ("the same", 0)


@given(old=st.lists(st.sampled_from("abc"), max_size=8), new=st.lists(st.sampled_from("abc"), max_size=8))
def test_marks_lead_back_to_both_texts(old: list[str], new: list[str]) -> None:
    marked, words = marked_change(" ".join(old), " ".join(new))
    removed = added = 0
    before, after, state = [], [], "both"
    for token in marked.split():
        state = "old" if token.startswith("[-") else "new" if token.startswith("{+") else state
        word = token.strip("[]-{}+")
        if state in ("both", "old"):
            before.append(word)
        if state in ("both", "new"):
            after.append(word)
        removed, added = removed + (state == "old"), added + (state == "new")
        state = "both" if token.endswith(("-]", "+}")) else state
    assert (before, after, removed + added) == (old, new, words)
