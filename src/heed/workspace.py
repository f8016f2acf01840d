"""A workspace is a folder of artifacts; an artifact is a folder whose manifest was written last.

A draft is filled beside its final place and moved there in one step, so an artifact is whole or absent.
What changes while people work (accounts, judgments) is not here but in the database.
"""

import os
import shutil
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heed.errors import NotFoundError, UserError
from heed.manifest import MANIFEST_NAME, Manifest, hash_files

DEFAULT_WORKSPACE = Path("workspace")
WORKSPACE_VARIABLE = "HEED_WORKSPACE"
# This machine, in letters that a file name may have: a workspace may lie where several machines see it.
_HERE = "".join(sign if sign.isalnum() else "-" for sign in os.uname().nodename)


@dataclass(frozen=True)
class Artifact:
    """A finished folder and its manifest."""

    path: Path
    manifest: Manifest


@dataclass
class Draft:
    """An artifact in the making: fill `path`, then set what the manifest should say."""

    path: Path
    kind: str
    name: str
    options: dict[str, Any]
    inputs: list[dict[str, Any]]
    parents: list[dict[str, str]]
    counts: dict[str, Any]
    timings: dict[str, float]


class Workspace:
    """The folder that `--workspace` names."""

    def __init__(self, root: Path | str | None = None) -> None:
        self.root = Path(root or os.environ.get(WORKSPACE_VARIABLE) or DEFAULT_WORKSPACE)

    def folder(self, *parts: str) -> Path:
        """A folder inside the workspace, made when it is not there yet."""
        path = self.root.joinpath(*parts)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(
                f"The workspace {self.root} cannot be written ({error.strerror}): "
                f"choose another with --workspace or {WORKSPACE_VARIABLE}."
            ) from None
        if not os.access(path, os.W_OK):
            raise UserError(
                f"The workspace folder {path} cannot be written: "
                f"change its permissions or choose another with --workspace."
            )
        return path

    def artifacts(self) -> Iterator[Artifact]:
        """Every finished artifact, by path; drafts under dot folders are not artifacts."""
        for path in sorted(self.root.glob(f"**/{MANIFEST_NAME}")):
            if not any(part.startswith(".") for part in path.relative_to(self.root).parts):
                yield open_artifact(path.parent)

    @contextmanager
    def draft(self, place: Path, kind: str, name: str) -> Iterator[Draft]:
        """Fill a draft of `place`, a path inside the workspace; it appears there when the block ends well."""
        drafts = self.folder(".drafts")
        _remove_orphans(drafts)
        scratch = drafts / f"{_HERE}.{os.getpid()}.{uuid.uuid4().hex}"
        scratch.mkdir()
        draft = Draft(scratch, kind, name, {}, [], [], {}, {})
        started = time.perf_counter()
        try:
            yield draft
            draft.timings.setdefault("seconds", round(time.perf_counter() - started, 3))
            _finish(draft, place)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)


def _remove_orphans(drafts: Path) -> None:
    """What a killed process of this machine left half-made."""
    for scratch in drafts.glob(f"{_HERE}.*.*"):
        if not _is_running(int(scratch.name.split(".")[1])):
            shutil.rmtree(scratch, ignore_errors=True)


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def open_artifact(path: Path) -> Artifact:
    """The artifact in this folder, or a sentence that says what is missing."""
    try:
        return Artifact(path, Manifest.read(path / MANIFEST_NAME))
    except FileNotFoundError:
        raise NotFoundError(f"{path} is not a finished artifact: it has no {MANIFEST_NAME}.") from None


def _finish(draft: Draft, place: Path) -> None:
    manifest = Manifest.create(
        kind=draft.kind,
        name=draft.name,
        options=draft.options,
        inputs=draft.inputs,
        parents=draft.parents,
        counts=draft.counts,
        files=hash_files(draft.path),
        timings=draft.timings,
    )
    manifest.write(draft.path / MANIFEST_NAME)
    place.parent.mkdir(parents=True, exist_ok=True)
    draft.path.rename(place)
    sync_folder(place.parent)


def sync_folder(path: Path) -> None:
    """Make a rename inside this folder survive a power cut."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
