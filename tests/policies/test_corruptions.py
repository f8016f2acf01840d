"""Constructed pairs: what each set holds, that the seed decides, and what is left out and why."""

from collections.abc import Callable, Sequence

import pytest

from heed.policies.corruptions import ADVICE, SETS, construct_pairs, score_pairs
from heed.policies.extract import sentences
from heed.policies.roles import reverse_roles
from heed.policies.scorers import NoScoreError
from heed.records import Example, Reference

Make = Callable[..., Example]
TEXT = "I met Ann in May. We moved in together. Then she left. Now the flat is empty. I am sad."


@pytest.fixture
def posts(make_situation: Make) -> list[Example]:
    kinds = ("tifu", "love", "love", "jobs")
    return [
        make_situation(
            n,
            kind="tldr",
            subreddit=kinds[n % 4],
            text=TEXT.replace("May", f"month {n}"),
            references=(Reference(f"She left me in month {n} and I miss her."),),
        )
        for n in range(12)
    ]


def by_set(posts: Sequence[Example], seed: int = 0) -> dict[str, dict[str, tuple[str, str]]]:
    found: dict[str, dict[str, tuple[str, str]]] = {name: {} for name in SETS}
    for pair in construct_pairs(posts, posts, seed)[0]:
        found[pair.set][pair.example.id] = (pair.better, pair.worse)
    return found


def test_each_set_holds_what_its_name_says(posts: list[Example]) -> None:
    found, examples = by_set(posts), {post.id: post for post in posts}
    titles = {post.title: post for post in posts}
    assert all(len(found[name]) == 12 for name in SETS if "tifu" not in name and "same" not in name)
    for id, (better, worse) in found["lead-3 / shuffled"].items():
        assert sentences(better) == sentences(examples[id].text)[:3]
        assert sorted(sentences(worse)) == sorted(sentences(better))
        assert worse != better
    for id, (better, worse) in found["rand-3 / shuffled"].items():
        places = [sentences(examples[id].text).index(each) for each in sentences(better)]
        assert places == sorted(places)
        assert sorted(sentences(worse)) == sorted(sentences(better))
        assert worse != better
    for id, (better, worse) in found["title / random title"].items():
        assert better == examples[id].title != worse
        assert worse in titles
    for id, (_, worse) in found["title / title of the same subreddit"].items():
        assert titles[worse].subreddit == examples[id].subreddit
    assert found["title / title twice"]["e3"] == ("Title 3", "Title 3 Title 3")
    assert found["reference / lead-2"]["e3"][1] == "I met Ann in month 3. We moved in together."
    assert len(sentences(found["reference / rand-3"]["e3"][1])) == 3
    (asked,) = (pairs for name, pairs in found.items() if "tifu" in name)
    assert set(asked) == {"e0", "e4", "e8"}
    assert asked["e4"][1] == f"{asked['e4'][0]} {ADVICE}"
    assert found["reference / reversed roles"]["e5"][1] == "I left her in month 5 and she miss me."


def test_the_seed_decides_and_nothing_else(posts: list[Example]) -> None:
    assert by_set(posts) == by_set(posts)
    other = by_set(posts, seed=1)
    assert other["title / random title"] != by_set(posts)["title / random title"]
    pairs, _ = construct_pairs(posts[5:6], posts)
    assert {pair.set: (pair.better, pair.worse) for pair in pairs} == {
        name: found["e5"] for name, found in by_set(posts).items() if "e5" in found
    }


def test_what_gives_no_pair_is_counted(make_situation: Make) -> None:
    short = make_situation(1, text="Too short.", title=" ", references=(Reference("Nobody did anything."),))
    same = make_situation(2, text="Same. Same. Same.", references=())
    pairs, left_out = construct_pairs([short, same], [short, same])
    assert [pair.set for pair in pairs] == ["title / title twice"]
    assert left_out["lead-3 / shuffled"] == {"fewer than 3 sentences": 1, "sentences all alike": 1}
    assert left_out["reference / reversed roles"] == {"no two roles to reverse": 1, "no reference": 1}
    assert left_out["title / random title"] == {"no title": 1, "no other title": 1}


def test_a_scorer_that_refuses_is_told_apart(posts: list[Example]) -> None:
    def picky(_example: Example, texts: Sequence[str]) -> list[float]:
        if "Title" in texts[0]:
            raise NoScoreError("titled", "No titles.")
        return [float(len(text)) for text in texts]

    pairs, _ = construct_pairs(posts, posts)
    outcomes = list(score_pairs(pairs, picky))
    refused = [outcome for outcome in outcomes if len(outcome) == 2]
    assert {outcome[0].set for outcome in refused} == {name for name in SETS if name.startswith("title")}
    assert all(
        outcome[1:] == (len(outcome[0].better), len(outcome[0].worse))
        for outcome in outcomes
        if len(outcome) == 3
    )


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("My boss fired me.", "I fired my boss."),
        ("I told him that I'm leaving, he's mad at me.", "He told me that he's leaving, I'm mad at him."),
        ("She has my keys; I have hers.", "I have her keys; she has mine."),
        ("I love her smile.", "She love my smile."),
        ("I am sad.", None),
        ("He left her and I saw.", None),
        ("My mom told my dad about me.", None),
    ],
)
def test_roles_change_places(text: str, turned: str | None) -> None:
    assert reverse_roles(text) == turned
