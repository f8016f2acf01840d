"""`heed fresh`: new threads from Reddit, Arctic Shift or a folder into a corpus."""

from pathlib import Path
from typing import Annotated

import typer

from heed.cli.shell import Settings


def fresh(
    settings: Settings,
    source: Annotated[str, typer.Option("--source", help="folder, reddit (own credentials) or arctic.")],
    into: Annotated[str, typer.Option("--into", metavar="NAME", help="The corpus to add to.")],
    folder: Annotated[
        Path | None, typer.Option("--folder", metavar="DIR", help="Files, for --source folder.")
    ] = None,
    config: Annotated[Path | None, typer.Option("--config", metavar="FILE", help="Options as TOML.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="One option.")] = None,
) -> None:
    """Fetch threads of the last two weeks, to build a round from."""
    from heed.datasets.fresh import FreshOptions, fetch

    options = FreshOptions.load(config, tuple(set_ or []), "fresh")
    with settings.progress.status(f"Fetching from {source}"):
        result = fetch(settings.workspace, source, into, options, folder)
    settings.show(
        result,
        lambda: [
            f"Corpus {result['corpus']}: {result['posts']} posts, {result['comments']} comments",
            f"Next: heed build advice --mode dynamic --corpus {result['corpus']} --into NAME",
        ],
    )
