"""Narratives: posts without their questions, and the filters for both (section 3.1 of the paper)."""

from dataclasses import dataclass

from heed.datasets import tokens
from heed.datasets.cloze_options import ClozeOptions
from heed.datasets.filters import Filter
from heed.datasets.questions import opens_as_question, strip_questions
from heed.records import Post


@dataclass(frozen=True, slots=True)
class Narrative:
    """A post without its questions, and the questions that could be its answer."""

    id: str
    subreddit: str
    author: str | None
    created: int | None
    text: str
    questions: tuple[str, ...]


def make_narrative(post: Post, questions: list[str]) -> Narrative:
    """The post without what it asks; the title is its first sentence."""
    text = strip_questions(f"{post.title}\n\n{post.text}" if post.title.strip() else post.text)
    return Narrative(
        post.id, post.subreddit, post.author, post.created, text, tuple(dict.fromkeys(questions))
    )


def find_narrative_filters(options: ClozeOptions) -> list[Filter[tuple[Post, Narrative]]]:
    least, most = options.narrative_tokens_min, options.narrative_tokens_max
    return [
        Filter("gone", lambda pair: None if pair[0].state == "present" else pair[0].state),
        Filter("not a text post", lambda pair: None if pair[0].is_self else pair[0].url or "a link"),
        Filter("no question", lambda pair: None if pair[1].questions else "no sentence ends in “?”"),
        Filter("too short", lambda pair: tokens.has_fewer(pair[1].text, least, spaces=False)),
        Filter("too long", lambda pair: tokens.has_more(pair[1].text, most, spaces=False)),
    ]


def find_question_filters(options: ClozeOptions) -> list[Filter[str]]:
    return [
        Filter("does not open as a question", lambda q: None if opens_as_question(q) else f"“{q[:60]}”"),
        Filter("too few words", lambda q: tokens.has_fewer(q, options.question_tokens, spaces=False)),
    ]
