"""EDIT and UPDATE parts go, and nothing else does: every trap of the released code is a case here."""

import pytest

from heed.datasets.cleaning import clean, is_marker

STORY = "My sister borrowed my car and returned it with a dent.\n\nShe says it was like that before."


@pytest.mark.parametrize(
    "line",
    [
        "Editing photos is my job and it pays the rent.",
        "Edith called me on Monday about the house.",
        "Editing to add more jokes took me a week.",
        "updated my resume and sent it to six places.",
        "Updated my resume, then waited.",
        "Update Windows first, my brother said.",
        "Updates, drivers, reinstalling: nothing helped.",
        "UPDATE YOUR DRIVERS, he yelled.",
        "editors at the paper never answer.",
        "An update to the lease came on Friday.",
    ],
)
def test_words_that_only_look_like_markers_delete_nothing(line: str) -> None:
    text = f"{STORY}\n\n{line}\n\nThe last paragraph matters most."
    assert clean(text).text == text
    assert clean(text).removed == ()


@pytest.mark.parametrize(
    "line",
    [
        "EDIT: thanks for the replies",
        "Edit: thanks",
        "edit - spelling",
        "Edit 2: she paid",
        "EDIT 2 she paid",
        "**EDIT:** she paid",
        "*Edit*: she paid",
        "UPDATE: she paid",
        "Update (Tuesday): she paid",
        "**UPDATE 3** she paid",
        "Edited to add: she paid",
        "Edit to add she is 19",
        "Small update: she paid",
        "ETA: she paid",
        "EDIT thanks everybody",
        "[EDIT] she paid",
        "-EDIT- she paid",
        "UPDATE POST:",
        "UPDATE PART 2: she paid",
        "Edit 2/25/13: she paid",
        "EDIT// she paid",
        "\\*Edit: she paid",
        "**Update!** she paid",
        "A quick update, she paid",
        "Update for clarification: she paid",
        "EDIT/UPDATE: she paid",
        "Update / edit: she paid",
        "Edit",
    ],
)
def test_markers_cut_what_follows(line: str) -> None:
    cleaned = clean(f"{STORY}\n\n{line}\n\nAnd then she moved out.")
    assert cleaned.text == STORY
    assert len(cleaned.removed) == 1


def test_inline_edit_is_found() -> None:
    assert clean("I want my deposit back. EDIT: got it, thanks!").text == "I want my deposit back."
    assert clean("I want my deposit back. Edit: got it.").text == "I want my deposit back."
    assert clean("My rent went up EDIT: by 9%").text == "My rent went up"


def test_edit_at_the_top_loses_only_its_paragraph() -> None:
    assert clean(f"EDIT: front page, wow!\n\n---\n\n{STORY}").text == STORY


def test_dashed_lines_go_with_the_edit_and_alone() -> None:
    assert clean(f"{STORY}\n\n-----\n\nEDIT: thanks").text == STORY
    assert clean("First part.\n\n---\n\nSecond part.").text == "First part.\n\nSecond part."


@pytest.mark.parametrize("line", ["—", "-", "--", ".", "*", r"\---", r"\_\_\_", "\u200b"])
def test_one_sign_alone_or_escaped_is_a_separator_too(line: str) -> None:
    assert clean(f"First part.\n\n{line}\n\nSecond part.").text == "First part.\n\nSecond part."


def test_an_item_added_to_a_list_goes_alone() -> None:
    items = "1. Buy a lock.\n\n2. Editing to add this one: keep the key.\n\n3. Tell nobody."
    cleaned = clean(f"{STORY}\n\n{items}")
    assert cleaned.text == f"{STORY}\n\n1. Buy a lock.\n\n3. Tell nobody."
    assert cleaned.removed == ("2. Editing to add this one: keep the key.",)


def test_short_edit_before_most_of_the_story_loses_its_paragraph_only() -> None:
    story = "A short start.\n\nEdit: I am 24, he is 25.\n\n" + "The long rest of the story. " * 20
    assert clean(story).text == "A short start.\n\n" + ("The long rest of the story. " * 20).strip()


def test_a_second_edit_takes_a_longer_tail_with_it() -> None:
    start, tail = "The story is here. " * 20, "Somebody's joke. " * 30
    assert clean(f"{start}\n\nEdit 2: more jokes\n\n{tail}").text == start.strip()
    assert clean(f"{start}\n\nEdit: typo\n\n{tail}").text == f"{start.strip()}\n\n{tail.strip()}"


def test_only_an_edit_stays_for_the_length_filters() -> None:
    assert clean("EDIT: solved").text == "EDIT: solved"


def test_cleaning_twice_changes_nothing_more() -> None:
    once = clean(f"{STORY}\n\nEDIT: x\n\nUPDATE: y").text
    assert clean(once).text == once


def test_marker_needs_a_word_boundary() -> None:
    assert not is_marker("edition: second")
    assert is_marker("edit: second")
