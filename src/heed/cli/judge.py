"""`heed judge STUDY`: a machine's opinion on every pair, always marked as a machine's."""

from typing import Annotated, Any

import typer

from heed.cli.shell import Settings
from heed.cli.study import StudyArgument


def judge(
    settings: Settings,
    study: StudyArgument,
    judge: Annotated[
        str,
        typer.Option(
            metavar="SPEC", help="endpoint:URL, lm:NAME, or a scorer: length, rouge, logprob:lm:NAME."
        ),
    ],
    most: Annotated[int | None, typer.Option(metavar="N", min=1, help="Stop after N items.")] = None,
) -> None:
    """Let a machine judge the pairs of a study, in both orders; every judgment is marked machine."""
    from heed.judging.machines import judge_study
    from heed.store.database import open_database
    from heed.store.studies import find_study

    database = open_database(settings.workspace)
    result = judge_study(settings.workspace, database, find_study(database, name=study), judge, most)
    settings.show(result, lambda: [_draw(result)])


def _draw(result: dict[str, Any]) -> str:
    failed = ", ".join(f"{reason} {count}" for reason, count in result["failed"].items())
    said = f"{result['judgments']:,} machine judgments by {result['judge']}, {result['ties']:,} of them ties"
    return f"{said}; failed: {failed}." if failed else f"{said}."
