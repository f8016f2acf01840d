"""`heed sample`: the bundled threads as dumps."""

from pathlib import Path
from typing import Annotated

import typer

from heed.cli.shell import Settings
from heed.errors import UserError


def sample(
    settings: Settings,
    into: Annotated[Path, typer.Option(metavar="DIR", help="The folder to write the two dumps into.")],
    now: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="Posts lie in the two weeks before: seconds or 2026-11-15T12:00."),
    ] = None,
    scale: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Write N threads recombined from the bundled ones, marked as generated."
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed and time give the same bytes.")] = 0,
) -> None:
    """Write the 440 bundled threads as RS_ and RC_ dumps, or N threads made from their pieces."""
    from heed.corpus.sample.dumps import write_sample

    result = write_sample(into, _seconds(now), scale, seed)
    settings.show(
        result,
        lambda: [
            f"Wrote {result['posts']:,} posts and {result['comments']:,} comments:",
            *[f"  {path}" for path in result["files"]],
        ],
    )


def _seconds(text: str | None) -> int | None:
    from datetime import UTC, datetime

    if text is None or text.isdigit():
        return int(text) if text else None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise UserError(
            f"--now takes seconds since 1970 or a time like 2026-11-15T12:00, not '{text}'."
        ) from None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
