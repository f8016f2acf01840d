"""`heed judgments export|freeze`: what people said, out of the database."""

from pathlib import Path
from typing import Annotated

import typer

from heed.cli.shell import Settings
from heed.cli.study import StudyArgument


def export(
    settings: Settings,
    name: StudyArgument,
    into: Annotated[Path, typer.Option(metavar="FILE", help="A name that ends in .jsonl or .parquet.")],
    revisions: Annotated[bool, typer.Option("--revisions", help="Corrected answers too.")] = False,
) -> None:
    """Write one row per judgment, with pseudonyms, times, order and instruction version."""
    from heed.judging.freeze import export_study
    from heed.store.database import open_database
    from heed.store.studies import find_study

    database = open_database(settings.workspace)
    count = export_study(database, find_study(database, name=name), into, revisions)
    result = {"study": name, "judgments": count, "path": str(into)}
    settings.show(result, lambda: [f"{count:,} judgments: {into}"])


def freeze(
    settings: Settings,
    name: StudyArgument,
    into: Annotated[str, typer.Option(metavar="NAME", help="The name of the frozen judgments.")],
) -> None:
    """Turn a study's judgments into the artifact that reports and training read."""
    from heed.judging.freeze import freeze_study
    from heed.store.database import open_database
    from heed.store.studies import find_study

    database = open_database(settings.workspace)
    artifact = freeze_study(settings.workspace, database, find_study(database, name=name), into)
    result = {"judgments": into, "path": str(artifact.path), **artifact.manifest.counts}
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in result["kinds"].items())
    settings.show(
        result, lambda: [f"Judgments {into} ({kinds}): {artifact.path}", f"Next: heed report {into}"]
    )
