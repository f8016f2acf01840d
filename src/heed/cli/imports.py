"""`heed import asq|tldr|news|pairs`: files that somebody else made, as datasets like our own."""

from pathlib import Path
from typing import Annotated

import typer

from heed.cli.build import FilesArgument, IntoFlag, show_dataset
from heed.cli.shell import Settings


def import_asq(settings: Settings, files: FilesArgument, into: IntoFlag) -> None:
    """Items of Asking the Right Question: narrative, qn1, qn2, label, id."""
    _import(settings, "asq", files, into)


def import_tldr(settings: Settings, files: FilesArgument, into: IntoFlag) -> None:
    """The filtered TL;DR set: id, subreddit, title, post, summary."""
    _import(settings, "tldr", files, into)


def import_news(settings: Settings, files: FilesArgument, into: IntoFlag) -> None:
    """Articles with highlights, as they stand ('heed build news' cleans them)."""
    _import(settings, "news", files, into)


def import_pairs(
    settings: Settings,
    files: FilesArgument,
    into: IntoFlag,
    prompt: Annotated[str, typer.Option("--prompt", metavar="COLUMN", help="What was asked.")] = "prompt",
    response: Annotated[
        list[str] | None,
        typer.Option("--response", metavar="COLUMN", help="An answer; several columns are several policies."),
    ] = None,
    policy: Annotated[
        str | None,
        typer.Option("--policy", metavar="COLUMN", help="Who answered, when there is one answer a row."),
    ] = None,
    id_: Annotated[
        str | None, typer.Option("--id", metavar="COLUMN", help="The prompt's id; else a hash.")
    ] = None,
) -> None:
    """Prompts with one or more responses and the names of the policies that gave them."""
    from heed.datasets.imports import Columns
    from heed.datasets.imports import import_pairs as run

    columns = Columns(prompt, tuple(response or ["response"]), policy, id_)
    show_dataset(settings, run(settings.workspace, files, into, columns))


def _import(settings: Settings, kind: str, files: list[Path], into: str) -> None:
    from heed.datasets.imports import import_files

    show_dataset(settings, import_files(settings.workspace, kind, files, into))
