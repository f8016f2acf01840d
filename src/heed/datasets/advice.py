"""Advice: a situation somebody posted, and what the community held to be good advice (TuringAdvice, App. A).

`static` keeps much (a training set, RedditAdvice2019); `dynamic` keeps what is fit for one round of human
evaluation. Only reading: nothing here posts anywhere.
"""

import json
from dataclasses import dataclass, replace

from heed.datasets.advice_filters import Situation, find_comment_filters, find_post_filters
from heed.datasets.advice_options import AdviceOptions
from heed.datasets.filters import Filter, Funnel
from heed.datasets.recipe import Bucket, Built, Recipe
from heed.datasets.splits import shuffled, split_by_date
from heed.records import Comment, Example, Reference

_HOUR = 3600
_RELATIONSHIP = {"relationships", "relationship_advice", "dating_advice", "dating", "marriage", "love"}


@dataclass(frozen=True, slots=True)
class Found:
    """What a bucket gives: finished examples without a split, and (score, created, id) of every post."""

    examples: list[tuple[Example, int]]
    ranks: list[tuple[int, int, str]]
    newest: int


def harvest(bucket: Bucket, options: AdviceOptions, funnel: Funnel) -> Found:
    """The situations of one bucket with their valid advice."""
    posts = bucket.posts_in(options.subreddits, funnel)
    post_filters, comment_filters = find_post_filters(options), find_comment_filters(options)
    situations = []
    for post in posts:
        situation = Situation(post)
        if funnel.passes("situation", situation, post.id, post.id, post_filters):
            situations.append(situation)
    posts_left = [situation.post for situation in situations]
    threads = bucket.comments_under(posts_left, options.comment_score, funnel)
    examples = []
    for situation in situations:
        advice = _choose_advice(threads[situation.post.id], comment_filters, options, funnel)
        funnel.enter("answered")
        if advice:
            examples.append((_make_example(situation, advice, options), situation.post.score or 0))
        else:
            funnel.drop("answered", "no valid advice", situation.post.id, situation.post.id)
    times = [post.created or 0 for post in posts]
    ranks = [(post.score or 0, post.created or 0, post.id) for post in posts]
    return Found(examples, ranks, max(times, default=0))


def assemble(harvests: list[Found], options: AdviceOptions, funnel: Funnel) -> Built:
    found = sorted((pair for part in harvests for pair in part.examples), key=lambda pair: pair[0].id)
    if options.mode == "dynamic":
        return Built(_choose_round(found, harvests, options, funnel))
    examples = [example for example, _ in found]
    if options.split == "newest":
        return Built(_split_newest(examples, options.newest_share))
    days = (options.train_until, options.validation_until)
    return Built([replace(example, split=split_by_date(example.created, *days)) for example in examples])


def _split_newest(examples: list[Example], share: float) -> list[Example]:
    """The newest posts test, the next newest validate, the rest train."""
    order = sorted(examples, key=lambda example: (example.created or 0, example.id), reverse=True)
    count = round(len(order) * share)
    names = ["test"] * count + ["validation"] * count + ["train"] * (len(order) - 2 * count)
    return [replace(example, split=name) for example, name in zip(order, names, strict=True)]


def _choose_round(
    found: list[tuple[Example, int]], harvests: list[Found], options: AdviceOptions, funnel: Funnel
) -> list[Example]:
    """The posts of the window, the best 1,000 of them, and 200 of the valid ones at random."""
    newest = max((part.newest for part in harvests), default=0)
    now = int(options.now.timestamp()) if options.now else newest + options.age_hours_min * _HOUR
    youngest, oldest = now - options.age_hours_min * _HOUR, now - options.age_hours_max * _HOUR
    window = [rank for part in harvests for rank in part.ranks if oldest <= rank[1] <= youngest]
    best = sorted(window, key=lambda rank: (-rank[0], rank[2]))[: options.top_posts]
    in_best, in_window = {rank[2] for rank in best}, {rank[2] for rank in window}
    fit = []
    for example, score in found:
        funnel.enter("round")
        if example.id not in in_window:
            age_hours = (now - (example.created or 0)) / _HOUR
            funnel.drop("round", "age", example.id, example.id, f"{age_hours:.0f} h old")
        elif example.id not in in_best:
            funnel.drop("round", "not among the top", example.id, example.id, f"score {score}")
        else:
            fit.append(example)
    order = shuffled(fit, options.seed, "round", lambda example: example.id)
    for example in order[options.pick :]:
        funnel.drop("round", "not picked", example.id, example.id, f"seed {options.seed}")
    return [replace(example, split="test") for example in order[: options.pick]]


def _choose_advice(
    comments: list[Comment], filters: list[Filter[Comment]], options: AdviceOptions, funnel: Funnel
) -> list[Comment]:
    """Valid comments, best first: in a round the best two, in the static set all that come near the best."""
    advice = [c for c in comments if funnel.passes("advice", c, c.id, c.post_id, filters)]
    best = (advice[0].score or 0) if advice else 0
    if advice and best < options.best_comment_score:
        for comment in advice:
            funnel.drop("advice", "best advice scores low", comment.id, comment.post_id, f"best score {best}")
        return []
    near = []
    for rank, comment in enumerate(advice):
        if (comment.score or 0) * options.best_divisor < best:
            funnel.drop(
                "advice",
                "far below the best",
                comment.id,
                comment.post_id,
                f"score {comment.score}, best {best}",
            )
        elif rank >= options.advice_per_post:
            funnel.drop("advice", "enough advice", comment.id, comment.post_id, f"number {rank + 1}")
        else:
            near.append(comment)
    return near


def _make_example(situation: Situation, advice: list[Comment], options: AdviceOptions) -> Example:
    post = situation.post
    return Example(
        id=post.id,
        kind="advice",
        split="",
        subreddit=post.subreddit,
        domain=find_domain(post.subreddit, options.tech_domain),
        created=post.created,
        title=post.title.strip(),
        text=situation.text,
        references=tuple(Reference(c.text.strip(), c.score, c.id, c.author) for c in advice),
        post_id=post.id,
        meta=json.dumps(
            {"score": post.score, "removed": list(situation.cleaned.removed)}, ensure_ascii=False
        ),
    )


def find_domain(subreddit: str, tech: bool = False) -> str:
    """The paper's three domains (Fig. 12); what it does not name is life. `tech` sets techsupport apart."""
    name = subreddit.lower()
    if name in _RELATIONSHIP:
        return "relationship"
    return "legal" if name == "legaladvice" else "tech" if tech and name == "techsupport" else "life"


RECIPE = Recipe(
    kind="advice",
    title="Advice",
    options=AdviceOptions,
    harvest=harvest,
    assemble=assemble,
    subreddits=lambda options: options.subreddits,
    limits=(
        "Scores are a community's taste at one time, not proof that advice is good.",
        "Edits and updates are cut by rules: a few remain, and a few stories lose a paragraph.",
        "Advice is not for use: no lawyer, doctor or counsellor has checked it.",
    ),
    needs_comments=True,
)
