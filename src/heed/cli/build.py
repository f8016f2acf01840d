"""`heed build advice|cloze|tldr|news`: make a dataset of a corpus (or of files) and show its funnel."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from heed.cli.shell import Settings

if TYPE_CHECKING:
    from rich.console import RenderableType

    from heed.workspace import Artifact

FilesArgument = Annotated[list[Path], typer.Argument(metavar="FILE...", help="JSONL, JSON, CSV or Parquet.")]
CorpusFlag = Annotated[str, typer.Option("--corpus", metavar="NAME", help="The corpus to build from.")]
IntoFlag = Annotated[str, typer.Option("--into", metavar="NAME", help="The name of the new dataset.")]
ConfigFlag = Annotated[
    str | None,
    typer.Option(
        "--config", metavar="FILE", help="Options as TOML; 'sample' is the packaged file for the sample."
    ),
]
SetFlag = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="One option; may be given several times."),
]
KeepFlag = Annotated[
    bool, typer.Option("--keep-dropped", help="Write every dropped thing with reason and evidence.")
]
JobsFlag = Annotated[int | None, typer.Option("--jobs", metavar="N", help="Processes; all cores without it.")]


def build_advice(
    settings: Settings,
    corpus: CorpusFlag,
    into: IntoFlag,
    mode: Annotated[
        str | None, typer.Option("--mode", help="static: a training set. dynamic: one round to be judged.")
    ] = None,
    config: ConfigFlag = None,
    set_: SetFlag = None,
    keep_dropped: KeepFlag = False,
    jobs: JobsFlag = None,
) -> None:
    """Situations with the community's best advice (TuringAdvice)."""
    chosen = [f'mode="{mode}"'] if mode else []
    _build(settings, "advice", corpus, into, config, [*(set_ or []), *chosen], keep_dropped, jobs)


def build_cloze(
    settings: Settings,
    corpus: CorpusFlag,
    into: IntoFlag,
    choices: Annotated[
        int | None, typer.Option("--choices", metavar="K", help="Questions to choose from.")
    ] = None,
    config: ConfigFlag = None,
    set_: SetFlag = None,
    keep_dropped: KeepFlag = False,
    jobs: JobsFlag = None,
) -> None:
    """Narratives without their question, which is to be told from plausible others (ASQ)."""
    chosen = [f"choices={choices}"] if choices is not None else []
    _build(settings, "cloze", corpus, into, config, [*(set_ or []), *chosen], keep_dropped, jobs)


def build_tldr(
    settings: Settings,
    corpus: CorpusFlag,
    into: IntoFlag,
    config: ConfigFlag = None,
    set_: SetFlag = None,
    keep_dropped: KeepFlag = False,
    jobs: JobsFlag = None,
) -> None:
    """Posts with the summaries their authors wrote (TL;DR)."""
    _build(settings, "tldr", corpus, into, config, set_ or [], keep_dropped, jobs)


def build_news(
    settings: Settings,
    files: FilesArgument,
    into: IntoFlag,
    config: ConfigFlag = None,
    set_: SetFlag = None,
) -> None:
    """Articles with highlights from local files, cleaned (CNN/DM)."""
    from heed.datasets.news import NewsOptions
    from heed.datasets.news import build_news as run

    options = NewsOptions.load(Path(config) if config else None, tuple(set_ or []), "news")
    show_dataset(settings, run(settings.workspace, files, into, options))


def _build(
    settings: Settings,
    recipe: str,
    corpus: str,
    into: str,
    config: str | None,
    assignments: list[str],
    keep_dropped: bool,
    jobs: int | None,
) -> None:
    from heed.datasets.build import Order, build, load_options

    options = load_options(recipe, config, tuple(assignments))
    with settings.progress.status(f"Building {into} from {corpus}"):
        artifact = build(settings.workspace, Order(recipe, corpus, into, options, keep_dropped), jobs)
    show_dataset(settings, artifact)


def show_dataset(settings: Settings, dataset: "Artifact") -> None:
    """The funnel, the splits and where the card is."""
    from heed.datasets.build import describe

    result = describe(dataset)
    settings.show(result, lambda: draw(result))


def draw(result: dict[str, Any]) -> "list[RenderableType]":
    from rich.table import Table

    table = Table("stage", "in", "out", "dropped because", box=None, pad_edge=False)
    for stage in result["funnel"]:
        reasons = ", ".join(f"{reason} {count:,}" for reason, count in stage["dropped"].items())
        table.add_row(stage["stage"], f"{stage['in']:,}", f"{stage['out']:,}", reasons)
    splits = ", ".join(f"{name} {count:,}" for name, count in result["splits"].items())
    card = Path(result["path"]) / "README.md"
    return [table, f"Dataset {result['dataset']}: {splits}", f"Card: {card}"]
