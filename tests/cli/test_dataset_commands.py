"""The commands that make datasets, run as a user would."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

HEED = [sys.executable, "-c", "from heed.cli.main import main; main()"]
Heed = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module", name="folder")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample as a corpus."""
    folder = tmp_path_factory.mktemp("commands")
    for words in (
        ["sample", "--into", "dumps"],
        ["ingest", "dumps", "--all", "--buckets", "2", "--jobs", "1"],
    ):
        subprocess.run([*HEED, *words], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture(name="heed")
def _heed(folder: Path) -> Heed:
    def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*HEED, *map(str, words)], cwd=folder, capture_output=True, text=True, check=False
        )

    return run


def test_build_shows_the_funnel(heed: Heed) -> None:
    done = heed("build", "advice", "--corpus", "main", "--into", "a", "--config", "sample", "--jobs", "1")
    assert done.returncode == 0, done.stderr
    assert "not top level" in done.stdout
    assert "Dataset a: test 4" in done.stdout


def test_build_as_json(heed: Heed) -> None:
    words = ["--corpus", "main", "--into", "t", "--set", 'subreddits=["Pets"]', "--keep-dropped", "--json"]
    done = heed("build", "tldr", *words)
    result = json.loads(done.stdout)
    assert result["funnel"][0] == {
        "stage": "subreddit",
        "in": 440,
        "out": 8,
        "dropped": {"other subreddit": 432},
    }
    assert Path(result["path"], "dropped.parquet").name == "dropped.parquet"
    assert sum(result["splits"].values()) == result["reports"]["Sizes"]["posts"]


def test_flags_reach_the_options(heed: Heed) -> None:
    done = heed(
        "build", "advice", "--corpus", "main", "--into", "r", "--mode", "dynamic", "--set", "pick=3", "--json"
    )
    assert json.loads(done.stdout)["splits"] == {"test": 3}
    wrong = heed("build", "advice", "--corpus", "main", "--into", "x", "--mode", "dynamc")
    assert (wrong.returncode, "Option 'mode' cannot be 'dynamc'" in wrong.stderr) == (2, True)
    few = heed("build", "cloze", "--corpus", "main", "--into", "x", "--choices", "1")
    assert (few.returncode, "Option 'choices' cannot be 1" in few.stderr) == (2, True)


def test_imports_and_news(heed: Heed, folder: Path) -> None:
    rows = [{"article": "A long story about a dog. " * 20, "highlights": "Dog finds its way home", "id": "a"}]
    (folder / "test.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    for words in (["build", "news"], ["import", "news"]):
        done = heed(*words, "test.jsonl", "--into", f"{words[0]}-n", "--json")
        assert json.loads(done.stdout)["splits"] == {"test": 1}, done.stderr
    flags = ["--prompt", "article", "--response", "highlights", "--id", "id", "--into", "p", "--json"]
    assert json.loads(heed("import", "pairs", "test.jsonl", *flags).stdout)["reports"] == {
        "Responses by policy": {"highlights": 1}
    }
    assert "no column narrative" in heed("import", "asq", "test.jsonl", "--into", "q").stderr


def test_fresh_from_a_folder(heed: Heed) -> None:
    done = heed("fresh", "--source", "folder", "--folder", "dumps", "--into", "new", "--json")
    assert json.loads(done.stdout)["posts"] == 440
    assert "needs --folder" in heed("fresh", "--source", "folder", "--into", "new").stderr


def test_heavy_libraries_wait_for_their_work(folder: Path) -> None:
    heavy = "{'spacy', 'scipy', 'sklearn', 'torch', 'praw', 'polars', 'tokenizers', 'sparse_dot_topn'}"
    code = (
        "import sys, heed\nfrom heed.cli.main import build_app\nbuild_app()\n"
        f"print(sorted({heavy} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
