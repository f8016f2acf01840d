from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from heed.judging.placing import Layout, place_items
from heed.store.studies import Item


def item(number: int, policy: str = "one") -> Item:
    return Item(f"{policy}-{number}", f"e{number}", None, None, None, "t", "s", policy, "ref", "x", "y", None)


@given(
    count=st.integers(1, 80),
    shared=st.floats(0, 1),
    anchors=st.integers(0, 3),
    batch=st.integers(1, 30),
    seed=st.integers(0, 5),
)
def test_every_item_has_one_place(count: int, shared: float, anchors: int, batch: int, seed: int) -> None:
    items = [item(n, policy) for n in range(count) for policy in ("one", "two")]
    layout = Layout(3, seed, shared, anchors, frozenset({"one", "ref"}), batch)
    placed = place_items(items, layout)
    assert sorted(p.item.id for p in placed) == sorted(i.id for i in items)
    assert placed == place_items(list(reversed(items)), layout)
    ordinary = [p.position for p in placed if p.purpose == "ordinary"]
    assert ordinary == list(range(len(ordinary)))
    assert all(p.wanted == (3 if p.purpose == "ordinary" else 0) for p in placed)
    anchored = Counter(p.position // batch for p in placed if p.purpose == "anchor")
    assert set(anchored.values()) <= {anchors}
    assert sorted(anchored) == list(range(len(anchored)))
    assert all(p.item.policy_a == "one" for p in placed if p.purpose == "anchor")
    rest = len(items) - anchored.total()
    assert sum(p.purpose == "shared" for p in placed) == round(shared * rest)


def test_shared_items_come_at_their_rate() -> None:
    placed = place_items([item(n) for n in range(100)], Layout(1, shared=0.2))
    assert [p.position for p in placed if p.purpose == "shared"] == list(range(0, 100, 5))
