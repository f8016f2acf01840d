"""`heed doctor`: what is installed, what each extra would add, where the workspace is."""

from typing import TYPE_CHECKING, Any

from heed.cli.shell import Settings

if TYPE_CHECKING:
    from rich.console import RenderableType


def doctor(settings: Settings) -> None:
    """Say what is installed, what each extra would add, and where the workspace is."""
    from heed.installation import examine

    found = examine(settings.workspace)
    settings.show(found, lambda: _draw(found))


def _draw(found: dict[str, Any]) -> "list[RenderableType]":
    from rich.table import Table

    table = Table("part", "gives", "state", box=None, pad_edge=False)
    for part in found["parts"]:
        table.add_row(part["name"], part["gives"], _state(part))
    return [
        f"Heed {found['heed']}, Python {found['python']}, {found['cores']} cores",
        f"workspace   {found['workspace']} ({found['workspace_state']})",
        f"chromium    {found['chromium'] or 'not found (browser tests need it)'}",
        f"postgres    {found['postgres_server'] or 'not found (only needed for a PostgreSQL server here)'}",
        "",
        table,
    ]


def _state(part: dict[str, Any]) -> str:
    if not part["missing"]:
        return "[green]installed[/green]"
    from rich.markup import escape

    return f"[yellow]lacks {', '.join(part['missing'])}[/yellow]: {escape(part['get'])}"
