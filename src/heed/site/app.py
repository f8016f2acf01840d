"""Every route of the site on one screen. Pages are server-rendered; nothing is loaded from elsewhere."""

from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute

from heed.site.overview import health, overview
from heed.workspace import Workspace


def create_app(workspace: Workspace) -> FastAPI:
    """The application over one workspace."""
    app = FastAPI(
        title="Heed",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        routes=[
            APIRoute("/", overview, response_class=HTMLResponse),
            APIRoute("/health", health),
        ],
    )
    app.state.workspace = workspace
    return app
