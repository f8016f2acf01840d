"""Build a dataset: run a recipe over the buckets of a corpus, join what they gave, write the artifact.

The table below is the whole registry: a new recipe is one file and one line here.
"""

import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from heed.datasets.card import About, hash_data, write_card
from heed.datasets.filters import Dropped, Funnel, merge
from heed.datasets.recipe import Bucket, Built, Recipe
from heed.errors import NotFoundError, UserError
from heed.options import Options
from heed.workspace import Artifact, Draft, Workspace, open_artifact

RECIPES = {
    "advice": "heed.datasets.advice:RECIPE",
    "cloze": "heed.datasets.cloze:RECIPE",
    "tldr": "heed.datasets.tldr:RECIPE",
}
SAMPLE_OPTIONS = Path(__file__).with_name("sample.toml")


@dataclass(frozen=True)
class Order:
    """Which dataset to make of what."""

    recipe: str
    corpus: str
    into: str
    options: Options
    keep_dropped: bool = False


@dataclass(frozen=True)
class Harvest:
    """What one bucket gave."""

    found: Any
    funnel: Funnel
    post_count: int
    comment_count: int
    subreddits: Counter[str]


def find_recipe(name: str) -> Recipe[Any]:
    if name not in RECIPES:
        raise NotFoundError(f"There is no recipe '{name}': known are {', '.join(RECIPES)}.")
    module, _, attribute = RECIPES[name].partition(":")
    recipe: Recipe[Any] = getattr(import_module(module), attribute)
    return recipe


def load_options(recipe: str, config: str | Path | None = None, assignments: tuple[str, ...] = ()) -> Options:
    """A recipe's options from a TOML file ("sample": the packaged one) and `key=value` pairs."""
    path = SAMPLE_OPTIONS if str(config) == "sample" else Path(config) if config else None
    options: Options = find_recipe(recipe).options.load(path, assignments, table=recipe)
    return options


def build(workspace: Workspace, order: Order, jobs: int | None = None) -> Artifact:
    """Make a dataset of a corpus; the same corpus, options and seed give the same bytes."""
    from heed.corpus.store import open_corpus
    from heed.engine.local import run

    started = time.perf_counter()
    recipe, place = find_recipe(order.recipe), new_place(workspace, order.into)
    corpus = open_corpus(workspace, order.corpus)
    harvests = run(partial(harvest_bucket, workspace.root, order), range(corpus.bucket_count), jobs=jobs)
    _check_harvests(recipe, order, harvests)
    built, late = assemble(recipe, harvests, order.options)
    funnel = merge([*(harvest.funnel for harvest in harvests), late])
    if not built.examples:
        raise _nothing_left(order, funnel)
    if absent := _find_absent(recipe, order, harvests):
        built.reports["Remarks"] = [f"The corpus has no post of r/{name}." for name in absent]
    parent = corpus.artifact.manifest
    with workspace.draft(place, "dataset", order.into) as draft:
        draft.options = {"recipe": order.recipe, "corpus": order.corpus, **order.options.recorded()}
        draft.parents = [{"kind": parent.kind, "name": parent.name, "hash": parent.content_hash}]
        about = About(recipe.title, f"From the corpus `{order.corpus}`.", recipe.limits)
        write_dataset(draft, about, built, funnel)
        draft.timings["seconds"] = round(time.perf_counter() - started, 3)
    return open_artifact(place)


def harvest_bucket(workspace: Path, order: Order, bucket: int) -> Harvest:
    """One bucket, in whatever process the engine chose."""
    from heed.corpus.store import open_corpus

    corpus = open_corpus(Workspace(workspace), order.corpus)
    posts, comments = corpus.posts(bucket), corpus.comments(bucket)
    funnel = Funnel(keep=order.keep_dropped)
    found = find_recipe(order.recipe).harvest(Bucket(posts, comments), order.options, funnel)
    names = Counter(name.lower() for name in posts["subreddit"])
    return Harvest(found, funnel, posts.height, comments.height, names)


def assemble(recipe: Recipe[Any], harvests: list[Harvest], options: Options) -> tuple[Built, Funnel]:
    """Join the buckets; what is dropped here is always kept, because no bucket alone can tell it again."""
    late = Funnel(keep=True)
    return recipe.assemble([harvest.found for harvest in harvests], options, late), late


def write_dataset(draft: Draft, about: About, built: Built, funnel: Funnel) -> None:
    """Data files, the dropped, the card, and the counts for the manifest."""
    from heed.datasets.examples import write_examples

    splits = write_examples(built.examples, draft.path)
    draft.counts = {"splits": splits, "funnel": funnel.recorded(), "reports": built.reports}
    if funnel.dropped:
        _write_dropped(funnel.dropped, draft.path / "dropped.parquet")
    write_card(draft.path, about, draft.counts)
    draft.counts["data_hash"] = hash_data(draft.path)


def describe(dataset: Artifact) -> dict[str, Any]:
    """What the command line and the demo say of a dataset."""
    manifest = dataset.manifest
    return {
        "dataset": manifest.name,
        "path": str(dataset.path),
        "content_hash": manifest.content_hash,
        "seconds": manifest.timings.get("seconds"),
        **manifest.counts,
    }


def new_place(workspace: Workspace, name: str) -> Path:
    """Where a new dataset of this name goes."""
    place = workspace.root / "datasets" / name
    if place.exists():
        raise UserError(f"There is a dataset '{name}' already: choose another name, or remove {place} first.")
    return place


def _check_harvests(recipe: Recipe[Any], order: Order, harvests: list[Harvest]) -> None:
    if not sum(harvest.post_count for harvest in harvests):
        raise UserError(f"The corpus '{order.corpus}' has no posts: ingest a submissions dump (RS_…) first.")
    if recipe.needs_comments and not sum(harvest.comment_count for harvest in harvests):
        raise UserError(
            f"The corpus '{order.corpus}' has no comments, and {recipe.kind} is made of comments: "
            f"ingest the comments dump (RC_…) of the same time too."
        )
    wanted = recipe.subreddits(order.options)
    if wanted and len(_find_absent(recipe, order, harvests)) == len(wanted):
        there = sum((harvest.subreddits for harvest in harvests), Counter[str]())
        names = ", ".join(f"r/{name} ({count})" for name, count in there.most_common(8))
        asked = ", ".join(f"r/{name}" for name in wanted[:8])
        raise UserError(f"The corpus '{order.corpus}' has no post of {asked}; it has {names}.")


def _find_absent(recipe: Recipe[Any], order: Order, harvests: list[Harvest]) -> list[str]:
    there = {name for harvest in harvests for name in harvest.subreddits}
    return [name for name in recipe.subreddits(order.options) if name.lower() not in there]


def _nothing_left(order: Order, funnel: Funnel) -> UserError:
    (reason, count), *others = funnel.worst(3)
    then = "".join(f", then '{name}' ({number:,})" for name, number in others)
    return UserError(
        f"Nothing of corpus '{order.corpus}' is left for {order.recipe}: "
        f"'{reason}' dropped most ({count:,}){then}. "
        f"Loosen the options with --set; docs/datasets.md lists them."
    )


def _write_dropped(dropped: list[Dropped], path: Path) -> None:
    import polars as pl

    columns = ("id", "post_id", "stage", "reason", "evidence")
    rows = sorted(tuple(getattr(drop, column) for column in columns) for drop in dropped)
    pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row").write_parquet(path)
