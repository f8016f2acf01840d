"""Why one post or comment is in a dataset or not: which filter decided, and on what evidence.

What only the whole corpus could tell is in the dataset's own files; the rest is told by running the recipe
once more over the one bucket that holds the post.
"""

from dataclasses import asdict, replace
from typing import Any

import polars as pl

from heed.datasets.build import RECIPES, Order, find_recipe, harvest_bucket
from heed.datasets.examples import open_dataset, read_frame
from heed.errors import NotFoundError
from heed.workspace import Artifact, Workspace


def explain_in_dataset(workspace: Workspace, id: str, dataset: str) -> dict[str, Any]:
    """The verdict (kept, dropped, unknown), and every decision about this post, comment or its questions."""
    opened = open_dataset(workspace, dataset)
    bare = id.lower().removeprefix("t3_").removeprefix("t1_")
    kept = _find_kept(opened, bare)
    decisions = _find_again(workspace, opened, bare) + _find_saved(opened, bare)
    unique = list({tuple(decision.items()): decision for decision in decisions}.values())
    if kept:
        verdict = {"verdict": "kept", "because": kept}
    elif unique:
        stages = [stage["stage"] for stage in opened.manifest.counts["funnel"]]
        last = max(unique, key=lambda decision: (decision["id"] == bare, stages.index(decision["stage"])))
        evidence = f" ({last['evidence']})" if last["evidence"] else ""
        verdict = {"verdict": "dropped", "because": f"{last['stage']}: {last['reason']}{evidence}"}
    else:
        verdict = {"verdict": "unknown", "because": f"dataset '{dataset}' was made without it"}
    return {"record": id, "dataset": dataset, **verdict, "decisions": unique}


def _find_kept(dataset: Artifact, id: str) -> str | None:
    frame = read_frame(dataset)
    rows = frame.filter((pl.col("id") == id) | (pl.col("post_id") == id))
    if rows.height:
        return f"it is an example of the split {rows['split'][0]}"
    inside = pl.col("references").list.eval(pl.element().struct.field("id") == id).list.any()
    rows = frame.filter(inside)
    if rows.height:
        return f"it is a reference of example {rows['id'][0]}, split {rows['split'][0]}"
    rows = frame.filter((pl.col("kind") == "cloze") & pl.col("meta").str.contains(f'"{id}"', literal=True))
    place = f"example {rows['id'][0]}, split {rows['split'][0]}" if rows.height else ""
    return f"its question is a wrong choice of {place}" if place else None


def _find_saved(dataset: Artifact, id: str) -> list[dict[str, Any]]:
    path = dataset.path / "dropped.parquet"
    if not path.exists():
        return []
    # An item of two narratives is dropped under the name of the one that would have been shown.
    paired = (pl.col("stage") == "items") & pl.col("evidence").str.contains(f" of {id}, ", literal=True)
    wanted = (pl.col("id") == id) | (pl.col("post_id") == id) | paired
    return pl.read_parquet(path).filter(wanted).to_dicts()


def _find_again(workspace: Workspace, dataset: Artifact, id: str) -> list[dict[str, Any]]:
    """The decisions of one bucket, made once more; none for a dataset that no recipe made."""
    options = dict(dataset.manifest.options)
    recipe, corpus = options.pop("recipe", ""), options.pop("corpus", "")
    if recipe not in RECIPES:
        return []
    order = Order(recipe, corpus, dataset.manifest.name, find_recipe(recipe).options.parse(options), True)
    found = _find_thread(workspace, corpus, id)
    if found is None:
        return []
    post_id, bucket = found
    funnel = harvest_bucket(workspace.root, order, bucket).funnel
    decisions = [drop for drop in funnel.dropped if id in (drop.id, drop.post_id)]
    if not decisions and post_id != id:
        about_post = [drop for drop in funnel.dropped if drop.id == post_id]
        decisions = [replace(drop, evidence=f"its post {post_id}: {drop.evidence}") for drop in about_post]
    return [asdict(drop) for drop in decisions]


def _find_thread(workspace: Workspace, name: str, id: str) -> tuple[str, int] | None:
    """The post this id belongs to, and the bucket that holds the thread."""
    from heed.corpus.schema import bucket_of
    from heed.corpus.store import open_corpus

    try:
        corpus = open_corpus(workspace, name)
    except NotFoundError:
        return None
    if corpus.find("post", id).height:
        post_id = id
    elif (comment := corpus.find("comment", id)).height:
        post_id = comment["post_id"][0]
    else:
        return None
    return post_id, int(bucket_of(pl.Series([post_id]), corpus.bucket_count)[0])
