from collections.abc import Callable

import pytest

from heed.datasets.examples import write_examples
from heed.policies.policy import Decoding
from heed.policies.table import Setting
from heed.records import Example, Reference
from heed.workspace import Workspace


def situation(number: int, split: str = "test", **fields: object) -> Example:
    values: dict[str, object] = {
        "id": f"e{number}",
        "kind": "advice",
        "split": split,
        "subreddit": "techsupport" if number % 2 else "relationships",
        "domain": "life",
        "created": 1_700_000_000 + number,
        "title": f"Title {number}",
        "text": f"First paragraph about thing{number}.\n\nSecond one.\n\nWhat should I do?",
        "references": (
            Reference(f"Best advice {split} {number}.", 90, f"r{number}", None),
            Reference(f"Second advice {split} {number}.", 50, f"s{number}", None),
        ),
    }
    return Example(**{**values, **fields})  # type: ignore[arg-type]


@pytest.fixture
def make_situation() -> Callable[..., Example]:
    return situation


@pytest.fixture
def make_dataset(workspace: Workspace) -> Callable[..., None]:
    def make(name: str, examples: list[Example]) -> None:
        with workspace.draft(workspace.root / "datasets" / name, "dataset", name) as draft:
            draft.counts = {"splits": write_examples(examples, draft.path)}

    return make


@pytest.fixture
def setting(workspace: Workspace) -> Setting:
    return Setting(workspace, None, Decoding())
