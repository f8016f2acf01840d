"""`heed demo`: the main job on the bundled sample, then the site."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from heed.cli.shell import Settings

if TYPE_CHECKING:
    from rich.console import RenderableType

_FOR = {
    "admin": "everything",
    "researcher": "studies, reports and invites",
    "labeler": "labeling by hand",
}


def demo(
    settings: Settings,
    serve: Annotated[
        bool, typer.Option("--serve/--no-serve", help="Keep serving the site afterwards.")
    ] = True,
    model: Annotated[
        bool, typer.Option("--model/--no-model", help="Ask the packaged language model too, if installed.")
    ] = True,
    port: Annotated[int, typer.Option(help="Where the site listens on this machine.")] = 8765,
) -> None:
    """Run the main job on the bundled sample: dumps, datasets, answers, simulated judgments, report, site."""
    from heed.demo.run import run_demo

    result = run_demo(settings.workspace, model, settings.progress.print)
    settings.show(result, lambda: _draw(result))
    if serve:
        from heed.site.serve import serve as run

        settings.progress.print(*_welcome(result, f"http://127.0.0.1:{port}"), sep="\n")
        run(settings.workspace, port)


def _draw(result: dict[str, Any]) -> "list[RenderableType]":
    from rich.table import Table

    from heed.cli.build import draw as draw_dataset
    from heed.cli.ingest import draw
    from heed.cli.score import draw as draw_scores

    table = Table("subreddit", box=None, pad_edge=False)
    for heading in ("posts", "comments", "median score", "median words"):
        table.add_column(heading, justify="right")
    for row in result["subreddits"]:
        numbers = (row["posts"], row["comments"], row["median_score"], row["median_words"])
        table.add_row(f"r/{row['subreddit']}", *(f"{number:,.0f}" for number in numbers))
    datasets = [part for dataset in result["datasets"] for part in ("", *draw_dataset(dataset))]
    scores = [part for each in result["scores"].values() for part in ("", *draw_scores(each))]
    return [*draw(result["ingest"]), "", table, *datasets, *scores, "", *_draw_report(result)]


def _draw_report(result: dict[str, Any]) -> "list[RenderableType]":
    from heed.cli.report import draw_preference

    study = result["study"]
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in study["kinds"].items())
    return [
        f"Study {study['study']} ({study['protocol']}), against the reference: {kinds} judgments",
        draw_preference(result["report"]["preference"]),
        f"Report: {result['report']['page']}",
    ]


def _welcome(result: dict[str, Any], site: str) -> "list[RenderableType]":
    """Where the site is, and the accounts that exist in this workspace only."""
    from rich.table import Table

    table = Table("demo account", "password", "for", box=None, pad_edge=False)
    for account in result["accounts"]:
        table.add_row(account["name"], account["password"], _FOR[account["role"]])
    return [
        "\nDemo accounts, for looking around in this workspace only:",
        table,
        f"\nThe site: {site}  (Ctrl-C ends it)",
        f"The report: {site}{result['report']['path']}",
    ]
