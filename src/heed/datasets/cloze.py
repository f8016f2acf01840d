"""Cloze: a narrative without its question, which is to be told from others (Asking the Right Question).

Every post whose questions can be taken out gives a narrative and one specific question. Similar narratives
are paired; the one that fits both questions better is shown, and its own question is the answer.
"""

import json
import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from heed.datasets.cloze_items import Item, make_items
from heed.datasets.cloze_options import ClozeOptions
from heed.datasets.cloze_reports import audit, describe_topics
from heed.datasets.filters import Funnel
from heed.datasets.narratives import Narrative, find_narrative_filters, find_question_filters, make_narrative
from heed.datasets.questions import ends_in_question, split_sentences, tidy_question
from heed.datasets.recipe import Bucket, Built, Recipe
from heed.datasets.splits import draw, shuffled, split_by_share
from heed.datasets.vectors import find_words
from heed.records import Example, Reference


@dataclass(frozen=True, slots=True)
class Found:
    """What a bucket gives; in how many of its questions each word occurs, and how many questions it has."""

    narratives: list[Narrative]
    frequencies: Counter[str]
    question_count: int


def harvest(bucket: Bucket, options: ClozeOptions, funnel: Funnel) -> Found:
    post_filters, question_filters = find_narrative_filters(options), find_question_filters(options)
    found = Found([], Counter(), 0)
    count = 0
    for post in bucket.posts_in(options.subreddits, funnel):
        asked = [s for s in split_sentences(f"{post.title}\n\n{post.text}") if ends_in_question(s)]
        count += len(asked)
        for sentence in asked:
            found.frequencies.update(set(find_words(sentence)))
        narrative = make_narrative(post, [tidy_question(sentence) for sentence in asked])
        if funnel.passes("narrative", (post, narrative), post.id, post.id, post_filters):
            kept = [
                question
                for number, question in enumerate(narrative.questions)
                if funnel.passes("question", question, f"{post.id}#{number}", post.id, question_filters)
            ]
            found.narratives.append(replace(narrative, questions=tuple(kept)))
    return Found(found.narratives, found.frequencies, count)


def assemble(harvests: list[Found], options: ClozeOptions, funnel: Funnel) -> Built:
    frequencies = sum((part.frequencies for part in harvests), Counter[str]())
    total = sum(part.question_count for part in harvests)
    narratives = sorted((n for part in harvests for n in part.narratives), key=lambda narrative: narrative.id)
    chosen = [
        _choose_question(n, frequencies, total, options, funnel) for n in _drop_doubles(narratives, funnel)
    ]
    kept = [narrative for narrative in chosen if narrative]
    if len(kept) < 2:
        return Built([])
    items = make_items([(n.id, n.text, n.questions[0]) for n in kept], options, funnel)
    examples = _to_examples(items, kept, options)
    return Built(examples, {"Audit": audit(examples), "Topics": describe_topics(examples, options)})


def measure_specificity(question: str, frequencies: Counter[str], total: int) -> tuple[float, str]:
    """S(q) and the word that decides it; a word seen in no question counts as seen in one."""
    scored = [(math.log(total / max(frequencies[word], 1)), word) for word in find_words(question)]
    return max(scored, default=(0.0, ""))


def _choose_question(
    narrative: Narrative, frequencies: Counter[str], total: int, options: ClozeOptions, funnel: Funnel
) -> Narrative | None:
    """One of the specific questions, by the seed."""
    specific = []
    for question in narrative.questions:
        score, word = measure_specificity(question, frequencies, total)
        funnel.enter("specific")
        if score >= options.specificity:
            specific.append(question)
        else:
            funnel.drop(
                "specific", "too general", narrative.id, narrative.id, f"{score:.2f} (“{word}”): {question}"
            )
    funnel.enter("answerable")
    if not specific:
        funnel.drop("answerable", "no specific question", narrative.id, narrative.id)
        return None
    order = shuffled(specific, options.seed, "question", lambda question: narrative.id + question)
    return replace(narrative, questions=tuple(order[:1]))


def _drop_doubles(narratives: list[Narrative], funnel: Funnel) -> list[Narrative]:
    first: dict[str, Narrative] = {}
    for narrative in narratives:
        funnel.enter("doubles")
        same = first.setdefault(" ".join(narrative.text.lower().split()), narrative)
        if same is not narrative:
            funnel.drop("doubles", "same narrative", narrative.id, narrative.id, f"as {same.id}")
    return list(first.values())


def _to_examples(items: list[Item], narratives: list[Narrative], options: ClozeOptions) -> list[Example]:
    by_id = {narrative.id: narrative for narrative in narratives}
    annotated = shuffled(items, options.seed, "annotation", lambda item: item.id)[: options.annotation_sample]
    apart = {item.id for item in annotated}
    return [_to_example(item, by_id[item.id], item.id in apart, options) for item in items]


def _to_example(item: Item, narrative: Narrative, annotated: bool, options: ClozeOptions) -> Example:
    shares = [("train", options.train_share), ("test", options.test_share)]
    split = "annotation" if annotated else split_by_share(item.id, options.seed, shares, rest="heldout")
    order = sorted(item.questions, key=lambda question: draw(options.seed, "order", item.id + question))
    meta: dict[str, Any] = {"others": list(item.others), "similarity": item.similarity}
    return Example(
        id=item.id,
        kind="cloze",
        split=split,
        subreddit=narrative.subreddit,
        domain="cloze",
        created=narrative.created,
        title="",
        text=narrative.text,
        references=(Reference(item.questions[0], None, narrative.id, narrative.author),),
        choices=tuple(order),
        label=order.index(item.questions[0]),
        post_id=narrative.id,
        meta=json.dumps(meta, ensure_ascii=False),
    )


RECIPE = Recipe(
    kind="cloze",
    title="Cloze questions",
    options=ClozeOptions,
    harvest=harvest,
    assemble=assemble,
    subreddits=lambda options: options.subreddits,
    limits=(
        "The other question may fit the narrative just as well: people reach 90 % on the paper's items.",
        "Questions without a question mark stay in narratives unless they open with one of twelve words.",
        "Topic keywords are content words; the paper takes nouns and verbs, for which it needs a tagger.",
    ),
)
