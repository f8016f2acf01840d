"""Against a real server on loopback that behaves badly in every way an endpoint can."""

import contextlib
import http.server
import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar

import pytest

from heed.net.caller import Caller, CallError, CallOptions

QUICK = CallOptions(back_off=0.01, timeout=1.0, longest_answer=100_000)


class Bad(http.server.BaseHTTPRequestHandler):
    """The path says how to misbehave."""

    seen: ClassVar[Counter[str]] = Counter()
    most_at_once = 0
    at_once = 0
    lock = threading.Lock()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.seen[self.path] += 1
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            getattr(self, self.path.strip("/"))()

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def good(self) -> None:
        self.answer(200, b'{"ok": true}')

    def slowly_good(self) -> None:
        with self.lock:
            type(self).at_once += 1
            type(self).most_at_once = max(self.most_at_once, self.at_once)
        time.sleep(0.05)
        with self.lock:
            type(self).at_once -= 1
        self.good()

    def flaky(self) -> None:
        self.good() if self.seen["/flaky"] >= 3 else self.answer(503, b"later")

    def busy(self) -> None:
        self.good() if self.seen["/busy"] >= 2 else self.answer(429, b"slow down", Retry_After="0.3")

    def limited(self) -> None:
        good = self.seen["/limited"] >= 2
        self.good() if good else self.answer(429, b"slow down", X_RateLimit_Reset="0.3")

    def limited_until(self) -> None:
        good = self.seen["/limited_until"] >= 2
        self.good() if good else self.answer(429, b"slow down", X_RateLimit_Reset="1763200000")

    def broken(self) -> None:
        self.answer(500, b"<h1>oops</h1>")

    def missing(self) -> None:
        self.answer(404, b"nothing here")

    def page(self) -> None:
        self.answer(200, b"<html>hello</html>")

    def elsewhere(self) -> None:
        self.answer(302, b"", Location="/good")

    def silent(self) -> None:
        time.sleep(9)

    def huge(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(10**9))
        self.end_headers()
        while True:
            self.wfile.write(b"x" * 65_536)

    def dripping(self) -> None:
        self.send_response(200)
        self.end_headers()
        for _ in range(100):
            self.wfile.write(b" ")
            time.sleep(0.1)

    def log_message(self, *_: Any) -> None:
        """Quiet."""


@pytest.fixture
def server() -> Iterator[str]:
    Bad.seen.clear()
    Bad.most_at_once = 0
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bad) as running:
        running.daemon_threads = True
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_address[1]}"
        running.shutdown()


def test_json_comes_back_and_passing_troubles_are_tried_again(server: str) -> None:
    with Caller(QUICK) as caller:
        assert caller.post(f"{server}/good", {"a": 1}) == {"ok": True}
        assert caller.post(f"{server}/flaky", {}) == {"ok": True}
    assert Bad.seen == {"/good": 1, "/flaky": 3}


def test_a_reset_in_seconds_is_a_wait_and_a_moment_is_none(server: str) -> None:
    with Caller(QUICK) as caller:
        begun = time.monotonic()
        caller.post(f"{server}/limited", {})
        waited = time.monotonic()
        caller.post(f"{server}/limited_until", {})
    assert waited - begun >= 0.3
    assert time.monotonic() - waited < 10


def test_the_wait_that_the_server_asks_for_is_kept(server: str) -> None:
    started = time.monotonic()
    with Caller(QUICK) as caller:
        caller.post(f"{server}/busy", {})
    assert time.monotonic() - started >= 0.3


@pytest.mark.parametrize(
    ("path", "reason", "tries"),
    [
        ("broken", "status_500", 4),
        ("missing", "status_404", 1),
        ("page", "not_json", 1),
        ("elsewhere", "redirect", 1),
        ("huge", "too_large", 1),
    ],
)
def test_a_bad_endpoint_ends_in_a_countable_reason(server: str, path: str, reason: str, tries: int) -> None:
    with Caller(QUICK) as caller, pytest.raises(CallError) as error:
        caller.post(f"{server}/{path}", {})
    assert error.value.reason == reason
    assert Bad.seen[f"/{path}"] == tries


@pytest.mark.parametrize("path", ["silent", "dripping"])
def test_silence_and_an_endless_drip_end_in_time(server: str, path: str) -> None:
    once = QUICK.model_copy(update={"tries": 1, "timeout": 0.5})
    started = time.monotonic()
    with Caller(once) as caller, pytest.raises(CallError) as error:
        caller.post(f"{server}/{path}", {})
    assert error.value.reason == "timeout"
    assert time.monotonic() - started < 6  # unbounded, both take nine seconds or more


def test_nobody_there_is_refused() -> None:
    with Caller(QUICK) as caller, pytest.raises(CallError) as error:
        caller.post("http://127.0.0.1:9/x", {})
    assert error.value.reason == "refused"


def test_no_more_calls_at_once_than_allowed(server: str) -> None:
    with Caller(QUICK.model_copy(update={"concurrency": 3})) as caller, ThreadPoolExecutor(10) as threads:
        list(threads.map(lambda _: caller.post(f"{server}/slowly_good", {}), range(20)))
    assert Bad.most_at_once == 3


def test_calls_keep_their_pace(server: str) -> None:
    started = time.monotonic()
    with Caller(QUICK.model_copy(update={"per_second": 20.0})) as caller, ThreadPoolExecutor(5) as threads:
        list(threads.map(lambda _: caller.post(f"{server}/good", {}), range(11)))
    assert time.monotonic() - started >= 0.5


def test_a_key_is_in_no_error(server: str) -> None:
    with Caller(QUICK) as caller, pytest.raises(CallError) as error:
        caller.post(f"{server}/missing", {}, {"Authorization": "Bearer secret-key"})
    assert "secret-key" not in json.dumps([str(error.value), repr(error.value)])
