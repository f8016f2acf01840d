"""Coming in: sign-in, invite, consent, and the page that everybody starts from."""

from fastapi import Response

from heed.errors import UserError
from heed.judging.accounts import SHORTEST_PASSWORD, accept_invite, can_join, join_by_invite, open_invite
from heed.judging.accounts import sign_in as open_account
from heed.judging.protocols.table import find_protocol
from heed.site.reports import PUBLISHED, REPORTS, list_reports
from heed.site.sessions import new_session
from heed.site.visits import RESEARCHERS, Visit
from heed.store.accounts import record_consent
from heed.store.attempts import count_failures, record_failure
from heed.store.judgments import count_judged
from heed.store.studies import count_study, list_studies

_MOST_FAILURES, _LATELY_SECONDS = 10, 900
_WAIT = "Too many wrong sign-ins: wait a quarter of an hour."


def show_sign_in(visit: Visit) -> Response:
    return visit.page("sign_in.html")


def do_sign_in(visit: Visit) -> Response:
    """A wrong name and a wrong password are one and the same; too many of them, and one has to wait."""
    name = visit.form.get("name", "")
    address = visit.request.client.host if visit.request.client else "unknown"
    keys = (f"address {address}", f"name {name[:200]}")
    if count_failures(visit.database, keys, _LATELY_SECONDS) >= _MOST_FAILURES:
        return visit.page("sign_in.html", 429, problem=_WAIT, name=name)
    try:
        account = open_account(visit.database, name, visit.form.get("password", ""))
    except UserError as error:
        record_failure(visit.database, keys)
        return visit.page("sign_in.html", 400, problem=str(error), name=name)
    return visit.go("/home", new_session(account.id))


def sign_out(visit: Visit) -> Response:
    return visit.go("/sign-in", new_session(None))


def show_invite(visit: Visit) -> Response:
    found = open_invite(visit.database, visit.request.path_params["token"])
    if can_join(found, visit.account):
        return visit.page("join.html")
    return visit.page("invite.html", role=found.role, kind=found.kind, shortest=SHORTEST_PASSWORD)


def accept(visit: Visit) -> Response:
    token, name = visit.request.path_params["token"], visit.form.get("name", "")
    if visit.account and visit.form.get("as") == "me":
        join_by_invite(visit.database, token, visit.account)
        return visit.go("/home")
    found = open_invite(visit.database, token)
    try:
        account = accept_invite(visit.database, token, name, visit.form.get("password", ""))
    except UserError as error:
        values = {"role": found.role, "kind": found.kind, "shortest": SHORTEST_PASSWORD}
        return visit.page("invite.html", 400, problem=str(error), name=name, **values)
    return visit.go("/home", new_session(account))


def show_consent(visit: Visit) -> Response:
    return visit.page("consent.html")


def give_consent(visit: Visit) -> Response:
    if visit.form.get("agree") != "yes":
        return visit.page("consent.html", 400, problem="Without your consent there is no work to show.")
    record_consent(visit.database, visit.person.id)
    studies = list_studies(visit.database, visit.person.id)
    return visit.go(f"/instructions/{studies[0].code}" if len(studies) == 1 else "/home")


def home(visit: Visit) -> Response:
    """A labeler's own studies, or all of them for those who run them."""
    person = visit.person
    if person.role in RESEARCHERS:
        rows = [{"study": s, **count_study(visit.database, s)} for s in list_studies(visit.database)]
        found = [r for folder in (REPORTS, PUBLISHED) for r in list_reports(visit.site.workspace, folder)]
        return visit.page("studies.html", rows=rows, reports=found)
    if person.role == "labeler" and person.consented is None:
        return visit.go("/consent")
    own = list_studies(visit.database, person.id)
    rows = [
        {
            "code": study.code,
            "state": study.state,
            "title": find_protocol(study.protocol).title,
            "done": count_judged(visit.database, study, person.id),
        }
        for study in own
    ]
    return visit.page("home.html", rows=rows)
