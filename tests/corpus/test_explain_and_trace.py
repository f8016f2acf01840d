from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from heed.corpus.explain import explain
from heed.corpus.ingest import ingest
from heed.corpus.ingest_options import IngestOptions
from heed.corpus.trace import trace
from heed.errors import NotFoundError, UserError
from heed.workspace import Workspace


@pytest.fixture
def ingested(
    workspace: Workspace, write_dump: Callable[..., Path], make_post: Any, make_comment: Any
) -> Workspace:
    lines = [
        make_post(0),
        "nonsense",
        make_post(1, subreddit="pics"),
        make_post(2),
        '{"subreddit": "Advice"}',
    ]
    dumps = [
        write_dump("RS_x.zst", lines),
        write_dump("RC_x.zst", [make_comment(7, 0), make_comment(8, 2, subreddit="pics")]),
        write_dump("RS_old.zst", [make_post(2, retrieved_on=5), make_post(2, retrieved_on=6)]),
    ]
    ingest(dumps, IngestOptions(subreddits=("advice",)), workspace)
    return workspace


@pytest.mark.parametrize(
    ("record", "verdict", "because"),
    [
        ("t3_p0", "kept", "among the posts of r/Advice, read from RS_x.zst, line 1"),
        ("P0", "kept", "RS_x.zst, line 1"),
        ("t1_c7", "kept", "among the comments of r/Advice, read from RC_x.zst, line 1"),
        ("t3_p2", "kept", "RS_x.zst, line 4"),
        ("t3_p1", "not_wanted", "RS_x.zst has it in r/pics, and of that file only advice were kept"),
        ("t1_c8", "not_wanted", "in r/pics"),
        ("t3_p9", "unknown", "neither in the corpus nor in the 3 dumps"),
        ("RS_x.zst:4", "kept", "RS_x.zst, line 4"),
        ("RS_x.zst:5", "quarantined", "the object has no id"),
        ("RS_x.zst:3", "not_kept", "of RS_x.zst only advice were kept"),
        ("RS_x.zst:600", "unknown", "RS_x.zst has 5 lines"),
        ("RS_y.zst:1", "unknown", "no file RS_y.zst was read"),
    ],
)
def test_one_verdict_with_its_reason(ingested: Workspace, record: str, verdict: str, because: str) -> None:
    found = explain(record, ingested)["verdicts"][0]
    assert found["verdict"] == verdict
    assert because in found["because"]


def test_a_dump_that_is_gone_is_named(ingested: Workspace, tmp_path: Path) -> None:
    (tmp_path / "RS_x.zst").unlink()
    found = explain("t3_p1", ingested)["verdicts"][0]
    assert found["verdict"] == "unknown"
    assert "not there any more: RS_x.zst" in found["because"]


def test_what_is_no_id_is_said(ingested: Workspace, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="neither an id"):
        explain("two words", ingested)
    with pytest.raises(NotFoundError, match="no corpus"):
        explain("t3_p0", Workspace(tmp_path / "empty"))


def test_a_record_is_traced_to_file_and_line(ingested: Workspace, tmp_path: Path) -> None:
    (place,) = trace("t1_c7", ingested)["records"]
    assert (place["corpus"], place["file"]["name"], place["line"]) == ("main", "RC_x.zst", 1)
    assert place["file"]["path"] == str((tmp_path / "RC_x.zst").resolve())
    bare = trace("p2", ingested)["records"]
    assert [(each["file"]["name"], each["line"]) for each in bare] == [("RS_x.zst", 4)]


def test_an_artifact_is_traced_to_its_parents_and_files(
    ingested: Workspace, write_dump: Callable[..., Path], make_post: Any
) -> None:
    first = trace("corpus/main", ingested)["artifact"]
    assert {file["name"] for file in first["files"]} == {"RS_x.zst", "RC_x.zst", "RS_old.zst"}
    ingest([write_dump("RS_new.zst", [make_post(5)])], IngestOptions(all=True), ingested)
    second = trace("main", ingested)["artifact"]
    assert [parent["hash"] for parent in second["parents"]] == [first["hash"]]
    assert trace(first["hash"][:12], ingested)["artifact"]["hash"] == first["hash"]


def test_what_is_nowhere_is_said(ingested: Workspace) -> None:
    with pytest.raises(NotFoundError, match=r"Nothing in .* is called 't3_zzz'"):
        trace("t3_zzz", ingested)
