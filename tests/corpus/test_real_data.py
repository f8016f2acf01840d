"""On real public dumps beside the project; skipped where they are not."""

from pathlib import Path

import polars as pl
import pytest

from heed.corpus.ingest import ingest
from heed.corpus.ingest_options import IngestOptions
from heed.corpus.store import open_corpus
from heed.workspace import Workspace


@pytest.mark.parametrize(
    ("place", "posts", "comments"),
    [
        ("pushshift/RS_2019-10.zst", 8_271, 0),
        ("pushshift/RC_2005-12.zst", 0, 1_075),
        ("reddit_college", 18_406, 290_839),
        ("reddit_top_2013", 8_736, 0),
    ],
)
def test_every_real_line_is_read(
    shared_data: Path, workspace: Workspace, place: str, posts: int, comments: int
) -> None:
    result = ingest([shared_data / place], IngestOptions(all=True), workspace)
    assert (result["posts"], result["comments"], result["quarantined"]) == (posts, comments, 0)


def test_a_subset_equals_the_whole_filtered(shared_data: Path, workspace: Workspace) -> None:
    """The byte search against the parser, on real lines."""
    dump = shared_data / "reddit_top_2013" / "RS_top.zst"
    ingest([dump], IngestOptions(all=True, into="whole"), workspace)
    ingest([dump], IngestOptions(subreddits=("relationships", "LEGALADVICE"), into="some"), workspace)
    whole, some = (open_corpus(workspace, name) for name in ("whole", "some"))
    wanted = pl.col("subreddit").str.to_lowercase().is_in(["relationships", "legaladvice"])
    kept = 0
    for bucket in range(whole.bucket_count):
        expected = whole.posts(bucket).filter(wanted)
        assert some.posts(bucket).equals(expected)
        kept += len(expected)
    assert kept > 100
