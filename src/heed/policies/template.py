"""The rule-based baseline: one of ten sentences of sympathy and a piece of advice for the topic.

The topic comes from the subreddit (TuringAdvice, section 4.1). The words are ours and lie in `template.toml`.
"""

import random
import tomllib
from collections.abc import Sequence
from importlib import resources
from typing import Any

from heed.manifest import hash_content
from heed.policies.policy import Answer, Ask, Policy
from heed.policies.table import Setting


class Template:
    """The seed of the ask picks both sentences."""

    name = "template"
    batch = 1024
    samples = True

    def __init__(self) -> None:
        text = resources.files("heed.policies").joinpath("template.toml").read_text(encoding="utf-8")
        self._words: dict[str, Any] = tomllib.loads(text)
        self._topics: dict[str, str] = {
            subreddit: topic for topic, names in self._words["subreddits"].items() for subreddit in names
        }

    def describe(self) -> dict[str, Any]:
        return {"words": hash_content({"inputs": [], **self._words})}

    def answer(self, asks: Sequence[Ask]) -> list[Answer]:
        return [self._one(ask) for ask in asks]

    def _one(self, ask: Ask) -> Answer:
        dice = random.Random(ask.seed)
        sympathy = dice.choice(self._words["sympathy"])
        return Answer(f"{sympathy} {dice.choice(self._words['advice'][self.topic(ask.example.subreddit)])}")

    def topic(self, subreddit: str) -> str:
        """What a subreddit is about; 'life' where nothing else is known."""
        return self._topics.get(subreddit.lower(), "life")


def open_template(_argument: str, _setting: Setting) -> Policy:
    return Template()
