"""`heed store check|backup|restore`: the database that holds what people do."""

from pathlib import Path
from typing import Annotated

import typer

from heed.cli.shell import Settings
from heed.errors import UserError


def check(settings: Settings) -> None:
    """Count the rows and look for contradictions."""
    from heed.store.backup import check_store
    from heed.store.database import open_database

    found = check_store(open_database(settings.workspace))
    rows = ", ".join(f"{count:,} {name}" for name, count in found["rows"].items() if count)
    settings.show(found, lambda: [rows or "The database is empty.", *(found["problems"] or ["No problems."])])
    if found["problems"]:
        raise UserError(f"The database has {len(found['problems'])} problems: restore a backup.")


def backup(
    settings: Settings,
    into: Annotated[Path, typer.Option(metavar="FILE", help="A file that is not there yet.")],
) -> None:
    """Copy the database, also while the site is in use."""
    from heed.store.backup import back_up
    from heed.store.database import open_database

    result = back_up(open_database(settings.workspace), into)
    settings.show(result, lambda: [f"{result['backup']} ({result['bytes']:,} bytes)"])


def restore(
    settings: Settings, file: Annotated[Path, typer.Argument(metavar="FILE", help="A backup.")]
) -> None:
    """Put a backup into a workspace that has no database."""
    from heed.store.backup import restore as run

    result = run(settings.workspace, file)
    settings.show(result, lambda: [f"Restored {result['restored']}."])
