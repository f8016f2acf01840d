"""All the ways people write TL;DR: the summary is found, and leaves the body."""

import pytest

from heed.datasets.summaries import parse

BODY = "My dog ate the neighbour's wedding cake on the porch.\n\nShe wants nine hundred dollars for it."
SHORT = "dog ate a cake, neighbour wants 900 dollars, do I pay?"


@pytest.mark.parametrize(
    "marker",
    [
        "tl;dr: ", "TL:DR ", "TLDR: ", "tldr - ", "tldr; ", "TL; DR: ", "**TL;DR:** ", "**TL;DR**: ",
        "**tl;dr** ", "*TL;DR* - ", "TL/DR ", "Tl,dr ", "tl;dr\n", "**TL;DR**\n\n", "TL;DR;", "#TL;DR\n",
        "So, **TL;DR** ", "EDIT: tl;dr: ", "---\n**TL;DR**: ", "TL;DR -- ", "[TL;DR] ",
    ],
)  # fmt: skip
def test_at_the_end(marker: str) -> None:
    parsed = parse(f"{BODY}\n\n{marker}{SHORT}")
    assert parsed.summary == SHORT
    assert parsed.body == BODY


def test_bold_all_of_it() -> None:
    assert parse(f"{BODY}\n\n**TL;DR: {SHORT}**").summary == SHORT


def test_at_the_top() -> None:
    parsed = parse(f"TL;DR: {SHORT}\n\n{BODY}")
    assert (parsed.body, parsed.summary) == (BODY, SHORT)


def test_inline_after_a_sentence() -> None:
    parsed = parse(f"{BODY} tl;dr {SHORT}")
    assert (parsed.body, parsed.summary) == (BODY, SHORT)


def test_two_of_them_the_last_is_taken_and_both_leave_the_body() -> None:
    parsed = parse(f"TL;DR: a short one first\n\n{BODY}\n\nTL;DR: {SHORT}")
    assert (parsed.body, parsed.summary, parsed.found) == (BODY, SHORT, 2)


@pytest.mark.parametrize(
    "pointer", ["TL;DR at the bottom.", "tl;dr is at the end", "TLDR below", "**TL;DR at bottom**"]
)
def test_pointer_is_no_summary(pointer: str) -> None:
    parsed = parse(f"{pointer}\n\n{BODY}\n\nTL;DR: {SHORT}")
    assert (parsed.body, parsed.summary) == (BODY, SHORT)


@pytest.mark.parametrize(
    "sentence",
    [
        "I could not think of a tl;dr for this, sorry.",
        "There is a TLDR for you lazy people somewhere.",
        "The title is a pretty basic TL;DR if you ask me.",
        "Posted to /r/bestoftldr yesterday.",
        "We met on TLDRtalk.",
    ],
)
def test_in_a_sentence_it_is_only_a_word(sentence: str) -> None:
    parsed = parse(f"{BODY}\n\n{sentence}")
    assert parsed.summary is None
    assert not parsed.marked
    assert parsed.body == f"{BODY}\n\n{sentence}"


def test_text_after_the_summary_stays_in_the_body() -> None:
    parsed = parse(f"{BODY}\n\nTL;DR: {SHORT}\n\nEDIT: thank you all!")
    assert (parsed.body, parsed.summary) == (f"{BODY}\n\nEDIT: thank you all!", SHORT)


def test_bullets_are_one_summary() -> None:
    assert (
        parse(f"{BODY}\n\nTL;DR:\n\n* dog ate cake\n\n* she wants money").summary
        == "dog ate cake * she wants money"
    )


@pytest.mark.parametrize("nothing", ["TL;DR", "TL;DR: see title", "tldr: none", "TL;DR: just read it"])
def test_marker_without_a_summary(nothing: str) -> None:
    parsed = parse(f"{BODY}\n\n{nothing}")
    assert parsed.summary is None
    assert parsed.marked
    assert parsed.body == BODY


def test_no_marker() -> None:
    parsed = parse(BODY)
    assert (parsed.body, parsed.summary, parsed.marked) == (BODY, None, False)


def test_an_edit_inside_the_summary_goes() -> None:
    assert parse(f"{BODY}\n\nTL;DR: {SHORT} Edit: clarified").summary == SHORT
    assert parse(f"{BODY}\n\nTL;DR: {SHORT}\nEDIT: spelling").summary == SHORT


@pytest.mark.parametrize(
    "lead",
    [
        "So pretty much the TLDR",
        "STILL TL;DR\n",
        "Original post TLDR;",
        "Edit: (Forgot a tl;dr)",
        "okay okay damn here's your tldr:",
        "# What's the tl;dr?\n\n",
    ],
)
def test_lead_in_words_are_part_of_the_marker(lead: str) -> None:
    parsed = parse(f"{BODY}\n\n{lead} {SHORT}")
    assert (parsed.body, parsed.summary) == (BODY, SHORT)


@pytest.mark.parametrize(
    "line",
    ["I apologize for the length.", "Thanks for reading!", "Feel free to ask.", "PS: on mobile", "(sorry)"],
)
def test_a_courtesy_below_the_summary_is_no_part_of_it(line: str) -> None:
    assert parse(f"{BODY}\n\nTL;DR: {SHORT}\n{line}").summary == SHORT
    assert parse(f"{BODY}\n\nTL;DR: {SHORT}\nThe dog is sorry.").summary == f"{SHORT} The dog is sorry."


def test_a_bracket_around_the_whole_summary_goes() -> None:
    assert parse(f"{BODY}\n\n[TL;DR: {SHORT}]").summary == SHORT
    assert parse(f"{BODY}\n\nTL;DR: {SHORT} [sic]").summary == f"{SHORT} [sic]"


def test_spaces_that_nobody_sees_leave_the_body() -> None:
    assert parse(f"{BODY}\n\n\u200b\n\nTL;DR: {SHORT}").body == BODY
