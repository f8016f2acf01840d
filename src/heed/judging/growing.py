"""More policies or items for a study that people may be working on. What was handed out stays as it is."""

from collections.abc import Sequence
from typing import Any

from heed.errors import UserError
from heed.judging.placing import shuffle_items
from heed.judging.protocols.table import find_protocol
from heed.judging.studies import StudyOptions, items_of, to_parents
from heed.store.database import Database
from heed.store.studies import Study, add_items
from heed.workspace import Workspace


def grow_study(
    workspace: Workspace, database: Database, study: Study, responses: str, policies: Sequence[str] = ()
) -> dict[str, Any]:
    """Pair new responses as the study pairs its own, and put the items that are new behind the others."""
    if study.state == "closed":
        raise UserError(f"Study '{study.name}' is closed, for good: make a new one.")
    protocol, options = find_protocol(study.protocol), StudyOptions.parse(dict(study.options))
    if options.edits is not None:
        raise UserError(f"Study '{study.name}' compares edits: make a new one for later edits.")
    if protocol.source == "choices":
        raise UserError(f"Study '{study.name}' asks about choices, which no responses add to.")
    # The limit was on the first responses; what is added now was chosen by hand.
    first, options = options.responses, options.model_copy(update={"responses": responses, "limit": None})
    before = [p["name"] for p in study.parents if p["kind"] == "responses"] or [first or responses]
    before = [name for name in before if name != responses]
    parents, items, dropped = items_of(workspace, study.name, protocol, options, before)
    if policies:
        _refuse_unknown(policies, {name for item in items for name in (item.policy_a, item.policy_b)})
        items = [item for item in items if {item.policy_a, item.policy_b} & set(policies)]
    added = add_items(database, study, shuffle_items(items, options.seed), to_parents(parents))
    there = len(items) - added
    return {"study": study.name, "added": added, "there_already": there, "dropped": dict(dropped)}


def _refuse_unknown(policies: Sequence[str], known: set[str | None]) -> None:
    for policy in policies:
        if policy not in known:
            there = ", ".join(sorted(name for name in known if name))
            raise UserError(f"There is nothing of a policy '{policy}' to add: there are {there}.")
