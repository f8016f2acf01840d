"""A researcher's page of one study: how far it is, who works in it, what was reported, what can be done."""

from fastapi import Response

from heed.errors import UserError
from heed.judging.accounts import ROLES, invite
from heed.site.visits import Visit
from heed.store.leases import exclude_account
from heed.store.stranded import count_stranded
from heed.store.studies import (
    STATES,
    count_study,
    list_labelers,
    list_notes,
    set_state,
)

_MOST_USES = 1_000


def show_study(visit: Visit, link: str | None = None) -> Response:
    study = visit.study
    return visit.page(
        "study.html",
        study=study,
        counts=count_study(visit.database, study),
        stranded=count_stranded(visit.database, study),
        labelers=list_labelers(visit.database, study),
        notes=list_notes(visit.database, study),
        link=link,
    )


def change_state(visit: Visit) -> Response:
    study, state = visit.study, visit.form.get("state", "")
    if state not in STATES[1:]:
        raise UserError(f"A study can be {', '.join(STATES[1:])}, not '{state[:40]}'.")
    set_state(visit.database, study, state)
    return visit.go(f"/studies/{study.code}")


def make_invite(visit: Visit) -> Response:
    """A link for labelers; only an admin may invite to another role."""
    role, uses = visit.form.get("role", "labeler"), visit.form.get("uses", "1")
    if role != "labeler" and visit.person.role != "admin":
        raise UserError("Only an admin may invite researchers and admins.")
    if role not in ROLES or not uses.isdecimal() or not 1 <= int(uses) <= _MOST_USES:
        raise UserError(f"An invite is for 1 to {_MOST_USES} people of the roles {', '.join(ROLES)}.")
    path = invite(visit.database, role, visit.study, uses=int(uses))
    return show_study(visit, str(visit.request.base_url).rstrip("/") + path)


def exclude(visit: Visit) -> Response:
    study = visit.study
    reason = visit.form.get("reason", "").strip()
    if not reason:
        raise UserError("Say why this labeler is excluded; it is kept with the study.")
    exclude_account(visit.database, study, visit.form.get("worker", ""), reason[:2_000])
    return visit.go(f"/studies/{study.code}")
