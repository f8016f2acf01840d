"""`heed stats FILE…`: agreement, majority labels and rankings for people who only have files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heed.cli.shell import Settings

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

FilesArgument = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE…",
        help="CSV with task, worker, label or model_a, model_b, winner; OpenAI's JSON lines; frozen Parquet.",
    ),
]


def stats(settings: Settings, files: FilesArgument) -> None:
    """Say how far judgments in files agree, what the majority says, and who wins."""
    from heed.statistics.summary import summarise

    found = summarise(files)
    settings.show(found, lambda: _draw(found))


def _draw(found: dict[str, Any]) -> "list[RenderableType]":
    parts: list[RenderableType] = [f"{', '.join(found['files'])}: {found['format']}"]
    if "items" in found:
        parts += _draw_votes(found)
    if "win_rates" in found:
        parts.append(_draw_ranking(found))
    if "axes" in found:
        parts.append(_table(found["axes"], ["policy", "axis", "mean", "low", "high", "n"]))
    return [*parts, *[f"[yellow]{remark}[/yellow]" for remark in found["remarks"]]]


def _draw_votes(found: dict[str, Any]) -> "list[RenderableType]":
    agreement = found["percent_agreement"]
    said = (
        "no item judged twice"
        if agreement is None
        else f"{agreement['value']:.1%} (95 % interval {agreement['low']:.1%} to {agreement['high']:.1%})"
    )
    rates = ", ".join(f"{label} {share:.1%}" for label, share in found["rates"].items())
    return [
        f"{found['judgments']:,} judgments of {found['items']:,} items by {found['workers']:,} workers",
        f"Two workers agree: {said}; κ {_number(found['kappa'])}, α {_number(found['alpha'])}",
        f"Majority: {rates}",
        f"κ of {len(found['kappa_pairs']):,} pairs of workers: add --json",
    ]


def _draw_ranking(found: dict[str, Any]) -> "Table":
    strengths = {row["policy"]: row for row in found["bradley_terry"] or []}
    rows = [
        {
            "policy": row["policy"],
            "win rate": row["win_rate"],
            "games": row["n"],
            "Bradley-Terry": strengths.get(row["policy"], {}).get("value"),
            "low": strengths.get(row["policy"], {}).get("low"),
            "high": strengths.get(row["policy"], {}).get("high"),
        }
        for row in found["win_rates"]
    ]
    return _table(rows, ["policy", "win rate", "games", "Bradley-Terry", "low", "high"])


def _table(rows: list[dict[str, Any]], columns: list[str]) -> "Table":
    from rich.table import Table

    table = Table(*columns, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*[_number(row[column]) for column in columns])
    return table


def _number(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else str(value)
