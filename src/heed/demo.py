"""The main job from end to end on the bundled sample; later rooms add their steps here."""

from typing import Any

from heed.corpus.ingest import ingest
from heed.corpus.ingest_options import IngestOptions
from heed.corpus.sample.dumps import write_sample
from heed.corpus.store import open_corpus
from heed.corpus.summary import by_subreddit
from heed.datasets.build import RECIPES, Order, build, describe, load_options
from heed.datasets.examples import open_dataset
from heed.policies.generate import Order as Answers
from heed.policies.generate import generate
from heed.reports.scores import score
from heed.workspace import Artifact, Workspace

CORPUS = "sample"
# What answers each dataset: the split, and every policy for its kind that needs no language model.
_PLANS: dict[str, tuple[str, tuple[str, ...]]] = {
    "advice": ("test", ("reference", "second_best", "template", "tfidf", "lead:3", "echo")),
    "cloze": ("test", ("random:1", "similarity")),
    "tldr": ("validation", ("reference", "title", "lead:2", "random:2")),
}


def run_demo(workspace: Workspace) -> dict[str, Any]:
    """Sample dumps, a corpus, datasets, answers and scores. A second run finds everything done."""
    dumps = workspace.folder("demo", "dumps")
    if not list(dumps.glob("R?_sample.zst")):
        write_sample(dumps)
    result = ingest([dumps], IngestOptions(all=True, into=CORPUS), workspace)
    return {
        "ingest": result,
        "subreddits": by_subreddit(open_corpus(workspace, CORPUS)).to_dicts(),
        "datasets": [describe(_build(workspace, recipe)) for recipe in RECIPES],
        "scores": {recipe: _answer_and_score(workspace, recipe, *plan) for recipe, plan in _PLANS.items()},
    }


def _build(workspace: Workspace, recipe: str) -> Artifact:
    """The dataset of a recipe from the sample, made on the first run."""
    name = f"{CORPUS}-{recipe}"
    if (workspace.root / "datasets" / name).exists():
        return open_dataset(workspace, name)
    return build(workspace, Order(recipe, CORPUS, name, load_options(recipe, "sample")))


def _answer_and_score(
    workspace: Workspace, recipe: str, split: str, policies: tuple[str, ...]
) -> dict[str, Any]:
    name = f"{CORPUS}-{recipe}"
    generate(workspace, Answers(name, policies, name, split))
    return score(workspace, name)
