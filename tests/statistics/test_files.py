"""Files made elsewhere: every format, what is refused, and a real crowd study against evalica."""

import json
from pathlib import Path

import evalica
import pandas as pd
import pytest
from evalica import Winner

from heed.errors import NotFoundError, UnreadableError, UserError
from heed.statistics.files import load
from heed.statistics.summary import summarise

CROWD = Path(__file__).parents[2].parent / "shared" / "data" / "llmfao" / "crowd-comparisons.csv"


def written(folder: Path, name: str, *lines: str) -> Path:
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def comparison(post: str, worker: str, choice: int, policies: tuple[str, str] = ("sup", "ref")) -> str:
    summaries = [{"text": f"{post} {policy}", "policy": policy, "note": None} for policy in policies]
    row = {"info": {"id": post}, "summaries": summaries, "choice": choice, "worker": worker, "split": "train"}
    return json.dumps({**row, "batch": "b", "extra": {"confidence": 5}})


def axis(post: str, worker: str, overall: int) -> str:
    summary = {"text": "t", "policy": "sup", "note": None, "axes": {"overall": overall, "accuracy": None}}
    return json.dumps(
        {"info": {"id": post}, "split": "test", "summary": summary, "worker": worker, "batch": "b"}
    )


def test_labels(tmp_path: Path) -> None:
    path = written(tmp_path, "x.csv", "task,worker,label", "1,u,yes", "1,v,yes", "2,u,no", "2,v,yes")
    found = summarise([path])
    assert found["percent_agreement"]["value"] == 0.5
    assert found["rates"] == {"(tied)": 0.5, "yes": 0.5}
    assert found["majority"][0] == {"item": "1", "label": "yes", "tied": False, "votes": 2, "share": 1.0}
    assert found["kappa_pairs"][0]["n"] == 2


def test_pairs_without_workers_are_ranked_only(tmp_path: Path) -> None:
    rows = ["p,q,model_a", "p,q,model_b", "q,p,tie"]
    found = summarise([written(tmp_path, "x.csv", "model_a,model_b,winner", *rows)])
    assert [row["win_rate"] for row in found["win_rates"]] == [0.5, 0.5]
    assert "alpha" not in found


def test_sides_are_turned_to_the_items_first_row(tmp_path: Path) -> None:
    rows = ["1,p,q,u,left", "1,q,p,v,right"]
    path = written(tmp_path, "x.csv", "id,model_x,model_y,worker,winner", *rows)
    votes = load([path]).votes
    assert votes is not None
    assert votes["label"].to_list() == ["a", "a"]


def test_openai_comparisons(tmp_path: Path) -> None:
    lines = [
        comparison("p1", "u", 0),
        comparison("p1", "v", 0),
        comparison("p2", "u", 1),
        comparison("p2", "v", 0),
    ]
    found = summarise([written(tmp_path, "x.jsonl", *lines)])
    assert found["items"] == 2
    assert {row["policy"]: row["win_rate"] for row in found["win_rates"]} == {"sup": 0.75, "ref": 0.25}


def test_openai_comparisons_of_one_policy_measure_agreement_only(tmp_path: Path) -> None:
    lines = [comparison(post, w, 0, ("sup", "sup")) for post in ("p1", "p2") for w in "uv"]
    found = summarise([written(tmp_path, "x.jsonl", *lines)])
    assert found["percent_agreement"]["value"] == 1.0
    assert "win_rates" not in found
    assert any("κ" in remark for remark in found["remarks"])


def test_openai_axes(tmp_path: Path) -> None:
    found = summarise(
        [written(tmp_path, "x.jsonl", axis("p1", "u", 3), axis("p2", "u", 5), axis("p2", "v", 7))]
    )
    assert found["axes"][0]["mean"] == 5.0
    assert [row["axis"] for row in found["axes"]] == ["overall"]


def test_files_of_one_format_are_read_together(tmp_path: Path) -> None:
    one = written(tmp_path, "x.csv", "task,worker,label", "1,u,yes")
    two = written(tmp_path, "y.csv", "task,worker,label", "1,v,no")
    assert summarise([one, two])["judgments"] == 2
    with pytest.raises(UserError, match="more than once"):
        summarise([one, one])


def test_one_worker_gives_remarks_instead_of_numbers(tmp_path: Path) -> None:
    found = summarise([written(tmp_path, "x.csv", "task,worker,label", "1,u,yes", "2,u,no")])
    assert (found["alpha"], found["kappa"], found["percent_agreement"]) == (None, None, None)
    assert any("at least two workers" in remark for remark in found["remarks"])


@pytest.mark.parametrize(
    ("name", "lines", "sentence"),
    [
        ("x.csv", ["a,b", "1,2"], "has the columns a, b"),
        ("x.csv", ["model_a,model_b,winner", "p,q,nobody"], "winner is 'nobody' in 1 rows"),
        ("x.jsonl", ["{"], "line 1, is not JSON"),
        ("x.jsonl", ['{"x": 1}'], "neither OpenAI's comparison nor its axis"),
        ("x.jsonl", ['{"summaries": []}'], "row 1, lacks the key 'choice'"),
        ("x.jsonl", ['{"summaries": [], "choice": 0}'], "row 1, is not shaped like the others"),
        ("x.jsonl", [""], "is empty"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, name: str, lines: list[str], sentence: str) -> None:
    with pytest.raises(UnreadableError, match=sentence):
        summarise([written(tmp_path, name, *lines)])


def test_absent_and_mixed_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="There is no file"):
        summarise([tmp_path / "x.csv"])
    labels = written(tmp_path, "x.csv", "task,worker,label", "1,u,yes")
    with pytest.raises(UserError, match="different formats"):
        summarise([labels, written(tmp_path, "y.jsonl", comparison("p", "u", 0))])


@pytest.mark.skipif(not CROWD.exists(), reason="the shared crowd comparisons are not on this machine")
def test_real_crowd_equals_evalica() -> None:
    found = summarise([CROWD])
    table = pd.read_csv(CROWD, dtype=str)
    word = {"left": Winner.X, "right": Winner.Y, "tie": Winner.Draw}
    games = table["model_x"], table["model_y"], [word[w] for w in table["winner"]]
    strengths = {row["policy"]: row["value"] for row in found["bradley_terry"]}
    rates = {row["policy"]: row["win_rate"] for row in found["win_rates"]}
    grid = table.pivot(index="worker", columns="id", values="winner")
    assert found["judgments"] == 8_931
    assert strengths == pytest.approx(evalica.bradley_terry(*games).scores.to_dict(), rel=1e-4)
    assert rates == pytest.approx(evalica.average_win_rate(*games).scores.to_dict())
    assert found["alpha"] == pytest.approx(evalica.alpha(grid).alpha)
