"""What people already have, as datasets: a published benchmark, or anybody's prompts and outputs.

Rows are taken as they stand; cleaning and filtering is `heed build`. The table below is the whole registry.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from heed.datasets.build import new_place, write_dataset
from heed.datasets.card import About
from heed.datasets.filters import Funnel
from heed.datasets.news import find_split, read_news
from heed.datasets.recipe import Built
from heed.datasets.tables import need_columns, read_table
from heed.errors import UserError
from heed.manifest import hash_file
from heed.records import Example, Reference
from heed.workspace import Artifact, Workspace, open_artifact

RESPONSES_NAME = "responses.parquet"
_LIMITS = ("Imported as it stood: Heed has filtered nothing but rows it could not use.",)


@dataclass(frozen=True)
class Columns:
    """Which columns hold what: several response columns, each named after its policy, or one with a policy
    column beside it."""

    prompt: str = "prompt"
    responses: tuple[str, ...] = ("response",)
    policy: str | None = None
    id: str | None = None


def import_files(workspace: Workspace, kind: str, paths: list[Path], into: str) -> Artifact:
    """ "asq" (JSON), "tldr" (JSONL) or "news" (JSONL, CSV, Parquet) as a dataset."""
    if kind not in READERS:
        raise UserError(f"There is no import '{kind}': known are {', '.join(READERS)}, pairs.")
    return _write(workspace, kind, paths, into, list(READERS[kind](paths)))


def import_pairs(workspace: Workspace, paths: list[Path], into: str, columns: Columns) -> Artifact:
    """Prompts as examples, and every response with its policy in responses.parquet beside them."""
    rows = [row for path in paths for row in _read_pairs(path, columns)]
    responses = pl.DataFrame(
        [(_hash(prompt, id), policy, text) for id, prompt, policy, text in rows],
        schema={"example_id": pl.String, "policy": pl.String, "text": pl.String},
        orient="row",
    ).unique(maintain_order=True)
    prompts = {_hash(prompt, id): prompt for id, prompt, _, _ in rows}
    examples = [Example(id, "pairs", "test", "", "pairs", None, "", text) for id, text in prompts.items()]
    return _write(workspace, "pairs", paths, into, examples, responses.sort("example_id", "policy", "text"))


def _write(
    workspace: Workspace,
    kind: str,
    paths: list[Path],
    into: str,
    examples: list[Example],
    responses: pl.DataFrame | None = None,
) -> Artifact:
    place, funnel = new_place(workspace, into), Funnel(keep=True)
    usable = _drop_unusable(examples, funnel)
    if not usable:
        raise UserError(f"None of the {len(examples)} rows can be used: {funnel.worst()[0][0]}.")
    with workspace.draft(place, "dataset", into) as draft:
        draft.options = {"import": kind}
        draft.inputs = [{"path": str(p), "name": p.name, "sha256": hash_file(p)} for p in paths]
        reports: dict[str, Any] = {}
        if responses is not None:
            responses.write_parquet(draft.path / RESPONSES_NAME)
            reports["Responses by policy"] = dict(sorted(Counter(responses["policy"]).items()))
        names = ", ".join(f"`{path.name}`" for path in paths)
        write_dataset(
            draft, About(f"Imported {kind}", f"From {names}.", _LIMITS), Built(usable, reports), funnel
        )
    return open_artifact(place)


def _drop_unusable(examples: list[Example], funnel: Funnel) -> list[Example]:
    kept: dict[str, Example] = {}
    for number, example in enumerate(examples, start=1):
        funnel.enter("row")
        if not example.text.strip():
            funnel.drop("row", "empty text", example.id, example.id, f"row {number}")
        elif example.id in kept:
            funnel.drop("row", "id seen before", example.id, example.id, f"row {number}")
        else:
            kept[example.id] = example
    return list(kept.values())


def _read_asq(paths: list[Path]) -> Iterator[Example]:
    for path in paths:
        frame = read_table(path)
        need_columns(frame, ["id", "narrative", "qn1", "qn2", "label"], path)
        split = find_split(path) if "train" in path.stem else "heldout" if "heldout" in path.stem else "test"
        for row in frame.iter_rows(named=True):
            label, choices = int(row["label"]), (row["qn1"], row["qn2"])
            if label not in (0, 1):
                raise UserError(f"{path}: item {row['id']} has label {row['label']}; 0 or 1 should be there.")
            truth = (Reference(choices[label], None, row["id"], None),)
            yield Example(
                row["id"],
                "cloze",
                split,
                "Advice",
                "cloze",
                None,
                "",
                row["narrative"],
                truth,
                choices,
                label,
                row["id"],
            )


def _read_tldr(paths: list[Path]) -> Iterator[Example]:
    for path in paths:
        frame = read_table(path)
        need_columns(frame, ["id", "subreddit", "title", "post", "summary"], path)
        for row in frame.iter_rows(named=True):
            summary = (row["summary"] or "").strip()
            references = (Reference(summary, None, row["id"], None),) if summary else ()
            yield Example(
                id=row["id"],
                kind="tldr",
                split=find_split(path),
                subreddit=row["subreddit"],
                domain="tldr",
                created=None,
                title=row["title"] or "",
                text=(row["post"] or "").strip(),
                references=references,
                post_id=row["id"],
            )


def _read_pairs(path: Path, columns: Columns) -> Iterator[tuple[str | None, str, str, str]]:
    """(id, prompt, policy, response) of every response that is there."""
    frame = read_table(path)
    optional = [name for name in (columns.policy, columns.id) if name]
    need_columns(frame, [columns.prompt, *columns.responses, *optional], path)
    if columns.policy and len(columns.responses) > 1:
        raise UserError("With a policy column there is one response column: give --response once.")
    for row in frame.iter_rows(named=True):
        for name in columns.responses:
            policy = str(row[columns.policy]) if columns.policy else name
            if row[columns.prompt] and row[name] is not None:
                id = str(row[columns.id]) if columns.id else None
                yield id, _as_text(row[columns.prompt]), policy, _as_text(row[name])


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _hash(prompt: str, id: str | None) -> str:
    return id or hashlib.sha256(prompt.encode()).hexdigest()[:16]


READERS: dict[str, Callable[[list[Path]], Iterator[Example]]] = {
    "asq": _read_asq,
    "tldr": _read_tldr,
    "news": read_news,
}
