"""What a recipe is: options, a function over one bucket of a corpus, and one that joins the buckets.

A recipe knows neither the engine that runs it nor where its examples are written.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from heed.datasets.filters import Funnel
from heed.options import Options
from heed.records import Comment, Example, Post

if TYPE_CHECKING:
    import polars

Chosen = TypeVar("Chosen", bound=Options)


@dataclass(frozen=True)
class Bucket:
    """Some posts of a corpus and all comments under them."""

    posts: "polars.DataFrame"
    comments: "polars.DataFrame"

    def posts_in(self, subreddits: tuple[str, ...], funnel: Funnel, stage: str = "subreddit") -> list[Post]:
        """The posts of these subreddits, by id; the others are counted. No names: all posts."""
        wanted = {name.lower() for name in subreddits}
        posts = [Post(**row) for row in self.posts.sort("id").iter_rows(named=True)]
        funnel.enter(stage, len(posts))
        kept = []
        for post in posts:
            if not wanted or post.subreddit.lower() in wanted:
                kept.append(post)
            else:
                funnel.drop(stage, "other subreddit", post.id, post.id, f"r/{post.subreddit}")
        return kept

    def comments_under(self, posts: list[Post], least_score: int, funnel: Funnel) -> dict[str, list[Comment]]:
        """The top-level comments of each post with this score, best first; the others are counted.

        Most comments of a dump go here, so both rules run on the frame.
        """
        import polars as pl

        threads: dict[str, list[Comment]] = {post.id: [] for post in posts}
        frame = self.comments.filter(pl.col("post_id").is_in(list(threads)))
        reply, low = pl.col("parent_id").is_not_null(), pl.col("score").fill_null(least_score) < least_score
        answers = pl.format("answers {}", "parent_id")
        funnel.enter("advice", frame.filter(reply | low).height)
        for reason, rule, evidence in (
            ("not top level", reply, answers),
            ("low score", low & ~reply, pl.format("{} < " + str(least_score), "score")),
        ):
            gone = frame.filter(rule).select("id", "post_id", evidence.alias("evidence")).sort("id")
            funnel.drop_rows("advice", reason, gone)
        best_first = frame.filter(~reply & ~low).sort(
            ["score", "created", "id"], descending=[True, False, False], nulls_last=True
        )
        for row in best_first.iter_rows(named=True):
            threads[row["post_id"]].append(Comment(**row))
        return threads


@dataclass(frozen=True)
class Built:
    """What a recipe made of all buckets: the examples, and reports for the card (name → JSON value)."""

    examples: list[Example]
    reports: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Recipe(Generic[Chosen]):
    """One way to make examples of a corpus."""

    kind: str
    title: str
    options: type[Chosen]
    harvest: Callable[[Bucket, Chosen, Funnel], Any]
    """One bucket → whatever `assemble` wants from it; it must survive pickling."""
    assemble: Callable[[list[Any], Chosen, Funnel], Built]
    """All harvests, in the order of the buckets → examples. The order must not matter."""
    subreddits: Callable[[Chosen], tuple[str, ...]]
    """The subreddits the options ask for; none means all."""
    limits: tuple[str, ...]
    """What the card says about what this dataset is not."""
    needs_comments: bool = False
