"""Machine judges: what a policy says when it is asked, or which text a scorer scores higher.

Their judgments are ordinary ones of kind machine. A policy (an endpoint, a local model) is asked in both
orders; where the orders disagree it has no opinion, and that is a tie. What cannot be read is a failure: it
is counted and not stored, so that another run asks again. A reward model is a scorer like others.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from heed.errors import UserError
from heed.policies.budget import drop_middle_paragraphs
from heed.policies.policy import Answer, Ask, Decoding, Policy, failed
from heed.policies.scorers import SCORERS, NoScoreError, Scorer, open_scorer
from heed.policies.table import Setting, open_policy
from heed.records import Example, Reference
from heed.store.database import Database
from heed.store.judgments import Verdict, record_instructions
from heed.store.machines import add_judgments, enter_machine, read_unjudged
from heed.store.studies import Item, Study
from heed.workspace import Workspace

_QUESTIONS = {
    "helpfulness": ("Somebody asked for help. Which of two pieces of advice would help them more?", "Advice"),
    "comparison": ("Which of two summaries is better: truer, then more complete, then clearer?", "Summary"),
    "plausibility": ("The questions were taken out of this story. Which one did its writer ask?", "Question"),
}
_FORM = """{question} Reply with one letter, A or B, and nothing else.

{title}

{situation}

{name} A:
{first}

{name} B:
{second}

Which one, A or B?"""
_MOST_WORDS = 2_800  # of a prompt; an endpoint's policy cuts at 3,000, without knowing what may go
_MOST_TOKENS = 32
_AT_ONCE = 32
_CHOICES = ("a", "b", "tie")
_LETTER = re.compile(
    r"[\W_]*(?:(?i:the\s+)?(?i:answer|advice|summary|question|text|option|response|choice)\s*(?i:is\b)?[\W_]*)?"
    r"(?P<letter>[AB])(?:\s*$|\s*[.):,*\"\]\n–—-])"
)


@dataclass(frozen=True, slots=True)
class Opinion:
    """What a machine thinks of an item, from a's side; or why it has nothing to say."""

    strength: float = 0.0
    answers: dict[str, Any] | None = None
    failure: str | None = None


class Judge(Protocol):
    """`asks` is what it does, in words: the text that its instruction version stands for."""

    asks: str

    def compare(self, items: Sequence[Item]) -> list[Opinion]: ...


class ScoringJudge:
    """The text with the higher score; equal scores are a tie."""

    def __init__(self, spec: str, scorer: Scorer) -> None:
        self.asks = f"The text with the higher score by {spec} is better."
        self._scorer = scorer

    def compare(self, items: Sequence[Item]) -> list[Opinion]:
        return [self._one(item) for item in items]

    def _one(self, item: Item) -> Opinion:
        try:
            a, b = self._scorer(_example(item), [item.text_a, item.text_b or ""])
        except NoScoreError as error:
            return Opinion(failure=error.reason)
        return Opinion(float((a > b) - (a < b)), {"scores": [a, b]})


class AskingJudge:
    """A policy that is asked for a letter, in both orders."""

    def __init__(self, policy: Policy, protocol: str) -> None:
        self.asks = _FORM
        self._policy = policy
        self._question, self._name = _QUESTIONS[protocol]

    def compare(self, items: Sequence[Item]) -> list[Opinion]:
        prompts = [self._prompt(item, turned) for item in items for turned in (False, True)]
        fits = {prompt: Ask(_plain(prompt), 0, 0) for prompt in prompts if _words(prompt) <= _MOST_WORDS}
        answers = dict(zip(fits, self._policy.answer([*fits.values()]) if fits else [], strict=True))
        both = [answers.get(prompt, failed("too_long")) for prompt in prompts]
        return [_agree(*pair) for pair in zip(both[::2], both[1::2], strict=True)]

    def _prompt(self, item: Item, turned: bool) -> str:
        first, second = (item.text_b or "", item.text_a) if turned else (item.text_a, item.text_b or "")

        def fill(example: Example, text: str) -> str:
            words = {"question": self._question, "name": self._name, "title": example.title}
            return _FORM.format(**words, situation=text, first=first, second=second)

        return drop_middle_paragraphs(_example(item), fill, _MOST_WORDS, _words).text


def read_letter(text: str) -> str | None:
    """A or B, where an answer is one of them and perhaps a reason after it; None where it is not clear."""
    found = _LETTER.match(text)
    return found["letter"] if found else None


def judge_study(
    workspace: Workspace, database: Database, study: Study, spec: str, most: int | None = None
) -> dict[str, Any]:
    """Let a machine judge what it has not judged yet; what was stored, and what failed and why."""
    if study.protocol not in _QUESTIONS:
        raise UserError(f"Study '{study.name}' ({study.protocol}) has no pairs: a machine judges pairs.")
    judge, name = open_judge(workspace, spec, study.protocol), re.sub(r"//[^/@]*@", "//", spec)
    account = enter_machine(database, study, name)
    version = f"machine_{study.protocol}-{hashlib.sha256(judge.asks.encode()).hexdigest()[:12]}"
    record_instructions(database, version, judge.asks)
    items = read_unjudged(database, study, account)[:most]
    outcomes: Counter[str] = Counter()
    for start in range(0, len(items), _AT_ONCE):
        part = items[start : start + _AT_ONCE]
        opinions = {item.id: opinion for item, opinion in zip(part, judge.compare(part), strict=True)}
        verdicts = {id: _verdict(o, name, version) for id, o in opinions.items() if o.failure is None}
        add_judgments(database, study, account, verdicts)
        outcomes.update(o.failure or verdicts[id].choice for id, o in opinions.items())
    return {"study": study.name, "judge": name, "kind": "machine", **_count(outcomes)}


def _count(outcomes: Counter[str]) -> dict[str, Any]:
    failed_why = {reason: count for reason, count in outcomes.items() if reason not in _CHOICES}
    stored = outcomes.total() - sum(failed_why.values())
    return {"judgments": stored, "ties": outcomes["tie"], "failed": failed_why}


def open_judge(workspace: Workspace, spec: str, protocol: str) -> Judge:
    """A scorer where there is one of that name, else a policy that is asked."""
    setting = Setting(workspace, None, Decoding(most_tokens=_MOST_TOKENS))
    if spec.partition(":")[0] in SCORERS:
        return ScoringJudge(spec, open_scorer(spec, setting))
    return AskingJudge(open_policy(spec, setting), protocol)


def _agree(straight: Answer, turned: Answer) -> Opinion:
    failure = straight.failure or turned.failure
    if failure:
        return Opinion(failure=failure)
    first, second = read_letter(straight.text), read_letter(turned.text)
    if first is None or second is None:
        return Opinion(failure="unreadable")
    strength = {"AB": 1.0, "BA": -1.0}.get(first + second, 0.0)
    return Opinion(strength, {"orders": [first, second]})


def _verdict(opinion: Opinion, judge: str, version: str) -> Verdict:
    choice = "tie" if opinion.strength == 0 else "a" if opinion.strength > 0 else "b"
    return Verdict(choice, opinion.strength, {"judge": judge, **(opinion.answers or {})}, None, version)


def _example(item: Item) -> Example:
    references = (Reference(item.reference),) if item.reference else ()
    return Example(
        item.example,
        "plain",
        item.split or "",
        item.subreddit or "",
        item.domain or "",
        None,
        item.title,
        item.situation,
        references,
    )


def _words(text: str) -> int:
    return len(text.split())


def _plain(prompt: str) -> Example:
    return Example(hashlib.sha256(prompt.encode()).hexdigest()[:16], "plain", "", "", "", None, "", prompt)
