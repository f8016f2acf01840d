"""A simulated round shaped like the paper's: 200 situations, 6 policies, 3 workers each, known true rates.

NumPy alone decides every vote, so that nothing of the estimators is in the data.
"""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from heed.records import Judgment
from heed.statistics.frozen import FILE_NAME, write_judgments

RATES = {
    "second-best": 0.41,
    "t5-11b": 0.145,
    "grover-mega": 0.045,
    "gpt-3": 0.04,
    "tfidf": 0.04,
    "rules": 0.025,
}
LENGTHS = {"second-best": 500, "t5-11b": 420, "grover-mega": 600, "gpt-3": 350, "tfidf": 480, "rules": 160}
SUBREDDITS = ("relationships", "legaladvice", "Advice", "techsupport", "dating")
WORDS = ("talk", "to", "her", "calmly", "and", "write", "down", "what", "you", "both", "need", "first")


def some_text(rng: np.random.Generator, characters: float) -> str:
    words = rng.choice(WORDS, max(3, int(characters / 5)))
    return " ".join(words).capitalize() + "."


def answers_for(rng: np.random.Generator) -> str:
    rating = rng.choice(["slightly_helpful", "not_helpful", "dangerous"], p=[0.6, 0.33, 0.07])
    reasons = ["meaning", "writing"] if rating == "slightly_helpful" else ["possibly", "never"]
    return json.dumps({"rating": str(rating), "reason": str(rng.choice(reasons))})


def simulated_round(
    seed: int, situations: int = 200, workers: int = 3, kind: str = "simulated", first_bonus: float = 0.0
) -> list[Judgment]:
    """Per item the majority wins with the policy's true rate; 4 of 10 majorities have one dissenter."""
    rng = np.random.default_rng(seed)
    made = []
    for situation in range(situations):
        story = some_text(rng, 700)
        reference = some_text(rng, rng.normal(450, 100))
        for policy, rate in RATES.items():
            wins = rng.random() < rate
            votes = np.full(workers, wins)
            if rng.random() < 0.4:
                votes[rng.integers(workers)] ^= True
            text = some_text(rng, rng.normal(LENGTHS[policy], 80))
            for worker, vote in zip(rng.choice(31, workers, replace=False), votes, strict=True):
                first = "a" if rng.random() < 0.5 else "b"
                choice = "a" if vote else "b"
                if rng.random() < first_bonus:
                    choice = first
                size = 1.0 if rng.random() < 0.6 else 0.5
                made.append(
                    Judgment(
                        study="simulated-round",
                        protocol="advice",
                        item=f"s{situation:03}-{policy}",
                        example=f"s{situation:03}",
                        domain=None,
                        subreddit=SUBREDDITS[situation % len(SUBREDDITS)],
                        split="test",
                        situation=story,
                        policy_a=policy,
                        policy_b="reference",
                        text_a=text,
                        text_b=reference,
                        reference=reference,
                        worker=f"w{worker:02}",
                        kind=kind,  # type: ignore[arg-type]
                        choice=choice,  # type: ignore[arg-type]
                        strength=size if choice == "a" else -size,
                        answers=answers_for(rng),
                        scores="{}",
                        shown_first=first,  # type: ignore[arg-type]
                        seconds=float(rng.gamma(4, 12)),
                        started=1_790_000_000 + int(rng.integers(0, 864_000)),
                        instruction_version="1",
                        revision=1,
                    )
                )
    return made


@pytest.fixture(scope="session")
def simulate() -> Callable[..., list[Judgment]]:
    return simulated_round


@pytest.fixture(scope="session")
def true_rates() -> dict[str, float]:
    return RATES


@pytest.fixture(scope="session")
def round_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("round")
    write_judgments(simulated_round(2020), folder / FILE_NAME)
    return folder
