"""TL;DR: posts and the summaries their authors wrote (Learning to summarize from human feedback, App. A).

Both of the paper's sets come out of one build: every example is fit for sampling summaries; those with a
reference are fit for supervised training too.
"""

import json
import re
from dataclasses import dataclass, replace
from typing import Any

from heed.datasets import bpe
from heed.datasets import text as words
from heed.datasets.filters import Filter, Funnel
from heed.datasets.recipe import Bucket, Built, Recipe
from heed.datasets.splits import split_by_share
from heed.datasets.summaries import Parsed, parse
from heed.datasets.tldr_options import TldrOptions
from heed.records import Example, Post, Reference

_EDIT_TITLE = re.compile(r"^\W*edit(?:ed)?\b\s*[\d:\-–—\])]", re.IGNORECASE)
_LATER_PART = re.compile(r"^\W*(?:(?:edit(?:ed)?|updated?)\b\s*(?:\d|:|-|–|—|$)|p\.?\s?s\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Summarized:
    """A post and what the parser made of it."""

    post: Post
    parsed: Parsed


def harvest(bucket: Bucket, options: TldrOptions, funnel: Funnel) -> list[Example]:
    """The posts of one bucket, each with its reference if that is usable."""
    post_filters, reference_filters = _post_filters(options), _reference_filters(options)
    examples = []
    for post in bucket.posts_in(options.subreddits, funnel):
        summarized = Summarized(post, parse(post.text))
        if funnel.passes("post", summarized, post.id, post.id, post_filters):
            usable = funnel.passes("reference", summarized, post.id, post.id, reference_filters)
            examples.append(_make_example(summarized, usable))
    return examples


def assemble(harvests: list[list[Example]], options: TldrOptions, funnel: Funnel) -> Built:
    """Of posts with the same body the first stays; then the splits."""
    examples = sorted(
        (example for part in harvests for example in part),
        key=lambda example: (example.created or 0, example.id),
    )
    first: dict[str, Example] = {}
    for example in examples:
        funnel.enter("duplicates")
        same = first.setdefault(example.text, example)
        if same is not example:
            funnel.drop("duplicates", "same body", example.id, example.id, f"as {same.id}")
    kept = [replace(example, split=_choose_split(example, options)) for example in first.values()]
    sizes = {
        "posts": len(kept),
        "posts with a reference": sum(bool(example.references) for example in kept),
    }
    return Built(kept, {"Sizes": sizes})


def _choose_split(example: Example, options: TldrOptions) -> str:
    development = options.validation_share * options.development_share
    shares = [("development", development), ("validation", options.validation_share - development)]
    return split_by_share(example.id, options.seed, shares, rest="train")


def _post_filters(options: TldrOptions) -> list[Filter[Summarized]]:
    limit, tokenizer = options.body_tokens_max, options.tokenizer
    return [
        Filter("gone", lambda s: None if s.post.state == "present" else s.post.state),
        Filter("not a text post", lambda s: None if s.post.is_self else s.post.url or "a link"),
        Filter("no TL;DR", lambda s: None if s.parsed.marked else "no marker opens a summary"),
        Filter("edit or update title", lambda s: _find_later_title(s.post.title)),
        Filter("topic", lambda s: words.find_words(f"{s.post.title}\n{s.post.text}", options.topics)),
        Filter("no body", lambda s: None if s.parsed.body else "nothing but the summary"),
        Filter("body too long", lambda s: bpe.has_more(s.parsed.body, limit, tokenizer)),
    ]


def _reference_filters(options: TldrOptions) -> list[Filter[Summarized]]:
    least, most, tokenizer = options.summary_tokens_min, options.summary_tokens_max, options.tokenizer
    return [
        Filter("no summary", lambda s: None if s.parsed.summary else "the marker has no text"),
        Filter("edit, update or P.S.", lambda s: _match(_LATER_PART, s.parsed.summary)),
        Filter("profanity", lambda s: _find_profanity(s.parsed.summary or "", options)),
        Filter("too short", lambda s: bpe.has_fewer(s.parsed.summary or "", least, tokenizer)),
        Filter("too long", lambda s: bpe.has_more(s.parsed.summary or "", most, tokenizer)),
    ]


def _find_later_title(title: str) -> str | None:
    return words.find_update(title) or _match(_EDIT_TITLE, title)


def _find_profanity(summary: str, options: TldrOptions) -> str | None:
    found = words.find_all_words(summary, options.profanity)
    return ", ".join(found) if len(found) > options.profanity_max else None


def _match(pattern: re.Pattern[str], text: str | None) -> str | None:
    found = pattern.match(text or "")
    return f"“{found.group().strip()}”" if found else None


def _make_example(summarized: Summarized, usable: bool) -> Example:
    post, parsed = summarized.post, summarized.parsed
    meta: dict[str, Any] = {"score": post.score, "summaries": parsed.found}
    reference = Reference(parsed.summary or "", post.score, post.id, post.author)
    return Example(
        id=post.id,
        kind="tldr",
        split="",
        subreddit=post.subreddit,
        domain="tldr",
        created=post.created,
        title=post.title.strip(),
        text=parsed.body,
        references=(reference,) if usable else (),
        post_id=post.id,
        meta=json.dumps(meta, ensure_ascii=False),
    )


RECIPE = Recipe(
    kind="tldr",
    title="TL;DR",
    options=TldrOptions,
    harvest=harvest,
    assemble=assemble,
    subreddits=lambda options: options.subreddits,
    limits=(
        "Examples without a reference are for sampling only: the summary was unusable, not the post.",
        "The paper's heuristics for topics and profanity are unpublished; these word lists are Heed's own.",
        "The split `development` is for choosing models and is never reported.",
    ),
)
