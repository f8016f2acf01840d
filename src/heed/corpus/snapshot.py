"""Merges the parts of an ingest, and the snapshot before it, into the next snapshot of a corpus.

The result depends on what the parts hold, never on the order in which they were finished. A bucket that only
one source fills is linked, not written again.
"""

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pyarrow.parquet as pq

from heed.corpus.bucket_writer import COMPRESSION, COMPRESSION_LEVEL
from heed.corpus.part import QUARANTINE_NAME
from heed.corpus.part_summary import Part, Parts
from heed.corpus.schema import FOLDERS, THREAD_COLUMN, bucket_name
from heed.corpus.store import CORPORA, Corpus, open_corpus
from heed.corpus.takedown_list import TakedownList
from heed.records import Kind
from heed.workspace import Draft, Workspace

KINDS: tuple[Kind, ...] = ("post", "comment")
# Rows per row group of a merged bucket: about 8 MB of text.
_ROW_GROUP_ROWS = 16_384


def write_snapshot(
    workspace: Workspace,
    name: str,
    previous: Corpus | None,
    parts: Parts,
    takedowns: TakedownList,
    options: dict[str, Any],
) -> Corpus:
    """The next snapshot: what the previous one held and what the parts (by key) add."""
    place = workspace.root / CORPORA / name / _next_number(previous)
    with workspace.draft(place, "corpus", name) as draft:
        tally: Counter[str] = Counter()
        for kind in KINDS:
            for bucket in range(int(options["buckets"])):
                sources = _sources(previous, parts, kind, bucket)
                tally += _merge(sources, draft.path / FOLDERS[kind] / bucket_name(bucket), kind, takedowns)
        _describe(draft, previous, parts, tally)
        draft.options.update(options)
    return open_corpus(workspace, name)


def _next_number(previous: Corpus | None) -> str:
    return f"{int(previous.artifact.path.name) + 1 if previous else 1:04d}"


def _sources(previous: Corpus | None, parts: Parts, kind: Kind, bucket: int) -> list[Path]:
    folders = [previous.artifact.path] if previous else []
    folders += [folder for _, (folder, _) in sorted(parts.items())]
    paths = [folder / FOLDERS[kind] / bucket_name(bucket) for folder in folders]
    return [path for path in paths if path.exists()]


def _merge(sources: list[Path], target: Path, kind: Kind, takedowns: TakedownList) -> Counter[str]:
    """Write one bucket; how many rows it has, and how many were copies or taken down."""
    if not sources:
        return Counter()
    target.parent.mkdir(parents=True, exist_ok=True)
    if len(sources) == 1 and (total := _rows_that_all_stay(sources[0], kind, takedowns)):
        link(sources[0], target)
        return Counter({kind: total})
    rows = pl.scan_parquet(sources)
    taken, total = rows.select(takedowns.matches(kind).sum(), total=pl.len()).collect().row(0)
    kept = one_of_each(rows.filter(~takedowns.matches(kind))).collect()
    write_bucket(kept, target)
    copies = total - taken - len(kept)
    return Counter({kind: len(kept), "duplicates": copies, f"taken_down_{kind}": taken})


def _rows_that_all_stay(source: Path, kind: Kind, takedowns: TakedownList) -> int:
    """How many rows a file has, when none is a copy and none was taken down; else 0."""
    names = {"id", "author", THREAD_COLUMN[kind]} if takedowns else {"id"}
    rows = pl.DataFrame(pq.ParquetFile(source).read(columns=sorted(names), use_threads=False))
    if rows["id"].n_unique() < len(rows) or (takedowns and rows.select(takedowns.matches(kind).any()).item()):
        return 0
    return len(rows)


def one_of_each(rows: pl.LazyFrame) -> pl.LazyFrame:
    """Of several copies the one retrieved last; then the greatest file hash, then the greatest line."""
    order = [pl.col("retrieved").fill_null(-1), pl.col("file"), pl.col("line")]
    ranked = rows.sort("id", *order, descending=[False, True, True, True])
    return ranked.unique("id", keep="first", maintain_order=True)


def write_bucket(rows: pl.DataFrame, target: Path) -> None:
    """An empty bucket is no file."""
    target.unlink(missing_ok=True)
    if len(rows):
        scratch = target.with_suffix(".writing")
        rows.write_parquet(
            scratch,
            compression=COMPRESSION,
            compression_level=COMPRESSION_LEVEL,
            row_group_size=_ROW_GROUP_ROWS,
        )
        scratch.replace(target)


def link(source: Path, target: Path) -> None:
    """The same bytes in a second place, without a copy where the file system allows."""
    try:
        target.hardlink_to(source)
    except OSError:
        shutil.copy2(source, target)


def _describe(draft: Draft, previous: Corpus | None, parts: Parts, tally: Counter[str]) -> None:
    before = previous.artifact.manifest if previous else None
    draft.parents = [{"kind": "corpus", "name": draft.name, "hash": before.content_hash}] if before else []
    new = [_input(key, part) for key, (_, part) in parts.items()]
    draft.inputs = sorted((before.inputs if before else []) + new, key=lambda entry: entry["key"])
    draft.counts = _counts(draft.inputs, before.counts if before else {}, tally)
    bad = _bad_lines(previous, parts)
    if bad:
        (draft.path / QUARANTINE_NAME).write_bytes(b"".join(bad))


def _input(key: str, part: Part) -> dict[str, Any]:
    return {"key": key, "name": Path(part.path).name, **msgspec.to_builtins(part)}


def _counts(inputs: list[dict[str, Any]], before: dict[str, Any], tally: Counter[str]) -> dict[str, Any]:
    """Every line read is in exactly one of these counts."""
    reasons: Counter[str] = Counter()
    for entry in inputs:
        reasons.update(entry["reasons"])
    taken_down = Counter(before.get("taken_down", {}))
    taken_down.update({FOLDERS[kind]: tally[f"taken_down_{kind}"] for kind in KINDS})
    sums = {key: sum(entry[key] for entry in inputs) for key in ("lines", "other_subreddits", "blank")}
    return {
        "posts": tally["post"],
        "comments": tally["comment"],
        "quarantined": sum(reasons.values()),
        "reasons": dict(sorted(reasons.items())),
        **sums,
        "duplicates": before.get("duplicates", 0) + tally["duplicates"],
        "taken_down": dict(taken_down),
    }


def _bad_lines(previous: Corpus | None, parts: Parts) -> list[bytes]:
    folders = [previous.artifact.path] if previous else []
    folders += [folder for folder, _ in parts.values()]
    files = [folder / QUARANTINE_NAME for folder in folders]
    lines = [line for file in files if file.exists() for line in file.read_bytes().splitlines(keepends=True)]
    return sorted(lines, key=_file_and_line)


def _file_and_line(line: bytes) -> tuple[str, int]:
    entry = msgspec.json.decode(line)
    return entry["file"], entry["line"]
