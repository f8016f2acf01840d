"""`heed ingest`: dumps into a corpus."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heed.cli.shell import Settings, flag_help

if TYPE_CHECKING:
    from rich.console import RenderableType

_OPTIONS = "heed.corpus.ingest_options:IngestOptions"


def ingest(
    settings: Settings,
    places: Annotated[
        list[Path], typer.Argument(metavar="FILES_OR_FOLDERS...", help="Dumps, or folders of them.")
    ],
    subreddits: Annotated[str, typer.Option(metavar="A,B", help=flag_help(_OPTIONS, "subreddits"))] = "",
    everything: Annotated[bool, typer.Option("--all", help=flag_help(_OPTIONS, "all"))] = False,
    into: Annotated[str | None, typer.Option(metavar="NAME", help=flag_help(_OPTIONS, "into"))] = None,
    buckets: Annotated[int | None, typer.Option(help=flag_help(_OPTIONS, "buckets"))] = None,
    longest_line: Annotated[
        int | None, typer.Option(metavar="BYTES", help=flag_help(_OPTIONS, "longest_line"))
    ] = None,
    jobs: Annotated[int | None, typer.Option(help=flag_help(_OPTIONS, "jobs"))] = None,
) -> None:
    """Read Reddit dumps (.zst .xz .bz2 .gz .jsonl .ndjson) into a corpus."""
    from heed.corpus.ingest import ingest as run
    from heed.corpus.ingest_options import IngestOptions

    given = {"into": into, "buckets": buckets, "longest_line": longest_line, "jobs": jobs}
    options = IngestOptions.parse(
        {
            "subreddits": [name for name in subreddits.split(",") if name.strip()],
            "all": everything,
            **{key: value for key, value in given.items() if value is not None},
        }
    )
    with progress_bar(settings) as on_progress:
        result = run(places, options, settings.workspace, on_progress)
    for remark in result["remarks"]:
        settings.progress.print(f"[yellow]{remark}[/yellow]", soft_wrap=True)
    settings.show(result, lambda: draw(result))


@contextmanager
def progress_bar(settings: Settings) -> Iterator[Callable[[int, int], None]]:
    """Bytes done, rate and time left, on stderr."""
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

    columns = ("reading", BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    console = settings.progress
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("reading", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def draw(result: dict[str, Any]) -> "list[RenderableType]":
    """What the corpus holds now, and where every other line went."""
    from rich.table import Table

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(justify="right")
    table.add_column()
    for count, what in _rows(result):
        table.add_row(f"{count:,}", what)
    rate = result["bytes"] / 1e6 / max(result["seconds"], 1e-9)
    return [
        f"Corpus [bold]{result['corpus']}[/bold], snapshot {result['snapshot']}",
        table,
        f"{result['bytes'] / 1e6:,.1f} MB in {result['seconds']:.1f} s ({rate:,.0f} MB/s)",
    ]


def _rows(result: dict[str, Any]) -> Iterator[tuple[int, str]]:
    yield result["lines"], "lines read, of which"
    yield result["posts"], "posts"
    yield result["comments"], "comments"
    yield result["other_subreddits"], "of other subreddits"
    yield result["duplicates"], "copies of another line"
    yield sum(result["taken_down"].values()), "taken down"
    yield result["blank"], "blank"
    yield result["quarantined"], "in quarantine"
    for reason, count in result["reasons"].items():
        yield count, f"  {reason}"
