import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from heed.errors import UserError
from heed.policies import table
from heed.policies.generate import Order, generate
from heed.policies.policy import Answer, Ask, Decoding, failed
from heed.policies.responses import open_responses, read_frame, read_responses
from heed.records import Example
from heed.workspace import Workspace

Make = Callable[..., Example]


class Flaky:
    """Fails on even seeds until it is mended, and counts how often it was asked."""

    name = "flaky"
    batch = 4
    samples = True
    asked = 0
    mended = False

    def describe(self) -> dict[str, Any]:
        return {}

    def answer(self, asks: Sequence[Ask]) -> list[Answer]:
        type(self).asked += len(asks)
        return [
            failed("odd") if ask.seed % 2 == 0 and not self.mended else Answer(f"{ask.seed}") for ask in asks
        ]


def open_flaky(_argument: str, _setting: Any) -> Flaky:
    return Flaky()


@pytest.fixture
def flaky(monkeypatch: pytest.MonkeyPatch) -> type[Flaky]:
    module = type(sys)("flaky_policy")
    module.open_flaky = open_flaky  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "flaky_policy", module)
    monkeypatch.setitem(table.POLICIES, "flaky", "flaky_policy:open_flaky")
    Flaky.asked, Flaky.mended = 0, False
    return Flaky


def order(**fields: Any) -> Order:
    return Order(**{"dataset": "d", "policies": ("echo",), "into": "r", **fields})


@pytest.fixture
def dataset(make_dataset: Any, make_situation: Make) -> None:
    long = "One two three four five. " * 10
    make_dataset("d", [make_situation(n, "test" if n % 3 else "train", text=long) for n in range(30)])


@pytest.mark.usefixtures("dataset")
def test_every_policy_answers_every_example_of_the_split(workspace: Workspace) -> None:
    result = generate(workspace, order(policies=("reference", "echo", "lead:1"), split="test", samples=2))
    counts = {name: values["responses"] for name, values in result["policies"].items()}
    assert counts == {"reference": 20, "echo": 40, "lead:1": 20}
    frame = read_frame(open_responses(workspace, "r"))
    assert frame.filter(pl.col("policy") == "echo").select("example_id", "sample").n_unique() == 40
    assert frame["seconds"].null_count() == 0
    assert (frame["finish"] == "stop").all()


@pytest.mark.usefixtures("dataset")
def test_a_finished_run_is_not_made_again_and_another_of_its_name_is_refused(
    workspace: Workspace,
) -> None:
    first = generate(workspace, order())
    again = generate(workspace, order())
    assert first["content_hash"] == again["content_hash"]
    assert (first["policies"]["echo"]["generated"], again["policies"]["echo"]["generated"]) == (30, 0)
    assert again["policies"]["echo"]["cached"] == 30
    with pytest.raises(UserError, match="other responses called 'r'"):
        generate(workspace, order(seed=5))


@pytest.mark.usefixtures("dataset")
def test_cached_and_failed_answers_are_never_counted_as_generated(
    workspace: Workspace, flaky: type[Flaky]
) -> None:
    first = generate(workspace, order(policies=("flaky",), limit=10))["policies"]["flaky"]
    assert first["generated"] + first["failed"] == 10
    assert first["failures"] == {"odd": first["failed"]}
    assert first["failed"] > 0
    more = generate(workspace, order(policies=("flaky",), into="more"))["policies"]["flaky"]
    assert flaky.asked == 30
    assert more["generated"] + more["cached"] + more["failed"] == 30
    assert more["cached"] == first["generated"]


@pytest.mark.usefixtures("dataset")
def test_failures_are_asked_again_when_asked_to(workspace: Workspace, flaky: type[Flaky]) -> None:
    first = generate(workspace, order(policies=("flaky",)))["policies"]["flaky"]
    flaky.mended = True
    unchanged = generate(workspace, order(policies=("flaky",)))["policies"]["flaky"]
    assert unchanged["failed"] == first["failed"]
    retried = generate(workspace, order(policies=("flaky",), retry_failed=True))["policies"]["flaky"]
    assert (retried["failed"], retried["generated"], retried["cached"]) == (
        0,
        first["failed"],
        first["generated"],
    )
    assert flaky.asked == 30 + first["failed"]
    assert all(response.text for response in read_responses(open_responses(workspace, "r")))


@pytest.mark.usefixtures("dataset")
def test_best_of_keeps_what_the_scorer_likes(workspace: Workspace) -> None:
    one = generate(workspace, order(policies=("echo",), into="one"))
    many = generate(workspace, order(policies=("best_of:8:echo",), scorer="length", into="many"))
    assert list(many["policies"]) == ["best_of:8:echo"]
    lengths = [
        read_frame(open_responses(workspace, name))["text"].str.split(" ").list.len().mean()
        for name in ("one", "many")
    ]
    assert lengths[1] > lengths[0]
    assert one["policies"]["echo"]["generated"] == 30


def test_best_of_fails_where_there_is_no_score_and_goes_on(
    workspace: Workspace, make_dataset: Any, make_situation: Make
) -> None:
    bare = replace(make_situation(1), references=())
    make_dataset("d", [make_situation(0), bare, make_situation(2)])
    run = generate(workspace, order(policies=("best_of:2:echo",), scorer="rouge"))["policies"][
        "best_of:2:echo"
    ]
    assert (run["generated"], run["failures"]) == (2, {"no_reference": 1})


@pytest.mark.usefixtures("dataset")
def test_decoding_and_seed_decide_the_cache(workspace: Workspace) -> None:
    generate(workspace, order(into="a"))
    hot = generate(workspace, order(into="b", decoding=Decoding(temperature=0.7)))["policies"]["echo"]
    seeded = generate(workspace, order(into="c", seed=1))["policies"]["echo"]
    same = generate(workspace, order(into="e"))["policies"]["echo"]
    assert [run["generated"] for run in (hot, seeded, same)] == [30, 30, 0]


SLOW_RUN = """
import sys, time
from heed.policies import echo
from heed.policies.generate import Order, generate
from heed.workspace import Workspace
plain = echo.Echo.answer
def slow(self, asks):
    time.sleep(0.02)
    return plain(self, asks)
echo.Echo.answer, echo.Echo.batch = slow, 2
generate(Workspace(sys.argv[1]), Order("d", ("echo",), "r"))
"""


def test_a_killed_run_makes_only_what_is_missing_and_equals_a_whole_one(
    workspace: Workspace, tmp_path: Path, make_dataset: Any, make_situation: Make
) -> None:
    make_dataset("d", [make_situation(n) for n in range(200)])
    process = subprocess.Popen([sys.executable, "-c", SLOW_RUN, str(workspace.root)])
    cache = workspace.root / "cache" / "answers"
    while not list(cache.glob("*.jsonl")) or next(cache.glob("*.jsonl")).read_bytes().count(b"\n") < 60:
        time.sleep(0.02)
        assert process.poll() is None
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    (file,) = cache.glob("*.jsonl")
    done = file.read_bytes().count(b"\n")
    with file.open("ab") as stream:
        stream.write(b'{"key": "half a li')  # what a kill can leave behind
    resumed = generate(workspace, Order("d", ("echo",), "r"))["policies"]["echo"]
    assert resumed["cached"] == done
    assert resumed["generated"] == 200 - done
    whole = generate(workspace, Order("d", ("echo",), "fresh"))
    clean = Workspace(tmp_path / "clean")
    (clean.root / "datasets").mkdir(parents=True)
    (clean.root / "datasets" / "d").symlink_to(workspace.root / "datasets" / "d")
    uninterrupted = generate(clean, Order("d", ("echo",), "r"))
    assert open_responses(workspace, "r").manifest.files == open_responses(clean, "r").manifest.files
    assert uninterrupted["content_hash"] == open_responses(workspace, "r").manifest.content_hash
    assert whole["policies"]["echo"]["generated"] == 0
