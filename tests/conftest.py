"""What tests share: a workspace, databases, a writer of small dumps, and the way to the real data."""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import zstandard

from heed.datasets.examples import write_examples
from heed.judging.studies import StudyOptions, create_study
from heed.policies.responses import write_responses
from heed.records import Example, Reference, Response
from heed.store.accounts import add_account, join_study
from heed.store.database import Database, open_database
from heed.store.studies import Study, find_study, set_state
from heed.store.temporary_server import find_programs, temporary_server
from heed.workspace import Workspace, open_artifact

REPOSITORY = Path(__file__).parent.parent


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path / "workspace")


@pytest.fixture
def write_dump(tmp_path: Path) -> Callable[..., Path]:
    """Write lines (objects, text or bytes) as a zstandard dump."""

    def write(name: str, lines: Iterable[Any]) -> Path:
        data = b"".join(as_bytes(line) + b"\n" for line in lines)
        path = tmp_path / name
        path.write_bytes(zstandard.ZstdCompressor().compress(data))
        return path

    return write


def as_bytes(line: Any) -> bytes:
    if isinstance(line, bytes):
        return line
    return line.encode() if isinstance(line, str) else json.dumps(line).encode()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real public data beside the project; never copied in."""
    place = Path(os.environ.get("HEED_SHARED", REPOSITORY.parent / "shared")) / "data"
    if not place.is_dir():
        pytest.skip(f"needs the real data in {place}, which is not here")
    return place


@pytest.fixture
def make_post() -> Callable[..., dict[str, Any]]:
    return post


@pytest.fixture
def make_comment() -> Callable[..., dict[str, Any]]:
    return comment


def post(number: int, **fields: Any) -> dict[str, Any]:
    line = {
        "id": f"p{number}",
        "subreddit": "Advice",
        "author": f"asker{number}",
        "title": f"Title {number}",
        "selftext": f"Text {number}?",
        "score": number,
        "created_utc": 1_700_000_000 + number,
        "retrieved_on": 1_700_100_000,
        "is_self": True,
    }
    return {**line, **fields}


def comment(number: int, thread: int, **fields: Any) -> dict[str, Any]:
    line = {
        "id": f"c{number}",
        "subreddit": "Advice",
        "author": f"writer{number}",
        "body": f"Reply {number}",
        "link_id": f"t3_p{thread}",
        "parent_id": f"t3_p{thread}",
        "score": number,
        "created_utc": 1_700_000_500 + number,
        "retrieved_on": 1_700_100_000,
    }
    return {**line, **fields}


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """A server of its own on a socket in a temporary folder."""
    programs = find_programs()
    if programs is None:
        if os.environ.get("CI"):
            pytest.fail("CI needs PostgreSQL from Debian's package")
        pytest.skip("needs PostgreSQL from Debian's package")
    with temporary_server(programs) as server:
        yield server.url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def database(request: pytest.FixtureRequest, workspace: Workspace) -> Iterator[Database]:
    """An empty database, once on each kind of server."""
    if request.param == "sqlite":
        opened = open_database(workspace)
    else:
        opened = open_database(workspace, request.getfixturevalue("postgres_server"))
    yield opened
    if not opened.is_sqlite:
        with opened.write() as connection:
            connection.execute(sa.text("DROP SCHEMA public CASCADE"))
            connection.execute(sa.text("CREATE SCHEMA public"))
    opened.close()


POLICIES = ("reference", "zebra-policy", "walrus-policy")


def example(number: int) -> Example:
    return Example(
        id=f"example-{number}",
        kind="advice",
        split="test",
        subreddit="Advice",
        domain="life",
        created=1_700_000_000,
        title=f"Title {number}",
        text=f"Story {number} <script>alert(1)</script>",
        references=(Reference(f"Best answer {number}."),),
        choices=(f"Wrong {number}?", f"Right {number}?"),
        label=1,
    )


def response(number: int, policy: str) -> Response:
    text = f"Answer {policies_hidden(policy)} to {number}."
    return Response(f"example-{number}", policy, 0, text, None, "stop", None, "", 1, 1, 0.1, 0, 0.0, 1.0)


def policies_hidden(policy: str) -> str:
    return {"reference": "one", "zebra-policy": "two", "walrus-policy": "three"}[policy]


@pytest.fixture
def make_responses(workspace: Workspace) -> Callable[[int], None]:
    """A dataset `cries` and what three policies answered to it, `answers`."""

    def make(count: int) -> None:
        place = workspace.root / "datasets" / "cries"
        with workspace.draft(place, "dataset", "cries") as draft:
            draft.counts = {"splits": write_examples([example(n) for n in range(count)], draft.path)}
        hash = open_artifact(place).manifest.content_hash
        with workspace.draft(workspace.root / "responses" / "answers", "responses", "answers") as draft:
            draft.parents = [{"kind": "dataset", "name": "cries", "hash": hash}]
            write_responses([response(n, p) for n in range(count) for p in POLICIES], draft.path)

    return make


@pytest.fixture
def make_study(
    workspace: Workspace, database: Database, make_responses: Callable[[int], None]
) -> Callable[..., Study]:
    """An open study over `examples` examples."""

    def make(protocol: str = "helpfulness", examples: int = 3, **options: object) -> Study:
        if not (workspace.root / "datasets" / "cries").is_dir():
            make_responses(examples)
        source = {"dataset": "cries"} if protocol == "plausibility" else {"responses": "answers"}
        chosen = StudyOptions.parse({"protocol": protocol, **source, **options})
        study, _ = create_study(workspace, database, f"study-{protocol}", chosen)
        set_state(database, study, "open")
        return find_study(database, name=study.name)

    return make


@pytest.fixture
def hire(database: Database) -> Callable[[Study, str], int]:
    """An account in a study."""

    def add(study: Study, name: str) -> int:
        with database.write() as connection:
            account = add_account(connection, name, "no password", "labeler")
            join_study(connection, study.id, account)
        return account

    return add
