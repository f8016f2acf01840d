"""Fresh threads, fetched by the real clients from a server on this machine that speaks the same endpoints."""

import json
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlparse

import pytest

from heed.corpus.sources.arctic import ArcticSource
from heed.corpus.store import open_corpus
from heed.datasets.advice_options import AdviceOptions
from heed.datasets.build import Order, build
from heed.datasets.examples import read_examples
from heed.datasets.fresh import FreshOptions, fetch
from heed.errors import NotFoundError, UserError
from heed.workspace import Workspace

NOW = int(time.time())
OPTIONS = FreshOptions.parse({"subreddits": ["Advice", "dating"]})


def make_thread(number: int, subreddit: str, age_hours: float, score: int = 50) -> dict[str, Any]:
    return {
        "id": f"f{number}",
        "name": f"t3_f{number}",
        "subreddit": subreddit,
        "author": f"asker{number}",
        "title": "How do I move out?",
        "selftext": "My flat is cold and the landlord does not answer my letters at all. " * 12,
        "score": score,
        "created_utc": NOW - int(age_hours * 3600),
        "is_self": True,
        "edited": False,
        "permalink": f"/r/{subreddit}/comments/f{number}/",
    }


def make_reply(number: int, subreddit: str) -> dict[str, Any]:
    return {
        "id": f"g{number}",
        "name": f"t1_g{number}",
        "link_id": f"t3_f{number}",
        "parent_id": f"t3_f{number}",
        "subreddit": subreddit,
        "author": "helper",
        "body": "Write to the town's housing office, keep a copy, and ask for a visit by an inspector. " * 3,
        "score": 40,
        "created_utc": NOW - 3600,
        "edited": False,
        "replies": "",
    }


THREADS = [
    make_thread(1, "Advice", 48), make_thread(2, "Advice", 20), make_thread(3, "Advice", 400),
    make_thread(4, "dating", 100), make_thread(5, "dating", 100, score=3),
]  # fmt: skip


class Forum(BaseHTTPRequestHandler):
    """Answers as Reddit's OAuth API and as Arctic Shift do; some requests are refused once on purpose."""

    refusals: ClassVar[dict[str, int]] = {}
    asked: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        self._send({"access_token": "token", "expires_in": 3600, "scope": "*", "token_type": "bearer"})

    def do_GET(self) -> None:
        address = urlparse(self.path)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        Forum.asked.append(address.path)
        if Forum.refusals.get(address.path, 0):
            Forum.refusals[address.path] -= 1
            self._send({"error": 429}, 429)
        elif address.path.startswith("/api/"):
            self._send({"data": self._search(address.path, query)})
        elif "/comments/" in address.path:
            self._send(self._thread(address.path.strip("/").split("/")[1]))
        else:
            self._send(_listing([t for t in THREADS if t["subreddit"] == address.path.split("/")[2]], "t3"))

    def _search(self, path: str, query: dict[str, str]) -> list[dict[str, Any]]:
        if "comments" in path:
            number = int(query["link_id"].removeprefix("t3_f"))
            return [make_reply(number, THREADS[number - 1]["subreddit"])]
        found = [t for t in THREADS if t["subreddit"] == query["subreddit"]]
        found = [t for t in found if int(query["after"]) < t["created_utc"] < int(query["before"])]
        return sorted(found, key=lambda thread: thread["created_utc"])[: int(query["limit"])]

    def _thread(self, id: str) -> list[dict[str, Any]]:
        thread = next(t for t in THREADS if t["id"] == id)
        return [_listing([thread], "t3"), _listing([make_reply(int(id[1:]), thread["subreddit"])], "t1")]

    def _send(self, answer: Any, status: int = 200) -> None:
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on the terminal."""


def _listing(things: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    children = [{"kind": kind, "data": thing} for thing in things]
    return {"kind": "Listing", "data": {"children": children, "after": None, "before": None}}


@pytest.fixture(autouse=True)
def forum(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Forum)
    Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    Forum.refusals, Forum.asked = {}, []
    monkeypatch.setenv("HEED_ARCTIC_URL", address)
    monkeypatch.setenv("HEED_REDDIT_URL", address)
    for name in ("CLIENT_ID", "CLIENT_SECRET", "USER_AGENT"):
        monkeypatch.setenv(f"HEED_REDDIT_{name}", "heed test")
    yield address
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("source", ["reddit", "arctic"])
def test_threads_of_the_window_become_a_corpus_and_a_round(workspace: Workspace, source: str) -> None:
    fetch(workspace, source, "fresh", OPTIONS)
    corpus = open_corpus(workspace, "fresh")
    ids = [id for bucket in range(corpus.bucket_count) for id in corpus.posts(bucket)["id"]]
    assert sorted(ids) == ["f1", "f4", "f5"]
    assert not (workspace.root / ".fresh" / "fresh").exists()
    built = build(
        workspace, Order("advice", "fresh", "round", AdviceOptions.parse({"mode": "dynamic"})), jobs=1
    )
    examples = read_examples(built)
    assert sorted(example.id for example in examples) == ["f1", "f4"]
    assert examples[0].references[0].id == "g1"
    assert examples[0].references[0].author not in (None, "helper")


def test_a_second_run_asks_only_for_what_is_missing(workspace: Workspace) -> None:
    Forum.refusals = {"/api/comments/search": 99}
    with pytest.raises(UserError, match="run the same command again to go on"):
        fetch(workspace, "arctic", "fresh", OPTIONS)
    first = Forum.asked.count("/api/posts/search")
    Forum.refusals = {}
    assert fetch(workspace, "arctic", "fresh", OPTIONS)["posts"] == 3
    assert Forum.asked.count("/api/posts/search") == first


def test_the_archive_is_asked_again_after_the_wait_it_names(forum: str) -> None:
    Forum.refusals = {"/api/posts/search": 2}
    source = ArcticSource({"HEED_ARCTIC_URL": forum})
    begun = time.monotonic()
    assert [post["id"] for post in source.posts("dating", 0, NOW)] == ["f4", "f5"]
    assert Forum.asked == ["/api/posts/search"] * 3
    assert time.monotonic() - begun < 1.4  # it names no wait at all; the usual ones take 1.5 s


def test_a_folder_of_files(workspace: Workspace, tmp_path: Path) -> None:
    folder = tmp_path / "drop"
    folder.mkdir()
    (folder / "RS_mine.jsonl").write_text(f"{json.dumps(THREADS[0])}\n")
    assert fetch(workspace, "folder", "mine", OPTIONS, folder)["posts"] == 1
    with pytest.raises(NotFoundError, match="--folder DIR"):
        fetch(workspace, "folder", "mine", OPTIONS)


def test_absence_is_a_sentence(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="no source 'gopher'"):
        fetch(workspace, "gopher", "x", OPTIONS)
    with pytest.raises(UserError, match="none has a score of 5000"):
        fetch(workspace, "arctic", "x", OPTIONS.model_copy(update={"post_score": 5000}))
    monkeypatch.setenv("HEED_ARCTIC_URL", "http://127.0.0.1:9")
    with pytest.raises(UserError, match="cannot be reached at"):
        fetch(workspace, "arctic", "x", OPTIONS)
    monkeypatch.setenv("HEED_REDDIT_URL", "http://127.0.0.1:9")
    with pytest.raises(UserError, match="Reddit cannot be reached"):
        fetch(workspace, "reddit", "y", OPTIONS)
    monkeypatch.delenv("HEED_REDDIT_CLIENT_ID")
    with pytest.raises(UserError, match="set HEED_REDDIT_CLIENT_ID"):
        fetch(workspace, "reddit", "z", OPTIONS)
