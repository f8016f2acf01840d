"""Choosing the question by similarity: a logistic regression over features, or an encoder's cosine alone.

With a training split the regression is fitted there; without one, every example is answered by a model that
was fitted without its tenth of the data. The fitted weights are saved and can be opened again.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from heed.datasets.examples import read_examples
from heed.datasets.vectors import load_vectors
from heed.errors import UserError
from heed.manifest import write_atomically
from heed.policies.cloze_features import ALL_FEATURES, PAPER_FEATURES, ClozeFeatures, Encode, Floats
from heed.policies.policy import Answer, Ask, Policy, failed
from heed.policies.table import Setting
from heed.records import Example

_FOLDS = 10
_WEIGHTS_NAME = "weights.json"


class Chooser:
    """Scores every choice; the highest is the answer. `weights` by fold, the last fitted on everything."""

    batch = 512
    samples = False

    def __init__(
        self, name: str, features: ClozeFeatures, weights: Sequence[Floats], folds: dict[str, int]
    ) -> None:
        self.name = name
        self.weights = weights
        self._features = features
        self._folds = folds
        self._known: dict[str, Floats] = {}

    def describe(self) -> dict[str, Any]:
        numbers = [[round(float(w), 6) for w in each] for each in self.weights]
        return {"features": list(self._features.names), "weights": numbers}

    def remember(self, examples: Sequence[Example], tables: Sequence[Floats]) -> None:
        """Features that fitting has computed already are not computed again."""
        self._known |= {example.id: table for example, table in zip(examples, tables, strict=True)}

    def answer(self, asks: Sequence[Ask]) -> list[Answer]:
        new = [ask.example for ask in asks if ask.example.choices and ask.example.id not in self._known]
        if new:
            self.remember(new, self._features.compute(new))
        return [self._one(ask.example) for ask in asks]

    def _one(self, example: Example) -> Answer:
        if not example.choices:
            return failed("no_choices")
        weights = self.weights[self._folds.get(example.id, -1)]
        choice = int(np.argmax(self._known[example.id] @ weights))
        return Answer(example.choices[choice], choice=choice)


def fit_weights(tables: Sequence[Floats], labels: Sequence[int]) -> Floats:
    """Right choice against each wrong one: the logistic regression of their difference, without intercept."""
    differences = np.concatenate(
        [table[label] - np.delete(table, label, axis=0) for table, label in zip(tables, labels, strict=True)]
    )
    scale = differences.std(axis=0)
    scale[scale == 0] = 1
    both = np.concatenate([differences, -differences]) / scale
    sides = np.repeat([1, 0], len(differences))
    model = LogisticRegression(fit_intercept=False).fit(both, sides)
    return np.asarray(model.coef_[0] / scale)


def fold_of(example_id: str) -> int:
    return int.from_bytes(hashlib.blake2b(example_id.encode(), digest_size=4).digest(), "big") % _FOLDS


def open_similarity(argument: str, setting: Setting) -> Policy:
    """`similarity`, `similarity:all`, or `similarity:FOLDER` with saved weights."""
    if argument not in ("", "all"):
        return _open_saved(Path(argument), setting)
    names = ALL_FEATURES if argument == "all" else PAPER_FEATURES
    examples = _labelled(setting)
    features = _features(names, examples)
    tables = features.compute(examples)
    training = [place for place, example in enumerate(examples) if example.split == "train"]
    folds = {} if training else {example.id: fold_of(example.id) for example in examples}
    weights = _fit(examples, tables, training, folds)
    policy = Chooser(f"similarity:{argument}" if argument else "similarity", features, weights, folds)
    policy.remember(examples, tables)
    _save(policy, setting)
    return policy


def _fit(
    examples: Sequence[Example], tables: Sequence[Floats], training: list[int], folds: dict[str, int]
) -> list[Floats]:
    labels = [example.label or 0 for example in examples]
    if not folds:
        return [fit_weights([tables[p] for p in training], [labels[p] for p in training])]
    weights = []
    for fold in range(_FOLDS):
        kept = [place for place, example in enumerate(examples) if folds[example.id] != fold]
        weights.append(fit_weights([tables[p] for p in kept], [labels[p] for p in kept]))
    return [*weights, fit_weights(tables, labels)]


def _labelled(setting: Setting) -> list[Example]:
    if setting.dataset is None:
        raise UserError("similarity needs a dataset of choices to learn from: give --dataset NAME.")
    found = [each for each in read_examples(setting.dataset) if each.choices and each.label is not None]
    if len(found) < 2 * _FOLDS:
        raise UserError(
            f"similarity needs at least {2 * _FOLDS} examples with a label: there are {len(found)}."
        )
    return found


def _features(names: Sequence[str], examples: Sequence[Example]) -> ClozeFeatures:
    texts = [text for example in examples for text in (example.text, *example.choices)]
    needs_encoder = any(name.startswith("encoder") for name in names)
    return ClozeFeatures(names, texts, load_vectors(), _encoder() if needs_encoder else None)


def _encoder(name: str = "minilm") -> Encode:
    from heed.models.encoder import SentenceEncoder
    from heed.models.packaged import encoder_folder

    return SentenceEncoder(encoder_folder(name)).encode


def _save(policy: Chooser, setting: Setting) -> None:
    """The weights fitted on everything, under a name that says what they are."""
    folder = setting.workspace.folder("models", policy.name.replace(":", "_"))
    content = {"features": policy.describe()["features"], "weights": [float(w) for w in policy.weights[-1]]}
    write_atomically(folder / _WEIGHTS_NAME, json.dumps(content, indent=1).encode())


def _open_saved(folder: Path, setting: Setting) -> Policy:
    path = folder / _WEIGHTS_NAME
    if not path.exists():
        raise UserError(
            f"There are no saved weights in {folder}: fit some with similarity or similarity:all."
        )
    saved = json.loads(path.read_text(encoding="utf-8"))
    features = _features(saved["features"], _labelled(setting))
    return Chooser(f"similarity:{folder.name}", features, [np.array(saved["weights"])], {})


def open_encoder(argument: str, _setting: Setting) -> Policy:
    """`encoder` or `encoder:FOLDER`: no training at all."""
    features = ClozeFeatures(("encoder",), ["none"], load_vectors(), _encoder(argument or "minilm"))
    return Chooser(f"encoder:{argument}" if argument else "encoder", features, [np.ones(1)], {})
