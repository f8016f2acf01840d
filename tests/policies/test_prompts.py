from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heed.errors import UserError
from heed.policies.artifacts import clean_answer
from heed.policies.budget import Prompt, with_shots, write_prompt
from heed.policies.prompts import FORMATS, format_for, paragraphs
from heed.records import Example

POST = Example(
    "e1", "tldr", "test", "AskDocs", "tldr", 1_573_776_000, "My knee?", "First.\n\nSecond.\n\nThird.\n\nLast?"
)


def words(text: str) -> int:
    return len(text.split())


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tldr", "SUBREDDIT: r/AskDocs\n\nTITLE: My knee?\n\nPOST: BODY\n\nTL;DR:"),
        ("tldr_zero_shot", "Subreddit: r/AskDocs\nTitle: My knee?\nBODY\nTL;DR:"),
        ("news_transfer", "BODY\n\nTL;DR:"),
        ("news", "Article: BODY\n\nTL;DR:"),
        ("advice_named", "Subreddit: AskDocs Date: November 15, 2019 Title: My knee? Selftext: BODY"),
        (
            "advice_fields",
            "<|subreddit|>AskDocs<|/subreddit|><|date|>November 15, 2019<|/date|><|title|>My knee?<|/title|>"
            "<|selftext|>BODY<|/selftext|><|advice|>",
        ),
    ],
)
def test_each_format_letter_by_letter(name: str, expected: str) -> None:
    assert FORMATS[name](POST, "BODY") == expected


def test_the_page_has_an_address_a_title_and_a_popular_commenter() -> None:
    page = FORMATS["advice_page"](POST, "BODY")
    assert page.startswith("On reddit.com/r/AskDocs/comments/")
    assert "/my_knee/, [deleted] submitted:\n~~~~\nMy knee?\n\nBODY\n~~~~\n" in page
    assert page.endswith("commented (533 points):\n~~~~\n")


def test_advice_loses_its_middle_and_keeps_first_and_last() -> None:
    whole = write_prompt(POST, "advice_named", 100, words)
    assert whole.dropped == 0
    cut = write_prompt(POST, "advice_named", words(whole.text) - 1, words)
    assert cut.dropped == 1
    assert "First. » Second. » Last?" in cut.text
    least = write_prompt(POST, "advice_named", 14, words)
    assert "First. » Last?" in least.text
    assert least.dropped == 2


def test_summaries_are_cut_at_their_last_newline() -> None:
    cut = write_prompt(POST, "tldr", 10, words)
    assert "POST: First.\n\nSecond.\n\nThird.\n\nTL;DR:" in cut.text.replace("\n\n\n", "\n\n")
    assert cut.dropped > 0
    assert "Last?" not in cut.text


@given(
    st.text(alphabet="ab \n", max_size=300), st.integers(12, 60), st.sampled_from(["tldr", "advice_named"])
)
def test_what_comes_out_fits(text: str, budget: int, name: str) -> None:
    example = Example("e", "tldr", "test", "s", "d", None, "t", text)
    assert words(write_prompt(example, name, budget, words).text) <= budget


@given(st.lists(st.sampled_from(["one two", "three", "four five six"]), min_size=2, max_size=9))
def test_first_and_last_paragraph_stay_as_long_as_they_fit(pieces: list[str]) -> None:
    example = Example("e", "advice", "test", "s", "d", None, "t", "\n\n".join(pieces))
    kept = write_prompt(example, "plain", 6, words).text
    assert paragraphs(kept)[0] == pieces[0]
    assert paragraphs(kept)[-1] == pieces[-1]


def test_shots_are_put_in_front_as_long_as_they_fit() -> None:
    prompt = with_shots(Prompt("ask me"), ["a b c", "d e", "f g h i j k"], 10, words)
    assert prompt.text == "d e\n=====\na b c\n=====\nask me"


def test_formats_have_defaults_by_kind_and_unknown_ones_are_said() -> None:
    assert format_for("advice", None) == "advice_chat"
    assert format_for("advice", None, completion=True) == "advice_page"
    assert format_for("cloze", None) == "question_chat"
    assert format_for("anything", None) == "plain"
    with pytest.raises(UserError, match="no prompt format 'x'"):
        format_for("advice", "x")


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("Talk to her.", "Talk to her."),
        ("  TL;DR: my cat left ", "my cat left"),
        ("Sure! Here is a reply:\n\nTalk to her.", "Talk to her."),
        ("Talk to her.\n\n12 points\nreply\nother_user commented (3 points):\nNo.", "Talk to her."),
        ("<p>Talk</p> to her.<|im_end|>", "Talk to her."),
        ("~~~~\nTalk to her.\n~~~~", "Talk to her."),
        ('"Talk to her."', "Talk to her."),
        ('He said "no" and "yes"', 'He said "no" and "yes"'),
        ("reply\n[deleted]\n", ""),
        ("I would reply: no.", "I would reply: no."),
        ("a\n\n\n\nb", "a\n\nb"),
    ],
)
def test_what_a_page_or_chat_leaves_is_cleaned(raw: str, clean: str) -> None:
    assert clean_answer(raw) == clean


def test_cleaning_a_clean_answer_changes_nothing(make_situation: Callable[..., Example]) -> None:
    text = make_situation(1).text
    assert clean_answer(clean_answer(text)) == clean_answer(text)
