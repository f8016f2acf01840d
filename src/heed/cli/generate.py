"""`heed generate`: policies answer the examples of a dataset."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heed.cli.shell import Settings
from heed.errors import UserError

if TYPE_CHECKING:
    from rich.console import RenderableType

    from heed.policies.generate import Order


def generate(
    settings: Settings,
    dataset: Annotated[str, typer.Option(metavar="NAME", help="The dataset whose examples are answered.")],
    policy: Annotated[
        list[str],
        typer.Option(metavar="P", help="template, tfidf, lead:3, lm:smollm2, endpoint:URL, …; repeat."),
    ],
    into: Annotated[str, typer.Option(metavar="NAME", help="The name of the responses.")],
    split: Annotated[str | None, typer.Option(metavar="NAME", help="This split only.")] = None,
    limit: Annotated[int | None, typer.Option(metavar="N", help="The first N examples only.")] = None,
    samples: Annotated[
        int, typer.Option(metavar="K", help="Answers per example, of policies that sample.")
    ] = 1,
    temperature: Annotated[float, typer.Option(help="0 takes the likeliest answer.")] = 0.0,
    top_p: Annotated[float, typer.Option(help="Nucleus sampling keeps this share of the probability.")] = 1.0,
    beam: Annotated[int, typer.Option(metavar="B", help="Beams of a beam search.")] = 1,
    most_tokens: Annotated[int, typer.Option(metavar="N", help="The longest answer, in tokens.")] = 256,
    prompt_format: Annotated[
        str | None,
        typer.Option("--format", metavar="NAME", help="The prompt format instead of the usual one."),
    ] = None,
    scorer: Annotated[str | None, typer.Option(metavar="S", help="What best_of chooses by.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same samples.")] = 0,
    retry_failed: Annotated[bool, typer.Option(help="Ask again where an answer failed before.")] = False,
    sweep: Annotated[
        str | None,
        typer.Option(metavar="T,…/P,…", help="Run a grid of temperatures and top-p instead of one of each."),
    ] = None,
) -> None:
    """Let policies answer the examples of a dataset; goes on where it was stopped."""
    from heed.policies.generate import Order
    from heed.policies.generate import generate as run
    from heed.policies.policy import Decoding

    if (beam > 1) and (temperature > 0 or top_p < 1):
        raise UserError("--beam searches and --temperature and --top-p sample: give one of the two.")
    decoding = Decoding(temperature, top_p, beam, most_tokens)
    order = Order(
        dataset,
        tuple(policy),
        into,
        split,
        limit,
        samples,
        decoding,
        prompt_format,
        scorer,
        seed,
        retry_failed,
    )
    if sweep is not None:
        _sweep(settings, order, sweep)
        return
    with _progress(settings) as on_progress:
        result = run(settings.workspace, order, on_progress)
    settings.show(result, lambda: _draw(result))


def _sweep(settings: Settings, order: "Order", text: str) -> None:
    from heed.policies.policy import Decoding
    from heed.reports.sweep import read_grid
    from heed.reports.sweep import sweep as run

    if order.decoding != replace(Decoding(), most_tokens=order.decoding.most_tokens):
        raise UserError(
            "--sweep chooses temperature and top-p itself: leave out --temperature, --top-p and --beam."
        )
    with _progress(settings) as on_progress:
        result = run(settings.workspace, order, read_grid(text), on_progress)
    settings.show(result, lambda: _draw_sweep(result))


def _draw_sweep(result: dict[str, Any]) -> "list[RenderableType]":
    from rich.table import Table

    table = Table("policy", box=None, pad_edge=False)
    hidden = ("policy", "responses", "_low", "_high")
    names = [name for name in result["points"][0] if not name.endswith(hidden)]
    for name in names:
        table.add_column(name, justify="right")
    for point in result["points"]:
        table.add_row(point["policy"], *(_number(point[name]) for name in names))
    return [table, f"Table and figures: {result['path']}"]


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3g}"


@contextmanager
def _progress(settings: Settings) -> Iterator[Callable[[str, int, int], None]]:
    """One bar per policy, on stderr."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = settings.progress
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        tasks: dict[str, Any] = {}

        def show(policy: str, done: int, total: int) -> None:
            if policy not in tasks:
                tasks[policy] = bar.add_task(policy, total=total)
            bar.update(tasks[policy], completed=done)

        yield show


def _draw(result: dict[str, Any]) -> "list[RenderableType]":
    from rich.table import Table

    table = Table("policy", box=None, pad_edge=False)
    for heading in ("responses", "generated", "cached", "failed", "cut"):
        table.add_column(heading, justify="right")
    table.add_column("failures")
    for name, counts in result["policies"].items():
        numbers = [f"{counts[key]:,}" for key in ("responses", "generated", "cached", "failed", "cut")]
        failures = ", ".join(f"{reason} {count}" for reason, count in counts["failures"].items())
        table.add_row(name, *numbers, failures)
    return [table, f"Responses {result['responses']}: {result['path']}"]
