import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from heed.corpus.ingest import ingest
from heed.corpus.ingest_options import IngestOptions
from heed.corpus.lines import REASONS
from heed.corpus.lock import corpus_lock
from heed.corpus.sample.dumps import write_sample
from heed.corpus.store import Corpus, open_corpus
from heed.errors import BusyError, UserError
from heed.workspace import Workspace

EVERYTHING = IngestOptions(all=True, buckets=4)
Writer = Callable[..., Path]


def table(corpus: Corpus, kind: str = "post") -> pl.DataFrame:
    read = corpus.posts if kind == "post" else corpus.comments
    return pl.concat([read(bucket) for bucket in range(corpus.bucket_count)]).sort("id")


def run(workspace: Workspace, *paths: Path, **options: Any) -> dict[str, Any]:
    return ingest(paths, EVERYTHING.model_copy(update=options), workspace)


def content_hash(workspace: Workspace) -> str:
    return open_corpus(workspace, "main").artifact.manifest.content_hash


def test_a_post_and_its_comments_share_a_bucket(
    workspace: Workspace, write_dump: Writer, make_post: Any, make_comment: Any
) -> None:
    posts = write_dump("RS_x.zst", [make_post(n) for n in range(50)])
    comments = write_dump("RC_x.zst", [make_comment(n, n % 50) for n in range(200)])
    result = run(workspace, posts, comments)
    assert (result["posts"], result["comments"], result["quarantined"]) == (50, 200, 0)
    corpus = open_corpus(workspace, "main")
    used = 0
    for bucket in range(corpus.bucket_count):
        threads = set(corpus.posts(bucket)["id"])
        assert set(corpus.comments(bucket)["post_id"]) == threads
        used += bool(threads)
    assert used > 1


def test_the_asker_is_found_by_pseudonym_where_the_dump_does_not_say(
    workspace: Workspace, write_dump: Writer, make_post: Any, make_comment: Any
) -> None:
    run(
        workspace,
        write_dump("RS_x.zst", [make_post(1, author="Someone")]),
        write_dump("RC_x.zst", [make_comment(1, 1, author="someone"), make_comment(2, 1)]),
    )
    roles = table(open_corpus(workspace, "main"), "comment")["role"].to_list()
    assert roles == ["asker", "user"]


def test_only_wanted_subreddits_are_kept_in_any_case_and_the_rest_is_counted(
    workspace: Workspace, write_dump: Writer, make_post: Any
) -> None:
    names = ["Advice", "advice", "love", "AdviceAnimals", "LOVE", "pics"]
    dump = write_dump("RS_x.zst", [make_post(n, subreddit=name) for n, name in enumerate(names)])
    result = run(workspace, dump, all=False, subreddits=("r/ADVICE", "love"))
    assert (result["posts"], result["other_subreddits"], result["lines"]) == (4, 2, 6)
    kept = table(open_corpus(workspace, "main"))
    assert kept["id"].to_list() == ["p0", "p1", "p2", "p4"]
    assert kept["line"].to_list() == [1, 2, 3, 5]


BAD_LINES = {
    "not_utf8": b'{"id": "x", "title": "\xff\xfe"}',
    "not_json": b'{"id": "x", ',
    "not_an_object": b"[1, 2]",
    "no_id": b'{"subreddit": "Advice", "title": "t"}',
    "no_subreddit": b'{"id": "x", "title": "t"}',
    "neither_post_nor_comment": b'{"id": "x", "subreddit": "Advice"}',
    "no_thread": b'{"id": "x", "subreddit": "Advice", "body": "b"}',
    "line_too_long": b'{"id": "x", "title": "' + b"y" * 6_000_000 + b'"}',
}


def test_bad_lines_are_kept_apart_with_file_line_and_reason(
    workspace: Workspace, write_dump: Writer, make_post: Any
) -> None:
    lines: list[Any] = [make_post(0)]
    for number, line in enumerate(BAD_LINES.values(), 1):
        lines += [line, make_post(number)]
    result = run(workspace, write_dump("RS_x.zst", lines), longest_line=2_000_000)
    assert result["reasons"] == dict.fromkeys(sorted(BAD_LINES), 1)
    assert (result["posts"], result["quarantined"]) == (len(BAD_LINES) + 1, len(BAD_LINES))
    snapshot = open_corpus(workspace, "main").artifact.path
    entries = [json.loads(line) for line in (snapshot / "quarantine.jsonl").read_text().splitlines()]
    found = [(entry["name"], entry["line"], entry["reason"]) for entry in entries]
    assert found == [("RS_x.zst", 2 * n + 2, reason) for n, reason in enumerate(BAD_LINES)]
    assert set(BAD_LINES) | {"truncated"} == set(REASONS)


def test_every_line_is_in_exactly_one_count(workspace: Workspace, write_dump: Writer, make_post: Any) -> None:
    lines = [make_post(1), make_post(1), b"", b"nonsense", make_post(2, subreddit="pics"), make_post(3)]
    result = run(workspace, write_dump("RS_x.zst", lines))
    parts = ("posts", "comments", "quarantined", "other_subreddits", "blank", "duplicates")
    assert sum(result[part] for part in parts) == result["lines"] == 6


@pytest.mark.parametrize("blanks", [(1,), (0, 2), (2, 2, 2)], ids=["middle", "ends", "several at the end"])
@pytest.mark.parametrize("kept", [{"all": True}, {"subreddits": ("Advice",)}], ids=["all", "some"])
def test_blank_lines_are_counted_wherever_they_are(
    workspace: Workspace, write_dump: Writer, make_post: Any, blanks: tuple[int, ...], kept: dict[str, Any]
) -> None:
    lines = [make_post(1), make_post(2)]
    for place in blanks:
        lines.insert(min(place, len(lines)), b"")
    result = ingest([write_dump("RS_x.zst", lines)], IngestOptions(**kept), workspace)
    assert result["posts"] == 2
    assert result["blank" if "all" in kept else "other_subreddits"] == len(blanks)


def test_the_copy_retrieved_later_wins_in_whatever_order_files_come(
    tmp_path: Path, write_dump: Writer, make_post: Any
) -> None:
    dumps = [
        write_dump(
            "RS_a.zst", [make_post(1, score=1, retrieved_on=100), make_post(2), make_post(5, score=5)]
        ),
        write_dump("RS_b.zst", [make_post(1, score=3, retrieved_on=300), make_post(3)]),
        write_dump("RS_c.zst", [make_post(1, score=2, retrieved_on="200"), make_post(5, score=6)]),
    ]
    # The same pseudonym key in every workspace: the bytes depend on it.
    first = Workspace(tmp_path / "first")
    run(first, *dumps)
    key = first.root / "secrets" / "pseudonym.key"
    expected = table(open_corpus(first, "main"))
    assert expected.filter(pl.col("id") == "p1")["score"].item() == 3
    for number, order in enumerate(permutations(dumps)):
        workspace = Workspace(tmp_path / f"order{number}")
        shutil.copytree(key.parent, workspace.root / "secrets")
        for dump in order:
            result = run(workspace, dump)
        assert result["duplicates"] == 3
        corpus = open_corpus(workspace, "main")
        assert table(corpus).equals(expected)
        assert corpus.artifact.manifest.files == open_corpus(first, "main").artifact.manifest.files


def test_the_same_file_twice_changes_nothing(
    workspace: Workspace, write_dump: Writer, make_post: Any
) -> None:
    dump = write_dump("RS_x.zst", [make_post(n) for n in range(9)])
    first = run(workspace, dump)
    before = content_hash(workspace)
    again = run(workspace, dump)
    assert content_hash(workspace) == before
    assert (again["posts"], again["snapshot"]) == (first["posts"], "0001")
    assert [entry["status"] for entry in again["files"]] == ["known"]


def test_one_file_under_two_names_is_read_once(
    workspace: Workspace, write_dump: Writer, make_post: Any
) -> None:
    dump = write_dump("RS_x.zst", [make_post(n) for n in range(9)])
    shutil.copy(dump, dump.with_name("RS_copy.zst"))
    result = run(workspace, dump, dump.with_name("RS_copy.zst"))
    assert (result["posts"], result["duplicates"], len(result["files"])) == (9, 0, 1)


def test_a_truncated_dump_keeps_what_could_be_read(
    workspace: Workspace, write_dump: Writer, make_post: Any
) -> None:
    dump = write_dump("RS_cut.zst", [make_post(n, selftext=f"{n * n} " * 50) for n in range(20_000)])
    dump.write_bytes(dump.read_bytes()[:-2_000])
    result = run(workspace, dump)
    assert 0 < result["posts"] < 20_000
    assert set(result["reasons"]) <= {"truncated"}
    assert "damaged (truncated)" in result["remarks"][0]


def test_a_file_that_is_not_what_its_name_says_is_read_by_content(
    workspace: Workspace, tmp_path: Path, make_comment: Any
) -> None:
    path = tmp_path / "RS_odd.zst"
    path.write_text("".join(json.dumps(make_comment(n, n)) + "\n" for n in range(5)))
    result = run(workspace, path)
    assert result["comments"] == 5
    assert result["remarks"] == [
        "RS_odd.zst is packed as plain, not as its name says; read by its content.",
        "RS_odd.zst holds comments, not posts as its name says; read by its content.",
    ]


def test_an_empty_file_gives_an_empty_corpus_and_says_so(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "RS_empty.zst"
    path.touch()
    result = run(workspace, path)
    assert (result["posts"], result["lines"], result["remarks"]) == (0, 0, ["RS_empty.zst is empty."])


def test_what_to_keep_must_be_said(workspace: Workspace, write_dump: Writer, make_post: Any) -> None:
    dump = write_dump("RS_x.zst", [make_post(1)])
    with pytest.raises(UserError, match="Say what to keep"):
        run(workspace, dump, all=False)
    with pytest.raises(UserError, match="exclude each other"):
        run(workspace, dump, subreddits=("a",))


def test_a_workspace_that_cannot_be_written_is_said(
    tmp_path: Path, write_dump: Writer, make_post: Any
) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(UserError, match="cannot be written"):
        run(Workspace(tmp_path / "taken"), write_dump("RS_x.zst", [make_post(1)]))


def test_another_pseudonym_key_is_refused(workspace: Workspace, write_dump: Writer, make_post: Any) -> None:
    run(workspace, write_dump("RS_x.zst", [make_post(1)]))
    (workspace.root / "secrets" / "pseudonym.key").write_text("ab" * 32)
    with pytest.raises(UserError, match="another pseudonym key"):
        run(workspace, write_dump("RS_y.zst", [make_post(2)]))


def test_a_second_writer_is_told_to_wait(workspace: Workspace, write_dump: Writer, make_post: Any) -> None:
    dump = write_dump("RS_x.zst", [make_post(1)])
    with corpus_lock(workspace, "main"), pytest.raises(BusyError, match="Another command is writing"):
        run(workspace, dump)
    assert run(workspace, dump)["posts"] == 1


def test_progress_goes_from_nothing_to_all_bytes(
    workspace: Workspace, write_dump: Writer, make_post: Any
) -> None:
    dumps = [write_dump(f"RS_{n}.zst", [make_post(n)]) for n in range(2)]
    seen: list[tuple[int, int]] = []
    ingest(dumps, EVERYTHING, workspace, lambda done, total: seen.append((done, total)))
    total = sum(dump.stat().st_size for dump in dumps)
    assert seen[-1] == (total, total)


def test_a_killed_run_goes_on_and_gives_the_same_bytes(tmp_path: Path) -> None:
    """kill -9 at three moments; the rerun must equal a clean run with the same key."""
    dumps = tmp_path / "dumps"
    for seed in range(3):
        write_sample(dumps / str(seed), now=1_790_000_000, scale=1_500, seed=seed)
    clean = Workspace(tmp_path / "clean")
    run(clean, dumps)
    expected = open_corpus(clean, "main").artifact.manifest
    for number, delay in enumerate((0.4, 0.9, 1.4)):
        workspace = Workspace(tmp_path / f"killed{number}")
        shutil.copytree(clean.root / "secrets", workspace.root / "secrets")
        words = [
            "ingest",
            str(dumps),
            "--all",
            "--buckets",
            "4",
            "--jobs",
            "1",
            "--workspace",
            str(workspace.root),
        ]
        process = subprocess.Popen(
            [sys.executable, "-c", "from heed.cli.main import main; main()", *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(delay)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        run(workspace, dumps)
        manifest = open_corpus(workspace, "main").artifact.manifest
        assert manifest.files == expected.files
        assert manifest.content_hash == expected.content_hash
        assert list((workspace.root / ".drafts").iterdir()) == []
