"""The docs are under test: what a user can say or meet is documented, and what is documented exists."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.main import get_command

from heed.cli.main import COMMANDS, build_app
from heed.corpus.lines import REASONS

REPOSITORY = Path(__file__).parent.parent
COMMAND_DOCS = REPOSITORY / "docs" / "commands.md"


def commands() -> list[tuple[str, Any]]:
    """Every command with its words, those of groups too."""
    root: Any = get_command(build_app())
    found = []
    for word, command in root.commands.items():
        below = getattr(command, "commands", None)
        found += [(f"{word} {name}", each) for name, each in below.items()] if below else [(word, command)]
    return found


def section(words: str) -> str:
    """The part of the commands page under the command's heading."""
    text = COMMAND_DOCS.read_text(encoding="utf-8")
    match = re.search(rf"^## heed {re.escape(words)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert match, f"docs/commands.md has no section '## heed {words}'"
    return match[1]


@pytest.mark.parametrize(("words", "command"), commands(), ids=[words for words, _ in commands()])
def test_every_command_and_option_is_documented(words: str, command: typer.core.TyperCommand) -> None:
    text = section(words)
    shared = {"--workspace", "--json", "--quiet", "--help"}
    for parameter in command.params:
        for flag in [*parameter.opts, *parameter.secondary_opts]:
            if flag.startswith("--") and flag not in shared:
                assert f"`{flag}" in text, f"heed {words}: {flag} is not documented"


def test_every_documented_command_and_option_exists() -> None:
    known = dict(commands())
    text = COMMAND_DOCS.read_text(encoding="utf-8")
    documented = set(re.findall(r"^## heed (.+)$", text, re.MULTILINE))
    assert documented == set(known)
    for words, command in known.items():
        flags = {
            flag for parameter in command.params for flag in [*parameter.opts, *parameter.secondary_opts]
        }
        mentioned = set(re.findall(r"^- `(--[a-z-]+)", section(words), re.MULTILINE))
        assert mentioned <= flags, words


def test_every_command_word_has_its_room() -> None:
    table = (REPOSITORY / "docs" / "architecture.md").read_text(encoding="utf-8")
    for word in COMMANDS:
        assert f"| `{word}" in table


@pytest.mark.parametrize("reason", REASONS)
def test_every_quarantine_reason_is_documented(reason: str) -> None:
    assert f"| `{reason}` |" in (REPOSITORY / "docs" / "corpus.md").read_text(encoding="utf-8")


def test_every_dependency_has_its_reason() -> None:
    text = (REPOSITORY / "docs" / "architecture.md").read_text(encoding="utf-8")
    project = (REPOSITORY / "pyproject.toml").read_text(encoding="utf-8")
    block = project.split("dependencies = [")[1].split("]")[0]
    names = re.findall(r'"([a-z0-9-]+)[><=\[]', block)
    assert len(names) > 5
    for name in names:
        assert f"| {name} |" in text, f"docs/architecture.md gives no reason for {name}"


def test_the_tree_in_the_readme_matches_the_files() -> None:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    tree = readme.split("```tree\n")[1].split("```")[0]
    named: list[Path] = []
    folders: list[str] = []
    for line in tree.splitlines():
        depth = (len(line) - len(line.lstrip())) // 2
        name = line.split()[0]
        folders = [*folders[:depth], name]
        named.append(Path(*folders))
    missing = [str(path) for path in named if not (REPOSITORY / path).exists()]
    assert missing == []
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=REPOSITORY, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    rooms = {Path(*Path(file).parts[:3]) for file in tracked if file.startswith("src/heed/")}
    rooms -= {Path("src/heed/__init__.py"), Path("src/heed/py.typed")}
    assert {str(room) for room in rooms} <= {str(path) for path in named}


def test_links_between_the_docs_lead_somewhere() -> None:
    for page in [
        REPOSITORY / "README.md",
        REPOSITORY / "CONTRIBUTING.md",
        *(REPOSITORY / "docs").glob("*.md"),
    ]:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"
