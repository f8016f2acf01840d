"""`heed trace`: from an artifact or a record back to the dump file and line it came from."""

import re
from typing import Any

from heed.corpus.schema import FOLDERS
from heed.corpus.store import open_corpora
from heed.errors import NotFoundError
from heed.records import Kind
from heed.workspace import Artifact, Workspace

_PREFIXED = re.compile(r"^t([13])_(\w+)$", re.IGNORECASE)
_KINDS: dict[str, Kind] = {"3": "post", "1": "comment"}


def trace(what: str, workspace: Workspace) -> dict[str, Any]:
    """The lineage of an artifact (its name, kind/name or hash) or of a post or comment (its id)."""
    artifacts = list(workspace.artifacts())
    named = [artifact for artifact in artifacts if _is_called(artifact, what)]
    if named:
        return {"traced": what, "artifact": _lineage(named[-1], artifacts)}
    places = _places(what, workspace)
    if places:
        return {"traced": what, "records": places}
    known = ", ".join(sorted({f"{a.manifest.kind}/{a.manifest.name}" for a in artifacts})) or "none"
    raise NotFoundError(
        f"Nothing in {workspace.root} is called '{what}': it is no artifact (there: {known}) and no post or "
        f"comment of any corpus. Try heed explain {what}."
    )


def _is_called(artifact: Artifact, what: str) -> bool:
    manifest = artifact.manifest
    hashes = [manifest.content_hash, *(note.get("hash_before", "") for note in manifest.notes)]
    by_hash = len(what) >= 8 and any(value.startswith(what) for value in hashes)
    return what in (manifest.name, f"{manifest.kind}/{manifest.name}") or by_hash


def _lineage(artifact: Artifact, artifacts: list[Artifact]) -> dict[str, Any]:
    manifest = artifact.manifest
    parents = [_parent(parent, artifacts) for parent in manifest.parents]
    return {
        "kind": manifest.kind,
        "name": manifest.name,
        "hash": manifest.content_hash,
        "path": str(artifact.path),
        "made": manifest.created,
        "version": manifest.version,
        "counts": {key: value for key, value in manifest.counts.items() if isinstance(value, int)},
        "notes": manifest.notes,
        "files": [_file(entry) for entry in manifest.inputs],
        "parents": parents,
    }


def _file(entry: dict[str, Any]) -> dict[str, Any]:
    return {key: entry.get(key) for key in ("name", "path", "sha256", "lines")}


def _parent(parent: dict[str, str], artifacts: list[Artifact]) -> dict[str, Any]:
    for artifact in artifacts:
        if _is_called(artifact, parent["hash"]):
            return _lineage(artifact, artifacts)
    return {**parent, "missing": True}


def _places(what: str, workspace: Workspace) -> list[dict[str, Any]]:
    match = _PREFIXED.match(what)
    kinds: list[Kind] = [_KINDS[match[1]]] if match else ["post", "comment"]
    record_id = (match[2] if match else what).lower()
    places = []
    for corpus in open_corpora(workspace):
        files = {entry["sha256"][:16]: entry for entry in corpus.artifact.manifest.inputs}
        for kind in kinds:
            for row in corpus.find(kind, record_id).to_dicts():
                entry = files.get(row["file"], {})
                places.append(
                    {
                        "kind": kind,
                        "id": record_id,
                        "corpus": corpus.name,
                        "snapshot": corpus.artifact.path.name,
                        "snapshot_hash": corpus.artifact.manifest.content_hash,
                        "table": FOLDERS[kind],
                        "file": _file(entry),
                        "line": row["line"],
                    }
                )
    return places
