"""Reads the imports: rooms depend on each other in one direction only, and torch stays in its two rooms."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "heed"
# Lowest first; a room may use the rooms of lower lines only. `__init__` and `demo` tie rooms together.
LAYERS = [
    ["errors", "records"],
    ["options", "manifest", "workspace", "installation"],
    ["net", "engine"],
    ["models", "corpus"],
    ["datasets", "statistics", "store"],
    ["policies"],
    ["judging", "training", "reports"],
    ["board"],
    ["site"],
    ["demo"],
    ["cli"],
]
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}
# Pairs inside one layer, each with its reason.
ALLOWED = {
    ("workspace", "manifest"),  # an artifact is a folder with a manifest
    ("installation", "workspace"),  # doctor says where the workspace is
}


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


def room_of(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """Every module that a file imports, at its top or inside a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_dependencies_point_one_way(path: Path) -> None:
    room = room_of(path)
    assert room in LEVEL, f"give the room '{room}' its place in LAYERS"
    for module in imports(path):
        parts = module.split(".")
        if parts[0] != "heed" or parts[1] in ("__version__", room):
            continue
        other = parts[1]
        assert LEVEL[other] < LEVEL[room] or (room, other) in ALLOWED, f"{room} must not use {other}"


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_torch_stays_in_its_rooms(path: Path) -> None:
    used = {module.split(".")[0] for module in imports(path)}
    if room_of(path) not in ("models", "training"):
        assert not used & {"torch", "transformers", "trl", "sentence_transformers"}


def test_no_module_is_named_after_nothing() -> None:
    names = {path.stem for path in modules()}
    assert not names & {"utils", "helpers", "common", "base", "misc"}


def test_every_module_says_what_it_is() -> None:
    silent = [path.name for path in modules() if not ast.get_docstring(ast.parse(path.read_text()))]
    assert silent == []
