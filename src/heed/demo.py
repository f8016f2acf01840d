"""The main job from end to end on the bundled sample; later rooms add their steps here."""

from typing import Any

from heed.corpus.ingest import ingest
from heed.corpus.ingest_options import IngestOptions
from heed.corpus.sample.dumps import write_sample
from heed.corpus.store import open_corpus
from heed.corpus.summary import by_subreddit
from heed.datasets.build import RECIPES, Order, build, describe, load_options
from heed.datasets.examples import open_dataset
from heed.workspace import Artifact, Workspace

CORPUS = "sample"


def run_demo(workspace: Workspace) -> dict[str, Any]:
    """Sample dumps, a corpus and datasets from them. A second run finds everything done."""
    dumps = workspace.folder("demo", "dumps")
    if not list(dumps.glob("R?_sample.zst")):
        write_sample(dumps)
    result = ingest([dumps], IngestOptions(all=True, into=CORPUS), workspace)
    return {
        "ingest": result,
        "subreddits": by_subreddit(open_corpus(workspace, CORPUS)).to_dicts(),
        "datasets": [describe(_build(workspace, recipe)) for recipe in RECIPES],
    }


def _build(workspace: Workspace, recipe: str) -> Artifact:
    """The dataset of a recipe from the sample, made on the first run."""
    name = f"{CORPUS}-{recipe}"
    if (workspace.root / "datasets" / name).exists():
        return open_dataset(workspace, name)
    return build(workspace, Order(recipe, CORPUS, name, load_options(recipe, "sample")))
