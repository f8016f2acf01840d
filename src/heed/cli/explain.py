"""`heed explain`: why something is in a corpus or not."""

from typing import Annotated

import typer

from heed.cli.shell import Settings


def explain(
    settings: Settings,
    record: Annotated[
        str, typer.Argument(metavar="ID_OR_FILE:LINE", help="t3_abc, t1_def, abc, or RS_x.zst:17.")
    ],
    dataset: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Which filter of this dataset decided, with the evidence."),
    ] = None,
    corpus: Annotated[str | None, typer.Option(metavar="NAME", help="Look in this corpus only.")] = None,
) -> None:
    """Say why one post, comment or line was kept or not, with the evidence."""
    if dataset is not None:
        _explain_in_dataset(settings, record, dataset)
        return
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


def _explain_in_dataset(settings: Settings, record: str, dataset: str) -> None:
    from rich.markup import escape

    from heed.datasets.explain import explain_in_dataset

    result = explain_in_dataset(settings.workspace, record, dataset)
    settings.show(
        result,
        lambda: [
            f"[bold]{result['dataset']}[/bold]: {result['verdict']}, because {escape(result['because'])}.",
            *[
                escape(f"  {each['id']}: {each['stage']}, {each['reason']}: {each['evidence']}")
                for each in result["decisions"]
            ],
        ],
    )
