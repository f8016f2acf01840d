"""`heed explain`: why one post, comment or line is in a corpus or not.

Looks first at what Heed has kept and noted; what is nowhere there is looked up in the dumps themselves and
judged again by the same rules.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import polars as pl

from heed.corpus.blocks import Block, Blocks
from heed.corpus.lines import REASONS, kind_or_reason, parse
from heed.corpus.part import QUARANTINE_NAME
from heed.corpus.schema import FOLDERS
from heed.corpus.search import LineSearch
from heed.corpus.store import Corpus, open_corpora, open_corpus
from heed.corpus.takedown_list import read_takedowns
from heed.errors import NotFoundError, UserError
from heed.records import Kind
from heed.workspace import Workspace

_FILE_AND_LINE = re.compile(r"^(?P<file>.+):(?P<line>\d+)$")
_KINDS: dict[str, list[Kind]] = {"t3": ["post"], "t1": ["comment"], "": ["post", "comment"]}
_RECORD_ID = re.compile(r"^(?:(?P<prefix>t[13])_)?(?P<id>[0-9a-z]+)$", re.IGNORECASE)


def explain(record: str, workspace: Workspace, corpus: str | None = None) -> dict[str, Any]:
    """The verdict on an id (t3_…, t1_…, bare) or on FILE:LINE, with evidence, in every corpus or in one."""
    corpora = [open_corpus(workspace, corpus)] if corpus else list(open_corpora(workspace))
    if not corpora:
        raise NotFoundError(f"There is no corpus in {workspace.root} yet: make one with heed ingest.")
    if place := _FILE_AND_LINE.match(record):
        verdicts = [_explain_line(place["file"], int(place["line"]), each) for each in corpora]
    elif match := _RECORD_ID.match(record):
        verdicts = [_explain_id(match, each, workspace) for each in corpora]
    else:
        raise UserError(f"'{record}' is neither an id (t3_abc, t1_def, abc) nor FILE:LINE.")
    return {
        "record": record,
        "verdicts": [{"corpus": c.name, **v} for c, v in zip(corpora, verdicts, strict=True)],
    }


def _explain_id(match: re.Match[str], corpus: Corpus, workspace: Workspace) -> dict[str, Any]:
    record_id = match["id"].lower()
    for kind in _KINDS[(match["prefix"] or "").lower()]:
        found = corpus.find(kind, record_id)
        if len(found):
            return _kept(kind, found.row(0, named=True), corpus)
    takedowns = read_takedowns(workspace)
    if record_id in takedowns.posts | takedowns.comments:
        return {"verdict": "taken_down", "because": "it is on the workspace's takedown list"}
    for entry in corpus.artifact.manifest.inputs:
        for line in _lines_with_id(Path(entry["path"]), record_id):
            verdict = _judge(line, entry, record_id)
            if verdict:
                return verdict
    return {"verdict": "unknown", "because": _where_looked(corpus)}


def _kept(kind: Kind, row: dict[str, Any], corpus: Corpus) -> dict[str, Any]:
    names = {entry["sha256"][:16]: entry["name"] for entry in corpus.artifact.manifest.inputs}
    evidence = {key: row[key] for key in ("subreddit", "role", "state", "score", "retrieved")}
    place = f"{names.get(row['file'], row['file'])}, line {row['line']:,}"
    return {
        "verdict": "kept",
        "because": f"it is among the {FOLDERS[kind]} of r/{row['subreddit']}, read from {place}",
        "evidence": evidence,
    }


def _lines_with_id(path: Path, record_id: str) -> Iterator[bytes]:
    """The lines of a dump, where it still lies where it was read, that have this id under some "id"."""
    if not path.exists():
        return
    search = LineSearch("id", [record_id, f"t1_{record_id}", f"t3_{record_id}"])
    for block in Blocks(path, longest_line_bytes=1 << 30):
        if isinstance(block, Block):
            yield from (line for _, line in search.lines(block))


def _judge(line: bytes, entry: dict[str, Any], record_id: str) -> dict[str, Any] | None:
    """What the rules say of one line; None when it turns out to be about something else."""
    raw, bad = parse(line, [1])
    name, wanted = entry["name"], entry["wanted"]
    if bad:
        return {"verdict": "quarantined", "because": f"{REASONS[bad[0][1]]} ({name})", "reason": bad[0][1]}
    row = raw.with_columns(kind=kind_or_reason()).row(0, named=True)
    if str(row["id"]).lower().split("_")[-1] != record_id:
        return None
    if row["kind"] in REASONS:
        return {
            "verdict": "quarantined",
            "because": f"{REASONS[row['kind']]} ({name})",
            "reason": row["kind"],
        }
    if wanted is not None and row["subreddit"].lower() not in wanted:
        because = (
            f"{name} has it in r/{row['subreddit']}, and of that file only {', '.join(wanted)} were kept"
        )
        return {"verdict": "not_wanted", "because": because}
    return {"verdict": "replaced", "because": f"{name} has it, but another copy, retrieved later, was kept"}


def _explain_line(file: str, number: int, corpus: Corpus) -> dict[str, Any]:
    """By the name or path of a dump and a line number."""
    entries = [e for e in corpus.artifact.manifest.inputs if file in (e["name"], e["path"], e["sha256"][:16])]
    if not entries:
        names = ", ".join(entry["name"] for entry in corpus.artifact.manifest.inputs)
        return {"verdict": "unknown", "because": f"no file {file} was read; there are {names}"}
    entry = entries[-1]
    noted = _noted(corpus, entry["sha256"][:16], number)
    if noted:
        return {"verdict": "quarantined", "because": REASONS[noted], "reason": noted}
    if not 1 <= number <= entry["lines"]:
        return {"verdict": "unknown", "because": f"{entry['name']} has {entry['lines']:,} lines"}
    for kind, folder in FOLDERS.items():
        rows = _rows_from(corpus.artifact.path / folder, entry["sha256"][:16], number)
        if rows:
            return _kept(kind, rows[0], corpus)
    return {"verdict": "not_kept", "because": _why_not_kept(entry)}


def _why_not_kept(entry: dict[str, Any]) -> str:
    if entry["wanted"] is None:
        return "it is blank, was taken down, or another copy of it, retrieved later, was kept"
    return f"of {entry['name']} only {', '.join(entry['wanted'])} were kept, or another copy of it was"


def _noted(corpus: Corpus, file: str, number: int) -> str | None:
    path = corpus.artifact.path / QUARANTINE_NAME
    lines = path.read_bytes().splitlines() if path.exists() else []
    entries = (msgspec.json.decode(line) for line in lines)
    return next((e["reason"] for e in entries if (e["file"], e["line"]) == (file, number)), None)


def _rows_from(folder: Path, file: str, number: int) -> list[dict[str, Any]]:
    if not folder.exists():
        return []
    here = (pl.col("file") == file) & (pl.col("line") == number)
    return pl.scan_parquet(folder / "*.parquet").filter(here).collect().to_dicts()


def _where_looked(corpus: Corpus) -> str:
    inputs = corpus.artifact.manifest.inputs
    gone = [entry["name"] for entry in inputs if not Path(entry["path"]).exists()]
    missing = f"; not there any more: {', '.join(gone)}" if gone else ""
    return f"it is neither in the corpus nor in the {len(inputs) - len(gone)} dumps it was read from{missing}"
