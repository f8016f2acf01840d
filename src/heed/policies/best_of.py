"""Best-of-N: sample N answers of another policy, keep the one that a scorer likes best.

`best_of:16:lm:smollm2` with `--scorer logprob:lm:smollm2`. At temperature 0 all N would be the same.
"""

from collections.abc import Sequence
from typing import Any

from heed.errors import UserError
from heed.policies.policy import Answer, Ask, Policy, failed
from heed.policies.scorers import NoScoreError, Scorer, open_scorer
from heed.policies.table import Setting, open_policy, whole_number


class BestOf:
    """The inner policy's answers under N seeds of their own; failures only win when all failed."""

    samples = True

    def __init__(self, count: int, inner: Policy, scorer_name: str, scorer: Scorer) -> None:
        self.name = f"best_of:{count}:{inner.name}"
        self.batch = max(1, inner.batch // count)
        self._count = count
        self._inner = inner
        self._scorer_name = scorer_name
        self._scorer = scorer

    def describe(self) -> dict[str, Any]:
        return {"count": self._count, "scorer": self._scorer_name, "inner": self._inner.describe()}

    def answer(self, asks: Sequence[Ask]) -> list[Answer]:
        many = [
            Ask(ask.example, number, ask.seed * self._count + number)
            for ask in asks
            for number in range(self._count)
        ]
        answers = self._inner.answer(many)
        groups = [answers[start : start + self._count] for start in range(0, len(answers), self._count)]
        return [self._best(ask, group) for ask, group in zip(asks, groups, strict=True)]

    def _best(self, ask: Ask, group: Sequence[Answer]) -> Answer:
        good = [answer for answer in group if answer.failure is None]
        if not good:
            return group[0]
        try:
            scores = self._scorer(ask.example, [answer.text for answer in good])
        except NoScoreError as error:
            return failed(error.reason)
        # Of equal scores the first, so that the choice does not depend on the sort.
        return max(zip(scores, good, strict=True), key=lambda pair: pair[0])[1]


def open_best_of(argument: str, setting: Setting) -> Policy:
    number, _, inner_spec = argument.partition(":")
    if not inner_spec:
        raise UserError("best_of needs a policy to sample from, such as best_of:16:lm:smollm2.")
    count = whole_number("best_of", number)
    if setting.scorer is None:
        raise UserError("best_of needs a scorer: add --scorer length or --scorer logprob:lm:smollm2.")
    inner = open_policy(inner_spec, setting)
    if not inner.samples or (inner_spec.startswith(("lm", "endpoint")) and setting.decoding.temperature == 0):
        raise UserError(f"All {count} answers of '{inner_spec}' would be the same: add --temperature 0.7.")
    return BestOf(count, inner, setting.scorer, open_scorer(setting.scorer, setting))
