from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from heed.corpus.explain import explain
from heed.corpus.ingest import ingest
from heed.corpus.ingest_options import IngestOptions
from heed.corpus.pseudonyms import workspace_pseudonyms
from heed.corpus.store import open_corpus, snapshot_paths
from heed.corpus.takedown import take_down
from heed.errors import UserError
from heed.workspace import Workspace, open_artifact

OPTIONS = IngestOptions(all=True, buckets=3)
SECRET = "the words that must go"


@pytest.fixture
def dumps(write_dump: Callable[..., Path], make_post: Any, make_comment: Any) -> list[Path]:
    posts = [make_post(n, selftext=SECRET if n == 1 else "fine") for n in range(6)]
    comments = [make_comment(n, n % 6, author="Talker" if n == 2 else f"w{n}") for n in range(12)]
    comments.append(make_comment(99, 2, body=SECRET))
    return [write_dump("RS_x.zst", posts), write_dump("RC_x.zst", comments)]


@pytest.fixture
def corpus(workspace: Workspace, dumps: list[Path]) -> Workspace:
    """Two snapshots, so that there is an old one to erase from."""
    for dump in dumps:
        ingest([dump], OPTIONS, workspace)
    return workspace


def texts(workspace: Workspace) -> list[str]:
    """Every text in every snapshot."""
    files = list((workspace.root / "corpora").rglob("*.parquet"))
    return [text for file in files for text in pl.read_parquet(file)["text"].to_list()]


def test_a_post_goes_with_its_comments_from_every_snapshot(corpus: Workspace) -> None:
    result = take_down(["t3_p1"], corpus)
    assert (result["posts"], result["comments"]) == (1, 2)
    counts = open_corpus(corpus, "main").artifact.manifest.counts
    assert (counts["posts"], counts["comments"]) == (5, 11)
    assert counts["taken_down"] == {"posts": 1, "comments": 2}
    # The comment with the same words, under another post, is in the last two of the three snapshots.
    assert texts(corpus).count(SECRET) == 2


def test_nothing_of_it_stays_on_the_disk(corpus: Workspace) -> None:
    take_down(["t3_p1", "t1_c99"], corpus)
    assert SECRET not in texts(corpus)
    old = snapshot_paths(corpus.root / "corpora" / "main")[:-1]
    assert len(old) == 2
    leftovers = [
        path for path in corpus.root.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()
    ]
    assert leftovers == []


def test_old_snapshots_keep_a_counted_note(corpus: Workspace) -> None:
    before = open_corpus(corpus, "main").artifact.manifest.content_hash
    take_down(["t1_c99"], corpus)
    old = snapshot_paths(corpus.root / "corpora" / "main")[-2]
    manifest = open_artifact(old).manifest
    assert manifest.notes == [{"what": "takedown", "rows_erased": 1, "hash_before": before}]
    assert manifest.counts["comments"] == 12


def test_everything_by_an_author_goes_by_name_or_pseudonym(corpus: Workspace) -> None:
    by_name = take_down(["u/talker"], corpus)
    assert (by_name["posts"], by_name["comments"]) == (0, 1)
    pseudonym = workspace_pseudonyms(corpus).of("asker3")
    by_pseudonym = take_down([pseudonym], corpus)
    assert (by_pseudonym["posts"], by_pseudonym["comments"]) == (1, 0)


def test_a_takedown_holds_for_later_ingests(corpus: Workspace, dumps: list[Path]) -> None:
    take_down(["t3_p1"], corpus)
    ingest(dumps, OPTIONS.model_copy(update={"into": "fresh"}), corpus)
    counts = open_corpus(corpus, "fresh").artifact.manifest.counts
    assert (counts["posts"], counts["taken_down"]) == (5, {"posts": 1, "comments": 2})
    verdict = explain("t3_p1", corpus, "fresh")["verdicts"][0]
    assert verdict["verdict"] == "taken_down"


def test_a_file_names_one_a_line_with_remarks(corpus: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "requests.txt"
    path.write_text("t3_p0  # asked on Monday\n\nt1_c5\n")
    result = take_down([str(path)], corpus)
    assert (result["asked"], result["posts"], result["comments"]) == (2, 1, 3)


def test_the_same_takedown_again_changes_nothing(corpus: Workspace) -> None:
    take_down(["t3_p1"], corpus)
    before = open_corpus(corpus, "main").artifact
    again = take_down(["t3_p1"], corpus)
    assert (again["posts"], again["comments"]) == (0, 0)
    assert open_corpus(corpus, "main").artifact == before


def test_what_cannot_be_taken_down_is_said_and_nothing_is_removed(corpus: Workspace) -> None:
    with pytest.raises(UserError, match="'nonsense!' is neither a file nor something to take down"):
        take_down(["t3_p1", "nonsense!"], corpus)
    assert open_corpus(corpus, "main").artifact.manifest.counts["posts"] == 6


def test_what_was_made_of_it_goes_too(workspace: Workspace) -> None:
    """Through the real rooms: sample, dataset, responses, scores."""
    from heed.demo.run import answer_sample

    answer_sample(workspace)
    advice = workspace.root / "datasets" / "sample-advice"
    example = pl.read_parquet(advice / "data" / "test.parquet").row(0, named=True)
    (first, *_) = example["references"]
    result = take_down([f"t1_{first['id']}"], workspace)
    assert result["comments"] == 1
    assert {"dataset/sample-advice", "responses/sample-advice", "scores/sample-advice"} <= set(
        result["derived"]
    )
    assert example["id"] not in pl.read_parquet(advice / "data" / "test.parquet")["id"].to_list()
    answers = pl.read_parquet(workspace.root / "responses" / "sample-advice" / "responses.parquet")
    assert example["id"] not in answers["example_id"].to_list()
    manifest = open_artifact(advice).manifest
    assert manifest.notes[0]["what"] == "takedown"
    words = first["text"][:60].encode()
    left = [path for path in workspace.root.rglob("*") if path.is_file() and words in path.read_bytes()]
    assert left == []
