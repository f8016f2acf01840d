"""`heed score`: automatic metrics of responses."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from heed.cli.shell import Settings

if TYPE_CHECKING:
    from rich.console import RenderableType

_SHOWN = (
    "accuracy",
    "rouge1",
    "rouge2",
    "rougeL",
    "words",
    "copied",
    "distinct2",
    "logprob",
    "failed",
    "cut",
)


def score(
    settings: Settings,
    responses: Annotated[str, typer.Argument(metavar="NAME", help="Responses that heed generate made.")],
    logprob: Annotated[
        str | None, typer.Option(metavar="lm:X", help="Add each answer's log-probability under this model.")
    ] = None,
) -> None:
    """Score responses automatically: overlap, copying, length, variety, accuracy."""
    from heed.reports.scores import score as run

    result = run(settings.workspace, responses, logprob)
    settings.show(result, lambda: draw(result))


def draw(result: dict[str, Any]) -> "list[RenderableType]":
    """One row per policy."""
    from rich.table import Table

    policies = result["policies"]
    shown = [name for name in _SHOWN if any(name in metrics for metrics in policies.values())]
    if "accuracy" in shown:  # overlap with the right choice says nothing more than having taken it
        shown = [name for name in shown if not name.startswith("rouge")]
    table = Table("policy", box=None, pad_edge=False)
    for name in shown:
        table.add_column(name, justify="right")
    for policy, metrics in policies.items():
        table.add_row(policy, *(_cell(metrics.get(name)) for name in shown))
    lines = [f"Responses {result['responses']}; per response: {result['path']}"]
    if "best_of" in result:
        lines.append(f"Best-of-N by KL, table and figures: {result['best_of']['path']}")
    return [table, *lines]


def _cell(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}" if abs(value) < 10 else f"{value:.0f}"
