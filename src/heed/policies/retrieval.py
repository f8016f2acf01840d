"""The retrieval baseline: the best advice of the nearest training situation, by TF-IDF over all four fields.

Only the training split is indexed, so nothing of another split can ever be returned.
"""

import os
import shutil
from collections.abc import Sequence
from typing import Any

from heed.datasets.examples import read_examples
from heed.errors import UserError
from heed.policies.policy import Answer, Ask, Policy
from heed.policies.prompts import day_of, hash_prompt
from heed.policies.table import Setting
from heed.policies.tfidf_index import LAYOUT, TfidfIndex
from heed.records import Example
from heed.workspace import Artifact, Workspace

_TRAINING = "train"


def all_fields(example: Example) -> str:
    """Subreddit, date, title and text as one document."""
    return f"{example.subreddit} {day_of(example)} {example.title} {example.text}"


class Retrieval:
    """`answers[i]` belongs to document i of the index."""

    name = "tfidf"
    batch = 256
    samples = False

    def __init__(self, index: TfidfIndex, answers: Sequence[str], identity: str) -> None:
        self._index = index
        self._answers = answers
        self._identity = identity

    def describe(self) -> dict[str, Any]:
        return {"training": self._identity}

    def answer(self, asks: Sequence[Ask]) -> list[Answer]:
        documents = [all_fields(ask.example) for ask in asks]
        nearest = self._index.nearest(documents)
        return [
            Answer(self._answers[place], prompt_hash=hash_prompt(document))
            for document, (place, _) in zip(documents, nearest, strict=True)
        ]


def open_tfidf(_argument: str, setting: Setting) -> Policy:
    if setting.dataset is None:
        raise UserError("tfidf needs a dataset with a training split: give --dataset NAME.")
    examples = [each for each in read_examples(setting.dataset, _TRAINING) if each.references]
    if not examples:
        raise UserError("tfidf needs training situations with answers: this dataset has none.")
    index = _index(setting.workspace, setting.dataset, examples)
    best = [max(each.references, key=lambda reference: reference.score or 0).text for each in examples]
    return Retrieval(index, best, setting.dataset.manifest.content_hash)


def _index(workspace: Workspace, dataset: Artifact, examples: Sequence[Example]) -> TfidfIndex:
    """Built once for a dataset, then mapped from the cache."""
    place = workspace.folder("cache", "tfidf") / f"{dataset.manifest.content_hash[:24]}-{LAYOUT}"
    if not place.exists():
        scratch = place.with_name(f".{place.name}.{os.getpid()}")
        shutil.rmtree(scratch, ignore_errors=True)
        TfidfIndex.build([all_fields(example) for example in examples]).save(scratch)
        scratch.rename(place)
    return TfidfIndex.load(place)
