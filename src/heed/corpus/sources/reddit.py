"""Reddit itself, through PRAW with the host's own credentials: read-only, at the pace Reddit asks for."""

import os
import time
from collections.abc import Iterator, Mapping
from typing import Any

from heed.errors import UserError

_VARIABLES = ("HEED_REDDIT_CLIENT_ID", "HEED_REDDIT_CLIENT_SECRET", "HEED_REDDIT_USER_AGENT")
_SHARED = ("id", "score", "created_utc", "edited", "distinguished", "stickied")
_POST = ("title", "selftext", "upvote_ratio", "num_comments", "is_self", "url", "over_18")
_COMMENT = ("body", "parent_id", "link_id", "score_hidden", "gilded")
# Reddit asks to wait when its limit is reached; longer than this and the command should rather be run again.
_LONGEST_WAIT_SECONDS = 600


class RedditSource:
    """Top posts of a subreddit and the comments under one, as PRAW gives them."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        import praw

        missing = [name for name in _VARIABLES if not environment.get(name)]
        if missing:
            raise UserError(
                f"Reddit needs an approved client of your own: set {', '.join(missing)}, "
                f"or use --source arctic or --source folder."
            )
        self._reddit = praw.Reddit(
            client_id=environment["HEED_REDDIT_CLIENT_ID"],
            client_secret=environment["HEED_REDDIT_CLIENT_SECRET"],
            user_agent=environment["HEED_REDDIT_USER_AGENT"],
            ratelimit_seconds=_LONGEST_WAIT_SECONDS,
            check_for_updates=False,
            **_find_address(environment),
        )
        self._reddit.read_only = True

    def posts(self, subreddit: str, oldest: int, youngest: int) -> Iterator[dict[str, Any]]:
        """The month's top posts that are neither older nor younger than this."""
        with _Saying(f"r/{subreddit}"):
            for post in self._reddit.subreddit(subreddit).top(time_filter="month", limit=1000):
                if oldest <= post.created_utc <= youngest:
                    yield _to_line(post, _POST)

    def comments(self, post_id: str) -> Iterator[dict[str, Any]]:
        """The best comments under a post, as many as one page has."""
        with _Saying(f"post {post_id}"):
            post = self._reddit.submission(post_id)
            post.comment_sort = "top"
            post.comments.replace_more(limit=0)
            for comment in post.comments.list():
                yield _to_line(comment, _COMMENT)


def _find_address(environment: Mapping[str, str]) -> dict[str, Any]:
    """Another server that speaks Reddit's API, where HEED_REDDIT_URL names one."""
    address = environment.get("HEED_REDDIT_URL")
    return {"reddit_url": address, "oauth_url": address} if address else {}


def _to_line(thing: Any, fields: tuple[str, ...]) -> dict[str, Any]:
    """As a dump has it; an author who is gone is [deleted]."""
    line = {name: getattr(thing, name, None) for name in (*_SHARED, *fields)}
    author = thing.author.name if thing.author else "[deleted]"
    return {**line, "author": author, "subreddit": str(thing.subreddit), "retrieved_on": int(time.time())}


class _Saying:
    """Turns what PRAW raises into a sentence about what was asked for."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        from prawcore.exceptions import OAuthException, PrawcoreException, RequestException, ResponseException

        if isinstance(error, OAuthException) or (
            isinstance(error, ResponseException) and error.response.status_code == 401
        ):
            raise UserError(
                "Reddit refused the credentials: check HEED_REDDIT_CLIENT_ID and _SECRET."
            ) from None
        if isinstance(error, RequestException):
            raise UserError("Reddit cannot be reached: try again later, or use --source folder.") from None
        if isinstance(error, PrawcoreException):
            raise UserError(
                f"Reddit did not give {self.what}: {error}. Run the same command again to go on."
            ) from None
