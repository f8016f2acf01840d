"""Reports as `heed report` wrote them: in `reports/` for researchers, in `published/` for everybody.

A report names the policies behind the texts, so a labeler must not see it while the study runs: publishing
is moving a report, or writing it, into the other folder, and nothing else does it.
"""

import html
import re
from dataclasses import dataclass
from pathlib import Path

from fastapi import Response

from heed.errors import NotFoundError
from heed.reports.build import PAGE
from heed.site.pages import send_report_file
from heed.site.visits import Visit
from heed.workspace import Workspace

REPORTS, PUBLISHED = "reports", "published"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]*")
_FOLDERS = ("figures", "tables")
_HEAD_BYTES = 16_384


@dataclass(frozen=True)
class Listed:
    """A report as a list shows it: what it is about, and the mark that it bears when no person judged."""

    path: str
    title: str
    mark: str


def list_reports(workspace: Workspace, folder: str) -> list[Listed]:
    """Every report in one of the two folders, by name."""
    pages = sorted((workspace.root / folder).glob(f"*/{PAGE}"))
    return [_listed(page, folder) for page in pages if _NAME.fullmatch(page.parent.name)]


def show_report(visit: Visit) -> Response:
    return _send(visit, REPORTS)


def show_report_file(visit: Visit) -> Response:
    return _send_part(visit, REPORTS)


def show_published(visit: Visit) -> Response:
    return _send(visit, PUBLISHED)


def show_published_file(visit: Visit) -> Response:
    return _send_part(visit, PUBLISHED)


def _send(visit: Visit, folder: str) -> Response:
    return _send_file(_place(visit, folder) / PAGE)


def _send_part(visit: Visit, folder: str) -> Response:
    """A figure or a table that the page links to."""
    part, file = visit.request.path_params["folder"], visit.request.path_params["file"]
    if part not in _FOLDERS or not _NAME.fullmatch(file):
        raise NotFoundError("A report has no such file.")
    return _send_file(_place(visit, folder) / part / file)


def _place(visit: Visit, folder: str) -> Path:
    name = str(visit.request.path_params["name"])
    if not _NAME.fullmatch(name):
        raise NotFoundError("There is no such report.")
    return visit.site.workspace.root / folder / name


def _send_file(path: Path) -> Response:
    if not path.is_file():
        raise NotFoundError("There is no such report, or no such file in it.")
    return send_report_file(path)


def _listed(page: Path, folder: str) -> Listed:
    with page.open("rb") as file:
        head = file.read(_HEAD_BYTES).decode("utf-8", "replace")
    title, mark = (re.search(tag, head) for tag in (r"<title>(.*?)</title>", r'<p class="mark">(.*?)</p>'))
    shown = [html.unescape(found[1]) if found else "" for found in (title, mark)]
    return Listed(f"/{folder}/{page.parent.name}/", shown[0] or page.parent.name, shown[1])
