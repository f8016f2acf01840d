import html
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest
from fastapi.testclient import TestClient

from heed.judging.accounts import invite
from heed.site.app import create_app
from heed.store.accounts import find_account
from heed.store.database import Database
from heed.store.studies import Study
from heed.workspace import Workspace

PASSWORD = "long enough"


@dataclass
class Person:
    """Somebody at a browser: follows links, fills in the form that is on the page, remembers every answer."""

    client: TestClient | httpx2.Client
    page: Any = None
    seen: list[Any] = field(default_factory=list)

    def get(self, path: str) -> Any:
        return self._look(self.client.get(path))

    def send(self, path: str, **answers: str) -> Any:
        return self._look(self.client.post(path, data={**self.hidden(), **answers}))

    def hidden(self) -> dict[str, str]:
        """The hidden fields of the page's longest form."""
        forms = re.findall(r"<form.*?</form>", self.page.text, re.DOTALL)
        wanted = max(
            (form for form in forms if "/sign-out" not in form), key=len, default=forms[-1] if forms else ""
        )
        found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', wanted)
        return {name: html.unescape(value) for name, value in found}

    def _look(self, page: Any) -> Any:
        self.page = page
        self.seen += [*page.history, page]
        return page


@pytest.fixture
def app(workspace: Workspace, database: Database) -> Any:
    """The site on the database of the test."""
    made = create_app(workspace)
    made.state.site.database = database
    return made


@pytest.fixture
def visitor(app: Any) -> Callable[[], Person]:
    return lambda: Person(TestClient(app))


@pytest.fixture
def visitor_at() -> Iterator[Callable[[str], Person]]:
    """Somebody who comes over the network, to the address of a site that runs."""
    with ExitStack() as clients:

        def enter(address: str) -> Person:
            client = httpx2.Client(base_url=address, follow_redirects=True, timeout=30)
            return Person(clients.enter_context(client))

        yield enter


@pytest.fixture
def come(database: Database, visitor: Callable[[], Person]) -> Callable[..., Person]:
    """Somebody who followed an invite and, as a labeler, gave consent."""

    def enter(name: str, study: Study | None = None, role: str = "labeler") -> Person:
        person = visitor()
        path = invite(database, role, study)
        person.get(path)
        person.send(path, name=name, password=PASSWORD)
        if role == "labeler":
            person.send("/consent", agree="yes")
        assert find_account(database, name=name) is not None
        return person

    return enter


@pytest.fixture
def browser() -> Iterator[Any]:
    """Debian's Chromium; in CI its absence is a failure, elsewhere a skip."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium")
    if path is None:
        if os.environ.get("CI"):
            pytest.fail("CI needs chromium on the path")
        pytest.skip("needs chromium on the path")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=flags)
        yield chromium
        chromium.close()
