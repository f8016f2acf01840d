"""OpenAI's files as frozen judgments: sides, strengths, references, and a report made of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from heed.errors import UserError
from heed.statistics.files import find_judgments
from heed.statistics.openai_files import read_openai


def comparison(choice: int, confidence: int | None = 9, swap: bool = False, **changed: Any) -> dict[str, Any]:
    sides = [
        {"text": "Short.", "policy": "sup4", "note": ""},
        {"text": "Mine.", "policy": "ref", "note": None},
    ]
    row = {
        "info": {"id": "p1", "post": "My cat ran.", "title": "Cat", "subreddit": "pets"},
        "summaries": sides[::-1] if swap else sides,
        "choice": choice,
        "worker": "w1",
        "batch": "batch3",
        "split": "train",
        "extra": {} if confidence is None else {"confidence": confidence},
    }
    return {**row, **changed}


def read(folder: Path, *rows: dict[str, Any]) -> list[dict[str, Any]]:
    path = folder / "x.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")
    return read_openai(path).to_dicts()


def test_sides_stand_in_one_order_for_every_worker(tmp_path: Path) -> None:
    straight, swapped = read(tmp_path, comparison(1), comparison(0, swap=True, worker="w2"))
    assert straight["item"] == swapped["item"]
    assert (straight["policy_a"], straight["choice"], straight["strength"]) == ("ref", "a", 1.0)
    assert (swapped["choice"], swapped["strength"]) == ("a", 1.0)
    assert straight["reference"] == "Mine."
    assert straight["situation"] == "Cat\n\nMy cat ran."


@pytest.mark.parametrize(("confidence", "size"), [(1, 1.0), (9, 1.0), (7, 0.5), (5, 0.125), (None, 1.0)])
def test_strength_is_the_distance_from_the_middle(
    tmp_path: Path, confidence: int | None, size: float
) -> None:
    (row,) = read(tmp_path, comparison(0, confidence))
    assert (row["choice"], row["strength"]) == ("b", -size)


def test_axes_become_ratings(tmp_path: Path) -> None:
    summary = {"text": "T", "policy": "sup4", "note": "", "axes": {"overall": 6, "accuracy": None}}
    (row,) = read(tmp_path, {"info": {"id": "n1", "article": "News."}, "summary": summary, "worker": "w"})
    assert json.loads(row["answers"]) == {"overall": 6}
    assert (row["choice"], row["policy_b"], row["situation"]) == ("none", None, "News.")


def test_a_worker_twice_on_one_pair_is_refused_but_not_across_batches(tmp_path: Path) -> None:
    assert len(read(tmp_path, comparison(0), comparison(1, batch="batch4"))) == 2
    with pytest.raises(UserError, match="more than once"):
        read(tmp_path, comparison(0), comparison(1))


def test_reports_find_them_by_their_ending(tmp_path: Path) -> None:
    read(tmp_path, comparison(0))
    assert find_judgments(tmp_path / "x.jsonl")["kind"].to_list() == ["human"]
