"""A PostgreSQL server in a temporary folder, for tests and benchmarks. Not for anybody's data."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_INSTALLED = Path("/usr/lib/postgresql")  # where Debian's packages put each version


@dataclass(frozen=True)
class TemporaryServer:
    """Its address, and the process that every one of its others belongs to."""

    url: str
    process: int


def find_programs() -> Path | None:
    """The folder of the newest installed version's programs."""
    found = [path for path in _INSTALLED.glob("*/bin") if (path / "initdb").is_file()]
    return max(found, key=lambda path: float(path.parent.name), default=None)


@contextmanager
def temporary_server(programs: Path) -> Iterator[TemporaryServer]:
    """It listens on a socket in its folder only, and runs as the user postgres where we are root."""
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    folder = Path(tempfile.mkdtemp(prefix="heed-postgres-"))
    folder.chmod(0o777)
    data = folder / "data"
    control = [*user, str(programs / "pg_ctl"), "-D", str(data), "-w"]
    options = f"-c listen_addresses='' -k {folder} -c max_connections=200"
    try:
        _run([*user, str(programs / "initdb"), "-D", str(data), "-U", "heed", "--auth=trust"])
        _run([*control, "-o", options, "-l", str(data / "log"), "start"])
        process = int((data / "postmaster.pid").read_text(encoding="utf-8").splitlines()[0])
        yield TemporaryServer(f"postgresql://heed@/postgres?host={folder}", process)
        _run([*control, "-m", "immediate", "stop"])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str]) -> None:
    subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
