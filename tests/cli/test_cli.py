import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HEED = [sys.executable, "-c", "from heed.cli.main import main; main()"]
Heed = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def heed(tmp_path: Path) -> Heed:
    """Run the command line in an empty folder, as a user would."""

    def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*HEED, *map(str, words)], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
        )

    return run


@pytest.mark.parametrize("before", [True, False])
def test_the_shared_flags_go_before_or_after_the_command(heed: Heed, tmp_path: Path, before: bool) -> None:
    flags = ["--workspace", "elsewhere", "--json", "--quiet"]
    heed("sample", "--into", "dumps")
    command = ["ingest", "dumps", "--all"]
    done = heed(*flags, *command) if before else heed(*command, *flags)
    assert (done.returncode, done.stderr) == (0, "")
    result = json.loads(done.stdout)
    assert (result["posts"], result["comments"]) == (440, 2_526)
    assert (tmp_path / "elsewhere" / "corpora" / "main" / "0001" / "manifest.json").exists()


def test_sample_ingest_explain_trace_takedown_by_hand(heed: Heed) -> None:
    made = json.loads(heed("sample", "--into", "dumps", "--now", "2026-11-15T12:00", "--json").stdout)
    assert made["posts"] == 440
    ingested = json.loads(heed("ingest", "dumps", "--subreddits", "advice,Love", "--json").stdout)
    assert {"posts", "comments", "quarantined", "reasons", "bytes", "seconds"} <= set(ingested)
    assert ingested["posts"] == 46
    assert "46  posts" in heed("ingest", "dumps", "--subreddits", "advice,Love").stdout
    tree = heed("trace", "main").stdout
    assert "corpus main" in tree
    assert "RS_sample.zst, 440 lines" in tree
    first = json.loads(heed("explain", "RS_sample.zst:1", "--json").stdout)
    assert first["verdicts"][0]["verdict"] in ("kept", "not_kept")
    kept = heed("explain", "RS_sample.zst:1").stdout
    assert kept.startswith("main: ")
    gone = json.loads(heed("takedown", "u/nobody_here", "--json").stdout)
    assert (gone["asked"], gone["posts"]) == (1, 0)


MISTAKES: list[tuple[list[str], str]] = [
    (["bogus"], "No such command 'bogus'."),
    (["ingest"], "Missing argument"),
    (["ingest", "x.zst", "--al"], "No such option: --al"),
    (["ingest", "absent.zst", "--all"], "There is no file or folder absent.zst."),
    (["ingest", ".", "--all"], "holds no dumps"),
    (["ingest", ".", "--all", "--into", "a/b"], "Option 'into' cannot be 'a/b'"),
    (["ingest", ".", "--all", "--buckets", "0"], "Option 'buckets' cannot be 0"),
    (["takedown", "what?"], "'what?' is neither a file nor something to take down"),
    (["explain", "t3_x"], "There is no corpus in workspace yet"),
    (["trace", "x"], "Nothing in workspace is called 'x'"),
    (["sample"], "Missing option '--into'"),
    (["sample", "--into", "d", "--now", "soon"], "--now takes seconds since 1970"),
]


@pytest.mark.parametrize(("words", "sentence"), MISTAKES, ids=[" ".join(words) for words, _ in MISTAKES])
def test_a_mistake_is_one_sentence_and_code_2(heed: Heed, words: list[str], sentence: str) -> None:
    done = heed(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("heed: ")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_with_json_a_mistake_is_an_object_too(heed: Heed) -> None:
    done = heed("trace", "x", "--json")
    assert done.returncode == 2
    assert "is called 'x'" in json.loads(done.stdout)["error"]


def test_doctor_tells_what_is_there(heed: Heed) -> None:
    found: dict[str, Any] = json.loads(heed("doctor", "--json").stdout)
    parts = {part["name"]: part for part in found["parts"]}
    assert set(parts) == {"core", "lm", "ray", "postgres", "dev", "models"}
    assert parts["core"]["missing"] == []
    assert "polars" in parts["core"]["packages"]
    assert "torch" in parts["lm"]["packages"]
    assert found["workspace_state"] == "not made yet"


@pytest.mark.parametrize(
    "words", [["--help"], ["doctor"], ["ingest", "--help"], ["bogus"], ["ingest", "--bogus"]]
)
def test_quick_answers_load_nothing_heavy(words: list[str]) -> None:
    """What makes a command slow is what it imports; the time itself is quoted in docs/performance.md."""
    heavy = [
        "polars",
        "numpy",
        "scipy",
        "torch",
        "spacy",
        "pyarrow",
        "fastapi",
        "transformers",
        "hyperscan",
        "zstandard",
    ]
    code = (
        "import sys, contextlib, io\n"
        "from heed.cli.main import _run\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):\n"
        f"    _run({words!r})\n"
        f"print([name for name in {heavy!r} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"


def test_the_functions_behind_the_commands_are_importable() -> None:
    import heed

    for name in dir(heed):
        assert getattr(heed, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'bogus'"):
        _ = heed.bogus
