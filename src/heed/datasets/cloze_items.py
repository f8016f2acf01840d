"""From narratives with one question each to items: pair, choose which one is shown, compare the questions.

Nothing here reads posts: it sees (id, narrative, question) triples, in the order of their ids.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from heed.datasets.band import encode, find_band
from heed.datasets.cloze_options import ClozeOptions
from heed.datasets.filters import Funnel
from heed.datasets.ngrams import weigh
from heed.datasets.pairing import Limits, Pairs, find_neighbours, pair_greedily
from heed.datasets.vectors import Vectors, load_vectors, weigh_words

Triple = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Item:
    """A narrative (by id), its own question first, the others after it, and where those come from."""

    id: str
    questions: tuple[str, ...]
    others: tuple[str, ...]
    similarity: float


def make_items(triples: list[Triple], options: ClozeOptions, funnel: Funnel) -> list[Item]:
    """The paper's steps: pairing, masking, the band; then more choices if the options ask for them."""
    limits = Limits(options.narrative_similarity_min, options.narrative_similarity_max)
    matrix = weigh([text for _, text, _ in triples], options.min_document_frequency).matrix
    pairs = pair_greedily(matrix, limits, options.approximate)
    _count_unpaired(triples, pairs, funnel)
    vectors = load_vectors(options.vectors)
    shown, other = _mask(triples, pairs, vectors)
    items = [
        Item(triples[a][0], (triples[a][2], triples[b][2]), (triples[b][0],), round(float(similarity), 5))
        for a, b, similarity in zip(shown, other, pairs.similarity, strict=True)
    ]
    meaning = _Meaning(triples, vectors, options)
    items = _keep_band(items, meaning, funnel)
    if options.choices > 2:
        rows = np.array([meaning.rows[item.id] for item in items], dtype=np.int64)
        near = find_neighbours(matrix, rows, limits, (options.choices - 2) * 4 + 2)
        items = _add_choices(items, near, meaning, options.choices, funnel)
    return sorted(items, key=lambda item: item.id)


def _count_unpaired(triples: list[Triple], pairs: Pairs, funnel: Funnel) -> None:
    paired = set(pairs.left.tolist()) | set(pairs.right.tolist())
    funnel.enter("pairing", len(triples))
    for row, (id, _, _) in enumerate(triples):
        if row not in paired:
            funnel.drop("pairing", "no similar narrative left", id, id)


def _mask(triples: list[Triple], pairs: Pairs, vectors: Vectors) -> tuple[list[int], list[int]]:
    """Of each pair the row that is shown and the other: the one whose worse-fitting question fits better."""
    idf = weigh_words([text for _, text, _ in triples])
    stories = vectors.embed([text for _, text, _ in triples], idf)
    questions = vectors.embed([question for _, _, question in triples], idf)
    left, right = pairs.left, pairs.right

    def fit(rows: Any) -> Any:
        own, other = (
            (stories[rows] * questions[left]).sum(axis=1),
            (stories[rows] * questions[right]).sum(axis=1),
        )
        return np.minimum(own, other)

    first = fit(left) >= fit(right)
    return np.where(first, left, right).tolist(), np.where(first, right, left).tolist()


class _Meaning:
    """Every question as a vector, and the band in which two of them are neither the same nor worlds apart."""

    def __init__(self, triples: list[Triple], vectors: Vectors, options: ClozeOptions) -> None:
        self.triples = triples
        self.rows = {id: row for row, (id, _, _) in enumerate(triples)}
        self.codes = encode([question for _, _, question in triples], options.encoder, vectors)
        self.low, self.high = find_band(options.encoder, options.band_low, options.band_high)

    def compare(self, first: str, second: str) -> float:
        return self.codes.cosine(self.rows[first], self.rows[second])

    def is_fit(self, first: str, second: str) -> bool:
        return self.low <= self.compare(first, second) <= self.high


def _keep_band(items: list[Item], meaning: _Meaning, funnel: Funnel) -> list[Item]:
    """Drop items whose questions are too alike or too far apart."""
    funnel.enter("items", len(items))
    kept = []
    for item in items:
        alike = meaning.compare(item.id, item.others[0])
        if meaning.low <= alike <= meaning.high:
            kept.append(item)
        else:
            reason = "questions too alike" if alike > meaning.high else "questions too far apart"
            pair = f"“{item.questions[0]}” and, of {item.others[0]}, “{item.questions[1]}”"
            evidence = f"{alike:.3f}, band {meaning.low} to {meaning.high}: {pair}"
            funnel.drop("items", reason, item.id, item.id, evidence)
    return kept


def _add_choices(
    items: list[Item], near: list[list[int]], meaning: _Meaning, choices: int, funnel: Funnel
) -> list[Item]:
    """More questions for each item, from the narratives nearest to its own, inside the band again."""
    grown = []
    for item, neighbours in zip(items, near, strict=True):
        funnel.enter("choices")
        questions = dict(zip(item.questions, (item.id, *item.others), strict=True))
        for id, _, question in (meaning.triples[row] for row in neighbours):
            if len(questions) < choices and meaning.is_fit(item.id, id):
                questions.setdefault(question, id)
        if len(questions) < choices:
            evidence = f"{len(questions)} of {choices}"
            funnel.drop("choices", "too few other questions", item.id, item.id, evidence)
        else:
            others = tuple(questions.values())[1:]
            grown.append(Item(item.id, tuple(questions), others, item.similarity))
    return grown
