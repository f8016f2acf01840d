"""The first page: published reports and what the workspace holds; and the health route."""

from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse

from heed import __version__
from heed.corpus.store import open_corpora
from heed.corpus.summary import by_subreddit
from heed.site.pages import render
from heed.site.reports import PUBLISHED, list_reports


def overview(request: Request) -> HTMLResponse:
    """Every published report, and every corpus with its counts and what it holds by subreddit."""
    workspace = request.app.state.workspace
    corpora = [
        {
            "name": corpus.name,
            "manifest": corpus.artifact.manifest,
            "subreddits": by_subreddit(corpus).to_dicts(),
        }
        for corpus in open_corpora(workspace)
    ]
    return render(request, "overview.html", corpora=corpora, reports=list_reports(workspace, PUBLISHED))


def health(request: Request) -> dict[str, Any]:
    """Whether the server answers and sees its workspace."""
    return {"status": "ok", "heed": __version__, "workspace": request.app.state.workspace.root.is_dir()}
