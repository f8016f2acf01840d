"""The one client for everything that calls out: it keeps pace, tries again, and never reads without a limit.

A call gives JSON or a `CallError` with a reason that can be counted. Redirects are not followed, and proxies
of the environment are not used. What a URL may be is the guard's question, not this module's.
"""

import json
import random
import threading
import time
import weakref
from collections.abc import Iterable
from types import TracebackType
from typing import Any, Self

import httpcore2
from pydantic import Field

from heed.net.guard import ForbiddenAddressError
from heed.options import Options

# Answers that a later try may change: too many requests, and the server's own troubles.
_PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_LONGEST_WAIT_SECONDS = 60.0
_LONGEST_NAMED_SECONDS = 86_400.0


class CallOptions(Options):
    """How hard one endpoint may be called."""

    concurrency: int = Field(default=8, ge=1)
    """How many calls may be under way at once."""

    per_second: float | None = Field(default=None, gt=0)
    """How many calls may start in a second; no limit without it."""

    tries: int = Field(default=4, ge=1)
    """How often a call is tried before it counts as failed."""

    back_off: float = Field(default=1.0, ge=0)
    """Seconds before the second try; doubled for each further one."""

    timeout: float = Field(default=120.0, gt=0)
    """Seconds for one try, from connecting to the last byte."""

    longest_answer: int = Field(default=8 << 20, ge=1)
    """An answer of more bytes is cut off and counts as failed."""


class CallError(Exception):
    """A call that gave nothing usable; `reason` is one of a few words that can be counted."""

    def __init__(self, reason: str, detail: str, *, passing: bool = False, wait: float | None = None) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.passing = passing
        self.wait = wait


class Caller:
    """Calls with one set of limits; safe to share between threads, to be closed when done."""

    def __init__(self, options: CallOptions, backend: httpcore2.NetworkBackend | None = None) -> None:
        self.options = options
        self._pool = httpcore2.ConnectionPool(max_connections=options.concurrency, network_backend=backend)
        # Closed with its owner at the latest: a policy keeps its caller for as long as it lives.
        weakref.finalize(self, self._pool.close)
        self._free = threading.Semaphore(options.concurrency)
        self._pace = threading.Lock()
        self._next_start = 0.0

    def post(self, url: str, body: Any, headers: dict[str, str] | None = None) -> Any:
        """Send JSON, get JSON."""
        content = json.dumps(body).encode()
        given = {"Content-Type": "application/json", "Accept": "application/json", **(headers or {})}
        return self._call("POST", url, given, content)

    def get(self, url: str, headers: dict[str, str] | None = None) -> Any:
        """Get JSON."""
        return self._call("GET", url, {"Accept": "application/json", **(headers or {})}, b"")

    def close(self) -> None:
        self._pool.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _call(self, method: str, url: str, headers: dict[str, str], content: bytes) -> Any:
        for attempt in range(1, self.options.tries + 1):
            try:
                with self._free:
                    self._keep_pace()
                    return self._try(method, url, headers, content)
            except CallError as error:
                if not error.passing or attempt == self.options.tries:
                    raise
                time.sleep(self._wait_seconds(attempt, error.wait))
        raise AssertionError("the last try returns or raises")

    def _wait_seconds(self, attempt: int, asked: float | None) -> float:
        """What the server asked for, else twice as long each time, spread so that callers do not march."""
        if asked is not None:
            return min(asked, _LONGEST_WAIT_SECONDS)
        doubled = self.options.back_off * 2.0 ** (attempt - 1)
        return min(doubled * random.uniform(0.5, 1.5), _LONGEST_WAIT_SECONDS)

    def _keep_pace(self) -> None:
        if self.options.per_second is None:
            return
        with self._pace:
            now = time.monotonic()
            start = max(now, self._next_start)
            self._next_start = start + 1 / self.options.per_second
        time.sleep(max(0.0, start - now))

    def _try(self, method: str, url: str, headers: dict[str, str], content: bytes) -> Any:
        deadline = time.monotonic() + self.options.timeout
        limits = dict.fromkeys(("connect", "read", "write", "pool"), self.options.timeout)
        try:
            with self._pool.stream(
                method, url, headers=[*headers.items()], content=content, extensions={"timeout": limits}
            ) as response:
                body = self._read(response.iter_stream(), deadline)
                _check_status(response.status, dict(response.headers), body)
        except ForbiddenAddressError as error:
            raise CallError("forbidden", str(error)) from None
        except httpcore2.TimeoutException:
            raise CallError("timeout", f"no answer in {self.options.timeout:g} s", passing=True) from None
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.UnsupportedProtocol) as error:
            refused = isinstance(error, httpcore2.ConnectError)
            raise CallError("refused" if refused else "broken", str(error), passing=True) from None
        return _parse(body)

    def _read(self, pieces: Iterable[bytes], deadline: float) -> bytes:
        """A slow drip and an endless stream end here, whatever the server does."""
        body = bytearray()
        for piece in pieces:
            body += piece
            if len(body) > self.options.longest_answer:
                raise CallError("too_large", f"more than {self.options.longest_answer:,} bytes")
            if time.monotonic() > deadline:
                raise CallError("timeout", f"not done in {self.options.timeout:g} s", passing=True)
        return bytes(body)


def _check_status(status: int, headers: dict[bytes, bytes], body: bytes) -> None:
    if 200 <= status < 300:
        return
    reason = "redirect" if 300 <= status < 400 else f"status_{status}"
    words = " ".join(body[:200].decode("utf-8", "replace").split())
    raise CallError(reason, words, passing=status in _PASSING, wait=_retry_after(headers))


def _retry_after(headers: dict[bytes, bytes]) -> float | None:
    """Seconds, where the server names them; a date or a moment since 1970 is left to the usual back-off."""
    given = {name.lower(): value for name, value in headers.items()}
    for name in (b"retry-after", b"x-ratelimit-reset"):
        try:
            seconds = float(given.get(name, b""))
        except ValueError:
            continue
        if 0 <= seconds <= _LONGEST_NAMED_SECONDS:
            return seconds
    return None


def _parse(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        words = " ".join(body[:80].decode("utf-8", "replace").split())
        raise CallError("not_json", words) from None
