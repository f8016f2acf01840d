from pathlib import Path

import polars as pl
import pytest

from heed.corpus.ingest import ingest
from heed.corpus.ingest_options import IngestOptions
from heed.corpus.sample.dumps import recombined, sample_threads, write_sample
from heed.corpus.store import open_corpus
from heed.errors import UserError
from heed.workspace import Workspace

NOW = 1_790_000_000
DAY = 86_400


def tables(workspace: Workspace, dumps: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    ingest([dumps], IngestOptions(all=True, into="s"), workspace)
    corpus = open_corpus(workspace, "s")
    buckets = range(corpus.bucket_count)
    return pl.concat([corpus.posts(b) for b in buckets]), pl.concat([corpus.comments(b) for b in buckets])


def test_the_bundled_threads_come_back_from_their_dumps(workspace: Workspace, tmp_path: Path) -> None:
    result = write_sample(tmp_path / "dumps", now=NOW)
    assert (result["posts"], result["comments"]) == (440, 2_526)
    posts, comments = tables(workspace, tmp_path / "dumps")
    threads = sample_threads()
    written = {(thread["title"], thread["selftext"], thread["score"]) for thread in threads}
    assert set(posts.select("title", "text", "score").rows()) == written
    roles = dict(comments["role"].value_counts().rows())
    by = [comment["by"] for thread in threads for comment in thread["comments"]]
    assert roles == {"user": by.count("user"), "asker": by.count("op"), "moderator": by.count("moderator")}
    assert comments["edited"].sum() == sum(c["edited"] for t in threads for c in t["comments"])
    assert not posts["generated"].any()


def test_times_lie_inside_the_two_weeks_and_replies_follow_what_they_answer(
    workspace: Workspace, tmp_path: Path
) -> None:
    write_sample(tmp_path / "dumps", now=NOW)
    posts, comments = tables(workspace, tmp_path / "dumps")
    assert posts["created"].is_between(NOW - 14 * DAY, NOW - 1.5 * DAY).all()
    assert comments["created"].max() < NOW
    joined = comments.join(posts.select(post_id="id", asked="created"), on="post_id", how="left")
    assert (joined["created"] > joined["asked"]).all()
    replies = comments.join(comments.select(parent_id="id", thread="post_id"), on="parent_id")
    assert len(replies) == sum(c["reply_to"] is not None for t in sample_threads() for c in t["comments"])
    assert (replies["thread"] == replies["post_id"]).all()


def test_the_same_seed_and_time_give_the_same_bytes(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        write_sample(tmp_path / name, now=NOW, scale=30, seed=seed)
    first, second, other = ((tmp_path / name / "RC_generated_30.zst").read_bytes() for name in "abc")
    assert first == second != other


def test_recombined_threads_are_many_different_and_marked(workspace: Workspace, tmp_path: Path) -> None:
    write_sample(tmp_path / "dumps", now=NOW, scale=900)
    posts, comments = tables(workspace, tmp_path / "dumps")
    assert len(posts) == 900
    assert posts["text"].n_unique() > 600
    assert posts["generated"].all()
    assert comments["generated"].all()


def test_recombined_threads_stay_inside_their_theme() -> None:
    threads = sample_threads()
    bodies = {c["body"]: t["theme"] for t in threads for c in t["comments"]}
    for thread in recombined(threads, 50, seed=3):
        assert {bodies[comment["body"]] for comment in thread["comments"]} <= {thread["theme"]}


def test_a_scale_below_one_and_a_folder_that_cannot_be_made_are_said(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="at least 1, not 0"):
        write_sample(tmp_path, scale=0)
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot be written"):
        write_sample(tmp_path / "file" / "below")
