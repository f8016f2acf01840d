import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from zlib import crc32

import pytest
import sqlalchemy as sa

from heed.errors import UserError
from heed.judging.accounts import sign_in
from heed.judging.freeze import freeze_study
from heed.judging.handout import answer_task, next_task
from heed.judging.machines import judge_study, read_letter
from heed.policies.policy import Answer, Ask
from heed.policies.serve import create_policy_app
from heed.reports.build import ReportOptions, write_report
from heed.site.serve import running_app
from heed.statistics.frozen import read_judgments as read_frozen
from heed.statistics.summary import summarise
from heed.store.backup import check_store
from heed.store.database import Database
from heed.store.judgments import read_judgments
from heed.store.leases import find_lease
from heed.store.studies import Study, count_study, list_labelers
from heed.store.tables import items
from heed.workspace import Workspace

MakeStudy = Callable[..., Study]
HELPFUL = {"preference": "definitely_a", "rating": "dangerous", "usefulness": "never"}
TEXTS = re.compile(r"\w+ A:\n(.*?)\n\n\w+ B:\n(.*?)\n\nWhich one", re.DOTALL)


class Fake:
    """A policy that answers as a function of the two texts it is shown."""

    name, batch, samples = "fake", 8, False

    def __init__(self, say: Callable[[str, str], str]) -> None:
        self.say, self.prompts = say, []

    def describe(self) -> dict[str, Any]:
        return {}

    def answer(self, asks: Sequence[Ask]) -> list[Answer]:
        self.prompts += [ask.example.text for ask in asks]
        return [Answer(self.say(*TEXTS.search(ask.example.text).groups())) for ask in asks]


def longer(first: str, second: str) -> str:
    return "A" if len(first) > len(second) else "**B**, it says more."


@contextmanager
def serving(policy: Fake) -> Iterator[str]:
    """The policy behind a real server that speaks the OpenAI protocol."""
    with running_app(create_policy_app(policy)) as address:
        yield f"endpoint:{address}#model=fake"


@pytest.mark.parametrize("protocol", ["helpfulness", "comparison", "plausibility"])
def test_an_endpoint_is_asked_in_both_orders(
    workspace: Workspace, database: Database, make_study: MakeStudy, protocol: str
) -> None:
    study, fake = make_study(protocol, examples=3), Fake(longer)
    pairs = 3 if protocol == "plausibility" else 6
    with serving(fake) as spec:
        found = judge_study(workspace, database, study, spec)
        assert (found["judgments"], found["failed"], len(fake.prompts)) == (pairs, {}, 2 * pairs)
        assert judge_study(workspace, database, study, spec)["judgments"] == 0
    rows = read_judgments(database, study)
    for row in rows:
        gap = len(row["text_a"]) - len(row["text_b"])
        assert row["choice"] == ("tie" if gap == 0 else "a" if gap > 0 else "b")
        assert row["strength"] == (gap > 0) - (gap < 0)
        assert (row["kind"], row["first"], row["revision"]) == ("machine", "none", 1)
        assert row["instructions"].startswith(f"machine_{protocol}-")
    assert json.loads(rows[0]["answers"])["judge"] == spec
    (labeler,) = list_labelers(database, study)
    assert (labeler["kind"], labeler["judgments"]) == ("machine", pairs)
    assert labeler["worker"].startswith("endpoint-")
    frame = read_frozen(freeze_study(workspace, database, study, "frozen").path)
    assert (set(frame["kind"]), set(frame["shown_first"])) == ({"machine"}, {"none"})


def test_a_taste_for_one_side_is_a_tie(
    workspace: Workspace, database: Database, make_study: MakeStudy
) -> None:
    study = make_study(examples=3)
    with serving(Fake(lambda _first, _second: "Answer: A")) as spec:
        found = judge_study(workspace, database, study, spec)
    assert (found["judgments"], found["ties"]) == (6, 6)
    assert {row["choice"] for row in read_judgments(database, study)} == {"tie"}


def test_what_cannot_be_read_fails_and_is_asked_again(
    workspace: Workspace, database: Database, make_study: MakeStudy
) -> None:
    study = make_study(examples=3)
    fake = Fake(lambda first, second: "Both have merits." if "two" in first else longer(first, second))
    with serving(fake) as spec:
        found = judge_study(workspace, database, study, spec)
        assert (found["judgments"], found["failed"]) == (3, {"unreadable": 3})
        fake.say = longer
        assert judge_study(workspace, database, study, spec)["judgments"] == 3
    with pytest.raises(UserError, match="There is no policy 'oracle'"):
        judge_study(workspace, database, study, "oracle")


def test_a_server_that_is_gone(workspace: Workspace, database: Database, make_study: MakeStudy) -> None:
    study = make_study(examples=1)
    with serving(Fake(longer)) as spec:
        pass
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("heed.net.caller.time.sleep", lambda _seconds: None)
        found = judge_study(workspace, database, study, spec)
    assert (found["judgments"], found["failed"]) == (0, {"refused": 2})


def test_machines_take_no_place_and_do_not_count(
    workspace: Workspace,
    database: Database,
    make_study: MakeStudy,
    hire: Callable[[Study, str], int],
    tmp_path: Any,
) -> None:
    study = make_study(examples=12, labels_per_item=1)
    with serving(
        Fake(lambda first, second: "A" if crc32(first.encode()) > crc32(second.encode()) else "B")
    ) as spec:
        assert judge_study(workspace, database, study, spec)["judgments"] == 24
    assert count_study(database, study)["labels"] == 0
    account = hire(study, "Ann")
    for _ in range(16):
        task = next_task(database, study, account)
        assert task is not None
        answer_task(database, study, find_lease(database, study, task.token, account), HELPFUL, 1.0)
    assert (count_study(database, study)["labels"], count_study(database, study)["labels_wanted"]) == (16, 24)
    assert check_store(database)["problems"] == []
    artifact = freeze_study(workspace, database, study, "frozen")
    assert artifact.manifest.counts["kinds"] == {"human": 16, "machine": 24}
    frame = read_frozen(artifact.path)
    people = frame.filter(frame["kind"] == "human")
    found = write_report(artifact.path, tmp_path / "report", ReportOptions(resamples=100))
    assert (found["kind"], found["judgments"]) == ("human", 16)
    # The machine's judgments reach the one place that may use them, which asks for more labels of people.
    assert sum("Prediction-powered intervals need" in remark for remark in found["remarks"]) == 2
    told = summarise([artifact.path])
    assert (told["judgments"], told["workers"]) == (people.height, 1)
    assert told["remarks"][0] == "Left out: 24 machine judgments."
    with pytest.raises(UserError, match="name or the password"):
        sign_in(database, f"machine {spec}", "none")


def test_scorers_judge(workspace: Workspace, database: Database, make_study: MakeStudy) -> None:
    study = make_study("comparison", examples=2, pairs="round-robin")
    found = judge_study(workspace, database, study, "length", most=2)
    assert (found["judgments"], found["ties"]) == (2, 2)
    assert judge_study(workspace, database, study, "rouge:rouge1")["judgments"] == 6
    rows = [row for row in read_judgments(database, study) if row["worker"] == "rouge:rouge1"]
    for row in rows:
        a, b = json.loads(row["answers"])["scores"]
        assert row["strength"] == (a > b) - (a < b)
    assert judge_study(workspace, database, study, "length")["judgments"] == 4
    with pytest.raises(UserError, match="no ROUGE 'rouge9'"):
        judge_study(workspace, database, study, "rouge:rouge9")
    with pytest.raises(UserError, match="a machine judges pairs"):
        judge_study(workspace, database, make_study("axes"), "length")


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("A", "A"),
        (" b", None),
        ("B.", "B"),
        ("**A**", "A"),
        ("Advice B", "B"),
        ("The answer is A", "A"),
        ("Summary A: it is truer.", "A"),
        ("(B) because", "B"),
        ("A better choice would be B", None),
        ("Both are good", None),
        ("", None),
        ("As far as I can tell, A", None),
    ],
)
def test_letters(text: str, letter: str | None) -> None:
    assert read_letter(text) == letter


def test_a_long_post_loses_its_middle_not_its_answers(
    workspace: Workspace, database: Database, make_study: MakeStudy
) -> None:
    study, fake = make_study(examples=2), Fake(longer)
    long = "\n\n".join(f"word {number} " * 200 for number in range(20))
    with database.write() as connection:
        connection.execute(sa.update(items).where(items.c.example == "example-0").values(situation=long))
        huge = items.c.policy_a == "zebra-policy"
        connection.execute(sa.update(items).where(huge).values(text_a="x " * 4_000))
    with serving(fake) as spec:
        found = judge_study(workspace, database, study, spec)
    assert (found["judgments"], found["failed"]) == (2, {"too_long": 2})
    cut = [prompt for prompt in fake.prompts if "word 0" in prompt]
    assert len(cut) == 2
    assert all("word 19" in prompt and "word 10 " not in prompt for prompt in cut)
