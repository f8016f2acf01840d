import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from heed.demo.run import answer_sample
from heed.site.app import create_app
from heed.workspace import Workspace


def test_the_first_page_shows_the_corpus(workspace: Workspace) -> None:
    answer_sample(workspace)
    page = TestClient(create_app(workspace)).get("/")
    assert page.status_code == 200
    assert "Corpus sample" in page.text
    assert "<dd>440</dd>" in page.text
    assert "r/techsupport" in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]


def test_an_empty_workspace_says_what_to_do(workspace: Workspace) -> None:
    client = TestClient(create_app(workspace))
    assert "Nothing here yet" in client.get("/").text
    assert client.get("/health").json() == {"status": "ok", "heed": "0.1.0", "workspace": False}


@pytest.fixture
def demo_server(tmp_path: Path) -> Iterator[str]:
    """`heed demo` as a user runs it: it serves until it is interrupted."""
    code = "from heed.cli.main import main; main()"
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["demo", "--no-model", "--port", str(port), "--workspace", str(tmp_path / "workspace")]
    process = subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    for _ in range(1_800):
        try:
            urllib.request.urlopen(f"{address}/health", timeout=1).close()
            break
        except OSError:
            time.sleep(0.1)
    yield address
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=20) in (0, 130)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1280, 390])
def test_the_demo_in_a_real_browser(demo_server: str, browser: Any, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.goto(demo_server)
    assert page.locator("h1").all_inner_texts() == ["Reports", "Corpus sample"]
    assert page.locator("tbody tr").count() == 24
    # Nothing sticks out of the page: wide tables scroll inside their own box.
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_role("link", name="Report: demo").click()
    assert "SIMULATED JUDGMENTS" in page.locator(".mark").first.inner_text()
    # The page's policy lets its style and its figures through.
    assert page.locator("body").evaluate("body => getComputedStyle(body).maxWidth") == "736px"
    assert page.evaluate("[...document.images].every(image => image.naturalWidth > 0)")
    assert page.locator("img").count() > 5
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert problems == []
