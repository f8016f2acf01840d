"""`make bench-site`: the site under load, on SQLite and on PostgreSQL; afterwards the database is counted.

(a) 200 labelers who read for 1.5 to 2.5 seconds before they answer; (b) 16 clients that never pause. The
client is this process, the site is `heed serve` in another; both share the machine.
"""

import argparse
import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from label_studio import annotations_per_second
from load import Labeler, Measured, labelers_at_work
from processes import processor_seconds

from heed.corpus.sample.dumps import sample_threads
from heed.site.sessions import new_session, seal
from heed.store.accounts import add_account, join_study, record_consent, site_secret
from heed.store.backup import check_store
from heed.store.database import DATABASE_VARIABLE, Database, open_database
from heed.store.studies import Item, Placed, Study, add_study, find_study, set_state
from heed.store.tables import judgments, leases
from heed.store.temporary_server import find_programs, temporary_server
from heed.workspace import Workspace

LABELS_PER_ITEM = 3
PAUSING, PAUSE_SECONDS, PAUSING_ITEMS = 200, (1.5, 2.5), 1_000
SATURATING, SATURATING_ITEMS = 16, 1_200
P99_MILLISECONDS, JUDGMENTS_PER_SECOND = 300, 135
LABEL_STUDIO_RATIO, LABEL_STUDIO_SECONDS = 25, 30
RATES: dict[tuple[str, bool], float] = {}
HEED = [sys.executable, "-c", "from heed.cli.main import main; main()"]


def make_items(study: str, count: int) -> list[Item]:
    """Real-length questions: a situation of the bundled sample with two paragraphs of others as answers."""
    dice = random.Random(study)
    threads = list(sample_threads())
    made = []
    for number in range(count):
        here, one, other = dice.choices(threads, k=3)
        parts: dict[str, Any] = {"id": f"{study}-{number}", "example": f"example-{number}"}
        parts |= {"domain": None, "subreddit": None, "split": None, "reference": None}
        parts |= {"title": here["title"], "situation": here["selftext"]}
        parts |= {"policy_a": "one", "policy_b": "other"}
        made.append(Item(**parts, text_a=one["selftext"][:800], text_b=other["selftext"][:800]))
    return made


def open_study(database: Database, name: str, items: int) -> Study:
    row = {"name": name, "code": f"code-{name}", "protocol": "helpfulness", "options": {}, "parents": []}
    row |= {"labels_per_item": LABELS_PER_ITEM, "lease_seconds": 600, "seed": 0}
    placed = [Placed(item, place, LABELS_PER_ITEM) for place, item in enumerate(make_items(name, items))]
    set_state(database, add_study(database, row, placed), "open")
    return find_study(database, name=name)


def hire(database: Database, study: Study, count: int) -> list[Labeler]:
    """People who have signed in and consented already; signing in is not what is measured."""
    secret, hired = site_secret(database), []
    for number in range(count):
        with database.write() as connection:
            account = add_account(connection, f"{study.name} {number}", "no password", "labeler")
            join_study(connection, study.id, account)
        record_consent(database, account)
        hired.append(Labeler(study.code, seal(secret, new_session(account))))
    return hired


@contextmanager
def site(workspace: Workspace, url: str | None) -> Iterator[tuple[int, int]]:
    """`heed serve` on a free port: the port and the process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = ["serve", "--port", str(port), "--quiet", "--workspace", str(workspace.root)]
    environment = {**os.environ, **({DATABASE_VARIABLE: url} if url else {})}
    process = subprocess.Popen([*HEED, *words], env=environment)
    try:
        _wait(port)
        yield port, process.pid
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(20)


def _wait(port: int) -> None:
    for _ in range(300):
        try:
            # A page that needs the database, so that it is open before the clock starts.
            urllib.request.urlopen(f"http://127.0.0.1:{port}/sign-in", timeout=5).close()
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the site does not start")


def wrong_in(database: Database, study: Study, told: list[str]) -> list[str]:
    """What contradicts the promises: every answer that was acknowledged is there once, and K on each item."""
    with database.read() as connection:
        done = set(
            connection.scalars(
                sa.select(leases.c.token).where(leases.c.study == study.id, leases.c.state == "done")
            )
        )
        per_item = sa.select(judgments.c.item, judgments.c.account).where(judgments.c.study == study.id)
        rows = [tuple(row) for row in connection.execute(per_item)]
    counts = {item: sum(other == item for other, _ in rows) for item in {row[0] for row in rows}}
    problems = [f"{len(set(told) - done)} lost"] if set(told) - done else []
    problems += [f"{len(rows) - len(set(rows))} twice"] if len(set(rows)) < len(rows) else []
    problems += ["an answer was acknowledged twice"] if len(set(told)) < len(told) else []
    problems += [] if set(counts.values()) == {LABELS_PER_ITEM} else ["an item without exactly K labels"]
    return problems + check_store(database)["problems"]


def run(
    kind: str, part: str, people: int, items: int, pause: tuple[float, float] | None, url: str | None
) -> bool:
    with tempfile.TemporaryDirectory(prefix="heed-bench-") as folder:
        workspace = Workspace(Path(folder))
        database = open_database(workspace, url)
        study = open_study(database, f"{part}-{kind}", items)
        labelers = hire(database, study, people)
        with site(workspace, url) as (port, process):
            before, began = processor_seconds(process), os.times()
            measured = asyncio.run(labelers_at_work(port, labelers, pause))
            server, ended = processor_seconds(process) - before, os.times()
        client = ended.user + ended.system - began.user - began.system
        problems = wrong_in(database, study, measured.saved)
        database.close()
    return report(kind, measured, pause is not None, server, client, items, problems)


def report(
    kind: str, measured: Measured, paused: bool, server: float, client: float, items: int, problems: list[str]
) -> bool:
    rate = len(measured.saved) / measured.seconds
    slowest = {name: measured.percentile(name, 0.99) for name in ("next", "submit")}
    middle = {name: measured.percentile(name, 0.5) for name in ("next", "submit")}
    good = max(slowest.values()) < P99_MILLISECONDS if paused else rate >= JUDGMENTS_PER_SECOND
    whole = len(measured.saved) == items * LABELS_PER_ITEM
    print(
        f"{kind:<11}{'(a) 200 who pause' if paused else '(b) 16 who do not':<19}"
        f"{rate:6.1f} judgments/s   p50 {middle['next']:4.0f} / {middle['submit']:4.0f} ms   "
        f"p99 {slowest['next']:4.0f} / {slowest['submit']:4.0f} ms (next / submit)   "
        f"site {server / measured.seconds:4.0%} ({1_000 * server / len(measured.saved):.1f} ms a judgment), "
        f"client {client / measured.seconds:4.0%} of a core   "
        f"{len(measured.saved)} saved in {measured.seconds:.1f} s, {measured.refused} refused   "
        f"{'; '.join(problems) or 'none lost, none twice, exactly K'}   {'reached' if good else 'MISSED'}",
        flush=True,
    )
    RATES[kind, paused] = rate
    return good and whole and not problems and not measured.refused


def compare_with_label_studio(program: str) -> bool:
    """The same texts, as many clients, its own SQLite: how many times as many judgments the site saves."""
    texts = [(item.text_a, item.text_b or "") for item in make_items("texts", SATURATING_ITEMS)]
    theirs = annotations_per_second(program, texts, SATURATING, LABEL_STUDIO_SECONDS)
    ratio = RATES["sqlite", False] / theirs
    print(f"label studio: {theirs:.1f} annotations/s; the site saves {ratio:.0f} x as many (target 25)")
    return ratio >= LABEL_STUDIO_RATIO


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("sqlite", "postgresql"))
    parser.add_argument("--part", choices=("a", "b"))
    chosen = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.2f}, {os.cpu_count()} cores", flush=True)
    good = True
    for kind in [chosen.only] if chosen.only else ["sqlite", "postgresql"]:
        programs = find_programs()
        if kind == "postgresql" and programs is None:
            print("postgresql  not installed here")
            continue
        with temporary_server(programs) if kind == "postgresql" and programs else nullcontext() as server:
            url = server.url if server else None
            if chosen.part in (None, "a"):
                good &= run(kind, "a", PAUSING, PAUSING_ITEMS, PAUSE_SECONDS, url)
            if chosen.part in (None, "b"):
                good &= run(kind, "b", SATURATING, SATURATING_ITEMS, None, url)
    if (program := os.environ.get("LABEL_STUDIO")) and ("sqlite", False) in RATES:
        good &= compare_with_label_studio(program)
    raise SystemExit(0 if good else 1)


if __name__ == "__main__":
    main()
