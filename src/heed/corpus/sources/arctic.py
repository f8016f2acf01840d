"""Arctic Shift, a public archive with an API: slower than Reddit to see new posts, but open to everybody."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from heed.errors import UserError

_DEFAULT_URL = "https://arctic-shift.photon-reddit.com"
_PAGE = 100
_TRIES = 5
_TIMEOUT_SECONDS = 60
_LONGEST_WAIT_SECONDS = 120


class ArcticSource:
    """Pages through posts by time, and through the comments of one post."""

    def __init__(
        self, environment: Mapping[str, str] = os.environ, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        import requests

        self._address = environment.get("HEED_ARCTIC_URL", _DEFAULT_URL).rstrip("/")
        self._session = requests.Session()
        self._session.headers["User-Agent"] = "heed (research; reading only)"
        self._sleep = sleep

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
        import requests

        for attempt in range(_TRIES):
            try:
                answer = self._session.get(self._address + path, params=query, timeout=_TIMEOUT_SECONDS)
            except requests.ConnectionError:
                raise UserError(
                    f"Arctic Shift cannot be reached at {self._address}: try later, or use --source folder."
                ) from None
            if answer.status_code == 200:
                found: list[dict[str, Any]] = answer.json().get("data") or []
                return found
            if answer.status_code != 429 and answer.status_code < 500:
                break
            self._sleep(_find_wait(answer.headers, attempt))
        raise UserError(
            f"Arctic Shift answers {answer.status_code} to {path}: run the same command again to go on."
        )


def _find_wait(headers: Mapping[str, str], attempt: int) -> float:
    """What the answer asks for, else longer each time."""
    for name in ("Retry-After", "X-RateLimit-Reset"):
        if (value := headers.get(name, "")).replace(".", "", 1).isdigit():
            return min(float(value), _LONGEST_WAIT_SECONDS)
    return min(2.0**attempt, _LONGEST_WAIT_SECONDS)
