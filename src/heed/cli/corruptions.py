"""`heed corruptions`: constructed pairs of summaries, and how often a scorer prefers the better one."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from heed.cli.shell import Settings

if TYPE_CHECKING:
    from rich.console import RenderableType


def corruptions(
    settings: Settings,
    dataset: Annotated[str, typer.Option(metavar="NAME", help="A TL;DR dataset, with references.")],
    scorer: Annotated[
        str, typer.Option(metavar="S", help="What scores the summaries: length, rouge, logprob:lm:smollm2.")
    ],
    split: Annotated[str | None, typer.Option(metavar="NAME", help="This split only.")] = None,
    limit: Annotated[int | None, typer.Option(metavar="N", min=1, help="The first N examples only.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same pairs.")] = 0,
) -> None:
    """Test a scorer on summaries that were made worse on purpose."""
    from heed.reports.constructed import score_corruptions

    result = score_corruptions(settings.workspace, dataset, scorer, split, limit, seed)
    settings.show(result, lambda: _draw(result))


def _draw(result: dict[str, Any]) -> "list[RenderableType]":
    from rich.table import Table

    table = Table("better / worse", box=None, pad_edge=False)
    for name in ("preferred", "95 % interval", "pairs", "ties"):
        table.add_column(name, justify="right")
    table.add_column("left out")
    for row in result["sets"]:
        known = row["rate"] is not None
        left = ", ".join(f"{reason} {count}" for reason, count in row["left_out"].items())
        span = f"{row['low']:.1%} to {row['high']:.1%}" if known else "–"
        rate = f"{row['rate']:.1%}" if known else "–"
        table.add_row(row["set"], rate, span, str(row["n"]), str(row["ties"]), left)
    return [table, f"{result['scorer']} on {result['examples']} examples of {result['dataset']}"]
