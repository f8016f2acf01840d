"""Automatic metrics of a run, against the same numbers taken by hand."""

from typing import Any

import polars as pl
import pytest
from rouge_score import rouge_scorer

from heed.datasets.examples import write_examples
from heed.errors import NotFoundError
from heed.policies.generate import Order, generate
from heed.records import Example, Reference
from heed.reports.scores import score
from heed.statistics.variety import distinct
from heed.workspace import Workspace


def example(number: int, **fields: Any) -> Example:
    values: dict[str, Any] = {
        "id": f"e{number}",
        "kind": "tldr",
        "split": "test",
        "subreddit": "tifu",
        "domain": "tldr",
        "created": None,
        "title": f"Lost keys {number}",
        "text": f"I lost my keys on day {number}. Then I found them in the fridge. My cat watched.",
        "references": (Reference(f"Found my lost keys in the fridge on day {number}", 5, "r", None),),
    }
    return Example(**{**values, **fields})


def make_run(workspace: Workspace, examples: list[Example], policies: tuple[str, ...]) -> None:
    with workspace.draft(workspace.root / "datasets" / "d", "dataset", "d") as draft:
        draft.counts = {"splits": write_examples(examples, draft.path)}
    generate(workspace, Order("d", policies, "r"))


def test_metrics_are_those_of_rouge_score_and_of_counting(workspace: Workspace) -> None:
    examples = [example(n) for n in range(6)]
    make_run(workspace, examples, ("lead:1", "reference", "title"))
    result = score(workspace, "r")["policies"]
    scorer = rouge_scorer.RougeScorer(["rouge1", "rougeL"], use_stemmer=False)
    own = [scorer.score(e.references[0].text, f"I lost my keys on day {n}.") for n, e in enumerate(examples)]
    for name in ("rouge1", "rougeL"):
        mean = sum(each[name].fmeasure for each in own) / len(own)
        assert result["lead:1"][name] == pytest.approx(mean, abs=1e-4)
    assert result["reference"]["rouge1"] == 1.0
    assert result["lead:1"]["copied"] == 1.0
    assert result["lead:1"]["words"] == 7
    assert result["lead:1"]["tokens"] == 8  # seven words and the stop, each one token of GPT-2
    assert (result["lead:1"]["empty"], result["lead:1"]["truncated"]) == (0.0, 0.0)
    assert "accuracy" not in result["lead:1"]


def test_scores_are_stored_per_response_and_failures_are_not_averaged(workspace: Workspace) -> None:
    make_run(workspace, [example(0), example(1, references=())], ("reference", "lead:2"))
    result = score(workspace, "r")
    assert (result["policies"]["reference"]["failed"], result["policies"]["reference"]["rouge1"]) == (1, 1.0)
    stored = pl.read_parquet(f"{result['path']}/scores.parquet")
    assert stored.shape[0] == 4
    assert stored.filter(pl.col("policy") == "lead:2")["rouge1"].null_count() == 1
    # Copying needs the situation only; where there is no reference, an answer has it all the same.
    assert stored.filter(pl.col("policy") == "lead:2")["copied"].to_list() == [1.0, 1.0]
    assert result["policies"]["reference"]["empty"] == 0.5
    again = score(workspace, "r")
    assert again == result


def test_accuracy_of_choices_has_an_interval_and_counts_a_failure_as_wrong(workspace: Workspace) -> None:
    items = [
        example(
            n, kind="cloze", choices=("A?", "B?"), label=n % 2, references=(Reference("A?", None, "r", None),)
        )
        for n in range(40)
    ]
    make_run(workspace, items, ("reference", "random:1", "lead:1"))
    policies = score(workspace, "r")["policies"]
    assert policies["reference"]["accuracy"] == 1.0
    assert policies["lead:1"]["accuracy"] == 0.0
    chance = policies["random:1"]
    assert 0 < chance["accuracy_low"] < chance["accuracy"] < chance["accuracy_high"] < 1


def test_variety_by_hand() -> None:
    assert distinct(["a b a", "a b"], 1) == pytest.approx(2 / 5)
    assert distinct(["a b a", "a b"], 2) == pytest.approx(2 / 3)
    assert distinct([""], 2) == 0.0


def test_responses_that_are_not_there_are_said(workspace: Workspace) -> None:
    with pytest.raises(NotFoundError, match="no responses 'r'"):
        score(workspace, "r")
