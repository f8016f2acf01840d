"""Turns a template into a page, with the headers that every page has; and serves our own few files."""

from pathlib import Path
from typing import Any

from fastapi import Request, Response
from fastapi.responses import FileResponse, HTMLResponse
from fastapi.templating import Jinja2Templates

_templates = Jinja2Templates(Path(__file__).parent / "templates")
_templates.env.auto_reload = False
_STATIC = Path(__file__).parent / "static"
_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}


def render(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    response = _templates.TemplateResponse(request, template, values, status_code=status)
    response.headers.update(_HEADERS)
    return response


def style(_request: Request) -> Response:
    return FileResponse(_STATIC / "heed.css", headers={"X-Content-Type-Options": "nosniff"})


def script(_request: Request) -> Response:
    return FileResponse(_STATIC / "heed.js", headers={"X-Content-Type-Options": "nosniff"})
