"""Splits and picks depend on ids and the seed only, and every id has exactly one place."""

import random
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from heed.datasets.filters import Filter, Funnel, merge
from heed.datasets.splits import draw, shuffled, split_by_date, split_by_share

IDS = st.lists(st.text("abc123", min_size=1, max_size=6), unique=True, max_size=40)
SHARES = [("validation", 0.2), ("test", 0.3)]


@given(IDS, st.integers(0, 99), st.randoms(use_true_random=False))
def test_every_id_has_one_split_whatever_the_order(ids: list[str], seed: int, dice: random.Random) -> None:
    first = {id: split_by_share(id, seed, SHARES, "train") for id in ids}
    mixed = dice.sample(ids, len(ids))
    assert {id: split_by_share(id, seed, SHARES, "train") for id in mixed} == first
    assert set(first.values()) <= {"train", "validation", "test"}


@given(IDS, st.integers(0, 99), st.randoms(use_true_random=False))
def test_the_same_pick_whatever_the_order(ids: list[str], seed: int, dice: random.Random) -> None:
    mixed = dice.sample(ids, len(ids))
    assert shuffled(mixed, seed, "pick", str) == shuffled(ids, seed, "pick", str)
    assert sorted(shuffled(ids, seed, "pick", str)) == sorted(ids)


def test_shares_are_met() -> None:
    splits = [split_by_share(str(n), 0, SHARES, "train") for n in range(4000)]
    assert abs(splits.count("validation") / 4000 - 0.2) < 0.03
    assert abs(splits.count("test") / 4000 - 0.3) < 0.03


def test_seeds_and_purposes_differ() -> None:
    assert draw(0, "a", "x") != draw(1, "a", "x")
    assert draw(0, "a", "x") != draw(0, "b", "x")


@given(st.integers(0, 2**31), st.integers(0, 2**31))
def test_later_posts_never_fall_into_earlier_splits(one: int, other: int) -> None:
    order = ["train", "validation", "test"]
    days = (date(2019, 6, 14), date(2019, 7, 9))
    first, second = (order.index(split_by_date(moment, *days)) for moment in sorted((one, other)))
    assert first <= second


def test_funnels_add_up_and_name_the_worst() -> None:
    parts = []
    for numbers in ([1, 2, 3, 40], [5, 60]):
        funnel = Funnel(keep=True)
        rules: list[Filter[int]] = [Filter("odd", _odd), Filter("big", _big)]
        for number in numbers:
            funnel.passes("numbers", number, str(number), str(number), rules)
        parts.append(funnel)
    whole = merge(parts)
    assert whole.recorded() == [{"stage": "numbers", "in": 6, "out": 1, "dropped": {"odd": 3, "big": 2}}]
    assert whole.worst() == [("odd", 3)]
    assert Funnel().worst() == [("nothing", 0)]
    assert [drop.evidence for drop in whole.dropped] == ["1", "3", "40 > 10", "5", "60 > 10"]


def _odd(number: int) -> str | None:
    return str(number) if number % 2 else None


def _big(number: int) -> str | None:
    return f"{number} > 10" if number > 10 else None
