"""Sentences, questions, and narratives without them."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heed.datasets import tokens
from heed.datasets.cloze import measure_specificity
from heed.datasets.questions import (
    ASKING_WORDS,
    ends_in_question,
    find_first_word,
    is_asking,
    opens_as_question,
    split_sentences,
    strip_questions,
    tidy_question,
)
from heed.datasets.vectors import find_words


def test_sentences() -> None:
    text = (
        "Dr. Lee called at 5 p.m. yesterday. Is it bad?! I said (really?) nothing... and left. so what? fine"
    )
    assert list(split_sentences(text)) == [
        "Dr. Lee called at 5 p.m. yesterday.",
        "Is it bad?!",
        "I said (really?) nothing... and left.",
        "so what?",
        "fine",
    ]


@pytest.mark.parametrize(
    ("sentence", "word"),
    [
        ("What's up?", "what"), ("Shouldn’t I go?", "should"), ("whats wrong?", "what"), ("Can't I?", "can"),
        ("won't he?", "will"), ("**How** do I?", "how"), ('"Is it?"', "is"), ("1. Do I?", "do"),
        ("Does it?", "does"), (r"\-Are they?", "are"), ("Islands are nice", "islands"), ("?", ""),
    ],
)  # fmt: skip
def test_first_word(sentence: str, word: str) -> None:
    assert find_first_word(sentence) == word


def test_what_asks() -> None:
    assert is_asking("He left, right?")
    assert is_asking("how do I tell him")
    assert not is_asking("Don't get me wrong, I like him.")
    assert not is_asking("Howard left.")


def test_what_can_answer() -> None:
    assert opens_as_question("Anyone been there?")
    assert opens_as_question("Thoughts on this plan of mine?")
    assert not opens_as_question("So what do I do?")
    assert opens_as_question("Which of the two should I take?")
    assert not opens_as_question("Which I suppose is fine for a first night?")


def test_tidy_question() -> None:
    assert tidy_question('* **"How do I  ask her out??!"**') == "How do I ask her out?"


def test_a_number_is_part_of_its_item() -> None:
    text = "I see two ways:\n1. Pay him.\n2. Some other way?\n3.) Why not wait?\n**4.** Should I?\nHelp me."
    assert strip_questions(text) == "I see two ways:\n1. Pay him.\n\nHelp me."
    assert tidy_question("3.) Why not wait??") == "Why not wait?"
    assert list(split_sentences("He is 19. She is 20.")) == ["He is 19.", "She is 20."]


def test_a_quoted_question_goes_on_after_any_blank() -> None:
    text = "They ask “Were you here all year?”\xa0and want a yes or no."
    assert list(split_sentences(text)) == [text]
    assert strip_questions(text) == text


def test_a_stop_without_a_space_ends_a_sentence() -> None:
    text = "She hates her room(and friends).What are her options? He uses Node.Js here."
    assert list(split_sentences(text))[:2] == ["She hates her room(and friends).", "What are her options?"]
    assert list(split_sentences("Is a Psy.D worth it?")) == ["Is a Psy.D worth it?"]
    assert list(split_sentences("See www.example.Com today.")) == ["See www.example.Com today."]


def test_an_address_asks_nothing() -> None:
    text = "The form is at https://example.org/Find.asp?Page=2 and I hate it. Should I sign?"
    assert list(split_sentences(text)) == [text[:-15], "Should I sign?"]
    assert list(split_sentences("https://example.org/a.jpg\n\nWhat is it?")) == [
        "https://example.org/a.jpg",
        "What is it?",
    ]
    assert list(split_sentences("Did you see www.example.org? Answer me.")) == [
        "Did you see www.example.org?",
        "Answer me.",
    ]


def test_tidy_question_closes_its_bracket() -> None:
    assert tidy_question("Is it fine to be shy (is that cute?)") == "Is it fine to be shy (is that cute?)"
    assert tidy_question("(Is that cute?)") == "Is that cute?"
    assert tidy_question("I am sad :( Was it wise?") == "I am sad :( Was it wise?"


def test_lines_without_a_word_leave_the_narrative() -> None:
    assert strip_questions("My cat is ill.\n\n\u200b\n\n----\n\nShe eats.") == "My cat is ill.\n\nShe eats."


def test_strip_keeps_the_story() -> None:
    text = "My cat is ill. Should I worry? She eats.\n\nWhy me\nThe vet is closed."
    assert strip_questions(text) == "My cat is ill. She eats.\n\nThe vet is closed."


@given(
    st.lists(
        st.sampled_from(["Is it", "how", "cat", "?", ".", "\n", "...", "(", ")", '"', "He said", "Dr.", "!"])
    ).map(" ".join)
)
def test_no_sentence_that_asks_is_left(text: str) -> None:
    left = list(split_sentences(strip_questions(text)))
    assert not [s for s in left if ends_in_question(s) or s.split()[0].lower() in ASKING_WORDS]


def test_released_questions_are_accepted_and_narratives_have_the_papers_length(shared_data: Path) -> None:
    corpus = shared_data / "reddit_top_2013" / "RS_top.zst"
    items = json.loads((shared_data / "asq" / "asq_1500.json").read_text(encoding="utf-8"))
    questions = [item[name] for item in items for name in ("qn1", "qn2")]
    frequencies, total = _count_questions(corpus)
    accepted = [
        question
        for question in questions
        if ends_in_question(question)
        and opens_as_question(question)
        and tokens.has_fewer(question, 5, spaces=False) is None
        and measure_specificity(question, frequencies, total)[0] >= 5
    ]
    assert len(accepted) / len(questions) >= 0.98
    lengths = [tokens.count_tokens(item["narrative"], spaces=False) for item in items[:300]]
    assert min(lengths) >= 50
    assert max(lengths) <= 300


def _count_questions(path: Path) -> tuple[Counter[str], int]:
    import zstandard

    frequencies: Counter[str] = Counter()
    total = 0
    data = zstandard.ZstdDecompressor(max_window_size=2**31).stream_reader(path.read_bytes()).read()
    for line in data.splitlines():
        post = json.loads(line)
        for sentence in split_sentences(f"{post['title']}\n\n{post['selftext']}"):
            if ends_in_question(sentence):
                total += 1
                frequencies.update(set(find_words(sentence)))
    return frequencies, total
