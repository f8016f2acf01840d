"""`heed invite`: a link that lets somebody make an account."""

from typing import Annotated

import typer

from heed.cli.shell import Settings


def invite(
    settings: Settings,
    study: Annotated[
        str | None, typer.Argument(metavar="[STUDY]", help="The study they work in; none for researchers.")
    ] = None,
    role: Annotated[str, typer.Option(help="admin, researcher, labeler or submitter.")] = "labeler",
    uses: Annotated[int, typer.Option(metavar="N", min=1, help="How many people may use it.")] = 1,
    days: Annotated[float, typer.Option(metavar="D", min=0.01, help="How long it lasts.")] = 7,
    site: Annotated[str, typer.Option(metavar="URL", help="Where the site is.")] = "http://127.0.0.1:8765",
) -> None:
    """Print an invite link."""
    from heed.judging.accounts import invite as make
    from heed.store.database import open_database
    from heed.store.studies import find_study

    database = open_database(settings.workspace)
    found = find_study(database, name=study) if study else None
    link = site.rstrip("/") + make(database, role, found, uses=uses, days=days)
    result = {"link": link, "role": role, "study": study, "uses": uses, "days": days}
    if settings.json:
        settings.show(result, list)
    else:
        print(link)  # whole, on one line, so that it can be copied
