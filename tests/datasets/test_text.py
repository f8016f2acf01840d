"""Titles, links and talk about others: what each rule must find and, above all, what it must not."""

import pytest

from heed.datasets import text


@pytest.mark.parametrize(
    "title",
    [
        "UPDATE: my roommate moved out",
        "[UPDATE] I put a price on every dish",
        "Update: she said yes",
        "Update 2 - the court date",
        "Update on my landlord problem",
        "My roommate steals my food (update)",
        "My roommate steals my food - Update",
        "Final update: it is over",
        "[updated] Neighbour's tree",
        "Small update to my post about the dog",
        "UPDATE my girlfriend replied",
        "Update",
        "TIFUpdate: I'm the guy who told his boss",
        "TIFUpdate by combining magnets",
        "Update on wife cheating and me being bad guy.",
        "Update inside: do I tell her?",
        "*UPDATE3* I've been sleeping badly",
        "[SEMI-UPDATE] I was a hair away from it",
        "[Abusive boss update] I quit",
        "(possibly the final? UPDATE) I am fed up",
        "She told me disturbing things. (Hopefully the FINAL update.)",
        "My brother fired at me, Update #2...",
        "A guy moves in on my girlfriend. Update: she left me.",
        "Engagement ring questions UPDATE",
        "Child robbed - UPDATED - thanks guys!",
        "Here's a bit of an update (single mom)",
        "An update for everyone. I am not dropping out!",
        "UPDATES: I cheated",
    ],
)
def test_update_titles(title: str) -> None:
    assert text.find_update(title)


@pytest.mark.parametrize(
    "title",
    [
        "How do I update Windows?",
        "Windows update broke my PC",
        "Update to Windows 11 fails at 40%",
        "Should I update my resume before the interview?",
        "I updated my drivers and now nothing works",
        "Updates keep failing on a new laptop",
        "UPDATE KB5034441 FAILS",
        "Outdated contract: what now?",
        "iPhone 4S bricked after 6.1 update - error 21",
        "WARNING: the latest update has caused a mismatch",
        "CPU was stuck after Windows 7 Update, how I fixed it",
        "Will they see an update to my status?",
        "Sending an update to Penn?",
        "My updated GPA: should I send it?",
    ],
)
def test_titles_that_are_no_updates(title: str) -> None:
    assert text.find_update(title) is None


@pytest.mark.parametrize(
    "title",
    [
        "[META] Can we ban throwaways?",
        "Meta: the weekly thread",
        "META - new rules",
        "(meta) a question",
        "Could we talk about the location rule? Half of the posts get removed",
        "Why are the rules of this sub so strict?",
        "Unpopular opinion: this is a toxic sub",
        "This sub was better a year ago",
    ],
)
def test_meta_titles(title: str) -> None:
    assert text.find_meta(title)


@pytest.mark.parametrize(
    "title",
    [
        "METALLICA tickets: seller ran off with my money",
        "Meta Quest won't connect to my PC",
        "My metal gate fell on a car",
        "How do I submit a claim?",
        "META QUEST 3 WON'T START",
        "Can we talk about money before moving in?",
        "I wish I had found this sub years ago.",
        "This subreddit's advice paid off my card",
        "Imagine if this sub was the admissions office",
        "Can we get a single button to load a thread?",
    ],
)
def test_titles_that_are_not_meta(title: str) -> None:
    assert text.find_meta(title) is None


@pytest.mark.parametrize(
    "line",
    [
        "see https://example.com/a",
        "at www.example.org",
        "[my post](/r/Advice/x)",
        "[chart](http://x.y)",
        "here: imgur.com/abc1",
    ],
)
def test_links(line: str) -> None:
    assert text.find_link(line)


@pytest.mark.parametrize(
    "line",
    [
        "He (25) said [sic] nothing",
        "Ask in r/legaladvice maybe",
        "I e.g. wrote",
        "yes/no",
        "it's on gmail.com",
    ],
)
def test_no_links(line: str) -> None:
    assert text.find_link(line) is None


@pytest.mark.parametrize(
    "comment",
    [
        "You should listen to the other commenters and leave.",
        "The top comment is right.",
        "Like others have said, talk to him.",
        "What the others said, and be patient.",
        "I agree with everyone here, call her.",
        "Echoing what everyone else has said: sue.",
        "As u/somebody wrote, keep the receipt.",
        "Everyone in this thread is too kind.",
        "Everyone here is in agreement, so send it.",
        "A lot of people on here hide where they apply.",
        "I side with the other comments.",
        "Some of these comments are harsh.",
        "Like some other people said, talk to the landlord.",
        "And like was said, you did well.",
    ],
)
def test_comments_that_lean_on_others(comment: str) -> None:
    assert text.find_others(comment)


@pytest.mark.parametrize(
    "comment",
    [
        "Everyone makes mistakes at nineteen.",
        "Tell the others at work that you're leaving.",
        "He made a rude comment about your dress; that is not fine.",
        "You owe people nothing.",
        "Put it where everyone can see it.",
        "Like most people, he fears the phone.",
        "Maybe college isn't for everyone",
        "You may be a bit insecure, like everyone else.",
        "It is hard to fit in, as most people here tend not to show their money.",
        "Changing schools is nowhere near as easy as people say",
        "Read their blog, as well as several others: they help.",
        "Thank you for cheering up everyone here.",
        "Nobody minds, like other people have told me at work.",
        "She was as tired as it was possible to be.",
        "Move to Utrecht: everyone here speaks English.",
        "Send your questions first, so that they can prepare some responses.",
        "He called me slow and made a few other comments about my work.",
        "It is one of those comments you regret at forty.",
    ],
)
def test_comments_that_stand_alone(comment: str) -> None:
    assert text.find_others(comment) is None


def test_words_match_whole_and_endings_only_where_asked() -> None:
    assert text.find_words("He was assaulted.", ("assault*",)) == "“assaulted”"
    assert text.find_words("He abused our room", ("abus*",), ("abus* * room",)) is None
    assert text.find_words("Abusing the room, he abused me", ("abus*",), ("abus* * room",)) == "“abused”"
    assert text.find_words("self-harm", ("self harm*",)) == "“self-harm”"
    assert text.find_words("grapes and drapes", ("rape*",)) is None
    assert text.find_words("anything", ()) is None
