"""Other people's files become datasets; what is wrong with a file is a sentence."""

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from heed.datasets.examples import read_examples
from heed.datasets.imports import Columns, import_files, import_pairs
from heed.datasets.news import NewsOptions, build_news
from heed.errors import NotFoundError, UnreadableError, UserError
from heed.workspace import Workspace

ASQ = {
    "id": "x1",
    "narrative": "I lost my keys.",
    "qn1": "Who has them?",
    "qn2": "Where to look?",
    "label": 1,
}
TLDR = {"id": "t3_a", "subreddit": "Pets", "title": "Cat", "post": "My cat hides.", "summary": " cat hides"}


def write_lines(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_asq(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "asq_heldout.json"
    path.write_text(json.dumps([ASQ, {**ASQ, "id": "x2", "label": 0}]))
    first, second = read_examples(import_files(workspace, "asq", [path], "asq"))
    assert (first.choices, first.label, first.split) == (("Who has them?", "Where to look?"), 1, "heldout")
    assert first.references[0].text == "Where to look?"
    assert second.label == 0


def test_released_asq_file(workspace: Workspace, shared_data: Path) -> None:
    dataset = import_files(workspace, "asq", [shared_data / "asq" / "asq_1500.json"], "asq")
    assert sum(dataset.manifest.counts["splits"].values()) == 1500


def test_tldr(workspace: Workspace, tmp_path: Path) -> None:
    rows = (TLDR, {**TLDR, "id": "b", "summary": None}, TLDR, {**TLDR, "id": "c", "post": ""})
    dataset = import_files(workspace, "tldr", [write_lines(tmp_path / "valid.jsonl", *rows)], "tldr")
    examples = read_examples(dataset)
    assert [(e.id, e.split, len(e.references)) for e in examples] == [
        ("b", "validation", 0),
        ("t3_a", "validation", 1),
    ]
    assert examples[1].references[0].text == "cat hides"
    assert dataset.manifest.counts["funnel"][0]["dropped"] == {"empty text": 1, "id seen before": 1}


@pytest.mark.parametrize("shape", ["csv", "parquet"])
def test_news_as_it_stands_and_cleaned(workspace: Workspace, tmp_path: Path, shape: str) -> None:
    article = "A dog saved a boy on Monday. " * 12
    highlights = "NEW: Dog saves boy in the river\nREAD: more about dogs\nThe boy is well . CLICK HERE"
    frame = pl.DataFrame(
        {"article": [article, article, "Stub."], "highlights": [highlights] * 3, "id": ["a", "b", "c"]}
    )
    path = tmp_path / f"test.{shape}"
    frame.write_csv(path) if shape == "csv" else frame.write_parquet(path)
    assert len(read_examples(import_files(workspace, "news", [path], "raw"))) == 3
    built = build_news(workspace, [path], "news", NewsOptions())
    (example,) = read_examples(built)
    assert example.split == "test"
    assert example.references[0].text == "Dog saves boy in the river. The boy is well."
    funnel = built.manifest.counts["funnel"]
    assert [stage["dropped"] for stage in funnel] == [{"article too short": 1}, {"same article": 1}]


def test_pairs_side_by_side(workspace: Workspace, tmp_path: Path) -> None:
    path = write_lines(
        tmp_path / "out.jsonl",
        {"q": "Hi?", "mine": "Yes", "theirs": "No"},
        {"q": "So?", "mine": "Well", "theirs": None},
    )
    dataset = import_pairs(workspace, [path], "pairs", Columns("q", ("mine", "theirs")))
    responses = pl.read_parquet(dataset.path / "responses.parquet")
    assert sorted(responses["policy"].to_list()) == ["mine", "mine", "theirs"]
    assert {e.text for e in read_examples(dataset)} == {"Hi?", "So?"}
    assert set(responses["example_id"]) == {e.id for e in read_examples(dataset)}


def test_pairs_one_below_the_other(workspace: Workspace, tmp_path: Path) -> None:
    rows = [{"n": 1, "p": "Hi?", "r": "Yes", "who": "a"}, {"n": 1, "p": "Hi?", "r": "No", "who": "b"}]
    path = write_lines(tmp_path / "out.jsonl", *rows)
    dataset = import_pairs(workspace, [path], "pairs", Columns("p", ("r",), "who", "n"))
    assert pl.read_parquet(dataset.path / "responses.parquet").rows() == [("1", "a", "Yes"), ("1", "b", "No")]
    assert dataset.manifest.counts["reports"] == {"Responses by policy": {"a": 1, "b": 1}}


def test_mistakes_are_sentences(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no file"):
        import_files(workspace, "asq", [tmp_path / "none.json"], "x")
    with pytest.raises(UserError, match="no column id, subreddit"):
        import_files(workspace, "tldr", [write_lines(tmp_path / "a.jsonl", {"post": "x"})], "x")
    with pytest.raises(UserError, match="label 7"):
        import_files(workspace, "asq", [write_lines(tmp_path / "b.jsonl", {**ASQ, "label": 7})], "x")
    (tmp_path / "c.jsonl").write_text("{broken")
    with pytest.raises(UnreadableError, match=r"c\.jsonl cannot be read"):
        import_files(workspace, "tldr", [tmp_path / "c.jsonl"], "x")
    (tmp_path / "d.doc").write_text("x")
    with pytest.raises(UserError, match=r"none of \.parquet"):
        import_files(workspace, "news", [tmp_path / "d.doc"], "x")
    both = write_lines(tmp_path / "e.jsonl", {"p": "a", "r": "b", "s": "c", "w": "d"})
    with pytest.raises(UserError, match="one response column"):
        import_pairs(workspace, [both], "x", Columns("p", ("r", "s"), "w"))
    with pytest.raises(UserError, match="None of the 1 rows"):
        import_files(workspace, "tldr", [write_lines(tmp_path / "f.jsonl", {**TLDR, "post": ""})], "x")
