"""The filters of the advice recipe: which posts are situations, which comments are advice (App. A.1, A.2).

What they share with other recipes is in `text`, `cleaning` and `tokens`; thresholds and lists are options.
"""

from functools import cached_property

from heed.datasets import text as words
from heed.datasets import tokens
from heed.datasets.advice_options import AdviceOptions
from heed.datasets.cleaning import Cleaned, clean
from heed.datasets.filters import Filter
from heed.records import Comment, Post

_STAFF = ("moderator", "admin", "automoderator")


class Situation:
    """A post, and its text without edits and updates, which is made when a filter first asks for it."""

    def __init__(self, post: Post) -> None:
        self.post = post

    @cached_property
    def cleaned(self) -> Cleaned:
        return clean(self.post.text)

    @property
    def text(self) -> str:
        return self.cleaned.text


def find_post_filters(options: AdviceOptions) -> list[Filter[Situation]]:
    """In the order in which they decide: cheap ones first."""
    rules: list[Filter[Situation]] = [
        Filter("gone", lambda s: _gone(s.post)),
        Filter("not a text post", lambda s: None if s.post.is_self else s.post.url or "a link"),
        Filter("low score", lambda s: _below(s.post.score, options.post_score)),
        Filter("stickied", lambda s: "stickied" if s.post.stickied else None),
        Filter("by a moderator", lambda s: s.post.role if s.post.role in _STAFF else None),
        Filter("meta", lambda s: words.find_meta(s.post.title)),
        Filter("update", lambda s: words.find_update(s.post.title) if options.skip_updates else None),
        Filter("link", lambda s: words.find_link(f"{s.post.title}\n{s.post.text}")),
        Filter("few upvotes", lambda s: _below(s.post.upvote_ratio, options.upvote_ratio)),
        Filter("no question mark", lambda s: _lacks_question(s, options)),
        Filter("sensitive", lambda s: _find_sensitive(s, options)),
        Filter("too short", lambda s: _short_text(s.text, options.post_characters)),
    ]
    if options.mode == "dynamic":
        rules.append(Filter("too short", lambda s: tokens.has_fewer(_whole(s), options.post_tokens_min)))
        rules.append(Filter("too long", lambda s: tokens.has_more(_whole(s), options.post_tokens_max)))
    return rules


def find_comment_filters(options: AdviceOptions) -> list[Filter[Comment]]:
    """Replies and low scores are gone before; static takes comments by anyone but bots (App. A.2b)."""
    strict = options.mode == "dynamic"
    rules: list[Filter[Comment]] = [
        Filter("gone", _gone),
        Filter("score hidden", lambda c: "hidden" if c.score_hidden else None),
        Filter("by a bot", lambda c: c.role if c.role == "automoderator" else None),
    ]
    if strict:
        rules += [
            Filter("by a moderator", lambda c: c.role if c.role in _STAFF or c.stickied else None),
            Filter("by the asker", lambda c: c.role if c.role == "asker" else None),
            Filter("edited", _find_edit),
        ]
    rules.append(Filter("too short", lambda c: _short_text(c.text, options.comment_characters)))
    if strict:
        rules.append(Filter("refers to others", lambda c: words.find_others(c.text)))
        rules.append(Filter("too short", lambda c: tokens.has_fewer(c.text, options.comment_tokens)))
    return rules


def _whole(situation: Situation) -> str:
    return f"{situation.post.title}\n\n{situation.text}"


def _gone(thing: Post | Comment) -> str | None:
    return None if thing.state == "present" else thing.state


def _find_edit(comment: Comment) -> str | None:
    """The dump's own mark, or an EDIT in the text: many dumps lack the mark, and quick edits get none."""
    if comment.edited:
        return "edited"
    removed = clean(comment.text).removed
    return f"“{removed[0]}”" if removed else None


def _below(value: float | None, least: float) -> str | None:
    """A number the dump does not have cannot speak against a post."""
    return f"{value} < {least}" if value is not None and value < least else None


def _short_text(text: str, characters: int) -> str | None:
    return f"{len(text)} characters" if len(text) < characters else None


def _find_sensitive(situation: Situation, options: AdviceOptions) -> str | None:
    whole = f"{situation.post.title}\n{situation.text}"
    return words.find_words(whole, options.sensitive, options.harmless)


def _lacks_question(situation: Situation, options: AdviceOptions) -> str | None:
    asked = "?" in situation.post.title or "?" in situation.text
    needed = situation.post.subreddit.lower() in {name.lower() for name in options.question_subreddits}
    return f"r/{situation.post.subreddit}" if needed and not asked else None
