"""`heed simulate STUDY`: labelers that are not people, always marked so."""

from typing import Annotated

import typer

from heed.cli.shell import Settings


def simulate(
    settings: Settings,
    study: Annotated[str, typer.Argument(metavar="STUDY", help="An open study.")],
    labelers: Annotated[int, typer.Option(metavar="N", min=1, help="How many of them.")] = 3,
    skill: Annotated[float, typer.Option(help="0 guesses; 2 is careful; 10 hardly errs.")] = 2.0,
    bias: Annotated[float, typer.Option(help="Log-odds for the text shown first.")] = 0.0,
    seconds: Annotated[
        float, typer.Option(metavar="S", min=0, help="How long a page takes them on average.")
    ] = 0.0,
    drift: Annotated[float, typer.Option(help="What every item adds to the skill; negative tires.")] = 0.0,
    most: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Each stops after N items; else when all is done.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same characters.")] = 0,
    site: Annotated[
        str | None, typer.Option(metavar="URL", help="A site that runs; else one is started for the while.")
    ] = None,
) -> None:
    """Let simulated labelers work through the site's pages; every judgment is marked simulated."""
    from contextlib import nullcontext

    from heed.judging.accounts import invite
    from heed.judging.simulate import Character
    from heed.judging.simulate import simulate as run
    from heed.site.serve import running
    from heed.store.database import open_database
    from heed.store.studies import count_study, find_study

    database = open_database(settings.workspace)
    found = find_study(database, name=study)
    links = [invite(database, "labeler", found, kind="simulated", days=1) for _ in range(labelers)]
    with nullcontext(site) if site else running(settings.workspace) as address:
        done = run(address, found.code, links, Character(skill, bias, seconds, drift), seed, most)
    counts = count_study(database, found)
    result = {"study": study, "kind": "simulated", "judgments": done, **counts}
    words = f"{sum(done):,} simulated judgments by {labelers} simulated labelers; the study has "
    settings.show(result, lambda: [f"{words}{counts['labels']:,} of {counts['labels_wanted']:,} labels."])
