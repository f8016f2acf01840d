"""The bundled threads in the shape of Reddit's own lines: the fields that dumps of 2019 to 2026 carry."""

import random
from typing import Any

DAY_SECONDS = 86_400
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_COMMENT_GAP_SECONDS = (600, 6 * 3600)


def number_in_base_36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"


def post_line(
    thread: dict[str, Any], post_id: str, created: int, now: int, dice: random.Random, *, generated: bool
) -> dict[str, Any]:
    """A submission as a dump has it; its author is a made-up name."""
    subreddit = thread["subreddit"]
    return {
        **_shared(post_id, subreddit, _name(dice), created, now, thread["score"], generated=generated),
        "title": _escaped(thread["title"]),
        "selftext": _escaped(thread["selftext"]),
        "edited": float(created + 7200) if "edit" in thread["flags"] else False,
        "distinguished": None,
        "is_self": True,
        "domain": f"self.{subreddit}",
        "num_comments": len(thread["comments"]),
        "over_18": False,
        "upvote_ratio": thread["upvote_ratio"],
        "permalink": f"/r/{subreddit}/comments/{post_id}/",
        "url": f"https://www.reddit.com/r/{subreddit}/comments/{post_id}/",
        "removed_by_category": None,
    }


def comment_line(
    comment: dict[str, Any],
    post: dict[str, Any],
    parent: dict[str, Any],
    comment_id: str,
    dice: random.Random,
) -> dict[str, Any]:
    """A comment as a dump has it: the asker keeps the post's name, a moderator is distinguished."""
    created = min(parent["created_utc"] + dice.randint(*_COMMENT_GAP_SECONDS), post["retrieved_on"] - 60)
    author = post["author"] if comment["by"] == "op" else _name(dice)
    shared = _shared(
        comment_id, post["subreddit"], author, created, post["retrieved_on"], comment["score"],
        generated="generated" in post,
    )  # fmt: skip
    return {
        **shared,
        "body": _escaped(comment["body"]),
        "link_id": f"t3_{post['id']}",
        "parent_id": f"t3_{post['id']}" if parent is post else f"t1_{parent['id']}",
        "edited": float(created + 1800) if comment["edited"] else False,
        "distinguished": "moderator" if comment["by"] == "moderator" else None,
        "is_submitter": comment["by"] == "op",
        "controversiality": 0,
        "gilded": 0,
        "score_hidden": False,
    }


def _shared(
    record_id: str, subreddit: str, author: str, created: int, now: int, score: int, *, generated: bool
) -> dict[str, Any]:
    line = {
        "id": record_id,
        "subreddit": subreddit,
        "subreddit_name_prefixed": f"r/{subreddit}",
        "author": author,
        "created_utc": created,
        "retrieved_on": now,
        "score": score,
        "stickied": False,
    }
    return {**line, "generated": True} if generated else line


def _name(dice: random.Random) -> str:
    return f"sample_{dice.randrange(36**6):06d}"


def _escaped(text: str) -> str:
    """Reddit's API escapes these three, and so do the dumps."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
