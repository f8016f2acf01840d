from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient

from heed.judging.accounts import invite, open_invite
from heed.site import entrance
from heed.site.app import ROUTES, create_app
from heed.store.database import Database
from heed.store.studies import Study, find_study, list_labelers
from heed.store.tables import failures
from heed.workspace import Workspace

MakeStudy = Callable[..., Study]
Come = Callable[..., Any]
ROLES = ("visitor", "admin", "researcher", "labeler", "submitter")


@pytest.mark.parametrize("role", ROLES)
def test_every_route_for_every_role(
    database: Database, make_study: MakeStudy, come: Come, visitor: Callable[[], Any], role: str
) -> None:
    study = make_study(examples=1)
    token = invite(database, "labeler", None).removeprefix("/invite/")
    person = visitor() if role == "visitor" else come(role, study, role)
    # Signing out comes last, because after it everybody is a visitor.
    for method, path, _, roles in sorted(ROUTES, key=lambda route: route[1] == "/sign-out"):
        person.page = person.client.get("/sign-in")
        parts = {"code": study.code, "token": token, "name": "x", "folder": "tables", "file": "x.csv"}
        address = path.format(**parts)
        if method == "GET":
            answer = person.client.get(address, follow_redirects=False)
        else:
            answer = person.client.post(address, data=person.hidden(), follow_redirects=False)
        refused = answer.status_code in (401, 403) or answer.headers.get("location") == "/sign-in"
        allowed = role in roles
        expected = not allowed or path == "/sign-out"
        assert refused == expected, (method, path, answer.status_code)
        if not allowed:
            assert study.name not in answer.text


def test_every_form_needs_its_token(make_study: MakeStudy, come: Come) -> None:
    study = make_study(examples=1)
    for role in ROLES[1:]:
        person = come(role, study, role)
        for method, path, _, roles in ROUTES:
            if method == "POST" and role in roles:
                answer = person.client.post(path.format(code=study.code, token="x"), data={"csrf": "x"})
                assert (answer.status_code, "out of date" in answer.text) == (403, True), path


def test_sign_in_and_out(come: Come, visitor: Callable[[], Any]) -> None:
    come("Ann")
    person = visitor()
    person.get("/sign-in")
    assert "is wrong" in person.send("/sign-in", name="Ann", password="not this one").text
    assert "is wrong" in person.send("/sign-in", name="Nobody", password="not this one").text
    assert "Your studies" in person.send("/sign-in", name=" Ann ", password="long enough").text
    cookie = next(iter(person.seen[-2].headers.get_list("set-cookie")))
    assert "HttpOnly" in cookie
    assert "samesite=lax" in cookie.lower()
    assert "Sign in" in person.send("/sign-out").text
    assert person.get("/home").url.path == "/sign-in"


def test_too_many_wrong_sign_ins(
    come: Come,
    visitor: Callable[[], Any],
    workspace: Workspace,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    come("Ann")
    monkeypatch.setattr(entrance, "_MOST_FAILURES", 2)
    person = visitor()
    person.get("/sign-in")
    codes = [person.send("/sign-in", name="Ann", password="wrong").status_code for _ in range(3)]
    assert codes == [400, 400, 429]
    assert person.send("/sign-in", name="Ann", password="long enough").status_code == 429
    other_server = create_app(workspace)
    other_server.state.site.database = database
    person = type(person)(TestClient(other_server))
    person.get("/sign-in")
    assert person.send("/sign-in", name="Ann", password="long enough").status_code == 429
    with database.write() as connection:
        connection.execute(sa.update(failures).values(at=failures.c.at - 901))
    assert person.send("/sign-in", name="Ann", password="long enough").status_code == 200


def test_invites_that_do_not_work(database: Database, visitor: Callable[[], Any]) -> None:
    person = visitor()
    old = invite(database, "labeler", None, days=-1)
    assert "expired" in person.get(old).text
    assert person.page.status_code == 400
    assert person.get(invite(database, "labeler", None)[:-3]).status_code == 404
    path = invite(database, "labeler", None)
    person.get(path)
    assert "10 to 200 characters" in person.send(path, name="Ann", password="short").text
    assert "Choose a name" in person.send(path, name="  ", password="long enough").text
    person.send(path, name="Ann", password="long enough")
    assert person.page.url.path == "/consent"
    assert "Without your consent" in person.send("/consent").text
    assert "used up" in visitor().get(path).text


def test_a_forged_session_is_a_visitor(visitor: Callable[[], Any]) -> None:
    person = visitor()
    person.client.cookies.set("heed_session", "eyJhY2NvdW50IjoxfQ.forged.sig")
    assert person.get("/home").url.path == "/sign-in"


def test_a_researcher_runs_a_study(database: Database, make_study: MakeStudy, come: Come) -> None:
    study = make_study(examples=1)
    come("Ann", study)
    person = come("Rea", role="researcher")
    assert study.name in person.get("/home").text
    place = f"/studies/{study.code}"
    person.get(place)
    person.send(f"{place}/state", state="paused")
    assert find_study(database, name=study.name).state == "paused"
    person.get(place)
    assert person.send(f"{place}/state", state="strange").status_code == 400
    person.get(place)
    assert "http://testserver/invite/" in person.send(f"{place}/invite", uses="3").text
    assert person.send(f"{place}/invite", uses="1", role="admin").status_code == 400
    person.get(place)
    assert person.send(f"{place}/invite", uses="many").status_code == 400
    person.get(place)
    assert person.send(f"{place}/exclude", worker="w0", reason="x").status_code == 404
    worker = person.get(place).text.split("<td><code>")[1].split("<")[0]
    assert person.send(f"{place}/exclude", worker=worker, reason=" ").status_code == 400
    person.get(place)
    assert "excluded: asleep" in person.send(f"{place}/exclude", worker=worker, reason="asleep").text
    assert person.get("/studies/unknown").status_code == 404


def test_headers(visitor: Callable[[], Any]) -> None:
    headers = visitor().get("/sign-in").headers
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]


def test_who_is_signed_in_joins_with_their_account(
    database: Database, make_study: MakeStudy, come: Come
) -> None:
    first, second = make_study(examples=1), make_study("comparison", examples=1)
    ann, rea = come("Ann", first), come("Rea", role="researcher")
    link = invite(database, "labeler", second, uses=1)
    assert "signed in as <b>Ann</b>" in ann.get(link).text
    ann.send(link)
    assert ann.page.text.count("Instructions") == 2
    assert 'id="task"' in ann.get(f"/work/{second.code}").text
    assert [row["worker"] for row in list_labelers(database, first)] == [
        row["worker"] for row in list_labelers(database, second)
    ]
    # The one use is gone, and an account of another role or kind cannot be lent to it.
    assert "used up" in ann.get(link).text
    for kind in ("human", "simulated"):
        other = invite(database, "labeler", second, kind=kind)  # type: ignore[arg-type]
        person = rea if kind == "human" else ann
        person.get(other)
        assert "Choose a name" in person.page.text
        person.send(other, **{"as": "me"})
        assert "not for an account like yours" in person.page.text
    again = invite(database, "labeler", second)
    ann.get(again)
    ann.send(again)
    assert open_invite(database, again.removeprefix("/invite/")).uses == 0
