"""The options of the advice recipe, with the paper's values: one set per mode."""

from datetime import date, datetime
from typing import Any, Literal

from pydantic import Field, model_validator

from heed.options import Options

_STATIC: dict[str, Any] = {
    "post_score": 10,
    "comment_score": 10,
    "skip_updates": False,
    "sensitive": (),
    "question_subreddits": (),
    "post_characters": 64,
    "comment_characters": 64,
    "best_divisor": 10,
    "advice_per_post": 1000,
}


class AdviceOptions(Options):
    """Defaults are those of the dynamic set (App. A.1); `mode = "static"` replaces them by App. A.2's."""

    mode: Literal["static", "dynamic"] = "static"
    """static: much advice to learn from (App. A.2). dynamic: one round to be judged by people (App. A.1)."""
    subreddits: tuple[str, ...] = (
        "relationships",
        "Advice",
        "needadvice",
        "dating_advice",
        "dating",
        "love",
        "Marriage",
        "internetparents",
        "techsupport",
        "legaladvice",
    )
    """Where situations come from (App. A.1a); the released code adds relationship_advice."""
    post_score: int = 20
    """Least score of a post (App. A.1d: 20; static, A.2d: 10)."""
    comment_score: int = 20
    """Least score of advice (App. A.1c: 20; static, A.2c: 10)."""
    best_comment_score: int = 0
    """Least score of a post's best advice; the released static code asks for 20, the paper for nothing."""
    upvote_ratio: float = 0.0
    """Least upvote ratio of a post; the released dynamic code asks for 0.5, the paper for nothing."""
    best_divisor: int = 1_000_000
    """Advice must have at least 1/this of the best advice's score (static, App. A.2c: 10)."""
    advice_per_post: int = 2
    """How many pieces of advice are kept: the best and the second best (control f); static: all, 1000."""
    skip_updates: bool = True
    """Drop posts that follow up an older one (App. A.1b; static, A.2b: kept)."""
    sensitive: tuple[str, ...] = (
        "assault*",
        "suicid*",
        "abus*",
        "rape*",
        "raping",
        "rapist*",
        "molest*",
        "incest*",
        "prostitut*",
        "self harm*",
        "kill myself",
        "killed himself",
        "killed herself",
        "domestic violence",
    )
    """Words that make a post sensitive (App. A.1g: assault, suicide, abuse); `*` is any ending."""
    harmless: tuple[str, ...] = (
        "abus* language",
        "abus* and * language",
        "abus* * chat",
        "abus* * law",
        "abus* * polic*",
        "abus* * privilege*",
        "abus* * room",
        "abus* * rule*",
        "abus* * system",
    )
    """Phrases in which a sensitive word means nothing of the kind; `*` alone is any word."""
    question_subreddits: tuple[str, ...] = ("dating_advice", "dating", "love", "Marriage")
    """Where a post without a question mark is a tip, not a situation (App. A.1f; static, A.2e: nowhere)."""
    post_tokens_min: int = 128
    """Fewest spaCy tokens of title and body, dynamic only (App. A.1h)."""
    post_tokens_max: int = 1280
    """Most spaCy tokens of title and body, dynamic only (App. A.1h)."""
    comment_tokens: int = 32
    """Fewest spaCy tokens of advice, dynamic only (App. A.1d)."""
    post_characters: int = 0
    """Fewest characters of the cleaned body (static, App. A.2g: 64)."""
    comment_characters: int = 0
    """Fewest characters of advice (static, App. A.2d: 64)."""
    age_hours_min: int = 36
    """Youngest post of a round, dynamic only (App. A.1a)."""
    age_hours_max: int = 336
    """Oldest post of a round, dynamic only (App. A.1a: two weeks)."""
    now: datetime | None = None
    """The moment a round's ages count from; without one, when the corpus's newest post is just old enough."""
    top_posts: int = 1000
    """A round looks at so many top-scoring posts (App. A.1)."""
    pick: int = 200
    """And takes so many valid ones at random (App. A.1)."""
    split: Literal["dates", "newest"] = "dates"
    """How the static set is split: by the two days below, or the newest posts test, the next validate."""
    newest_share: float = Field(default=0.05, ge=0, le=0.5)
    """Share of posts that test, and as many again that validate, with split = "newest"."""
    train_until: date = date(2019, 6, 14)
    """Last day of the training split, static only (the paper's split by date)."""
    validation_until: date = date(2019, 7, 9)
    """Last day of the validation split; later posts test (the paper's split by date)."""
    tech_domain: bool = False
    """Set techsupport apart as the domain `tech`; the paper counts it as life (Fig. 12)."""
    seed: int = 0
    """Decides the random pick."""

    @model_validator(mode="before")
    @classmethod
    def _fill_static(cls, values: Any) -> Any:
        if isinstance(values, dict) and values.get("mode", "static") == "static":
            return {**_STATIC, **values}
        return values
