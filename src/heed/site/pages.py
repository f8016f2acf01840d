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


# A report is one file with its own style and its figures inside; it has no script and sends no form.
_REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
)


def render(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    response = _templates.TemplateResponse(request, template, values, status_code=status)
    response.headers.update(_HEADERS)
    return response


def send_report_file(path: Path) -> Response:
    """A file that a report consists of, shown as it was written."""
    return FileResponse(path, headers={**_HEADERS, "Content-Security-Policy": _REPORT_POLICY})


def style(_request: Request) -> Response:
    return FileResponse(_STATIC / "heed.css", headers={"X-Content-Type-Options": "nosniff"})


def script(_request: Request) -> Response:
    return FileResponse(_STATIC / "heed.js", headers={"X-Content-Type-Options": "nosniff"})
