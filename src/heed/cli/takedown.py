"""`heed takedown`: forget posts, comments, or everything by one author."""

from typing import Annotated

import typer

from heed.cli.shell import Settings


def takedown(
    settings: Settings,
    targets: Annotated[
        list[str],
        typer.Argument(
            metavar="IDS_OR_FILE...", help="t3_ posts, t1_ comments, p_ pseudonyms, u/names, or files."
        ),
    ],
) -> None:
    """Remove posts, comments or an author from every corpus, old snapshots included, for good."""
    from heed.corpus.takedown import take_down

    result = take_down(targets, settings.workspace)
    settings.show(
        result,
        lambda: [
            f"Asked to forget {result['asked']:,}; removed {result['posts']:,} posts and "
            f"{result['comments']:,} comments. Later ingests and builds leave them out too.",
            *[
                f"  {name}: {n['posts']:,} posts, {n['comments']:,} comments"
                for name, n in result["corpora"].items()
            ],
            *[f"  {name}: {rows:,} rows" for name, rows in result["derived"].items()],
        ],
    )
