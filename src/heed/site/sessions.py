"""Who a request comes from: a signed cookie with the account and the token that every form repeats."""

import secrets
from dataclasses import dataclass
from functools import cache

from fastapi import Request, Response
from itsdangerous import BadSignature, URLSafeTimedSerializer

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


@cache
def _signer(secret: str) -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(secret, salt="session")
