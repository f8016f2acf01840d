"""Label Studio under the same load as the site, where it is installed: annotations saved per second.

It is a program of its own with its own libraries, so it lives in an environment of its own; give its
executable to `make bench-site` by the variable LABEL_STUDIO. Everybody signs in as it asks for,
then takes the next task and sends an annotation, as its page does. Standard library only.
"""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

NAME, PASSWORD = "bench@example.org", "a long password of a benchmark"
CONFIG = (
    '<View><Text name="a" value="$a"/><Text name="b" value="$b"/><Choices name="better" toName="a">'
    '<Choice value="a"/><Choice value="b"/></Choices></View>'
)
RESULT = [{"from_name": "better", "to_name": "a", "type": "choices", "value": {"choices": ["a"]}}]
START_SECONDS = 240


class Annotator:
    """One browser: a connection, its cookies, and the token that its forms need."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self._cookies: dict[str, str] = {}

    def sign_in(self) -> None:
        page = self.ask("GET", "/user/login/")[1].decode()
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
        form = {"email": NAME, "password": PASSWORD, "csrfmiddlewaretoken": found[1] if found else ""}
        status, _ = self.ask("POST", "/user/login/", urlencode(form), "application/x-www-form-urlencoded")
        if status != 302:
            raise SystemExit(f"Label Studio does not let us in: {status}")

    def ask(
        self, method: str, path: str, body: str | None = None, kind: str = "application/json"
    ) -> tuple[int, bytes]:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self._cookies.items())}
        headers |= {"Content-Type": kind, "X-CSRFToken": self._cookies.get("csrftoken", "")}
        headers |= {"Referer": f"http://127.0.0.1:{self._port}/"}
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        for line in answer.msg.get_all("Set-Cookie") or []:
            name, _, value = line.partition(";")[0].partition("=")
            self._cookies[name] = value
        return answer.status, answer.read()

    def annotate(self, project: int, until: float) -> tuple[int, int]:
        """Work until there is nothing left or time is over: saved, refused."""
        saved = refused = 0
        while time.monotonic() < until:
            status, body = self.ask("GET", f"/api/projects/{project}/next")
            if status == 404:
                break
            if status != 200:
                refused += 1
                continue
            sent = json.dumps({"result": RESULT, "lead_time": 2.0})
            status, _ = self.ask("POST", f"/api/tasks/{json.loads(body)['id']}/annotations/", sent)
            saved, refused = saved + (status == 201), refused + (status != 201)
        return saved, refused


@contextmanager
def label_studio(program: str) -> Iterator[int]:
    """Label Studio with an empty SQLite database on a free port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    with tempfile.TemporaryDirectory(prefix="heed-bench-ls-") as folder:
        words = ["start", "--no-browser", "--port", str(port), "--internal-host", "127.0.0.1"]
        words += ["--data-dir", folder, "--username", NAME, "--password", PASSWORD]
        quiet = {**os.environ, "COLLECT_ANALYTICS": "False", "LATEST_VERSION_CHECK": "0"}
        # A group of its own: its development server starts a child that would outlive it.
        process = subprocess.Popen(
            [program, *words],
            env=quiet,
            start_new_session=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _wait(port)
            yield port
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _wait(port: int) -> None:
    for _ in range(START_SECONDS):
        try:
            if Annotator(port).ask("GET", "/user/login/")[0] == 200:
                return
        except OSError:
            time.sleep(1)
    raise SystemExit("Label Studio does not start")


def annotations_per_second(program: str, texts: list[tuple[str, str]], people: int, seconds: float) -> float:
    """So many annotators for so long, each with a session of their own; what was saved, per second."""
    with label_studio(program) as port:
        admin = Annotator(port)
        admin.sign_in()
        made = admin.ask("POST", "/api/projects", json.dumps({"title": "bench", "label_config": CONFIG}))
        project = json.loads(made[1])["id"]
        tasks = [{"data": {"a": one, "b": other}} for one, other in texts]
        admin.ask("POST", f"/api/projects/{project}/import", json.dumps(tasks))
        annotators = [Annotator(port) for _ in range(people)]
        for annotator in annotators:
            annotator.sign_in()
        return _work(annotators, project, seconds)


def _work(annotators: list[Annotator], project: int, seconds: float) -> float:
    done: list[tuple[int, int]] = []
    began = time.monotonic()

    def work(annotator: Annotator) -> None:
        done.append(annotator.annotate(project, began + seconds))

    threads = [threading.Thread(target=work, args=(each,)) for each in annotators]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    took = time.monotonic() - began
    print(f"label studio: {sum(s for s, _ in done)} saved, {sum(r for _, r in done)} refused, {took:.1f} s")
    return sum(saved for saved, _ in done) / took
