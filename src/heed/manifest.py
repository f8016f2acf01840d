"""The manifest: what an artifact is, what it was made from, and the hash that says it is still that.

Read and written here and nowhere else. Timings and times of day lie outside the content hash.
"""

import hashlib
import os
import time
from pathlib import Path
from typing import Any, Self

import msgspec

from heed import __version__
from heed.errors import UnreadableError

MANIFEST_NAME = "manifest.json"
# A file of this name may lie in an artifact without being part of its content.
TIMINGS_NAME = "timings.parquet"
_HASH_PIECE = 1 << 22


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """Everything but `version`, `created`, `timings` and the inputs' paths goes into `content_hash`."""

    kind: str
    name: str
    options: dict[str, Any]
    inputs: list[dict[str, Any]]
    parents: list[dict[str, str]]
    counts: dict[str, Any]
    files: dict[str, str]
    content_hash: str
    version: str
    created: str
    timings: dict[str, float]
    notes: list[dict[str, Any]] = []
    """What happened to the artifact afterwards, such as an erasure."""

    @classmethod
    def create(cls, *, timings: dict[str, float], **content: Any) -> Self:
        return cls(
            **content,
            content_hash=hash_content(content),
            version=__version__,
            created=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            timings=timings,
        )

    @classmethod
    def read(cls, path: Path) -> Self:
        try:
            return msgspec.json.decode(path.read_bytes(), type=cls)
        except msgspec.DecodeError as error:
            raise UnreadableError(f"{path} is not a manifest that Heed wrote: {error}.") from None

    def write(self, path: Path) -> None:
        write_atomically(path, msgspec.json.format(msgspec.json.encode(self), indent=2) + b"\n")

    def revised(self, *, files: dict[str, str], counts: dict[str, Any], note: dict[str, Any]) -> Self:
        """The manifest after bytes were erased: new files, counts and hash, and a note that says so."""
        content = {
            "kind": self.kind,
            "name": self.name,
            "options": self.options,
            "inputs": self.inputs,
            "parents": self.parents,
            "counts": counts,
            "files": files,
        }
        note = {**note, "hash_before": self.content_hash}
        return msgspec.structs.replace(
            self, files=files, counts=counts, content_hash=hash_content(content), notes=[*self.notes, note]
        )


def hash_content(content: dict[str, Any]) -> str:
    """SHA-256 over the canonical JSON of what makes an artifact this one and no other."""
    inputs = [{k: v for k, v in entry.items() if k != "path"} for entry in content["inputs"]]
    canonical = msgspec.json.encode({**content, "inputs": inputs}, order="sorted")
    return hashlib.sha256(canonical).hexdigest()


def hash_file(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while piece := stream.read(_HASH_PIECE):
            digest.update(piece)
    return digest.hexdigest()


def hash_files(folder: Path) -> dict[str, str]:
    """Every file below the folder but the manifest and the timings, by its path inside."""
    outside = (MANIFEST_NAME, TIMINGS_NAME)
    paths = sorted(p for p in folder.rglob("*") if p.is_file() and p.name not in outside)
    return {path.relative_to(folder).as_posix(): hash_file(path) for path in paths}


def write_atomically(path: Path, data: bytes) -> None:
    """The file has the old bytes or the new ones, never half of them."""
    scratch = path.with_name(f".{path.name}.{os.getpid()}")
    with scratch.open("wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    scratch.replace(path)
