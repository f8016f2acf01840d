"""Which items everybody gets, which are anchors, and in which order all go out. No labelers here."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from heed.store.studies import Item, Placed


@dataclass(frozen=True, slots=True)
class Layout:
    """How many labels an ordinary item gets, and what is mixed in between for everybody."""

    labels_per_item: int
    seed: int = 0
    shared: float = 0.0
    anchors: int = 0
    anchor_policies: frozenset[str] = frozenset()
    batch: int = 20


def place_items(items: Sequence[Item], layout: Layout) -> list[Placed]:
    """Shuffled, so that no policy has a place of its own; what everybody gets at its personal places."""
    mixed = shuffle_items(items, layout.seed)
    anchors = _choose_anchors(mixed, layout)
    rest = [item for item in mixed if item not in anchors]
    shared = rest[: round(layout.shared * len(rest))]
    ordinary = [Placed(item, place, layout.labels_per_item) for place, item in enumerate(rest[len(shared) :])]
    return [*ordinary, *_place_shared(shared, layout), *_place_anchors(anchors, layout)]


def shuffle_items(items: Sequence[Item], seed: int) -> list[Item]:
    ordered = sorted(items, key=lambda item: item.id)
    random.Random(seed).shuffle(ordered)
    return ordered


def _choose_anchors(mixed: list[Item], layout: Layout) -> list[Item]:
    """As many as whole batches need: nobody judges an anchor twice, so every batch has its own."""
    able = [item for item in mixed if {item.policy_a, item.policy_b} == layout.anchor_policies]
    if not layout.anchors:
        return []
    batches = min(ceil(len(mixed) / layout.batch), len(able) // layout.anchors)
    return able[: batches * layout.anchors]


def _place_anchors(anchors: list[Item], layout: Layout) -> list[Placed]:
    """Somewhere in its batch, so that nobody learns to expect one."""
    dice = random.Random(f"{layout.seed} anchors")
    places = [
        layout.batch * (number // layout.anchors) + dice.randrange(layout.batch)
        for number in range(len(anchors))
    ]
    return [Placed(item, place, 0, "anchor") for item, place in zip(anchors, places, strict=True)]


def _place_shared(shared: list[Item], layout: Layout) -> list[Placed]:
    """Spread over a labeler's work at the rate of the share."""
    return [Placed(item, round(n / layout.shared), 0, "shared") for n, item in enumerate(shared)]
