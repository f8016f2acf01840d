"""Every prompt in one place: what a model of each kind is shown for an example.

The formats are those of the papers; a test compares each one letter by letter. Making one fit is `budget`.
"""

import hashlib
import re
from collections.abc import Callable
from datetime import UTC, datetime

from heed.errors import UserError
from heed.records import Example

PARAGRAPH_MARK = " » "


def hash_prompt(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def paragraphs(text: str) -> list[str]:
    return [piece.strip() for piece in re.split(r"\n\s*\n", text) if piece.strip()]


def day_of(example: Example) -> str:
    """The day of the post, in words as a web page has it; empty where nobody knows."""
    if example.created is None:
        return ""
    moment = datetime.fromtimestamp(example.created, UTC)
    return f"{moment:%B} {moment.day}, {moment.year}"


def slug(title: str) -> str:
    """The title as an address has it."""
    return re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")[:50].strip("_")


def advice_fields(example: Example, text: str) -> str:
    """T3 (c): every field between its start and end token, for left-to-right models."""
    fields = {
        "subreddit": example.subreddit,
        "date": day_of(example),
        "title": example.title,
        "selftext": text,
    }
    return "".join(f"<|{name}|>{value}<|/{name}|>" for name, value in fields.items()) + "<|advice|>"


def advice_named(example: Example, text: str) -> str:
    """T3 (d): field names in front of the fields, for encoder-decoders; paragraphs joined by a mark."""
    joined = PARAGRAPH_MARK.join(paragraphs(text))
    return f"Subreddit: {example.subreddit} Date: {day_of(example)} Title: {example.title} Selftext: {joined}"


def advice_page(example: Example, text: str) -> str:
    """T3 (e): a web page with a made-up address, for models that only complete text."""
    address = (
        f"reddit.com/r/{example.subreddit}/comments/{hash_prompt(example.id)[:6]}/{slug(example.title)}/"
    )
    return (
        f"On {address}, [deleted] submitted:\n~~~~\n{example.title}\n\n{text}\n~~~~\n\n"
        f"helpful_stranger commented (533 points):\n~~~~\n"
    )


def advice_chat(example: Example, text: str) -> str:
    """For models that follow instructions."""
    return (
        f"Somebody asks for advice on r/{example.subreddit}. Write the reply that would help them most: "
        f"specific to their situation, kind, and no longer than a few paragraphs. Reply with the advice "
        f"alone.\n\nTitle: {example.title}\n\n{text}"
    )


def tldr(example: Example, text: str) -> str:
    """S2: supervised and human-feedback models on posts."""
    return f"SUBREDDIT: r/{example.subreddit}\n\nTITLE: {example.title}\n\nPOST: {text}\n\nTL;DR:"


def tldr_chat(example: Example, text: str) -> str:
    return (
        f"Summarize this post in one or two sentences, from the writer's point of view, at most 48 tokens. "
        f"Reply with the summary alone.\n\nr/{example.subreddit}\n{example.title}\n\n{text}"
    )


def tldr_zero_shot(example: Example, text: str) -> str:
    """S2: pretrained models; examples in the same layout come before it, joined by =====."""
    return f"Subreddit: r/{example.subreddit}\nTitle: {example.title}\n{text}\nTL;DR:"


def news_transfer(_example: Example, text: str) -> str:
    """S2: models trained on posts, shown an article."""
    return f"{text}\n\nTL;DR:"


def news(_example: Example, text: str) -> str:
    """S2: models trained on news; pretrained ones too."""
    return f"Article: {text}\n\nTL;DR:"


def question_chat(_example: Example, text: str) -> str:
    """A7: which question did the narrator ask?"""
    return (
        f"Somebody wrote this on an advice forum, and the question they asked has been removed. Write the "
        f"one question that they most likely asked. Reply with the question alone.\n\n{text}"
    )


Format = Callable[[Example, str], str]
FORMATS: dict[str, Format] = {
    "advice_fields": advice_fields,
    "advice_named": advice_named,
    "advice_page": advice_page,
    "advice_chat": advice_chat,
    "tldr": tldr,
    "tldr_chat": tldr_chat,
    "tldr_zero_shot": tldr_zero_shot,
    "news": news,
    "news_transfer": news_transfer,
    "question_chat": question_chat,
    "plain": lambda _example, text: text,
}
DEFAULT_FORMATS = {"advice": "advice_chat", "tldr": "tldr_chat", "news": "news", "cloze": "question_chat"}
PAGE_FORMATS = {"advice": "advice_page", "tldr": "tldr", "news": "news"}


def format_for(kind: str, chosen: str | None, *, completion: bool = False) -> str:
    """The format that was chosen, else the usual one for this kind of dataset."""
    if chosen is None:
        return (PAGE_FORMATS if completion else DEFAULT_FORMATS).get(kind, "plain")
    if chosen not in FORMATS:
        raise UserError(f"There is no prompt format '{chosen}': known are {', '.join(FORMATS)}.")
    return chosen
