"""`heed explain`: why something is in a corpus or not."""

from typing import Annotated

import typer

from heed.cli.shell import Settings


def explain(
    settings: Settings,
    record: Annotated[
        str, typer.Argument(metavar="ID_OR_FILE:LINE", help="t3_abc, t1_def, abc, or RS_x.zst:17.")
    ],
    corpus: Annotated[str | None, typer.Option(metavar="NAME", help="Look in this corpus only.")] = None,
) -> None:
    """Say why one post, comment or line was kept or not, with the evidence."""
    from heed.corpus.explain import explain as run

    result = run(record, settings.workspace, corpus)
    settings.show(
        result,
        lambda: [
            line
            for verdict in result["verdicts"]
            for line in (
                f"[bold]{verdict['corpus']}[/bold]: {verdict['verdict']}, because {verdict['because']}.",
                *[f"  {key}: {value}" for key, value in verdict.get("evidence", {}).items()],
            )
        ],
    )
