"""Keys for endpoints: from the environment or the workspace's secret file, sent to their own origin only.

A key is never written to a manifest, a log or an error.
"""

import os
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

from heed.errors import UserError
from heed.workspace import Workspace

SECRETS_FILE = "keys.toml"
GENERAL_VARIABLE = "HEED_ENDPOINT_KEY"


def origin_of(url: str) -> str:
    """Scheme, host and port: what a key is registered for."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2].lower()}"


def key_for(url: str, workspace: Workspace) -> str | None:
    """The key of this origin from secrets/keys.toml, else the variable HEED_ENDPOINT_KEY, else none."""
    keys = _read(workspace.root / "secrets" / SECRETS_FILE)
    return keys.get(origin_of(url)) or os.environ.get(GENERAL_VARIABLE)


def _read(path: Path) -> dict[str, str]:
    """Lines like "https://api.example.org" = "key"."""
    if not path.exists():
        return {}
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        raise UserError(
            f'{path} is not valid TOML: give lines like "https://api.example.org" = "key".'
        ) from None
    return {origin_of(url): str(key) for url, key in values.items()}
