from collections import Counter
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
import sqlalchemy as sa

from heed.datasets.examples import write_examples
from heed.datasets.imports import Columns, import_pairs
from heed.datasets.news import NewsOptions, build_news
from heed.errors import UserError
from heed.judging.studies import StudyOptions, create_study
from heed.policies.generate import Order, generate
from heed.records import Example, Reference
from heed.store.database import Database
from heed.store.studies import Study, count_study, find_study, set_state
from heed.store.tables import items
from heed.workspace import Workspace

MakeStudy = Callable[..., Study]


def pairs_of(database: Database) -> Counter[tuple[str, str]]:
    with database.read() as connection:
        return Counter((a, b) for a, b in connection.execute(sa.select(items.c.policy_a, items.c.policy_b)))


def test_each_policy_against_the_reference(database: Database, make_study: MakeStudy) -> None:
    study = make_study(examples=4)
    expected = {("zebra-policy", "reference"): 4, ("walrus-policy", "reference"): 4}
    assert pairs_of(database) == expected
    assert (study.labels_per_item, [parent["name"] for parent in study.parents]) == (3, ["answers", "cries"])
    assert count_study(database, study)["labels_wanted"] == 24


def test_round_robin(database: Database, make_study: MakeStudy) -> None:
    study = make_study("comparison", examples=2, pairs="round-robin")
    assert set(pairs_of(database).values()) == {2}
    assert len(pairs_of(database)) == 3
    assert study.labels_per_item == 1


def test_choices_and_single_texts(database: Database, make_study: MakeStudy) -> None:
    make_study("plausibility", examples=2)
    assert pairs_of(database) == {("actual", "alternative"): 2}
    make_study("axes", examples=2)
    with database.read() as connection:
        assert connection.scalar(sa.select(items.c.text_a).where(items.c.policy_b == "alternative")) in (
            "Right 0?",
            "Right 1?",
        )
        assert connection.scalar(sa.select(sa.func.count()).where(items.c.policy_b.is_(None))) == 6


def test_a_limit_counts_examples_that_were_answered(workspace: Workspace, database: Database) -> None:
    examples = [
        Example(
            f"e{n}",
            "advice",
            split,
            "Advice",
            "life",
            None,
            f"T {n}",
            f"Text {n}.",
            (Reference("R.", 1, "r", None),),
        )
        for n, split in enumerate(["train"] * 5 + ["test"] * 4)
    ]
    with workspace.draft(workspace.root / "datasets" / "d", "dataset", "d") as draft:
        draft.counts = {"splits": write_examples(examples, draft.path)}
    generate(workspace, Order("d", ("reference", "echo"), "answers", split="test"))
    options = StudyOptions.parse({"protocol": "helpfulness", "responses": "answers", "limit": 3})
    assert create_study(workspace, database, "few", options)[1]["items"] == 3


def test_imported_pairs(workspace: Workspace, database: Database, tmp_path: Path) -> None:
    rows = {"prompt": ["p", "q", "r"], "good": ["yes", "sure", "same"], "bad": ["no", "", "same"]}
    pl.DataFrame(rows).write_csv(tmp_path / "pairs.csv")
    import_pairs(workspace, [tmp_path / "pairs.csv"], "mine", Columns(responses=("good", "bad")))
    options = StudyOptions.parse({"protocol": "helpfulness", "responses": "mine", "against": "good"})
    study, made = create_study(workspace, database, "pairs", options)
    assert made["items"] == 1
    assert made["dropped"]["same_text"] == 1
    assert study.state == "draft"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"protocol": "taste"}, "no protocol 'taste'"),
        ({"protocol": "helpfulness"}, "name them with --responses"),
        ({"protocol": "plausibility"}, "name their dataset"),
        ({"protocol": "helpfulness", "responses": "none"}, "no responses 'none'"),
        ({"protocol": "helpfulness", "responses": "answers", "against": "x"}, "no policy 'x'"),
        ({"protocol": "helpfulness", "responses": "answers", "pairs": "x"}, "no pairs 'x'"),
    ],
)
def test_mistakes(
    workspace: Workspace,
    database: Database,
    make_responses: Callable[[int], None],
    options: dict[str, str],
    sentence: str,
) -> None:
    make_responses(1)
    with pytest.raises(UserError, match=sentence):
        create_study(workspace, database, "one", StudyOptions.parse(options))


def test_names_and_states(workspace: Workspace, database: Database, make_study: MakeStudy) -> None:
    study = make_study()
    with pytest.raises(UserError, match="already"):
        make_study()
    set_state(database, study, "closed")
    with pytest.raises(UserError, match="for good"):
        set_state(database, find_study(database, name=study.name), "open")
    with pytest.raises(UserError, match="there: study-helpfulness"):
        find_study(database, name="other")
    assert workspace.root.is_dir()


def test_news_are_known_by_their_dataset(workspace: Workspace, database: Database, tmp_path: Path) -> None:
    article = "The council voted to close the bridge for repairs. " * 10
    pl.DataFrame({"article": [article], "highlights": ["A bridge will close for repairs."]}).write_csv(
        tmp_path / "test.csv"
    )
    build_news(workspace, [tmp_path / "test.csv"], "news", NewsOptions())
    generate(workspace, Order("news", ("reference", "lead:1"), "news", "test"))
    options = {"protocol": "axes", "responses": "news"}
    news, _ = create_study(workspace, database, "news", StudyOptions.parse(options))
    forum, _ = create_study(workspace, database, "forum", StudyOptions.parse({**options, "about": "forum"}))
    assert (news.options["about"], forum.options["about"]) == ("news", "forum")
