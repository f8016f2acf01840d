"""Every route of the site on one screen. Pages are server-rendered; nothing is loaded from elsewhere."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute, Route

from heed.site import entrance, labeling, reports, research
from heed.site.overview import health, overview
from heed.site.pages import script, style
from heed.site.visits import ANYONE, LABELERS, RESEARCHERS, SIGNED_IN, Handler, Site, guarded
from heed.workspace import Workspace

ROUTES: tuple[tuple[str, str, Handler, frozenset[str]], ...] = (
    ("GET", "/sign-in", entrance.show_sign_in, ANYONE),
    ("POST", "/sign-in", entrance.do_sign_in, ANYONE),
    ("POST", "/sign-out", entrance.sign_out, SIGNED_IN),
    ("GET", "/invite/{token}", entrance.show_invite, ANYONE),
    ("POST", "/invite/{token}", entrance.accept, ANYONE),
    ("GET", "/home", entrance.home, SIGNED_IN),
    ("GET", "/consent", entrance.show_consent, LABELERS),
    ("POST", "/consent", entrance.give_consent, LABELERS),
    ("GET", "/instructions/{code}", labeling.show_instructions, LABELERS | RESEARCHERS),
    ("GET", "/work/{code}", labeling.show_next, LABELERS),
    ("POST", "/work/{code}", labeling.submit, LABELERS),
    ("POST", "/work/{code}/draft", labeling.draft, LABELERS),
    ("POST", "/work/{code}/back", labeling.hand_back, LABELERS),
    ("GET", "/work/{code}/last", labeling.show_last, LABELERS),
    ("POST", "/work/{code}/last", labeling.correct, LABELERS),
    ("GET", "/studies/{code}", research.show_study, RESEARCHERS),
    ("POST", "/studies/{code}/state", research.change_state, RESEARCHERS),
    ("POST", "/studies/{code}/invite", research.make_invite, RESEARCHERS),
    ("POST", "/studies/{code}/exclude", research.exclude, RESEARCHERS),
    ("GET", "/reports/{name}/", reports.show_report, RESEARCHERS),
    ("GET", "/reports/{name}/{folder}/{file}", reports.show_report_file, RESEARCHERS),
    ("GET", "/published/{name}/", reports.show_published, ANYONE),
    ("GET", "/published/{name}/{folder}/{file}", reports.show_published_file, ANYONE),
)
# What every labeler does for every item: a few short statements and a page.
_QUICK = frozenset({labeling.show_next, labeling.submit, labeling.draft})


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    yield
    app.state.site.close()


def create_app(workspace: Workspace) -> FastAPI:
    """The application over one workspace."""
    routes: list[BaseRoute] = [
        APIRoute("/", overview, response_class=HTMLResponse),
        APIRoute("/health", health),
        APIRoute("/static/heed.css", style, response_model=None),
        APIRoute("/static/heed.js", script, response_model=None),
    ]
    for method, path, handler, roles in ROUTES:
        # Not an APIRoute: our handlers read their forms themselves, and a plain route is quicker.
        routes.append(Route(path, guarded(handler, roles, handler in _QUICK), methods=[method]))
    app = FastAPI(
        title="Heed", docs_url=None, redoc_url=None, openapi_url=None, routes=routes, lifespan=_lifespan
    )
    app.state.workspace = workspace
    app.state.site = Site(workspace)
    return app
