"""`heed trace`: where an artifact or a record came from."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from heed.cli.shell import Settings

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.tree import Tree


def trace(
    settings: Settings,
    what: Annotated[
        str, typer.Argument(metavar="X", help="An artifact's name or hash, or a post's or comment's id.")
    ],
) -> None:
    """Print the lineage of an artifact or record, back to dump file and line."""
    from heed.corpus.trace import trace as run

    result = run(what, settings.workspace)
    settings.show(result, lambda: _draw(result))


def _draw(result: dict[str, Any]) -> "list[RenderableType]":
    from rich.tree import Tree

    if "artifact" in result:
        return [_artifact_tree(result["artifact"])]
    trees: list[RenderableType] = []
    for place in result["records"]:
        tree = Tree(f"[bold]{place['kind']} {place['id']}[/bold]")
        snapshot = tree.add(
            f"corpus {place['corpus']}, snapshot {place['snapshot']}  {place['snapshot_hash'][:12]}"
        )
        file = snapshot.add(f"{place['file']['path']}, line {place['line']:,}")
        file.add(f"sha256 {place['file']['sha256'][:16]}…")
        trees.append(tree)
    return trees


def _artifact_tree(node: dict[str, Any]) -> "Tree":
    from rich.tree import Tree

    if node.get("missing"):
        return Tree(f"{node['kind']} {node['name']}  {node['hash'][:12]} (not in this workspace)")
    tree = Tree(f"[bold]{node['kind']} {node['name']}[/bold]  {node['hash'][:12]}  {node['made']}")
    tree.add(", ".join(f"{value:,} {key}" for key, value in node["counts"].items()))
    for note in node["notes"]:
        tree.add(f"[yellow]{note['what']}: {note.get('rows_erased', 0):,} rows erased[/yellow]")
    for file in node["files"]:
        tree.add(f"{file['name']}, {file['lines']:,} lines, sha256 {file['sha256'][:12]}…")
    for parent in node["parents"]:
        tree.add(_artifact_tree(parent))
    return tree
