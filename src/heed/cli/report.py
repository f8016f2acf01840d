"""`heed report JUDGMENTS --into DIR`: one page with every figure and table that the judgments allow."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heed.cli.shell import Settings
from heed.errors import NotFoundError

if TYPE_CHECKING:
    from rich.console import RenderableType

PlaceArgument = Annotated[
    str,
    typer.Argument(
        metavar="JUDGMENTS",
        help="Frozen judgments (Parquet, or an artifact's name or folder), or OpenAI's JSON lines.",
    ),
]
IntoOption = Annotated[
    Path, typer.Option("--into", metavar="DIR", help="The folder the report is written to.")
]
AgainstOption = Annotated[
    str | None,
    typer.Option("--against", metavar="POLICY", help="The policy that the others are compared with."),
]
SetOption = Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="One report option.")]


def report(
    settings: Settings,
    judgments: PlaceArgument,
    into: IntoOption,
    against: AgainstOption = None,
    assignments: SetOption = None,
) -> None:
    """Write a page, figures and tables about frozen judgments."""
    from heed.reports.build import ReportOptions, write_report

    options = ReportOptions.load(assignments=tuple(assignments or ()))
    if against is not None:
        options = options.model_copy(update={"against": against})
    found = write_report(_find(settings, judgments), into, options)
    settings.show(found, lambda: _draw(found))


def _find(settings: Settings, name: str) -> Path:
    """A path, or the artifact of that name in the workspace."""
    path = Path(name)
    if path.exists():
        return path
    for artifact in settings.workspace.artifacts():
        if artifact.manifest.name == name:
            return artifact.path
    raise NotFoundError(f"{name} is neither a file nor an artifact in {settings.workspace.root}.")


def draw_preference(rows: list[dict[str, Any]]) -> "RenderableType":
    """One row per policy: how often it was preferred, and between what and what."""
    from rich.table import Table

    table = Table("policy", "preferred", "95 % interval", "items", box=None, pad_edge=False)
    for row in rows:
        span = f"{row['low']:.1%} to {row['high']:.1%}"
        table.add_row(row["policy"], f"{row['rate']:.1%}", span, str(row["items"]))
    return table


def _draw(found: dict[str, Any]) -> "list[RenderableType]":
    count = f"{len(found['figures'])} figures, {len(found['tables'])} table files"
    return [
        f"{found['judgments']:,} {found['kind']} judgments",
        *([draw_preference(found["preference"])] if found["preference"] else []),
        *[f"[yellow]{sentence}[/yellow]" for sentence in found["cautions"]],
        f"{found['page']} ({count})",
    ]
