"""`heed doctor`: what is installed, what each extra would add, where the workspace is."""

from heed.cli.shell import Settings


def doctor(settings: Settings) -> None:
    """Say what is installed, what each extra would add, and where the workspace is."""
    from heed.installation import examine

    found = examine(settings.workspace)
    settings.show(found, lambda: _draw(found))


def _draw(found: dict) -> list:  # type: ignore[type-arg]
    from rich.table import Table

    table = Table("part", "packages", "state", box=None, pad_edge=False)
    for part in found["parts"]:
        state = "installed" if not part["missing"] else f"missing {', '.join(part['missing'])}"
        table.add_row(part["name"], part["gives"], state)
    return [
        f"Heed {found['heed']} on Python {found['python']}, {found['cores']} cores",
        f"Workspace: {found['workspace']} ({found['workspace_state']})",
        table,
        *[f"[yellow]{hint}[/yellow]" for hint in found["hints"]],
    ]
