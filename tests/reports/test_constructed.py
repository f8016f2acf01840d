"""Table 18 for one scorer, from a dataset to rates with intervals."""

import pytest

from heed.datasets.examples import write_examples
from heed.errors import UserError
from heed.records import Example, Reference
from heed.reports.constructed import NO_SCORE, score_corruptions
from heed.workspace import Workspace


def post(number: int, reference: str = "I lost her cat.") -> Example:
    text = f"I fed the cat of my friend on day {number}. It ran. We looked for it. It came home."
    references = (Reference(reference),) if reference else ()
    return Example(
        f"p{number}",
        "tldr",
        "train",
        "tifu",
        "",
        0,
        f"Cat number {number}",
        text,
        references,
        post_id=f"p{number}",
    )


@pytest.fixture
def dataset(workspace: Workspace) -> Workspace:
    for name, examples in (("cats", [post(n) for n in range(8)]), ("bare", [post(1, "")])):
        with workspace.draft(workspace.root / "datasets" / name, "dataset", name) as draft:
            draft.counts = {"splits": write_examples(examples, draft.path)}
    return workspace


def test_length_prefers_longer_summaries(dataset: Workspace) -> None:
    found = score_corruptions(dataset, "cats", "length")
    sets = {row["set"]: row for row in found["sets"]}
    assert len(sets) == 10
    assert (sets["title / title twice"]["rate"], sets["title / title twice"]["n"]) == (0.0, 8)
    shuffled = sets["lead-3 / shuffled"]
    assert (shuffled["rate"], shuffled["ties"]) == (0.5, 8)
    assert shuffled["low"] < 0.5 < shuffled["high"]
    assert score_corruptions(dataset, "cats", "length", limit=3)["examples"] == 3


def test_rouge_cannot_score_the_reference_itself(dataset: Workspace) -> None:
    sets = {row["set"]: row for row in score_corruptions(dataset, "cats", "rouge")["sets"]}
    refused = sets["reference / lead-3"]
    assert (refused["rate"], refused["n"], refused["left_out"]) == (None, 0, {NO_SCORE: 8})
    assert sets["title / title twice"]["n"] == 8


def test_a_dataset_without_references_is_refused(dataset: Workspace) -> None:
    with pytest.raises(UserError, match="no example with a reference"):
        score_corruptions(dataset, "bare", "length")
