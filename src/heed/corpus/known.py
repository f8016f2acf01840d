"""Which files need no reading, because the same bytes were read before.

Only a file whose size is not new has to be hashed to tell; the others are hashed while they are read.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from heed.corpus.part import Task
from heed.engine import local
from heed.manifest import hash_file


def known_keys(tasks: Sequence[Task], sizes_by_key: Mapping[str, int]) -> dict[Path, str]:
    """The key of every file that is known already, or that has the bytes of another one here.

    `sizes_by_key` has the packed size of every file that was read, whether it is in a snapshot or waits.
    """
    sizes = {task.path: task.path.stat().st_size for task in tasks}
    how_many = Counter([*sizes.values(), *sizes_by_key.values()])
    doubtful = [task for task in tasks if how_many[sizes[task.path]] > 1]
    hashes = local.run(hash_file, [task.path for task in doubtful], threads=True)
    seen = set(sizes_by_key)
    keys = {}
    for task, sha256 in zip(doubtful, hashes, strict=True):
        key = task.key(sha256)
        if key in seen:
            keys[task.path] = key
        seen.add(key)
    return keys
