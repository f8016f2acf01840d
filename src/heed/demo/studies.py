"""The demo's studies: one that simulated labelers work through, up to its report, and some to try by hand.

No person judges here; the store, the pages and the report mark every judgment as simulated.
"""

import json
import time
from collections.abc import Sequence
from typing import Any

from heed.errors import NotFoundError
from heed.judging.accounts import invite
from heed.judging.freeze import freeze_study
from heed.judging.growing import grow_study
from heed.judging.simulate import Character, simulate
from heed.judging.studies import StudyOptions, create_study
from heed.reports.build import PAGE, write_report
from heed.site.reports import PUBLISHED
from heed.site.serve import running
from heed.store.database import Database
from heed.store.studies import Study, count_study, find_study, set_state
from heed.workspace import Workspace, open_artifact

NAME = "demo"
_LABELERS = 6
_CHARACTER = Character(skill=2.0)
_WAIT_SECONDS = 5
# A run that was killed holds items until their leases end: one minute, so that the next run waits no longer.
_JUDGED: dict[str, Any] = {"protocol": "helpfulness", "labels_per_item": 3, "lease_minutes": 1}
TO_TRY: dict[str, dict[str, Any]] = {
    "try-comparison": {"protocol": "comparison", "responses": "sample-tldr", "pair": ["title:reference"]},
    "try-helpfulness": {
        "protocol": "helpfulness",
        "responses": "sample-advice",
        "pair": ["second_best:tfidf"],
        "tags": True,
    },
    "try-plausibility": {"protocol": "plausibility", "dataset": "sample-cloze", "limit": 10},
}


def is_judged(workspace: Workspace) -> bool:
    return (workspace.root / "judgments" / NAME).exists()


def judge(workspace: Workspace, database: Database, responses: Sequence[str]) -> None:
    """Every policy against the reference, three simulated labels an item, frozen."""
    study = _open(workspace, database, NAME, {**_JUDGED, "responses": responses[0]})
    for more in responses[1:]:
        grow_study(workspace, database, study, more)
    _work_through(workspace, database, study)
    freeze_study(workspace, database, study, NAME)
    set_state(database, study, "closed")


def describe_judged(workspace: Workspace) -> dict[str, Any]:
    counts = open_artifact(workspace.root / "judgments" / NAME).manifest.counts
    return {"study": NAME, "protocol": _JUDGED["protocol"], **counts}


def leave_open(workspace: Workspace, database: Database) -> list[Study]:
    """Small studies of several protocols that nobody has worked on."""
    return [_open(workspace, database, name, options) for name, options in TO_TRY.items()]


def report(workspace: Workspace) -> dict[str, Any]:
    """The report, published on the site: its page and its preference table."""
    place = workspace.folder(PUBLISHED) / NAME
    if not (place / PAGE).exists():
        write_report(workspace.root / "judgments" / NAME, place)
    table = json.loads((place / "tables" / "preference.json").read_text(encoding="utf-8"))
    return {"page": str(place / PAGE), "path": f"/{PUBLISHED}/{NAME}/", "preference": table}


def _open(workspace: Workspace, database: Database, name: str, options: dict[str, Any]) -> Study:
    """The study, made and opened on the first run."""
    try:
        study = find_study(database, name=name)
    except NotFoundError:
        study, _ = create_study(workspace, database, name, StudyOptions.parse(options))
    if study.state == "draft":
        set_state(database, study, "open")
    return find_study(database, name=name)


def _work_through(workspace: Workspace, database: Database, study: Study) -> None:
    """Simulated labelers over HTTP until every label is there; also what a killed run left."""
    with running(workspace) as site:
        while (counts := count_study(database, study))["labels"] < counts["labels_wanted"]:
            links = [invite(database, "labeler", study, kind="simulated", days=1) for _ in range(_LABELERS)]
            if not sum(simulate(site, study.code, links, _CHARACTER, study.seed)):
                time.sleep(_WAIT_SECONDS)
