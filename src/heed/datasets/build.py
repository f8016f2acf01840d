"""Build a dataset: run a recipe over the buckets of a corpus, join what they gave, write the artifact.

The table below is the whole registry: a new recipe is one file and one line here.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from heed.datasets.card import hash_data, write_card
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
class Source:
    """The corpus, the recipe and its options: all that a worker needs besides the number of a bucket."""

    workspace: Path
    corpus: str
    recipe: str
    options: Options
    keep_dropped: bool


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
    path = SAMPLE_OPTIONS if str(config) == "sample" else config and Path(config)
    return find_recipe(recipe).options.load(path or None, assignments, table=recipe)


def build(
    workspace: Workspace,
    recipe: str,
    corpus: str,
    into: str,
    options: Options | None = None,
    keep_dropped: bool = False,
    jobs: int | None = None,
    on_done: Callable[[Any], None] | None = None,
) -> Artifact:
    """Make the dataset `into` of a corpus; the same corpus, options and seed give the same bytes."""
    from heed.corpus.store import open_corpus
    from heed.engine.local import run

    kind = find_recipe(recipe)
    place = new_place(workspace, into)
    source = Source(workspace.root, corpus, recipe, options or kind.options(), keep_dropped)
    opened = open_corpus(workspace, corpus)
    buckets = list(range(opened.bucket_count))
    harvests = run(partial(harvest_bucket, source), buckets, jobs=jobs, on_done=on_done)
    _check_harvests(kind, source, harvests)
    funnel = merge([harvest.funnel for harvest in harvests], keep_dropped)
    built, late = assemble(kind, harvests, source.options)
    funnel.add(late)
    if not built.examples:
        reason, count = funnel.worst()
        raise UserError(
            f"Nothing of corpus '{corpus}' is left for {recipe}: '{reason}' dropped most ({count}). "
            f"Loosen it with --set, or see each drop with 'heed explain'."
        )
    parent = opened.artifact.manifest
    with workspace.draft(place, "dataset", into) as draft:
        draft.options = {"recipe": recipe, "corpus": corpus, **source.options.recorded()}
        draft.parents = [{"kind": parent.kind, "name": parent.name, "content_hash": parent.content_hash}]
        remarks = _find_absent(kind, source, harvests)
        reports = {**built.reports, **({"Remarks": remarks} if remarks else {})}
        write_dataset(draft, kind.title, f"From the corpus `{corpus}`.", built.examples, kind.limits, funnel, reports)
    return open_artifact(place)


def harvest_bucket(source: Source, bucket: int) -> Harvest:
    """One bucket, in whatever process the engine chose."""
    from heed.corpus.store import open_corpus

    opened = open_corpus(Workspace(source.workspace), source.corpus)
    recipe = find_recipe(source.recipe)
    posts, comments = opened.posts(bucket), opened.comments(bucket)
    funnel = Funnel(keep=source.keep_dropped)
    found = recipe.harvest(Bucket(posts, comments), source.options, funnel)
    names = Counter(name.lower() for name in posts["subreddit"])
    return Harvest(found, funnel, posts.height, comments.height, names)


def assemble(recipe: Recipe[Any], harvests: list[Harvest], options: Options) -> tuple[Built, Funnel]:
    """Join the buckets; what is dropped here is always kept, because no bucket alone can tell it again."""
    late = Funnel(keep=True)
    return recipe.assemble([harvest.found for harvest in harvests], options, late), late


def write_dataset(
    draft: Draft,
    title: str,
    source: str,
    examples: list[Any],
    limits: tuple[str, ...],
    funnel: Funnel,
    reports: dict[str, Any] | None = None,
) -> None:
    """Data files, the dropped, the card, and the counts for the manifest."""
    from heed.datasets.examples import write_examples

    splits = write_examples(examples, draft.path)
    draft.counts = {"splits": splits, "funnel": funnel.recorded(), "reports": reports or {}}
    if funnel.dropped:
        _write_dropped(funnel.dropped, draft.path / "dropped.parquet")
    write_card(draft.path, title, source, draft.counts, limits)
    draft.counts["data_hash"] = hash_data(draft.path)


def new_place(workspace: Workspace, name: str) -> Path:
    """Where a new dataset of this name goes."""
    place = workspace.root / "datasets" / name
    if place.exists():
        raise UserError(f"There is a dataset '{name}' already: choose another name, or remove {place} first.")
    return place


def _check_harvests(recipe: Recipe[Any], source: Source, harvests: list[Harvest]) -> None:
    if not sum(harvest.post_count for harvest in harvests):
        raise UserError(f"The corpus '{source.corpus}' has no posts: ingest a submissions dump (RS_…) first.")
    if recipe.needs_comments and not sum(harvest.comment_count for harvest in harvests):
        raise UserError(
            f"The corpus '{source.corpus}' has no comments, and {recipe.kind} is made of comments: "
            f"ingest the comments dump (RC_…) of the same time too."
        )
    wanted, absent = recipe.subreddits(source.options), _find_absent(recipe, source, harvests)
    if wanted and len(absent) == len(wanted):
        there = sum((harvest.subreddits for harvest in harvests), Counter[str]())
        names = ", ".join(f"r/{name} ({count})" for name, count in there.most_common(8))
        asked = ", ".join(f"r/{name}" for name in wanted[:8])
        raise UserError(f"The corpus '{source.corpus}' has no post of {asked}; it has {names}.")


def _find_absent(recipe: Recipe[Any], source: Source, harvests: list[Harvest]) -> list[str]:
    there = {name for harvest in harvests for name in harvest.subreddits}
    wanted = recipe.subreddits(source.options)
    return [f"The corpus has no post of r/{name}." for name in wanted if name.lower() not in there]


def _write_dropped(dropped: list[Dropped], path: Path) -> None:
    import polars as pl

    columns = ("id", "post_id", "stage", "reason", "evidence")
    rows = sorted(tuple(getattr(drop, column) for column in columns) for drop in dropped)
    pl.DataFrame(rows, schema=dict.fromkeys(columns, pl.String), orient="row").write_parquet(path)
