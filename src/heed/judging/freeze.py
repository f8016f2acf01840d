"""Judgments out of the database: frozen, as the artifact that reports and training read, or as a file."""

import json
from pathlib import Path
from typing import Any

from heed.errors import UserError
from heed.judging.edits import describe_edit
from heed.judging.origins import Decodings, decoded, machine_scores, read_decodings
from heed.judging.protocols.protocol import Protocol
from heed.judging.protocols.table import find_protocol
from heed.records import Judgment
from heed.statistics.frozen import FILE_NAME, write_judgments
from heed.store.bars import list_writers
from heed.store.database import Database
from heed.store.judgments import read_judgments
from heed.store.studies import Study, count_study
from heed.workspace import Artifact, Workspace, open_artifact

FORMATS = (".jsonl", ".parquet")


def freeze_study(workspace: Workspace, database: Database, study: Study, into: str) -> Artifact:
    """The newest revision of every judgment that counts, with texts, as an artifact of kind judgments."""
    place = workspace.root / "judgments" / into
    if place.exists():
        raise UserError(f"There are judgments '{into}' already: choose another name.")
    judgments = frozen_judgments(database, study, read_decodings(workspace, study.parents))
    if not judgments:
        raise UserError(f"Study '{study.name}' has no judgments yet.")
    with workspace.draft(place, "judgments", into) as draft:
        write_judgments(judgments, draft.path / FILE_NAME)
        draft.options = {"study": study.name, "protocol": study.protocol}
        draft.parents = list(study.parents)
        kinds = sorted({judgment.kind for judgment in judgments})
        counts = {kind: sum(judgment.kind == kind for judgment in judgments) for kind in kinds}
        workers = len({judgment.worker for judgment in judgments})
        wanted = count_study(database, study)["labels_wanted"]
        draft.counts = {"judgments": len(judgments), "wanted": wanted, "workers": workers, "kinds": counts}
    return open_artifact(place)


def export_study(database: Database, study: Study, path: Path, every_revision: bool = False) -> int:
    """One row per judgment, as JSON lines or Parquet by the ending of the name."""
    if path.suffix not in FORMATS:
        raise UserError(f"{path.name} ends in neither of {', '.join(FORMATS)}, which are the known formats.")
    rows = _rows(database, study, every_revision)
    if not rows:
        raise UserError(f"Study '{study.name}' has no judgments yet.")
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    else:
        import polars as pl

        pl.DataFrame(rows, infer_schema_length=None).write_parquet(path)
    return len(rows)


def frozen_judgments(database: Database, study: Study, decodings: Decodings | None = None) -> list[Judgment]:
    rows = _rows(database, study)
    scores = machine_scores(rows)
    for row in rows:
        row["scores"] = json.dumps(scores.get(row["item"], {}), ensure_ascii=False, sort_keys=True)
        row.update(decoded(row, decodings or {}))
    return [Judgment(**{name: row[name] for name in Judgment.__slots__}) for row in rows]


def _rows(database: Database, study: Study, every_revision: bool = False) -> list[dict[str, Any]]:
    protocol, writers = find_protocol(study.protocol), list_writers(database, study.id)
    found = read_judgments(database, study, every_revision)
    return [_row(study, protocol, row, describe_edit(row, writers)) for row in found]


def _row(study: Study, protocol: Protocol, row: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    answers = json.loads(row["answers"]) | more
    # A machine fills in no form: what it said needs no turning.
    answers = answers if row["kind"] == "machine" else protocol.to_frozen(answers, row["first"])
    title, text, position = row.pop("title"), row["situation"], row.pop("position")
    return {
        **row,
        "study": study.name,
        "protocol": protocol.frozen_as or protocol.name,
        "situation": f"{title}\n\n{text}" if title else text,
        "answers": json.dumps(answers, ensure_ascii=False, sort_keys=True),
        "scores": "{}",
        "shown_first": row["first"] if row["policy_b"] is not None else "none",
        "instruction_version": row["instructions"],
        "batch": position // study.options["batch"] if row["purpose"] == "anchor" else None,
    }
