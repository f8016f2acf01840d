"""Items from responses or examples: which texts meet in one question. Blinding is handout.py's."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from heed.errors import UserError
from heed.records import Example
from heed.store.studies import Item

ACTUAL, ALTERNATIVE = "actual", "alternative"


@dataclass(frozen=True, slots=True)
class Text:
    """What is judged: one policy's answer to one example."""

    example: str
    policy: str
    sample: int
    text: str


def pair_with_reference(texts: Sequence[Text], against: str) -> Iterator[tuple[Text, Text]]:
    """Every other policy's text with the text of `against` for the same example."""
    references = {text.example: text for text in texts if text.policy == against and text.sample == 0}
    if not references:
        there = ", ".join(sorted({text.policy for text in texts}))
        raise UserError(f"There is no policy '{against}' to compare with: the responses are by {there}.")
    for text in texts:
        if text.policy != against and text.example in references:
            yield text, references[text.example]


def pair_round_robin(texts: Sequence[Text], _against: str) -> Iterator[tuple[Text, Text]]:
    """Every policy's first text with every other policy's, for each example."""
    by_example: dict[str, list[Text]] = {}
    for text in texts:
        if text.sample == 0:
            by_example.setdefault(text.example, []).append(text)
    for members in by_example.values():
        yield from combinations(sorted(members, key=lambda member: member.policy), 2)


def pair_samples(texts: Sequence[Text], _against: str) -> Iterator[tuple[Text, Text]]:
    """The first and the second text of one policy for one example, the third and the fourth, and so on."""
    by_writer: dict[tuple[str, str], list[Text]] = {}
    for text in texts:
        by_writer.setdefault((text.example, text.policy), []).append(text)
    for members in by_writer.values():
        ordered = sorted(members, key=lambda member: member.sample)
        yield from zip(ordered[::2], ordered[1::2], strict=False)


def pair_chosen(texts: Sequence[Text], chosen: Sequence[str]) -> Iterator[tuple[Text, Text]]:
    """The first texts of the policies that are named, as A:B, for each example."""
    known = {text.policy for text in texts}
    first = {(text.example, text.policy): text for text in texts if text.sample == 0}
    for words in chosen:
        one, other = _two_of(words, known)
        for example in dict.fromkeys(text.example for text in texts):
            if (example, one) in first and (example, other) in first:
                yield first[example, one], first[example, other]


def _two_of(words: str, known: set[str]) -> tuple[str, str]:
    """Names of policies may hold a colon themselves, so every place of one is tried."""
    places = [place for place, sign in enumerate(words) if sign == ":"]
    for one, other in ((words[:place], words[place + 1 :]) for place in places):
        if one in known and other in known and one != other:
            return one, other
    there = ", ".join(sorted(known))
    raise UserError(
        f"--pair takes two different policies as A:B, not '{words}': the responses are by {there}."
    )


PAIRINGS = {"reference": pair_with_reference, "round-robin": pair_round_robin, "samples": pair_samples}


def items_from_pairs(
    study: str, pairs: Iterable[tuple[Text, Text]], examples: dict[str, Example]
) -> list[Item]:
    return [_item(study, examples[a.example], a, b) for a, b in pairs]


def items_from_texts(study: str, texts: Iterable[Text], examples: dict[str, Example]) -> list[Item]:
    return [_item(study, examples[text.example], text, None) for text in texts]


def items_from_choices(study: str, examples: dict[str, Example]) -> list[Item]:
    """The question that was asked as a, another as b."""
    items = []
    for example in examples.values():
        if example.label is None:
            continue
        actual = Text(example.id, ACTUAL, 0, example.choices[example.label])
        others = [text for place, text in enumerate(example.choices) if place != example.label]
        items += [
            _item(study, example, actual, Text(example.id, ALTERNATIVE, place, text))
            for place, text in enumerate(others)
        ]
    return items


def _item(study: str, example: Example, a: Text, b: Text | None) -> Item:
    parts = [study, example.id, a.policy, str(a.sample), *([b.policy, str(b.sample)] if b else [])]
    return Item(
        id=hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16],
        example=example.id,
        domain=example.domain or None,
        subreddit=example.subreddit or None,
        split=example.split or None,
        title=example.title,
        situation=example.text,
        policy_a=a.policy,
        policy_b=b.policy if b else None,
        text_a=a.text,
        text_b=b.text if b else None,
        reference=example.references[0].text if example.references else None,
    )
