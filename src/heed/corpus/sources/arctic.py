"""Arctic Shift, a public archive with an API: slower than Reddit to see new posts, but open to everybody."""

import os
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from heed.errors import UserError
from heed.net.caller import Caller, CallError, CallOptions

_DEFAULT_URL = "https://arctic-shift.photon-reddit.com"
_PAGE = 100
_HEADERS = {"User-Agent": "heed (research; reading only)"}


class ArcticSource:
    """Pages through posts by time, and through the comments of one post."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self._address = environment.get("HEED_ARCTIC_URL", _DEFAULT_URL).rstrip("/")
        self._caller = Caller(CallOptions(concurrency=1, tries=5, back_off=0.5, timeout=60))

    def posts(self, subreddit: str, oldest: int, youngest: int) -> Iterator[dict[str, Any]]:
        """Every post of these days, oldest first."""
        yield from self._pages("posts", {"subreddit": subreddit, "before": youngest + 1}, oldest - 1)

    def comments(self, post_id: str) -> Iterator[dict[str, Any]]:
        yield from self._pages("comments", {"link_id": f"t3_{post_id}"}, 0)

    def _pages(self, kind: str, query: dict[str, Any], after: int) -> Iterator[dict[str, Any]]:
        """The next page begins a second before the last thing's time: none of that second is missed."""
        seen: set[str] = set()
        while True:
            page = self._get(f"/api/{kind}/search", {**query, "after": after, "sort": "asc", "limit": _PAGE})
            new = [line for line in page if line["id"] not in seen]
            yield from new
            seen.update(line["id"] for line in new)
            if len(page) < _PAGE or not new:
                return
            after = int(page[-1]["created_utc"]) - 1

    def _get(self, path: str, query: dict[str, Any]) -> list[dict[str, Any]]:
        try:
            answer = self._caller.get(f"{self._address}{path}?{urlencode(query)}", _HEADERS)
        except CallError as error:
            raise self._explain(error, path) from None
        found: list[dict[str, Any]] = answer.get("data") or []
        return found

    def _explain(self, error: CallError, path: str) -> UserError:
        if error.reason == "refused":
            return UserError(
                f"Arctic Shift cannot be reached at {self._address}: try later, or use --source folder."
            )
        what = error.reason.removeprefix("status_")
        return UserError(f"Arctic Shift answers {what} to {path}: run the same command again to go on.")
