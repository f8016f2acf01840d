"""Choices by similarity; the real encoder is in the slow tests."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heed.datasets.examples import open_dataset
from heed.errors import UserError
from heed.policies.policy import Ask, Decoding
from heed.policies.similarity import fit_weights, fold_of
from heed.policies.table import Setting, open_policy
from heed.records import Example
from heed.workspace import Workspace

TOPICS = ["landlord rent lease", "wedding guests cake", "laptop battery screen", "manager salary office"]


def choices(count: int, split: str, seed: int = 0) -> list[Example]:
    """A narrative of one topic, its own question and one of another topic."""
    dice = random.Random(seed)
    made = []
    for number in range(count):
        own, other = dice.sample(TOPICS, 2)
        label = dice.randrange(2)
        asked = [f"What about my {topic.split()[dice.randrange(3)]} now?" for topic in (own, other)]
        pair = (asked[0], asked[1]) if label == 0 else (asked[1], asked[0])
        text = f"My {' and my '.join(dice.sample(own.split(), 3))} worry me. I do not know."
        made.append(
            Example(f"{split}{number}", "cloze", split, "Advice", "cloze", None, "", text, (), pair, label)
        )
    return made


def accuracy(workspace: Workspace, spec: str, examples: list[Example]) -> float:
    policy = open_policy(spec, Setting(workspace, open_dataset(workspace, "c"), Decoding()))
    answers = policy.answer([Ask(example, 0, 0) for example in examples])
    return float(np.mean([answer.choice == e.label for answer, e in zip(answers, examples, strict=True)]))


def test_the_four_features_learn_from_training_and_answer_the_rest(
    workspace: Workspace, make_dataset: Any
) -> None:
    train, test = choices(60, "train"), choices(40, "test", seed=1)
    make_dataset("c", train + test)
    assert accuracy(workspace, "similarity", test) > 0.9


def test_without_training_each_is_answered_by_a_model_that_never_saw_it(
    workspace: Workspace, make_dataset: Any
) -> None:
    """Labels drawn at random cannot be learned; a model that saw them would beat chance."""
    dice = random.Random(5)
    examples = [
        Example(**{**_fields(example), "label": dice.randrange(2)})
        for example in choices(300, "test", seed=2)
    ]
    make_dataset("c", examples)
    assert 0.4 < accuracy(workspace, "similarity", examples) < 0.6
    assert len({fold_of(example.id) for example in examples}) == 10


def _fields(example: Example) -> dict[str, Any]:
    return {name: getattr(example, name) for name in Example.__slots__}


def test_saved_weights_open_again_and_choose_the_same(workspace: Workspace, make_dataset: Any) -> None:
    train, test = choices(60, "train"), choices(30, "test", seed=1)
    make_dataset("c", train + test)
    setting = Setting(workspace, open_dataset(workspace, "c"), Decoding())
    asks = [Ask(example, 0, 0) for example in test]
    fitted = open_policy("similarity", setting).answer(asks)
    folder = workspace.root / "models" / "similarity"
    assert open_policy(f"similarity:{folder}", setting).answer(asks) == fitted


def test_more_than_two_choices_are_ranked() -> None:
    tables = [np.array([[0.9, 1.0], [0.1, 0.0], [0.2, 1.0]])] * 20 + [np.array([[0.3, 0.0], [0.8, 0.0]])] * 5
    weights = fit_weights(tables, [0] * 20 + [1] * 5)
    assert all(
        int(np.argmax(table @ weights)) == label
        for table, label in zip(tables, [0] * 20 + [1] * 5, strict=True)
    )


def test_too_little_to_learn_from_is_said(workspace: Workspace, make_dataset: Any, tmp_path: Path) -> None:
    make_dataset("c", choices(5, "test"))
    setting = Setting(workspace, open_dataset(workspace, "c"), Decoding())
    with pytest.raises(UserError, match="at least 20 examples with a label: there are 5"):
        open_policy("similarity", setting)
    with pytest.raises(UserError, match="no saved weights"):
        open_policy(f"similarity:{tmp_path}", setting)


@pytest.mark.slow
def test_the_encoder_needs_no_training(workspace: Workspace, make_dataset: Any) -> None:
    examples = choices(20, "test", seed=3)
    make_dataset("c", examples)
    assert accuracy(workspace, "encoder", examples) > 0.8
