"""`heed ingest`: dump files in, the next snapshot of a corpus out.

Each file is read on its own into a part; finished parts survive a kill, so the next run reads only the rest.
"""

import shutil
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from heed.corpus.dumps import find_dumps, packing
from heed.corpus.ingest_options import IngestOptions
from heed.corpus.known import known_keys
from heed.corpus.lock import corpus_lock
from heed.corpus.part import Task, make_part
from heed.corpus.part_summary import finished_parts
from heed.corpus.pseudonyms import workspace_pseudonyms
from heed.corpus.search import subreddit_names
from heed.corpus.snapshot import write_snapshot
from heed.corpus.store import CORPORA, Corpus, open_corpus, snapshot_paths
from heed.corpus.takedown_list import read_takedowns
from heed.engine import local
from heed.errors import UserError
from heed.workspace import Workspace

Progress = Callable[[int, int], None]
# Where the parts of files wait until the snapshot has them all.
_PARTS = ".parts"


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
    tasks = [
        Task(
            path=path,
            parts=corpus_folder / _PARTS,
            wanted=wanted,
            bucket_count=int(fixed["buckets"]),
            longest_line_bytes=options.longest_line,
            pseudonym_key=pseudonyms.key,
        )
        for path in paths
    ]
    inputs = previous.artifact.manifest.inputs if previous else []
    known = {entry["key"]: int(entry["packed_bytes"]) for entry in inputs}
    keys = _read_the_new(tasks, known, options.jobs, on_progress)
    finished = finished_parts(corpus_folder / _PARTS)
    parts = {key: finished[key] for key in keys if key not in known}
    if parts or previous is None:
        takedowns = read_takedowns(workspace)
        previous = write_snapshot(workspace, options.into, previous, parts, takedowns, fixed)
    shutil.rmtree(corpus_folder / _PARTS, ignore_errors=True)
    return previous, _files(previous, keys, known)


def _read_the_new(
    tasks: list[Task], known: dict[str, int], jobs: int | None, on_progress: Progress | None
) -> list[str]:
    """Read every file that was not read before; the keys of all, in order, each once."""
    waiting = {key: part.packed_bytes for key, (_, part) in finished_parts(tasks[0].parts).items()}
    keys = known_keys(tasks, {**known, **waiting})
    missing = [task for task in tasks if task.path not in keys]
    # Unpacking runs in processes of its own; searching, parsing and writing leave the interpreter.
    made = local.run(make_part, missing, jobs, _summed(missing, on_progress), threads=True)
    keys |= {task.path: key for task, key in zip(missing, made, strict=True)}
    return list(dict.fromkeys(keys[task.path] for task in tasks))


def _same_key(previous: Corpus, fingerprint: str) -> dict[str, Any]:
    """A corpus keeps its buckets, and one author must stay one pseudonym."""
    options = previous.artifact.manifest.options
    if options["pseudonym_key"] != fingerprint:
        raise UserError(
            f"The corpus '{previous.name}' was made with another pseudonym key ({options['pseudonym_key']}, "
            f"here {fingerprint}): put that key back into the secrets folder, or choose another --into."
        )
    return dict(options)


def _files(corpus: Corpus, keys: list[str], known: dict[str, int]) -> list[dict[str, Any]]:
    entries = {entry["key"]: entry for entry in corpus.artifact.manifest.inputs}
    return [{**entries[key], "status": "known" if key in known else "read"} for key in keys]


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
