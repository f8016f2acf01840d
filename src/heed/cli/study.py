"""`heed study create|add|quote|open|pause|close|status`: what people are asked to judge."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from heed.cli.shell import Settings

if TYPE_CHECKING:
    from rich.console import RenderableType

StudyArgument = Annotated[str, typer.Argument(metavar="STUDY", help="The name of the study.")]


def create(
    settings: Settings,
    name: StudyArgument,
    protocol: Annotated[
        str, typer.Option(metavar="P", help="helpfulness, comparison, plausibility, axes or edit.")
    ],
    responses: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Responses of 'heed generate', or a dataset of 'heed import pairs'."
        ),
    ] = None,
    dataset: Annotated[
        str | None, typer.Option(metavar="NAME", help="The dataset of choices, for plausibility.")
    ] = None,
    edits: Annotated[
        str | None,
        typer.Option(
            metavar="STUDY", help="A study of protocol edit: each edit against its original, blind."
        ),
    ] = None,
    pairs: Annotated[
        str,
        typer.Option(
            help="reference: every policy against one; round-robin: every two; samples: two texts of one."
        ),
    ] = "reference",
    pair: Annotated[
        list[str] | None,
        typer.Option(metavar="A:B", help="Only these two policies; may be given several times."),
    ] = None,
    against: Annotated[
        str, typer.Option(metavar="POLICY", help="The policy that the others are compared with.")
    ] = "reference",
    labels_per_item: Annotated[
        int | None,
        typer.Option(metavar="K", help="How many people judge each item; else the protocol's own."),
    ] = None,
    about: Annotated[
        str | None,
        typer.Option(metavar="X", help="Instructions about 'forum' or 'news'; else as the dataset."),
    ] = None,
    tags: Annotated[
        bool, typer.Option("--tags", help="Labelers may mark kinds of error on words (helpfulness).")
    ] = False,
    limit: Annotated[int | None, typer.Option(metavar="N", help="The first N examples only.")] = None,
    lease_minutes: Annotated[
        int, typer.Option(metavar="M", help="How long an item stays with one person.")
    ] = 30,
    shared: Annotated[
        float, typer.Option(metavar="SHARE", help="The share of items that everybody judges.")
    ] = 0.0,
    anchors: Annotated[
        int, typer.Option(metavar="N", help="So many pairs of --baseline and --against in every batch.")
    ] = 0,
    baseline: Annotated[
        str | None, typer.Option(metavar="POLICY", help="The policy of the anchor pairs.")
    ] = None,
    batch: Annotated[int, typer.Option(metavar="N", help="How many items make a batch.")] = 20,
    seed: Annotated[int, typer.Option(help="The order of items and sides follows from it.")] = 0,
) -> None:
    """Make a study from responses; it waits for 'heed study open'."""
    from heed.judging.studies import StudyOptions, create_study
    from heed.store.database import open_database

    given: dict[str, Any] = {"protocol": protocol, "responses": responses, "dataset": dataset, "pairs": pairs}
    given |= {"against": against, "limit": limit, "seed": seed, "edits": edits, "tags": tags, "about": about}
    given |= {"labels_per_item": labels_per_item, "lease_minutes": lease_minutes, "pair": pair or []}
    given |= {"shared": shared, "anchors": anchors, "baseline": baseline, "batch": batch}
    options = StudyOptions.parse(given)
    study, made = create_study(settings.workspace, open_database(settings.workspace), name, options)
    result = {**made, "protocol": study.protocol, "labels_per_item": study.labels_per_item}
    settings.show(result, lambda: _draw_created(result))


def add(
    settings: Settings,
    name: StudyArgument,
    responses: Annotated[
        str, typer.Option(metavar="NAME", help="Responses whose items are new to the study.")
    ],
    policy: Annotated[
        list[str] | None,
        typer.Option(metavar="POLICY", help="Only items with this policy; may be given several times."),
    ] = None,
) -> None:
    """Add a policy or items to a study, also while people work on it; what they judged stays as it is."""
    from heed.judging.growing import grow_study
    from heed.store.database import open_database
    from heed.store.studies import find_study

    database = open_database(settings.workspace)
    study = find_study(database, name=name)
    result = grow_study(settings.workspace, database, study, responses, policy or ())
    words = f"Study {name}: {result['added']:,} items added, {result['there_already']:,} were there."
    settings.show(result, lambda: [words])


def quote(
    settings: Settings,
    name: StudyArgument,
    price: Annotated[float | None, typer.Option(metavar="P", help="What one judgment costs.")] = None,
    hourly: Annotated[float | None, typer.Option(metavar="P", help="Pay per hour; needs --minutes.")] = None,
    minutes: Annotated[float | None, typer.Option(metavar="M", help="How long one judgment takes.")] = None,
    labelers: Annotated[
        int, typer.Option(metavar="N", help="How many people, for what everybody judges.")
    ] = 1,
    agreement: Annotated[
        float, typer.Option(help="Of votes on one item: Krippendorff's alpha of a pilot.")
    ] = 0.4,
) -> None:
    """Say what a study will cost and how sharp its answer will be, before anybody is paid."""
    from heed.judging.quote import QuoteOptions, quote_study
    from heed.store.database import open_database
    from heed.store.studies import find_study

    given = {"price": price, "hourly": hourly, "minutes": minutes}
    options = QuoteOptions.parse({**given, "labelers": labelers, "agreement": agreement})
    database = open_database(settings.workspace)
    result = quote_study(database, find_study(database, name=name), options)
    settings.show(result, lambda: _draw_quote(result))


def open_(settings: Settings, name: StudyArgument) -> None:
    """Let labelers in."""
    _change(settings, name, "open")


def pause(settings: Settings, name: StudyArgument) -> None:
    """Hand out nothing for now; answers to what is handed out are taken."""
    _change(settings, name, "paused")


def close(settings: Settings, name: StudyArgument) -> None:
    """Hand out nothing any more."""
    _change(settings, name, "closed")


def status(settings: Settings, name: StudyArgument) -> None:
    """Say how far a study is, and who works in it."""
    from heed.store.database import open_database
    from heed.store.stranded import count_stranded
    from heed.store.studies import count_study, find_study, list_labelers

    database = open_database(settings.workspace)
    study = find_study(database, name=name)
    labelers = list_labelers(database, study)
    result: dict[str, Any] = {"study": name, "protocol": study.protocol, "state": study.state}
    result |= {**count_study(database, study), "stranded": count_stranded(database, study)}
    result |= {"labelers": labelers}
    settings.show(result, lambda: _draw_status(result))


def _change(settings: Settings, name: str, state: str) -> None:
    from heed.store.database import open_database
    from heed.store.studies import find_study, set_state

    database = open_database(settings.workspace)
    set_state(database, find_study(database, name=name), state)
    result = {"study": name, "state": state}
    settings.show(result, lambda: [f"Study {name} is {state}."])


def _draw_created(result: dict[str, Any]) -> "list[RenderableType]":
    dropped = ", ".join(f"{reason} {count}" for reason, count in result["dropped"].items())
    labels = result["labels_per_item"]
    size = f"{result['items']:,} items × {labels} label{'s' if labels > 1 else ''}"
    lines = [f"Study {result['study']} ({result['protocol']}): {size}."]
    lines += [f"Left out: {dropped}."] if dropped else []
    return [*lines, f"Next: heed study open {result['study']}, heed invite {result['study']}, heed serve."]


def _draw_status(result: dict[str, Any]) -> "list[RenderableType]":
    from rich.table import Table

    table = Table("labeler", "kind", "judgments", "", box=None, pad_edge=False)
    for row in result["labelers"]:
        remark = f"excluded: {row['reason']}" if row["excluded"] else ""
        table.add_row(row["worker"], row["kind"], str(row["judgments"]), remark)
    leases = ", ".join(f"{count} {state}" for state, count in result["leases"].items()) or "none"
    head = f"Study {result['study']} ({result['protocol']}) is {result['state']}: "
    share = f"{result['labels']:,} of {result['labels_wanted']:,} labels on {result['items']:,} items."
    lines = [head + share, f"Leases: {leases}."]
    if result["stranded"]:
        lines.append(
            f"Items that want labels and that everybody here has had: {result['stranded']:,}. Invite more."
        )
    return [*lines, *([table] if result["labelers"] else [])]


def _draw_quote(result: dict[str, Any]) -> "list[RenderableType]":
    from rich.table import Table

    hours = f", {result['hours']:,.1f} hours" if result["hours"] is not None else ""
    lines: list[RenderableType] = [
        f"Study {result['study']}: {result['judgments']:,} judgments cost {result['cost']:,.2f}{hours}."
    ]
    table = Table(
        "policies", "items", "cost", "95 % interval", "seen with power .8", box=None, pad_edge=False
    )
    for row in result["pairs"]:
        seen = row["smallest_difference"]
        shown = f"50 % against {50 + 100 * seen:.0f} %" if seen is not None else "nothing"
        width = f"± {100 * row['half_width']:.1f} points"
        table.add_row(" / ".join(row["policies"]), f"{row['items']:,}", f"{row['cost']:,.2f}", width, shown)
    return [*lines, *([table] if result["pairs"] else [])]
