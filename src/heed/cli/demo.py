"""`heed demo`: the main job on the bundled sample, then the site."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from heed.cli.shell import Settings

if TYPE_CHECKING:
    from rich.console import RenderableType


def demo(
    settings: Settings,
    serve: Annotated[
        bool, typer.Option("--serve/--no-serve", help="Keep serving the site afterwards.")
    ] = True,
    port: Annotated[int, typer.Option(help="Where the site listens on this machine.")] = 8765,
) -> None:
    """Run the main job on the bundled sample: dumps, corpus, datasets, answers, scores, site."""
    from heed.demo import run_demo

    result = run_demo(settings.workspace)
    settings.show(result, lambda: _draw(result))
    if serve:
        from heed.site.serve import serve as run

        settings.progress.print(f"\nThe site: http://127.0.0.1:{port}  (Ctrl-C ends it)")
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
    return [*draw(result["ingest"]), "", table, *datasets, *scores]
