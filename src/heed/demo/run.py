"""The main job from end to end on the bundled sample; later rooms add their steps here."""

from collections.abc import Callable
from typing import Any

from heed.corpus.ingest import ingest
from heed.corpus.ingest_options import IngestOptions
from heed.corpus.sample.dumps import write_sample
from heed.corpus.store import open_corpus
from heed.corpus.summary import by_subreddit
from heed.datasets.build import RECIPES, Order, build, describe, load_options
from heed.datasets.examples import open_dataset
from heed.demo.accounts import claim_workspace, make_accounts
from heed.demo.studies import describe_judged, is_judged, judge, leave_open, report
from heed.installation import has_language_models
from heed.policies.generate import Order as Answers
from heed.policies.generate import generate
from heed.policies.policy import Decoding
from heed.reports.scores import score
from heed.store.database import open_database
from heed.workspace import Artifact, Workspace

CORPUS = "sample"
# What answers each dataset: the split, and every policy for its kind that needs no language model.
_PLANS: dict[str, tuple[str, tuple[str, ...]]] = {
    "advice": (
        "test",
        (
            "reference",
            "second_best",
            "template",
            "tfidf",
            "title",
            "lead:3",
            "random:3",
            "echo",
            "best_of:4:echo",
        ),
    ),
    "cloze": ("test", ("random:1", "similarity")),
    "tldr": ("validation", ("reference", "title", "lead:2", "random:2", "echo")),
}
_SCORER = "length"  # by which best_of chooses
# A few short answers: on two cores the packaged model takes seconds for each.
_MODEL, _MODEL_EXAMPLES, _MODEL_TOKENS = "lm:smollm2", 3, 48


def run_demo(
    workspace: Workspace, model: bool = True, say: Callable[[str], None] = lambda _step: None
) -> dict[str, Any]:
    """From dumps to a report, and studies to try. A second run finds everything done.

    With `model`, the packaged language model answers too, where it is installed. `say` is told each step.
    """
    database = open_database(workspace)
    try:
        claim_workspace(workspace, database)
        say("The sample becomes a corpus and datasets, and policies answer …")
        result = answer_sample(workspace)
        if not is_judged(workspace):
            answers = answers_to_judge(workspace, model, say)
            say("Simulated labelers judge the answers on the site …")
            judge(workspace, database, answers)
        studies = leave_open(workspace, database)
        accounts = make_accounts(workspace, database, studies)
    finally:
        database.close()
    say("The report …")
    return {**result, "study": describe_judged(workspace), "report": report(workspace), "accounts": accounts}


def answer_sample(workspace: Workspace) -> dict[str, Any]:
    """Sample dumps, a corpus, datasets, answers and scores."""
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


def answers_to_judge(workspace: Workspace, model: bool, say: Callable[[str], None]) -> list[str]:
    """The responses that are judged: those of the baselines and, where models are installed, a model's."""
    name = f"{CORPUS}-advice"
    if not (model and has_language_models()):
        return [name]
    say(f"{_MODEL} answers {_MODEL_EXAMPLES} examples; it is the slowest part …")
    decoding = Decoding(most_tokens=_MODEL_TOKENS)
    more, split = f"{name}-model", _PLANS["advice"][0]
    generate(workspace, Answers(name, (_MODEL,), more, split, _MODEL_EXAMPLES, decoding=decoding))
    return [name, more]


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
    generate(workspace, Answers(name, policies, name, split, scorer=_SCORER))
    return score(workspace, name)
