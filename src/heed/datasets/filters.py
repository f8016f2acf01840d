"""Filters and the funnel: what was dropped, by which rule, on what evidence.

A filter has a name and looks for evidence against one thing; the first that finds some decides. The funnel
counts, stage by stage. Neither knows what a post or a comment is: that is the recipe's business.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    import polars

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Filter(Generic[T]):
    """`find` returns the evidence to drop a thing for the reason `name`, or None to let it pass."""

    name: str
    find: Callable[[T], str | None]


@dataclass(frozen=True, slots=True)
class Dropped:
    """One thing that did not pass: which one, where, why, and the evidence."""

    id: str
    post_id: str
    stage: str
    reason: str
    evidence: str


@dataclass(slots=True)
class Stage:
    """How many things came to a stage and how many left it, by reason."""

    entered: int = 0
    dropped: Counter[str] = field(default_factory=Counter)

    @property
    def kept(self) -> int:
        return self.entered - self.dropped.total()


@dataclass(slots=True)
class Funnel:
    """The stages in the order they were first met; with `keep`, also every dropped thing."""

    keep: bool = False
    stages: dict[str, Stage] = field(default_factory=dict)
    dropped: list[Dropped] = field(default_factory=list)

    def enter(self, stage: str, count: int = 1) -> None:
        self._find(stage).entered += count

    def drop(self, stage: str, reason: str, id: str, post_id: str, evidence: str = "") -> None:
        self._find(stage).dropped[reason] += 1
        if self.keep:
            self.dropped.append(Dropped(id, post_id, stage, reason, evidence))

    def drop_rows(self, stage: str, reason: str, rows: "polars.DataFrame") -> None:
        """Many at once: the columns are id, post_id and evidence."""
        if rows.height:
            self._find(stage).dropped[reason] += rows.height
        if self.keep:
            self.dropped += [
                Dropped(id, post_id, stage, reason, why) for id, post_id, why in rows.iter_rows()
            ]

    def _find(self, stage: str) -> Stage:
        if stage not in self.stages:
            self.stages[stage] = Stage()
        return self.stages[stage]

    def passes(self, stage: str, thing: T, id: str, post_id: str, filters: Sequence[Filter[T]]) -> bool:
        """Count one thing and say whether it passes every filter."""
        self.enter(stage)
        for rule in filters:
            evidence = rule.find(thing)
            if evidence is not None:
                self.drop(stage, rule.name, id, post_id, evidence)
                return False
        return True

    def add(self, other: "Funnel") -> None:
        for name, stage in other.stages.items():
            mine = self.stages.setdefault(name, Stage())
            mine.entered += stage.entered
            mine.dropped.update(stage.dropped)
        self.dropped.extend(other.dropped)

    def worst(self, count: int = 1) -> list[tuple[str, int]]:
        """The reasons that dropped most, over all stages, and how many each."""
        total: Counter[str] = Counter()
        for stage in self.stages.values():
            total.update(stage.dropped)
        return list(_by_count(total).items())[:count] or [("nothing", 0)]

    def recorded(self) -> list[dict[str, Any]]:
        """The funnel as it stands in manifests, on cards and in --json."""
        return [
            {"stage": name, "in": stage.entered, "out": stage.kept, "dropped": _by_count(stage.dropped)}
            for name, stage in self.stages.items()
        ]


def merge(funnels: Iterable[Funnel]) -> Funnel:
    whole = Funnel()
    for funnel in funnels:
        whole.add(funnel)
    return whole


def _by_count(dropped: Counter[str]) -> dict[str, int]:
    return dict(sorted(dropped.items(), key=lambda item: (-item[1], item[0])))
