"""Who a request comes from: a signed cookie with the account and the token that every form repeats."""

import secrets
import threading
import time
from collections import defaultdict, deque
from dataclasses import dataclass
from functools import cache

from fastapi import Request, Response
from itsdangerous import BadSignature, URLSafeTimedSerializer

from heed.errors import UserError

COOKIE = "heed_session"
LASTS_SECONDS = 14 * 86_400


@dataclass(frozen=True)
class Session:
    """`account` is None for a visitor; `csrf` goes into every form and comes back with it."""

    account: int | None
    csrf: str


def new_session(account: int | None) -> Session:
    return Session(account, secrets.token_urlsafe(16))


def read_session(request: Request, secret: str) -> Session | None:
    try:
        value = _signer(secret).loads(request.cookies.get(COOKIE, ""), max_age=LASTS_SECONDS)
        return Session(value["account"], value["csrf"])
    except (BadSignature, KeyError, TypeError):
        return None


def seal(secret: str, session: Session) -> str:
    """What the cookie holds."""
    return _signer(secret).dumps({"account": session.account, "csrf": session.csrf})


def write_session(request: Request, response: Response, secret: str, session: Session) -> None:
    response.set_cookie(
        COOKIE,
        seal(secret, session),
        max_age=LASTS_SECONDS,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


class Attempts:
    """How often a sign-in failed lately, by address and by name, in this process."""

    def __init__(self, most: int = 10, seconds: float = 900) -> None:
        self._most, self._seconds = most, seconds
        self._failures: defaultdict[str, deque[float]] = defaultdict(deque)
        self._lock = threading.Lock()

    def check(self, *keys: str) -> None:
        with self._lock:
            for key in keys:
                failures = self._failures[key]
                while failures and failures[0] < time.monotonic() - self._seconds:
                    failures.popleft()
                if len(failures) >= self._most:
                    raise UserError("Too many wrong sign-ins: wait a quarter of an hour.")

    def fail(self, *keys: str) -> None:
        with self._lock:
            for key in keys:
                self._failures[key].append(time.monotonic())


@cache
def _signer(secret: str) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(secret, salt="session")
