"""Whole builds from a corpus: bytes, cards, mistakes, and what explain says afterwards."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from heed.corpus.ingest import ingest
from heed.corpus.ingest_options import IngestOptions
from heed.corpus.sample.dumps import write_sample
from heed.datasets.build import Order, build, find_recipe, load_options
from heed.datasets.examples import open_dataset, read_examples
from heed.datasets.explain import explain_in_dataset
from heed.errors import NotFoundError, UserError
from heed.records import Example
from heed.workspace import Artifact, Workspace

NOW = 1_763_200_000


@pytest.fixture(scope="session", name="stocked")
def _stocked(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace with the sample as a corpus, and the three datasets."""
    folder = tmp_path_factory.mktemp("stocked")
    write_sample(folder / "dumps", now=NOW)
    workspace = Workspace(folder / "workspace")
    ingest([folder / "dumps"], IngestOptions(all=True, into="sample", buckets=3, jobs=1), workspace)
    for recipe in ("advice", "tldr", "cloze"):
        build(workspace, Order(recipe, "sample", recipe, load_options(recipe, "sample")), jobs=1)
    return workspace


def make(workspace: Workspace, recipe: str, into: str, *assignments: str, **flags: Any) -> Artifact:
    options = load_options(recipe, "sample", assignments)
    return build(workspace, Order(recipe, "sample", into, options, **flags), jobs=1)


@pytest.mark.parametrize(("recipe", "least"), [("advice", 400), ("tldr", 200), ("cloze", 100)])
def test_sample_builds_and_loads_everywhere(
    stocked: Workspace, recipe: str, least: int, tmp_path: Path
) -> None:
    import datasets

    dataset = open_dataset(stocked, recipe)
    examples = read_examples(dataset)
    assert len(examples) >= least
    assert len({example.id for example in examples}) == len(examples)
    assert pl.read_parquet(dataset.path / "data" / "*.parquet").height == len(examples)
    loaded = datasets.load_dataset(str(dataset.path), cache_dir=str(tmp_path))
    assert {name: part.num_rows for name, part in loaded.items()} == dataset.manifest.counts["splits"]
    card = (dataset.path / "README.md").read_text(encoding="utf-8")
    assert dataset.manifest.counts["data_hash"] in card
    assert all(stage["stage"] in card for stage in dataset.manifest.counts["funnel"])
    assert dataset.manifest.parents[0]["name"] == "sample"


@pytest.mark.parametrize("recipe", ["advice", "tldr", "cloze"])
def test_same_seed_same_bytes_however_the_corpus_is_cut(stocked: Workspace, recipe: str) -> None:
    again = make(stocked, recipe, f"{recipe}-again-{random.randrange(10**9)}")
    first = open_dataset(stocked, recipe).manifest
    assert again.manifest.files == first.files


def test_a_shuffled_corpus_in_other_buckets_gives_the_same_data(
    stocked: Workspace, workspace: Workspace
) -> None:
    write_sample(workspace.folder("dumps"), now=NOW)
    ingest([workspace.root / "dumps"], IngestOptions(all=True, into="sample", buckets=7, jobs=1), workspace)
    again, first = make(workspace, "tldr", "tldr"), open_dataset(stocked, "tldr")
    assert [_forget_author(e) for e in read_examples(again)] == [
        _forget_author(e) for e in read_examples(first)
    ]


def _forget_author(example: Example) -> Example:
    """Pseudonyms differ from workspace to workspace."""
    return replace(example, references=tuple(replace(r, author=None) for r in example.references))


def test_keep_dropped_accounts_for_every_drop(stocked: Workspace) -> None:
    dataset = make(stocked, "advice", "advice-dropped", 'mode="dynamic"', "pick=20", keep_dropped=True)
    dropped = pl.read_parquet(dataset.path / "dropped.parquet")
    counted = sum(sum(stage["dropped"].values()) for stage in dataset.manifest.counts["funnel"])
    assert dropped.height == counted
    assert dropped.filter(pl.col("reason") == "too long")["evidence"][0].endswith("tokens")


def test_funnel_adds_up(stocked: Workspace) -> None:
    funnel = {stage["stage"]: stage for stage in open_dataset(stocked, "cloze").manifest.counts["funnel"]}
    for stage in funnel.values():
        assert stage["in"] - sum(stage["dropped"].values()) == stage["out"]
    assert funnel["pairing"]["in"] == funnel["answerable"]["out"]
    assert funnel["items"]["in"] * 2 == funnel["pairing"]["out"]


def test_explain_names_the_filter_and_the_evidence(stocked: Workspace) -> None:
    dataset = make(stocked, "advice", "advice-round", 'mode="dynamic"')
    posts = pl.concat(
        [pl.read_parquet(p) for p in (stocked.root / "corpora/sample/0001/posts").glob("*.parquet")]
    )
    update = posts.filter(pl.col("title").str.starts_with("[UPDATE]"))["id"][0]
    found = explain_in_dataset(stocked, f"t3_{update}", "advice-round")
    assert (found["verdict"], found["because"]) == ("dropped", "situation: update (“[UPDATE]”)")
    example = read_examples(dataset)[0]
    assert explain_in_dataset(stocked, example.id, "advice-round")["verdict"] == "kept"
    reference = example.references[0].id or ""
    assert "reference of example" in explain_in_dataset(stocked, f"t1_{reference}", "advice-round")["because"]
    assert explain_in_dataset(stocked, "zzz", "advice-round")["verdict"] == "unknown"
    late = pl.read_parquet(dataset.path / "dropped.parquet").filter(pl.col("reason") == "not picked")["id"][0]
    assert explain_in_dataset(stocked, late, "advice-round")["because"] == "round: not picked (seed 0)"


def test_explain_the_other_narrative_of_a_pair(stocked: Workspace) -> None:
    dataset = make(stocked, "cloze", "cloze-narrow", "band_low=0.1", "band_high=0.3")
    example = read_examples(dataset)[0]
    other = json.loads(example.meta)["others"][0]
    found = explain_in_dataset(stocked, other, "cloze-narrow")
    assert found["verdict"] == "kept"
    assert (
        found["because"] == f"its question is a wrong choice of example {example.id}, split {example.split}"
    )
    saved = pl.read_parquet(dataset.path / "dropped.parquet").filter(pl.col("stage") == "items")
    apart = saved["evidence"][0].split(" and, of ")[1].split(",")[0]
    assert explain_in_dataset(stocked, apart, "cloze-narrow")["because"].startswith("items: questions too")


def test_explain_a_comment_whose_post_was_dropped(stocked: Workspace) -> None:
    comments = pl.concat(
        [pl.read_parquet(p) for p in (stocked.root / "corpora/sample/0001/comments").glob("*.parquet")]
    )
    meta = explain_in_dataset(stocked, comments["id"][0], "advice")
    assert meta["verdict"] in ("kept", "dropped")
    kept = {example.id for example in read_examples(open_dataset(stocked, "advice"))}
    orphan = comments.filter(~pl.col("post_id").is_in(list(kept)))["id"][0]
    assert "its post" in explain_in_dataset(stocked, orphan, "advice")["because"]


MISTAKES: list[tuple[str, tuple[str, ...], str]] = [
    ("advice", ('subreddits=["nowhere"]',), "no post of r/nowhere; it has r/relationships"),
    ("advice", ("pots_score=3",), "no option 'pots_score': did you mean 'post_score'"),
    ("advice", ("post_score=99999999",), "'low score' dropped most \\(440\\)"),
    ("tldr", ("body_tokens_max=1",), r"dropped most \(\d+\), then '.+' \(\d+\)"),
    ("cloze", ("narrative_tokens_min=9999",), "Nothing of corpus 'sample' is left for cloze"),
    ("cloze", ('vectors="absent.txt"',), "no file of word vectors absent.txt"),
    ("tldr", ('tokenizer="absent"',), "no tokenizer 'absent'"),
    ("tldr", ("body_tokens_max=0",), "cannot be 0"),
]


@pytest.mark.parametrize(("recipe", "assignments", "sentence"), MISTAKES)
def test_mistakes_are_sentences(
    stocked: Workspace, recipe: str, assignments: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(UserError, match=sentence):
        make(stocked, recipe, "never", *assignments)
    assert not (stocked.root / "datasets" / "never").exists()


def test_options_come_from_the_recipes_table_or_a_flat_file(tmp_path: Path) -> None:
    (tmp_path / "tables.toml").write_text("[cloze]\nchoices = 4\n[tldr]\nseed = 7\n")
    (tmp_path / "flat.toml").write_text("seed = 8\n")
    assert load_options("cloze", tmp_path / "tables.toml").recorded()["choices"] == 4
    assert load_options("advice", tmp_path / "tables.toml").recorded()["seed"] == 0
    assert load_options("tldr", tmp_path / "flat.toml").recorded()["seed"] == 8
    assert load_options("tldr", tmp_path / "flat.toml", ("seed=9",)).recorded()["seed"] == 9


def test_corpora_that_cannot_serve(
    workspace: Workspace, write_dump: Callable[..., Path], make_post: Any, make_comment: Any
) -> None:
    comments = write_dump("RC_x.zst", [make_comment(1, 1)])
    ingest([comments], IngestOptions(all=True, into="headless", buckets=1, jobs=1), workspace)
    with pytest.raises(UserError, match="'headless' has no posts: ingest a submissions dump"):
        build(workspace, Order("tldr", "headless", "a", find_recipe("tldr").options()), jobs=1)
    posts = write_dump("RS_x.zst", [make_post(1)])
    ingest([posts], IngestOptions(all=True, into="silent", buckets=1, jobs=1), workspace)
    with pytest.raises(UserError, match="has no comments, and advice is made of comments"):
        build(workspace, Order("advice", "silent", "a", find_recipe("advice").options()), jobs=1)
    with pytest.raises(NotFoundError, match="no corpus 'absent'"):
        build(workspace, Order("advice", "absent", "a", find_recipe("advice").options()), jobs=1)
    with pytest.raises(NotFoundError, match="no recipe 'poems'"):
        find_recipe("poems")


def test_a_name_is_taken_once(stocked: Workspace) -> None:
    with pytest.raises(UserError, match="a dataset 'tldr' already"):
        make(stocked, "tldr", "tldr")
    with pytest.raises(NotFoundError, match="no dataset 'absent'"):
        open_dataset(stocked, "absent")
    with pytest.raises(NotFoundError, match="no split 'absent': it has"):
        read_examples(open_dataset(stocked, "tldr"), "absent")
