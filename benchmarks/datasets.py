"""The ratios that docs/datasets.md quotes, each measured against the straightforward way in the same run.

    python benchmarks/datasets.py pairing [COUNT]    exact and approximate pairing against a scipy product
    python benchmarks/datasets.py memory COUNT       peak memory of weighing and pairing so many narratives
    python benchmarks/datasets.py advice             the static build against a loop that tokenises every post

Narratives are recombined from real ones in ../shared/data where that is there, else from the sample threads.
"""

import resource
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
from narratives import SHARED, make_narratives, read_lines

from heed.corpus.schema import SCHEMAS
from heed.datasets import tokens
from heed.datasets.advice import RECIPE
from heed.datasets.advice_options import AdviceOptions
from heed.datasets.filters import Funnel
from heed.datasets.ngrams import weigh
from heed.datasets.pairing import Limits, pair_greedily
from heed.datasets.recipe import Bucket

LIMITS = Limits(0.1, 0.8)


def measure(name: str, function: Callable[[], Any]) -> tuple[float, Any]:
    started, worked = time.perf_counter(), time.process_time()
    result = function()
    seconds = time.perf_counter() - started
    print(f"{name}: {seconds:.1f} s ({time.process_time() - worked:.1f} s of processor time)", flush=True)
    return seconds, result


def multiply_with_scipy(matrix: Any, nearest: int = 16) -> None:
    """The straightforward way: blocks of the sparse product, then the nearest few of each row."""
    transposed = matrix.T.tocsr()
    for start in range(0, matrix.shape[0], 500):
        product = matrix[start : start + 500] @ transposed
        for row in range(product.shape[0]):
            values = product.data[product.indptr[row] : product.indptr[row + 1]]
            if len(values) > nearest:
                np.argpartition(values, -nearest)


def bench_pairing(count: int) -> None:
    _, weighted = measure("weigh", lambda: weigh(make_narratives(count), 50))
    matrix = weighted.matrix
    print(f"{count:,} narratives, {matrix.shape[1]:,} terms, {matrix.nnz / count:.0f} a narrative")
    straightforward, _ = measure("scipy", lambda: multiply_with_scipy(matrix.astype(np.float64)))
    near, approximate = measure("approximate", lambda: pair_greedily(matrix, LIMITS, approximate=True))
    print(f"approximate is {straightforward / near:.1f} times as fast as scipy")
    full, exact = measure("exact", lambda: pair_greedily(matrix, LIMITS))
    print(f"exact is {straightforward / full:.1f} times as fast as scipy")
    print(f"approximate keeps {approximate.similarity.sum() / exact.similarity.sum():.4f} of the similarity")


def bench_memory(count: int) -> None:
    narratives = make_narratives(count)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    _, weighted = measure("weigh", lambda: weigh(narratives, 50))
    weighing = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    measure("pair", lambda: pair_greedily(weighted.matrix, LIMITS, approximate=True))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sizes = [f"{size / 2**20:.2f}" for size in (before, weighing, peak)]
    print(f"{count:,} narratives: texts {sizes[0]}, weighing {sizes[1]}, peak {sizes[2]} GiB", flush=True)


def bench_advice() -> None:
    """Everything the static build does, with and without a token count of every post and comment."""
    bucket = read_college() if SHARED.is_dir() else None
    if bucket is None:
        raise SystemExit("needs the real data in ../shared/data, which is not here")
    names = bucket.posts["subreddit"].unique().to_list()
    options = AdviceOptions.parse({"subreddits": names})
    slow, expected = measure("loop that tokenises", lambda: build_obviously(bucket, options))
    fast, found = measure("static build", lambda: RECIPE.harvest(bucket, options, Funnel()))
    assert [pair[0] for pair in found.examples] == expected, "the two builds differ"
    print(f"the static build is {slow / fast:.1f} times as fast, same {len(expected):,} rows")


def build_obviously(bucket: Bucket, options: AdviceOptions) -> list[Any]:
    """Tokenise each post first, as the papers' code does, then apply the same filters."""
    for title, text in bucket.posts.select("title", "text").iter_rows():
        tokens.count_tokens(f"{title}\n\n{text}")
    return [example for example, _ in RECIPE.harvest(bucket, options, Funnel()).examples]


def read_college() -> Bucket:
    """The college threads as one bucket: enough of the columns for the recipe, defaults for the rest."""
    folder = SHARED / "reddit_college"
    same = {"id": "id", "subreddit": "subreddit", "score": "score", "created_utc": "created"}
    posts = [
        {**{new: line[old] for old, new in same.items()}, "title": line["title"], "text": line["selftext"]}
        for line in read_lines(folder / "RS_college.zst")
    ]
    comments = [
        {**{new: line[old] for old, new in same.items()}, "text": line["body"], **_find_parents(line)}
        for line in read_lines(folder / "RC_college.zst")
    ]
    return Bucket(_fill(posts, "post"), _fill(comments, "comment"))


def _find_parents(line: dict[str, Any]) -> dict[str, Any]:
    parent = line["parent_id"]
    return {"post_id": line["link_id"][3:], "parent_id": None if parent.startswith("t3_") else parent[3:]}


def _fill(rows: list[dict[str, Any]], kind: Any) -> pl.DataFrame:
    flags = {name: pl.lit(name == "is_self") for name, kept in SCHEMAS[kind].items() if kept == pl.Boolean}
    frame = pl.DataFrame(rows, schema_overrides={n: t for n, t in SCHEMAS[kind].items() if n in rows[0]})
    missing = {n: pl.lit(None, dtype=t) for n, t in SCHEMAS[kind].items() if n not in rows[0]}
    filled = frame.with_columns(**{**missing, **flags, "state": pl.lit("present"), "role": pl.lit("user")})
    return filled.select(list(SCHEMAS[kind]))


if __name__ == "__main__":
    what, *numbers = sys.argv[1:] or ["pairing"]
    count = int(numbers[0]) if numbers else 60_000
    {"pairing": lambda: bench_pairing(count), "memory": lambda: bench_memory(count), "advice": bench_advice}[
        what
    ]()
