"""What a corpus holds, by subreddit."""

import polars as pl

from heed.corpus.store import Corpus


def by_subreddit(corpus: Corpus) -> pl.DataFrame:
    """Posts, comments, and the median score and length of a post, most posts first."""
    buckets = range(corpus.bucket_count)
    posts = pl.concat([corpus.scan(bucket, "post") for bucket in buckets])
    comments = pl.concat([corpus.scan(bucket, "comment") for bucket in buckets])
    words = (pl.col("title") + " " + pl.col("text")).str.split(" ").list.len()
    about_posts = posts.group_by("subreddit").agg(
        posts=pl.len(), median_score=pl.col("score").median(), median_words=words.median()
    )
    about_comments = comments.group_by("subreddit").agg(comments=pl.len())
    joined = about_posts.join(about_comments, on="subreddit", how="full", coalesce=True)
    return (
        joined.fill_null(0).sort(["posts", "comments", "subreddit"], descending=[True, True, False]).collect()
    )
