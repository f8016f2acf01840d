import json
from collections.abc import Callable

import pytest

from heed.errors import UserError
from heed.judging.accounts import invite
from heed.judging.freeze import frozen_judgments
from heed.judging.handout import answer_task, next_task
from heed.judging.instructions import instructions_of
from heed.judging.protocols.marks import MOST_MARKS, marks_by_side, marks_to_form, read_marks
from heed.judging.protocols.protocol import AnswerError, check_answers
from heed.judging.protocols.table import find_protocol
from heed.judging.simulate import Character, simulate
from heed.site.serve import running
from heed.store.database import DATABASE_VARIABLE, Database
from heed.store.judgments import read_judgments
from heed.store.leases import find_lease
from heed.store.studies import Study
from heed.workspace import Workspace

MakeStudy = Callable[..., Study]
TAGS = find_protocol("helpfulness").tags
TEXTS = ("Dry the phone\r\nin the oven 🔥 tonight, in the oven.", "Ask the landlord. Wait.")
HELPFUL = {"preference": "slightly_a", "rating": "slightly_helpful", "reason": "meaning"}


def mark(number: int = 1, **fields: str) -> dict[str, str]:
    return {f"mark_{number}_{name}": value for name, value in fields.items()}


def test_words_become_a_span_of_the_stored_text() -> None:
    form = mark(words=" phone\nin  the oven ", physical="yes", social="yes", note="it melts")
    marks, problems = read_marks(TAGS, form | mark(2, words="Wait.", reading="yes", text="2"), TEXTS)
    assert problems == []
    assert [TEXTS[each["text"] - 1][each["start"] : each["end"]] for each in marks] == [
        "phone\r\nin the oven",
        "Wait.",
    ]
    assert marks[0]["tags"] == ["social", "physical"]
    assert (marks[0]["note"], marks[1]["note"]) == ("it melts", "")
    assert read_marks(TAGS, marks_to_form(marks), TEXTS) == (marks, [])


@pytest.mark.parametrize(("start", "place"), [("", 15), ("0", 15), ("44", 38), ("9999", 38), ("x", 15)])
def test_the_start_says_which_of_several(start: str, place: int) -> None:
    ((found,), problems) = read_marks(TAGS, mark(words="in the oven", physical="yes", start=start), TEXTS)
    assert (found["start"], found["end"], problems) == (place, place + 11, [])


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"words": "microwave", "physical": "yes"}, "not in the text"),
        ({"words": "Wait.", "text": "1", "physical": "yes"}, "not in the text"),
        ({"words": "Wait.", "text": "3", "physical": "yes"}, "none of the texts"),
        ({"words": "the", "physical": "yes"}, "in both texts"),
        ({"words": "Wait."}, "at least one kind"),
        ({"social": "yes"}, "name the words"),
        ({"note": "hm"}, "name the words"),
        ({"words": "Wait.", "social": "yes", "note": "x" * 2_001}, "at most 2,000"),
        ({"words": "x" * 500, "social": "yes"}, "longer than the texts"),
        ({"words": "Wait.", "moral": "yes"}, "no mark 'mark_1_moral'"),
    ],
)
def test_marks_that_cannot_be_taken(fields: dict[str, str], sentence: str) -> None:
    stage = find_protocol("helpfulness").tagged().stages[0]
    with pytest.raises(AnswerError, match=sentence):
        check_answers(stage, {**HELPFUL, **mark(**fields)}, TEXTS)


def test_marks_need_a_study_that_asks_for_them(
    make_study: MakeStudy, database: Database, hire: Callable[[Study, str], int]
) -> None:
    stage = find_protocol("helpfulness").stages[0]
    with pytest.raises(AnswerError, match="no question 'mark_1_words'"):
        check_answers(stage, {**HELPFUL, **mark(words="Wait.", social="yes")}, TEXTS)
    over = mark(MOST_MARKS + 1, words="Wait.", social="yes")
    with pytest.raises(AnswerError, match=f"no mark 'mark_{MOST_MARKS + 1}_words'"):
        check_answers(find_protocol("helpfulness").tagged().stages[0], {**HELPFUL, **over}, TEXTS)
    with pytest.raises(UserError, match="has no error tags"):
        make_study("comparison", examples=4, tags=True)
    study = make_study(examples=4, tags=True)
    account = hire(study, "Ann")
    while task := next_task(database, study, account):
        form = (
            HELPFUL
            | mark(words="Answer two", coreference="yes")
            | mark(2, words="Answer", text="2", social="1")
        )
        if "two" not in "".join(task.texts):
            form = HELPFUL
        answer_task(database, study, find_lease(database, study, task.token, account), form, 1.0)
    marked = [j for j in frozen_judgments(database, study) if "tags" in json.loads(j.answers)]
    assert len(marked) == 4
    for judgment in marked:
        first, second = json.loads(judgment.answers)["tags"]
        side = "a" if judgment.text_a.startswith("Answer two") else "b"
        assert (first["side"], first["start"], first["end"], first["tags"]) == (side, 0, 10, ["coreference"])
        assert second["side"] == ("b" if judgment.shown_first == "a" else "a")
        assert judgment.instruction_version == instructions_of(study).version
    assert {judgment.instruction_version.rpartition("-")[0] for judgment in marked} == {"helpfulness-tags"}


def test_sides_are_turned() -> None:
    marks = [{"text": 1, "words": "x"}, {"text": 2, "words": "y"}]
    assert [each["side"] for each in marks_by_side(marks, "b")] == ["b", "a"]


def test_simulated_labelers_mark(
    workspace: Workspace, make_study: MakeStudy, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DATABASE_VARIABLE, database.url.render_as_string(hide_password=False))
    study = make_study(examples=6, tags=True, labels_per_item=1)
    with running(workspace) as site:
        link = invite(database, "labeler", study, kind="simulated")
        assert simulate(site, study.code, [link], Character(), seed=1) == [12]
    given = [json.loads(row["answers"]) for row in read_judgments(database, study)]
    assert 0 < sum("tags" in answers for answers in given) < 12
