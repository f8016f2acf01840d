"""The door of every route: body size, session, role and form token are checked before a handler runs.

A handler takes a `Visit` and returns a response; a UserError becomes a page. A route without roles cannot be
written, because `guarded` asks for them.
"""

import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl

from anyio import CapacityLimiter, to_thread
from fastapi import Request, Response
from fastapi.responses import RedirectResponse

from heed.errors import NotFoundError, UserError
from heed.site.disk import Disk
from heed.site.pages import render
from heed.site.sessions import Session, new_session, read_session, write_session
from heed.store.accounts import Account, site_secret
from heed.store.database import Database, open_database
from heed.store.studies import Study, count_study
from heed.store.visitors import Visitor, find_visitor
from heed.workspace import Workspace

ANYONE = frozenset({"visitor", "admin", "researcher", "labeler", "submitter"})
SIGNED_IN = ANYONE - {"visitor"}
LABELERS = frozenset({"labeler"})
RESEARCHERS = frozenset({"admin", "researcher"})
MOST_BYTES = 512 * 1024
_PROGRESS_SECONDS = 5.0
# More threads fight for the interpreter instead of waiting for the database server.
_QUICK_THREADS = 6


class Site:
    """What every request shares; the database is opened by the first page that needs it."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.disk = Disk()
        self._progress: dict[int, tuple[float, dict[str, Any]]] = {}

    @cached_property
    def few(self) -> CapacityLimiter:
        """How many quick pages wait for a database server at once."""
        return CapacityLimiter(_QUICK_THREADS)

    @cached_property
    def database(self) -> Database:
        return open_database(self.workspace)

    @cached_property
    def secret(self) -> str:
        return site_secret(self.database)

    def close(self) -> None:
        """When the server ends; a database that no page needed was never opened."""
        if "database" in self.__dict__:
            self.database.close()

    def progress(self, study: Study) -> dict[str, Any]:
        """How far a study is, some seconds old at most: counting for every page would be most of the work."""
        made, counts = self._progress.get(study.id, (0.0, {}))
        if time.monotonic() - made > _PROGRESS_SECONDS or not counts:
            self._progress[study.id] = (time.monotonic(), counts)  # the others go on with the old count
            counts = count_study(self.database, study)
            self._progress[study.id] = (time.monotonic(), counts)
        return counts


@dataclass
class Visit:
    """One request that was let in."""

    request: Request
    site: Site
    session: Session
    visitor: Visitor
    form: dict[str, str]

    @property
    def database(self) -> Database:
        return self.site.database

    @property
    def account(self) -> Account | None:
        return self.visitor.account

    @property
    def study(self) -> Study:
        """The study that the address names."""
        if self.visitor.study is None:
            raise NotFoundError("There is no such study.")
        return self.visitor.study

    @property
    def person(self) -> Account:
        """The account; there is one wherever visitors are not let in."""
        if self.account is None:
            raise UserError("Please sign in first.")
        return self.account

    def page(self, template: str, status: int = 200, **values: Any) -> Response:
        shared = {"csrf": self.session.csrf, "account": self.account}
        return render(self.request, template, status, **shared, **values)

    def message(self, heading: str, words: str, status: int = 200, link: str = "/home") -> Response:
        return self.page("message.html", status, heading=heading, words=words, link=link)

    def go(self, path: str, session: Session | None = None) -> Response:
        response = RedirectResponse(path, status_code=303)
        if session is not None:
            write_session(self.request, response, self.site.secret, session)
        return response


Handler = Callable[[Visit], Response]


def guarded(
    handler: Handler, roles: frozenset[str], quick: bool = False
) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint for a handler that only these roles may reach.

    Threads hide the waiting for a database server. SQLite makes a `quick` handler wait for nothing but the
    disk, and there threads cost more than they save: 147 judgments a second with them, 245 without.
    """

    async def endpoint(request: Request) -> Response:
        body = await _read_body(request) if request.method == "POST" else b""
        site: Site = request.app.state.site
        if quick and site.database.is_sqlite:
            return await _settled(site, request, lambda: _answer(handler, roles, request, body))
        return await to_thread.run_sync(
            _answer, handler, roles, request, body, limiter=site.few if quick else None
        )

    return endpoint


async def _settled(site: Site, request: Request, answer: Callable[[], Response]) -> Response:
    """An answer made in the event loop; a slow disk is waited for elsewhere, by all together.

    Whoever sends a form twice waits too: "already saved" is as good a promise as "saved".
    """
    with site.database.owing() as owed:
        response = answer()
    settling = site.database.settling
    if settling and (owed or request.method == "POST"):
        await site.disk.wait_for(settling, settling.committed)
    return response


async def _read_body(request: Request) -> bytes | None:
    """The form; None when it is too long. All is taken in: before that, a browser shows no answer."""
    pieces, size = [], 0
    async for piece in request.stream():
        size += len(piece)
        if size <= MOST_BYTES:
            pieces.append(piece)
    return b"".join(pieces) if size <= MOST_BYTES else None


def _answer(handler: Handler, roles: frozenset[str], request: Request, body: bytes | None) -> Response:
    site: Site = request.app.state.site
    session = read_session(request, site.secret)
    known = session or new_session(None)
    code = request.path_params.get("code")
    visitor = Visitor() if known.account is None else find_visitor(site.database, known.account, code)
    form = dict(parse_qsl((body or b"").decode("utf-8", "replace"), keep_blank_values=True))
    visit = Visit(request, site, known, visitor, form)
    response = _refusal(visit, roles, body) or _handle(handler, visit)
    if session is None and "set-cookie" not in response.headers:
        write_session(request, response, site.secret, known)
    return response


def _refusal(visit: Visit, roles: frozenset[str], body: bytes | None) -> Response | None:
    role = visit.account.role if visit.account else "visitor"
    if role == "visitor" and role not in roles:
        if visit.request.method == "GET":
            return visit.go("/sign-in")
        return visit.message("Please sign in", "Then send the form again.", 401, "/sign-in")
    if role not in roles:
        return visit.message("Not for you", f"This page is not for the role {role}.", 403)
    if body is None:
        words = f"A form may have {MOST_BYTES // 1024} KB. Go back and shorten it; your draft is kept."
        return visit.message("That is too long", words, 413)
    token = visit.form.pop("csrf", "")
    if visit.request.method == "POST" and not secrets.compare_digest(
        token.encode(), visit.session.csrf.encode()
    ):
        words = "It may be from before you signed in. Go back, load it again and send it once more."
        return visit.message("This page is out of date", words, 403)
    return None


def _handle(handler: Handler, visit: Visit) -> Response:
    try:
        return handler(visit)
    except NotFoundError as error:
        return visit.message("Not found", str(error), 404)
    except UserError as error:
        return visit.message("That did not work", str(error), 400)
