"""Fresh threads for a round (TuringAdvice, App. A.1): from a folder, Reddit or Arctic Shift into a corpus.

What a source gives is kept per subreddit and post until all is there, so an interrupted command goes on
where it stopped; then it is ingested like any dump and the raw lines are deleted. `heed build advice
--mode dynamic` does the rest.
"""

import json
import shutil
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from pydantic import Field

from heed.datasets.advice_options import AdviceOptions
from heed.errors import NotFoundError, UserError
from heed.manifest import write_atomically
from heed.options import Options
from heed.workspace import Workspace

SOURCES = {
    "reddit": "heed.corpus.sources.reddit:RedditSource",
    "arctic": "heed.corpus.sources.arctic:ArcticSource",
}
_HOUR = 3600
_READY = "ready"


class Source(Protocol):
    """Gives lines in the shape of a dump."""

    def posts(self, subreddit: str, oldest: int, youngest: int) -> Iterator[dict[str, Any]]: ...

    def comments(self, post_id: str) -> Iterator[dict[str, Any]]: ...


class FreshOptions(Options):
    """Which threads are fetched; what of them is fit for a round is the advice recipe's business."""

    subreddits: tuple[str, ...] = AdviceOptions.model_fields["subreddits"].default
    """Where to look (App. A.1a)."""
    age_hours_min: int = Field(default=36, ge=0)
    """Youngest post (App. A.1a)."""
    age_hours_max: int = Field(default=336, ge=1)
    """Oldest post (App. A.1a: two weeks)."""
    post_score: int = 20
    """Posts with less are not fetched with their comments (App. A.1d)."""
    top_posts: int = Field(default=1000, ge=1)
    """So many top-scoring posts over all subreddits (App. A.1)."""


def fetch(
    workspace: Workspace, source: str, into: str, options: FreshOptions, folder: Path | None = None
) -> dict[str, Any]:
    """Fetch threads into the corpus `into`; the counts of the corpus."""
    if source == "folder":
        if folder is None or not folder.is_dir():
            raise NotFoundError("--source folder needs --folder DIR: a folder with dumps or JSONL files.")
        return _ingest(workspace, folder, into)
    opened = _open_source(source)
    staging = workspace.folder(".fresh", into)
    _gather(opened, staging, options)
    result = _ingest(workspace, staging / _READY, into)
    shutil.rmtree(staging)
    return result


def _open_source(name: str) -> Source:
    if name not in SOURCES:
        raise UserError(f"There is no source '{name}': known are folder, {', '.join(SOURCES)}.")
    module, _, attribute = SOURCES[name].partition(":")
    opened: Source = getattr(import_module(module), attribute)()
    return opened


def _gather(source: Source, staging: Path, options: FreshOptions) -> None:
    """Posts of every subreddit first, then the comments of the best; each step leaves a file when done."""
    now = int(_remember(staging / "now.txt", str(int(time.time()))))
    youngest, oldest = now - options.age_hours_min * _HOUR, now - options.age_hours_max * _HOUR
    posts: list[dict[str, Any]] = []
    for name in options.subreddits:
        path = staging / f"RS_{name}.jsonl"
        if not path.exists():
            _write_lines(path, source.posts(name, oldest, youngest))
        posts += [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    fit = [post for post in posts if (post.get("score") or 0) >= options.post_score]
    if not fit:
        shutil.rmtree(staging)
        raise UserError(
            f"Of {len(posts)} posts found none has a score of {options.post_score}: "
            f"wait for votes, or ask for less with --set post_score=…"
        )
    best = sorted(fit, key=lambda post: (-post["score"], post["id"]))[: options.top_posts]
    for post in best:
        path = staging / f"RC_{post['id']}.jsonl"
        if not path.exists():
            _write_lines(path, source.comments(post["id"]))
    _join(staging, now)


def _join(staging: Path, now: int) -> None:
    """One file of posts and one of comments, which ingest knows again by their bytes."""
    ready = staging / _READY
    ready.mkdir(exist_ok=True)
    for kind in ("RS", "RC"):
        parts = [path.read_bytes() for path in sorted(staging.glob(f"{kind}_*.jsonl"))]
        write_atomically(ready / f"{kind}_fresh_{now}.jsonl", b"".join(parts))


def _remember(path: Path, value: str) -> str:
    """The value of the first run, so that a second one asks for the same days."""
    if not path.exists():
        write_atomically(path, value.encode())
    return path.read_text()


def _write_lines(path: Path, lines: Iterator[dict[str, Any]]) -> None:
    data = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines)
    write_atomically(path, data.encode())


def _ingest(workspace: Workspace, folder: Path, into: str) -> dict[str, Any]:
    from heed.corpus.ingest import ingest
    from heed.corpus.ingest_options import IngestOptions

    return ingest([folder], IngestOptions.parse({"all": True, "into": into}), workspace)
