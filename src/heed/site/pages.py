"""Turns a template into a page, with the headers that every page has."""

from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from fastapi.templating import Jinja2Templates

_templates = Jinja2Templates(Path(__file__).parent / "templates")
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def render(request: Request, template: str, **values: Any) -> HTMLResponse:
    response = _templates.TemplateResponse(request, template, values)
    response.headers.update(_HEADERS)
    return response
