import json
import subprocess
import sys
from pathlib import Path

import pytest

from heed.errors import NotFoundError, UnreadableError, UserError
from heed.options import Options
from heed.workspace import Workspace, open_artifact


class Example(Options):
    """For the tests below."""

    count: int = 3
    """How many."""

    names: tuple[str, ...] = ()
    """Which."""


def make(workspace: Workspace, name: str, text: str = "hello", seconds: float = 1.0) -> Path:
    place = workspace.root / "things" / name
    with workspace.draft(place, "thing", name) as draft:
        (draft.path / "data.txt").write_text(text)
        draft.options = Example().recorded()
        draft.counts = {"words": 1}
        draft.timings = {"seconds": seconds}
    return place


def test_an_artifact_has_a_manifest_and_is_found(workspace: Workspace) -> None:
    make(workspace, "one")
    (artifact,) = workspace.artifacts()
    manifest = artifact.manifest
    assert (manifest.kind, manifest.name, manifest.counts) == ("thing", "one", {"words": 1})
    assert manifest.options == {"count": 3, "names": []}
    assert list(manifest.files) == ["data.txt"]


def test_time_is_outside_the_content_hash_and_content_is_inside(tmp_path: Path) -> None:
    hashes = [
        open_artifact(make(Workspace(tmp_path / str(number)), "one", text, seconds)).manifest.content_hash
        for number, (text, seconds) in enumerate([("hello", 1.0), ("hello", 99.0), ("changed", 1.0)])
    ]
    assert hashes[0] == hashes[1] != hashes[2]


def test_a_draft_that_fails_leaves_nothing(workspace: Workspace) -> None:
    place = workspace.root / "things" / "broken"

    def fail() -> None:
        with workspace.draft(place, "thing", "broken") as draft:
            (draft.path / "half.txt").write_text("half")
            raise RuntimeError("power cut")

    with pytest.raises(RuntimeError):
        fail()
    assert not place.exists()
    assert list((workspace.root / ".drafts").iterdir()) == []
    assert list(workspace.artifacts()) == []


def test_a_folder_without_or_with_a_broken_manifest_is_said(workspace: Workspace) -> None:
    place = make(workspace, "one")
    (place / "manifest.json").write_text("{")
    with pytest.raises(UnreadableError, match="not a manifest"):
        open_artifact(place)
    (place / "manifest.json").unlink()
    with pytest.raises(NotFoundError, match="not a finished artifact"):
        open_artifact(place)


def test_the_workspace_comes_from_the_flag_the_variable_or_the_default(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEED_WORKSPACE", str(tmp_path / "variable"))
    assert Workspace(tmp_path / "flag").root == tmp_path / "flag"
    assert Workspace().root == tmp_path / "variable"
    monkeypatch.delenv("HEED_WORKSPACE")
    assert Workspace().root == Path("workspace")


def test_options_come_from_a_file_and_from_assignments_the_later_winning(tmp_path: Path) -> None:
    config = tmp_path / "options.toml"
    config.write_text('count = 5\nnames = ["a"]\n')
    assert Example.load(config, ("count=7",)) == Example(count=7, names=("a",))
    assert json.loads(Example.load(config).model_dump_json()) == {"count": 5, "names": ["a"]}


@pytest.mark.parametrize(
    ("assignment", "sentence"),
    [
        ("cuont=3", "There is no option 'cuont': did you mean 'count'?"),
        ("zzz=3", "There is no option 'zzz': known: count, names."),
        ("count=many", "Option 'count' cannot be 'many'"),
        ("count", "--set takes key=value, not 'count'."),
    ],
)
def test_a_wrong_option_is_one_sentence(assignment: str, sentence: str) -> None:
    with pytest.raises(UserError) as error:
        Example.load(assignments=(assignment,))
    assert str(error.value).startswith(sentence)


def test_an_option_file_that_is_missing_or_broken_is_said(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no option file"):
        Example.load(tmp_path / "absent.toml")
    (tmp_path / "broken.toml").write_text("count = = 3")
    with pytest.raises(UserError, match="not valid TOML"):
        Example.load(tmp_path / "broken.toml")


def test_a_draft_that_a_killed_process_left_goes_with_the_next_one(workspace: Workspace) -> None:
    code = (
        "import os, sys; from heed.workspace import Workspace; w = Workspace(sys.argv[1]);"
        "c = w.draft(w.root / 'x', 'dataset', 'x'); (c.__enter__().path / 'half').write_text('made');"
        "os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(workspace.root)], check=False)
    drafts = workspace.root / ".drafts"
    (orphan,) = drafts.iterdir()
    with workspace.draft(workspace.root / "y", "dataset", "y") as own:
        assert list(drafts.iterdir()) == [own.path]
        with workspace.draft(workspace.root / "z", "dataset", "z"):
            assert own.path.exists()
    assert list(drafts.iterdir()) == []
    assert not orphan.exists()
