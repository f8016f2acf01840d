"""The first page: what the workspace holds; and the health route."""

from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse

from heed import __version__
from heed.corpus.store import open_corpora
from heed.corpus.summary import by_subreddit
from heed.site.pages import render


def overview(request: Request) -> HTMLResponse:
    """Every corpus with its counts and what it holds by subreddit."""
    corpora = [
        {
            "name": corpus.name,
            "manifest": corpus.artifact.manifest,
            "subreddits": by_subreddit(corpus).to_dicts(),
        }
        for corpus in open_corpora(request.app.state.workspace)
    ]
    return render(request, "overview.html", corpora=corpora)


def health(request: Request) -> dict[str, Any]:
    """Whether the server answers and sees its workspace."""
    return {"status": "ok", "heed": __version__, "workspace": request.app.state.workspace.root.is_dir()}
