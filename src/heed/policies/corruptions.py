"""Pairs of summaries of which one is meant to be better, from a TL;DR dataset: Table 18 of the paper.

A set is one line in `SETS`. Where an example cannot give a pair, the reason is counted. What a scorer makes
of the pairs is accuracy against the builder's intention, not against people.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from heed.policies.extract import lead_sentences, random_sentences
from heed.policies.roles import reverse_roles
from heed.policies.scorers import NoScoreError, Scorer
from heed.records import Example

ADVICE = "What should I do?"
STORY_SUBREDDIT = "tifu"  # stories that ask for no advice


@dataclass(frozen=True, slots=True)
class ConstructedPair:
    """Two summaries of one example; `better` is meant to be."""

    set: str
    example: Example
    better: str
    worse: str


class UnfitError(Exception):
    """Why an example gives no pair; a reason to count, not an error of the user's."""


@dataclass(frozen=True, slots=True)
class Material:
    """An example, its own dice, and all examples, of which a random title is drawn."""

    example: Example
    dice: random.Random
    everything: Sequence[Example]

    @property
    def title(self) -> str:
        return _need(self.example.title.strip(), "no title")

    @property
    def reference(self) -> str:
        return _need(self.example.references[0].text if self.example.references else "", "no reference")

    def lead(self, count: int) -> list[str]:
        return _enough(lead_sentences(self.example.text, count), count)

    def rand(self, count: int) -> list[str]:
        return _enough(random_sentences(self.example.text, count, self.dice), count)


Sides = tuple[str, str]


def _reversed(m: Material) -> Sides:
    turned = reverse_roles(m.reference)
    return m.reference, _need("" if turned == m.reference else turned, "no two roles to reverse")


def _shuffled(m: Material, found: list[str]) -> Sides:
    """Another order than the post's; sentences that are all alike have none."""
    straight = " ".join(found)
    orders = [" ".join(m.dice.sample(found, len(found))) for _ in range(20)]
    return straight, _need(next((o for o in orders if o != straight), ""), "sentences all alike")


def _other_title(m: Material, among: Callable[[Example], bool]) -> Sides:
    titles = sorted({other.title.strip() for other in m.everything if among(other)} - {m.title, ""})
    return m.title, m.dice.choice(titles) if titles else _need("", "no other title")


def _same_subreddit(m: Material) -> Sides:
    return _other_title(m, lambda other: other.subreddit == m.example.subreddit)


def _advice_asked(m: Material) -> Sides:
    if m.example.subreddit.lower() != STORY_SUBREDDIT:
        raise UnfitError(f"not of r/{STORY_SUBREDDIT}")
    return m.reference, f"{m.reference} {ADVICE}"


def _reference_and(m: Material, other: list[str]) -> Sides:
    worse = " ".join(other)
    return m.reference, _need("" if worse == m.reference else worse, "the two are the same")


SETS: dict[str, Callable[[Material], Sides]] = {
    "reference / reversed roles": _reversed,
    "lead-3 / shuffled": lambda m: _shuffled(m, m.lead(3)),
    "rand-3 / shuffled": lambda m: _shuffled(m, m.rand(3)),
    "title / random title": lambda m: _other_title(m, lambda _: True),
    "title / title of the same subreddit": _same_subreddit,
    "title / title twice": lambda m: (m.title, f"{m.title} {m.title}"),
    f"r/{STORY_SUBREDDIT}: reference / reference and “{ADVICE}”": _advice_asked,
    "reference / lead-3": lambda m: _reference_and(m, m.lead(3)),
    "reference / lead-2": lambda m: _reference_and(m, m.lead(2)),
    "reference / rand-3": lambda m: _reference_and(m, m.rand(3)),
}


def construct_pairs(
    examples: Sequence[Example], everything: Sequence[Example], seed: int = 0
) -> tuple[list[ConstructedPair], dict[str, Counter[str]]]:
    """Every pair that the examples give, and per set why others gave none.

    An example's pairs depend on the seed, itself and, for titles, on `everything`.
    """
    pairs: list[ConstructedPair] = []
    left_out: dict[str, Counter[str]] = {name: Counter() for name in SETS}
    for name, build in SETS.items():
        for example in examples:
            try:
                sides = build(Material(example, random.Random(f"{seed} {name} {example.id}"), everything))
            except UnfitError as reason:
                left_out[name][str(reason)] += 1
                continue
            pairs.append(ConstructedPair(name, example, *sides))
    return pairs, left_out


def score_pairs(
    pairs: Sequence[ConstructedPair], scorer: Scorer
) -> Iterator[tuple[ConstructedPair, float, float] | tuple[ConstructedPair, str]]:
    """Each pair with the scores of the better and the worse, or with the reason why it has none."""
    for pair in pairs:
        try:
            better, worse = scorer(pair.example, [pair.better, pair.worse])
        except NoScoreError as error:
            yield pair, str(error)
            continue
        yield pair, better, worse


def _need(text: str | None, reason: str) -> str:
    if not text:
        raise UnfitError(reason)
    return text


def _enough(found: list[str], count: int) -> list[str]:
    if len(found) < count:
        raise UnfitError(f"fewer than {count} sentences")
    return found
