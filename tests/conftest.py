"""What tests share: a fresh workspace, a writer of small dumps, the way to real data."""

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
import zstandard

from heed.workspace import Workspace

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
