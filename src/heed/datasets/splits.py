"""Seeded choices that depend on ids and the seed, never on the order in which things arrive.

Every id has one number between 0 and 1 per seed and purpose; a split is an interval, a pick takes the
smallest.
"""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import TypeVar

T = TypeVar("T")


def draw(seed: int, purpose: str, id: str) -> float:
    """A number in [0, 1) that only the seed, the purpose and the id decide."""
    digest = hashlib.blake2b(f"{seed}\0{purpose}\0{id}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64


def shuffled(things: Iterable[T], seed: int, purpose: str, key: Callable[[T], str]) -> list[T]:
    """The same order for the same ids and seed, however the things came."""
    return sorted(things, key=lambda thing: (draw(seed, purpose, key(thing)), key(thing)))


def split_by_share(id: str, seed: int, shares: Sequence[tuple[str, float]], rest: str) -> str:
    """The split whose interval holds the id's number; `rest` takes what the shares leave."""
    number = draw(seed, "split", id)
    for name, share in shares:
        if number < share:
            return name
        number -= share
    return rest


def split_by_date(created: int | None, train_until: date, validation_until: date) -> str:
    """Both days belong to the earlier side (UTC); a post without a date is old, so it trains."""
    if created is None or created < _end_of_day(train_until):
        return "train"
    return "validation" if created < _end_of_day(validation_until) else "test"


def _end_of_day(day: date) -> float:
    return datetime.combine(day + timedelta(days=1), time(), UTC).timestamp()
