from collections.abc import Callable

import pytest

from heed.datasets.examples import write_examples
from heed.judging.studies import StudyOptions, create_study
from heed.policies.responses import write_responses
from heed.records import Example, Reference, Response
from heed.store.accounts import add_account, join_study
from heed.store.database import Database
from heed.store.studies import Study, find_study, set_state
from heed.workspace import Workspace, open_artifact

POLICIES = ("reference", "zebra-policy", "walrus-policy")


def example(number: int) -> Example:
    return Example(
        id=f"example-{number}",
        kind="advice",
        split="test",
        subreddit="Advice",
        domain="life",
        created=1_700_000_000,
        title=f"Title {number}",
        text=f"Story {number} <script>alert(1)</script>",
        references=(Reference(f"Best answer {number}."),),
        choices=(f"Wrong {number}?", f"Right {number}?"),
        label=1,
    )


def response(number: int, policy: str) -> Response:
    text = f"Answer {policies_hidden(policy)} to {number}."
    return Response(f"example-{number}", policy, 0, text, None, "stop", None, "", 1, 1, 0.1, 0, 0.0, 1.0)


def policies_hidden(policy: str) -> str:
    return {"reference": "one", "zebra-policy": "two", "walrus-policy": "three"}[policy]


@pytest.fixture
def make_responses(workspace: Workspace) -> Callable[[int], None]:
    """A dataset `cries` and what three policies answered to it, `answers`."""

    def make(count: int) -> None:
        place = workspace.root / "datasets" / "cries"
        with workspace.draft(place, "dataset", "cries") as draft:
            draft.counts = {"splits": write_examples([example(n) for n in range(count)], draft.path)}
        hash = open_artifact(place).manifest.content_hash
        with workspace.draft(workspace.root / "responses" / "answers", "responses", "answers") as draft:
            draft.parents = [{"kind": "dataset", "name": "cries", "hash": hash}]
            write_responses([response(n, p) for n in range(count) for p in POLICIES], draft.path)

    return make


@pytest.fixture
def make_study(
    workspace: Workspace, database: Database, make_responses: Callable[[int], None]
) -> Callable[..., Study]:
    """An open study over `examples` examples."""

    def make(protocol: str = "helpfulness", examples: int = 3, **options: object) -> Study:
        if not (workspace.root / "datasets" / "cries").is_dir():
            make_responses(examples)
        source = {"dataset": "cries"} if protocol == "plausibility" else {"responses": "answers"}
        chosen = StudyOptions.parse({"protocol": protocol, **source, **options})
        study, _ = create_study(workspace, database, f"study-{protocol}", chosen)
        set_state(database, study, "open")
        return find_study(database, name=study.name)

    return make


@pytest.fixture
def hire(database: Database) -> Callable[[Study, str], int]:
    """An account in a study."""

    def add(study: Study, name: str) -> int:
        with database.write() as connection:
            account = add_account(connection, name, "no password", "labeler")
            join_study(connection, study.id, account)
        return account

    return add
