"""`heed power`: how many items and labels it takes to see a difference, before there is a study."""

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heed.cli.shell import Settings

if TYPE_CHECKING:
    from rich.console import RenderableType

    from heed.statistics.power import Design

# Numbers of labels per item to choose between; the one asked for is always among them.
_CHOICES = (1, 3, 5, 9)


def power(
    settings: Settings,
    difference: Annotated[
        float, typer.Option(metavar="D", help="What should be seen: 0.05 is 5 points.")
    ] = 0.05,
    items: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Say instead what so many items would show.")
    ] = None,
    labels_per_item: Annotated[int, typer.Option(metavar="K", help="How many people judge each item.")] = 3,
    rate: Annotated[float, typer.Option(help="The rate that the difference is seen from.")] = 0.5,
    agreement: Annotated[
        float, typer.Option(help="Of votes on one item: Krippendorff's alpha of a pilot.")
    ] = 0.4,
    policies: Annotated[
        int,
        typer.Option(metavar="1|2", help="1: a policy against the rate; 2: two policies on their own votes."),
    ] = 1,
    wanted: Annotated[float, typer.Option("--power", help="The chance to see the difference.")] = 0.8,
    level: Annotated[float, typer.Option(help="The level of the interval; 0.95 tests at 0.05.")] = 0.95,
) -> None:
    """Say how many items and judgments it takes to see a difference, or what so many items would show."""
    from heed.statistics.power import Design

    design = Design(labels_per_item, rate, agreement, policies, round(1 - level, 10), wanted)
    if items is None:
        result = _plan(difference, design)
        settings.show(result, lambda: _draw_plan(result, design))
    else:
        result = _outlook(items, difference, design)
        settings.show(result, lambda: _draw_outlook(result, design))


def _plan(difference: float, design: "Design") -> dict[str, Any]:
    from heed.statistics.power import items_needed

    counts = sorted({*_CHOICES, design.labelers})
    plans = [items_needed(difference, replace(design, labelers=count)) for count in counts]
    rows = [{"labels_per_item": p.labelers, "items": p.items, "judgments": p.judgments} for p in plans]
    chosen = next(row for row in rows if row["labels_per_item"] == design.labelers)
    return {"difference": difference, **chosen, "choices": rows, "design": asdict(design)}


def _outlook(items: int, difference: float, design: "Design") -> dict[str, Any]:
    from heed.statistics.power import half_width, power_of, smallest_difference

    return {
        "items": items,
        "labels_per_item": design.labelers,
        "judgments": items * design.labelers * design.policies,
        "smallest_difference": smallest_difference(items, design),
        "half_width": half_width(items, design),
        "difference": difference,
        "power": power_of(items, difference, design),
        "design": asdict(design),
    }


def _draw_plan(result: dict[str, Any], design: "Design") -> "list[RenderableType]":
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for heading in ("labels per item", "items", "judgments"):
        table.add_column(heading, justify="right")
    for row in result["choices"]:
        mark = "bold" if row["labels_per_item"] == design.labelers else None
        table.add_row(*(f"{value:,}" for value in row.values()), style=mark)
    size = f"{result['items']:,} items × {design.labelers} labels"
    twice = " for each of two policies" if design.policies == 2 else ""
    aim = f"{_versus(result['difference'], design)} with power {design.power:g}"
    return [f"To see {aim}: {size}{twice}, {result['judgments']:,} judgments.", table, _assumed(design)]


def _draw_outlook(result: dict[str, Any], design: "Design") -> "list[RenderableType]":
    seen = result["smallest_difference"]
    shown = f"see {_versus(seen, design)}" if seen is not None else "see no difference at all"
    size = f"{result['items']:,} items × {design.labelers} labels ({result['judgments']:,} judgments)"
    return [
        f"{size} {shown} with power {design.power:g}.",
        f"They see {_versus(result['difference'], design)} with power {result['power']:.2f}; "
        f"the interval is ± {100 * result['half_width']:.1f} points.",
        _assumed(design),
    ]


def _versus(difference: float, design: "Design") -> str:
    return f"{100 * design.rate:.4g} % against {100 * (design.rate + difference):.4g} %"


def _assumed(design: "Design") -> str:
    return f"Two-sided at {design.significance:g}; votes on one item agree by {design.agreement:g}."
