"""A grid of temperature and top-p: every point an ordinary run, scored and drawn."""

import polars as pl
import pytest

from heed.datasets.examples import write_examples
from heed.errors import UserError
from heed.policies.generate import Order
from heed.policies.responses import open_responses, read_frame
from heed.records import Example, Reference
from heed.reports.scores import score
from heed.reports.sweep import Grid, read_grid, sweep
from heed.workspace import Workspace


@pytest.fixture
def order(workspace: Workspace) -> Order:
    examples = [
        Example(
            id=f"e{number}",
            kind="tldr",
            split="test",
            subreddit="tifu",
            domain="tldr",
            created=None,
            title=f"Lost keys {number}",
            text=f"I lost my keys on day {number}. Then I found them in the fridge. My cat watched.",
            references=(Reference(f"Found my keys in the fridge on day {number}", 5, "r", None),),
        )
        for number in range(4)
    ]
    with workspace.draft(workspace.root / "datasets" / "d", "dataset", "d") as draft:
        draft.counts = {"splits": write_examples(examples, draft.path)}
    return Order("d", ("echo", "lead:1"), "s")


def test_every_point_is_a_run_of_its_own_with_its_scores(workspace: Workspace, order: Order) -> None:
    result = sweep(workspace, order, Grid((0.0, 0.5, 1.0), (0.7, 1.0)))
    found = {(point["temperature"], point["top_p"]) for point in result["points"]}
    assert found == {(0.0, 1.0), (0.5, 0.7), (0.5, 1.0), (1.0, 0.7), (1.0, 1.0)}
    for point in result["points"]:
        made = read_frame(open_responses(workspace, point["responses"]))
        own = made.filter(pl.col("policy") == point["policy"])
        assert len(own) == 4
        assert point["rougeL"] == score(workspace, point["responses"])["policies"][point["policy"]]["rougeL"]
        assert point["rougeL_low"] <= point["rougeL"] <= point["rougeL_high"]
        assert point["words_low"] <= point["words"] <= point["words_high"]
        assert point["distinct2_low"] is None
        if point["policy"] == "echo":
            assert set(own["temperature"]) == {point["temperature"]}
            assert set(own["top_p"]) == {point["top_p"]}


def test_table_and_figures_are_written(workspace: Workspace, order: Order) -> None:
    result = sweep(workspace, order, Grid((0.0, 1.0), (0.7, 1.0)))
    folder = workspace.root / "sweeps" / "s"
    assert pl.read_csv(folder / "sweep.csv").height == len(result["points"]) == 6
    assert result["figures"] == ["rougeL", "copied", "distinct2", "words"]
    for name in result["figures"]:
        assert (folder / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert (folder / f"{name}.pdf").read_bytes().startswith(b"%PDF")


def test_a_second_sweep_asks_nothing_again(workspace: Workspace, order: Order) -> None:
    first = sweep(workspace, order, Grid((0.0, 1.0), (1.0,)))
    assert sweep(workspace, order, Grid((0.0, 1.0), (1.0,))) == first


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("0", [(0.0, 1.0)]),
        ("1,0.5", [(0.5, 1.0), (1.0, 1.0)]),
        ("0,1/0.5,0.9", [(0.0, 1.0), (1.0, 0.5), (1.0, 0.9)]),
    ],
)
def test_a_grid_is_read_from_words(text: str, points: list[tuple[float, float]]) -> None:
    assert read_grid(text).points() == points


@pytest.mark.parametrize("text", ["", "warm", "0,1/0", "-1", "1/1.5"])
def test_a_bad_grid_is_said(text: str) -> None:
    with pytest.raises(UserError, match="--sweep"):
        read_grid(text)
