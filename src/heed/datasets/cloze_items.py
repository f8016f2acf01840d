"""From narratives with one question each to items: pair, choose which one is shown, compare the questions.

Nothing here reads posts: it sees (id, narrative, question) triples, in the order of their ids.
"""

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from heed.datasets.band import compare, find_band
from heed.datasets.cloze_options import ClozeOptions
from heed.datasets.filters import Funnel
from heed.datasets.ngrams import weigh
from heed.datasets.pairing import Limits, Pairs, find_neighbours, pair_greedily
from heed.datasets.vectors import Vectors, find_words, load_vectors

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
    items = _keep_band(items, vectors, options, funnel)
    if options.choices > 2:
        items = _add_choices(items, triples, (matrix, limits, vectors), options, funnel)
    return sorted(items, key=lambda item: item.id)


def _count_unpaired(triples: list[Triple], pairs: Pairs, funnel: Funnel) -> None:
    paired = set(pairs.left.tolist()) | set(pairs.right.tolist())
    funnel.enter("pairing", len(triples))
    for row, (id, _, _) in enumerate(triples):
        if row not in paired:
            funnel.drop("pairing", "no similar narrative left", id, id)


def _mask(triples: list[Triple], pairs: Pairs, vectors: Vectors) -> tuple[list[int], list[int]]:
    """Of each pair the row that is shown and the other: the one whose worse-fitting question fits better."""
    idf = _weigh_words([text for _, text, _ in triples])
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


def _weigh_words(texts: list[str]) -> dict[str, float]:
    """ln(N/df) of every word over the narratives."""
    counts = Counter(word for text in texts for word in set(find_words(text)))
    return {word: math.log(len(texts) / count) for word, count in counts.items()}


def _keep_band(items: list[Item], vectors: Vectors, options: ClozeOptions, funnel: Funnel) -> list[Item]:
    """Drop items whose questions are too alike or too far apart."""
    funnel.enter("items", len(items))
    if not items:
        return []
    low, high = find_band(options.encoder, options.band_low, options.band_high)
    first, second = [item.questions[0] for item in items], [item.questions[1] for item in items]
    kept = []
    for item, alike in zip(items, compare(first, second, options.encoder, vectors).tolist(), strict=True):
        if low <= alike <= high:
            kept.append(item)
        else:
            reason = "questions too alike" if alike > high else "questions too far apart"
            funnel.drop("items", reason, item.id, item.id, f"{alike:.3f}, band {low} to {high}")
    return kept


def _add_choices(
    items: list[Item],
    triples: list[Triple],
    means: tuple[Any, Limits, Vectors],
    options: ClozeOptions,
    funnel: Funnel,
) -> list[Item]:
    """More questions for each item, from the narratives nearest to its own, inside the band again."""
    matrix, limits, vectors = means
    rows = {id: row for row, (id, _, _) in enumerate(triples)}
    wanted = options.choices - 2
    near = find_neighbours(matrix, np.array([rows[item.id] for item in items]), limits, wanted * 4 + 2)
    low, high = find_band(options.encoder, options.band_low, options.band_high)
    grown = []
    for item, neighbours in zip(items, near, strict=True):
        funnel.enter("choices")
        others = [triples[row] for row in neighbours if triples[row][0] not in item.others]
        fit = compare([item.questions[0]] * len(others), [t[2] for t in others], options.encoder, vectors)
        new = [t for t, alike in zip(others, fit.tolist(), strict=True) if low <= alike <= high]
        new = [t for t in new if t[2] not in item.questions][:wanted]
        if len({t[2] for t in new}) < wanted:
            funnel.drop(
                "choices", "too few other questions", item.id, item.id, f"{len(new) + 2} of {options.choices}"
            )
        else:
            questions = (*item.questions, *(t[2] for t in new))
            grown.append(Item(item.id, questions, (*item.others, *(t[0] for t in new)), item.similarity))
    return grown
