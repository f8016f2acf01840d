"""`heed ingest`: dump files in, the next snapshot of a corpus out.

Each file is read on its own into a part; finished parts survive a kill, so the next run reads only the rest.
"""

import hashlib
import shutil
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from heed.corpus.dumps import find_dumps, packing
from heed.corpus.ingest_options import IngestOptions
from heed.corpus.lock import corpus_lock
from heed.corpus.part import Task, make_part, read_part
from heed.corpus.pseudonyms import workspace_pseudonyms
from heed.corpus.search import subreddit_names
from heed.corpus.snapshot import Parts, write_snapshot
from heed.corpus.store import CORPORA, Corpus, open_corpus, snapshot_paths
from heed.corpus.takedown_list import read_takedowns
from heed.engine import local
from heed.errors import UserError
from heed.manifest import hash_file
from heed.workspace import Workspace

Progress = Callable[[int, int], None]


def ingest(
    places: Iterable[Path | str],
    options: IngestOptions,
    workspace: Workspace,
    on_progress: Progress | None = None,
) -> dict[str, Any]:
    """Add dumps to a corpus; the counts of the corpus and what became of each file."""
    started = time.perf_counter()
    wanted = _wanted(options)
    paths = find_dumps(places)
    for path in paths:
        packing(path)
    with corpus_lock(workspace, options.into):
        corpus, files = _ingest(paths, wanted, options, workspace, on_progress)
    counts = corpus.artifact.manifest.counts
    return {
        "corpus": corpus.name,
        "snapshot": corpus.artifact.path.name,
        **counts,
        "bytes": sum(entry["bytes"] for entry in files if entry["status"] == "read"),
        "seconds": round(time.perf_counter() - started, 3),
        "files": files,
        "remarks": [remark for entry in files for remark in entry["remarks"]],
    }


def _wanted(options: IngestOptions) -> frozenset[str] | None:
    if options.all and options.subreddits:
        raise UserError("--all and --subreddits exclude each other: give one of them.")
    if not options.all and not options.subreddits:
        raise UserError("Say what to keep: --subreddits a,b for some subreddits, --all for every one.")
    return None if options.all else subreddit_names(options.subreddits)


def _ingest(
    paths: list[Path],
    wanted: frozenset[str] | None,
    options: IngestOptions,
    workspace: Workspace,
    on_progress: Progress | None,
) -> tuple[Corpus, list[dict[str, Any]]]:
    corpus_folder = workspace.folder(CORPORA, options.into)
    previous = open_corpus(workspace, options.into) if snapshot_paths(corpus_folder) else None
    pseudonyms = workspace_pseudonyms(workspace)
    fixed: dict[str, Any] = {"buckets": options.buckets, "pseudonym_key": pseudonyms.fingerprint}
    if previous:
        fixed = _same_key(previous, pseudonyms.fingerprint)
    tasks = {}
    for path, sha256 in zip(paths, local.run(hash_file, paths, options.jobs, threads=True), strict=True):
        key = _part_key(sha256, wanted, options.longest_line)
        tasks[key] = Task(
            path=path,
            folder=corpus_folder / ".parts" / key,
            sha256=sha256,
            wanted=wanted,
            bucket_count=int(fixed["buckets"]),
            longest_line_bytes=options.longest_line,
            pseudonym_key=pseudonyms.key,
        )
    known = {entry["key"] for entry in previous.artifact.manifest.inputs} if previous else set()
    missing = [task for key, task in tasks.items() if key not in known and not read_part(task.folder)]
    # Unpacking runs in processes of its own; searching, parsing and writing leave the interpreter.
    local.run(make_part, missing, options.jobs, _summed(missing, on_progress), threads=True)
    parts = _finished_parts(tasks, known)
    if parts or previous is None:
        takedowns = read_takedowns(workspace)
        previous = write_snapshot(workspace, options.into, previous, parts, takedowns, fixed)
    shutil.rmtree(corpus_folder / ".parts", ignore_errors=True)
    return previous, _files(previous, tasks, known)


def _same_key(previous: Corpus, fingerprint: str) -> dict[str, Any]:
    """A corpus keeps its buckets, and one author must stay one pseudonym."""
    options = previous.artifact.manifest.options
    if options["pseudonym_key"] != fingerprint:
        raise UserError(
            f"The corpus '{previous.name}' was made with another pseudonym key ({options['pseudonym_key']}, "
            f"here {fingerprint}): put that key back into the secrets folder, or choose another --into."
        )
    return dict(options)


def _part_key(sha256: str, wanted: frozenset[str] | None, longest_line: int) -> str:
    selection = "*" if wanted is None else ",".join(sorted(wanted))
    return hashlib.sha256(f"{sha256} {selection} {longest_line}".encode()).hexdigest()[:24]


def _finished_parts(tasks: dict[str, Task], known: set[str]) -> Parts:
    parts: Parts = {}
    for key, task in tasks.items():
        part = read_part(task.folder) if key not in known else None
        if part:
            parts[key] = (task.folder, part)
    return parts


def _files(corpus: Corpus, tasks: dict[str, Task], known: set[str]) -> list[dict[str, Any]]:
    entries = {entry["key"]: entry for entry in corpus.artifact.manifest.inputs}
    return [{**entries[key], "status": "known" if key in known else "read"} for key in tasks]


def _summed(tasks: list[Task], on_progress: Progress | None) -> Callable[[int, Any], None] | None:
    """Turn the positions in single files into bytes done of all packed bytes."""
    if on_progress is None:
        return None
    total = sum(task.path.stat().st_size for task in tasks)
    positions = [0] * len(tasks)

    def listen(index: int, position: int) -> None:
        positions[index] = position
        on_progress(sum(positions), total)

    return listen
