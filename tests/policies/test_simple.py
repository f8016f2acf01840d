"""Policies without a model: people, copies, the template, the echo."""

from collections.abc import Callable
from typing import Any

import pytest

from heed.errors import UserError
from heed.policies.extract import sentences
from heed.policies.policy import Answer, Ask
from heed.policies.table import POLICIES, Setting, open_policy
from heed.records import Example

Make = Callable[..., Example]


def answer(spec: str, example: Example, setting: Setting, seed: int = 1) -> Answer:
    (found,) = open_policy(spec, setting).answer([Ask(example, 0, seed)])
    return found


def test_people_answer_with_their_references(make_situation: Make, setting: Setting) -> None:
    assert answer("reference", make_situation(1), setting).text == "Best advice test 1."
    assert answer("second_best", make_situation(1), setting).text == "Second advice test 1."
    lonely = make_situation(1, references=())
    assert answer("reference", lonely, setting).failure == "no_reference"


def test_copies_keep_the_order_of_the_post(make_situation: Make, setting: Setting) -> None:
    text = 'One. Two "really?" Three!\nFour. Five'
    example = make_situation(1, text=text)
    assert sentences(text) == ["One.", 'Two "really?"', "Three!", "Four.", "Five"]
    assert answer("title", example, setting).text == "Title 1"
    assert answer("lead:2", example, setting).text == 'One. Two "really?"'
    assert answer("lead", example, setting).text == 'One. Two "really?" Three!'
    assert answer("lead:99", example, setting).text == " ".join(sentences(text))
    seen = set()
    for seed in range(30):
        places = [
            sentences(text).index(piece)
            for piece in sentences(answer("random:3", example, setting, seed).text)
        ]
        assert places == sorted(places)
        assert len(places) == 3
        seen.add(tuple(places))
    assert len(seen) > 3


def test_a_random_choice_is_a_choice(make_situation: Make, setting: Setting) -> None:
    example = make_situation(1, kind="cloze", choices=("A?", "B?"), label=1)
    chosen = [answer("random", example, setting, seed).choice for seed in range(40)]
    assert set(chosen) == {0, 1}
    assert answer("lead:1", example, setting).failure == "not_for_choices"
    right = answer("reference", example, setting)
    assert right.choice == 1


def test_the_template_speaks_to_the_topic(make_situation: Make, setting: Setting) -> None:
    policy: Any = open_policy("template", setting)
    assert policy.topic("TechSupport") == "tech"
    assert policy.topic("LegalAdvice") == "legal"
    assert policy.topic("unheard_of") == "life"
    words = policy._words
    assert len(words["sympathy"]) == 10
    for seed in range(20):
        text = answer("template", make_situation(1), setting, seed).text
        sympathy = next(each for each in words["sympathy"] if text.startswith(each))
        assert text.removeprefix(f"{sympathy} ") in words["advice"]["tech"]


def test_the_same_seed_gives_the_same_answer(make_situation: Make, setting: Setting) -> None:
    example = make_situation(3, text="One two three. " * 20)
    for spec in ("template", "echo", "random:2"):
        assert answer(spec, example, setting, 5) == answer(spec, example, setting, 5)
    for spec in ("template", "echo"):
        assert len({answer(spec, example, setting, seed).text for seed in range(9)}) > 1


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("templete", "did you mean 'template'?"),
        ("zzz", "known: template"),
        ("lead:none", "needs a whole number"),
        ("best_of:4", "needs a policy to sample from"),
        ("best_of:4:echo", "needs a scorer"),
        ("endpoint:example.org", "is no address"),
        ("endpoint:http://a.example#bogus", "is not known"),
        ("tfidf", "needs a dataset"),
        ("lm:nowhere", "is no model"),
    ],
)
def test_a_wrong_policy_is_one_sentence(spec: str, sentence: str, setting: Setting) -> None:
    with pytest.raises(UserError, match=r".") as error:
        open_policy(spec, setting)
    assert sentence in str(error.value)


def test_every_policy_of_the_table_can_be_found() -> None:
    from importlib import import_module

    for place in POLICIES.values():
        module, _, function = place.partition(":")
        assert callable(getattr(import_module(module), function))
