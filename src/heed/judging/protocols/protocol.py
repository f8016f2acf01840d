"""What a protocol is: stages of questions, and how its answers lean. Checking is here, wording is not.

Questions speak of the first and the second text *shown*; which policy wrote them nobody here knows.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from heed.errors import UserError
from heed.judging.protocols.marks import PREFIX, read_marks

Source = Literal["pairs", "single", "choices"]
LONGEST_TEXT = 20_000


class AnswerError(UserError):
    """An answer that cannot be taken as it is; one sentence per problem."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__(" ".join(problems))
        self.problems = problems


@dataclass(frozen=True)
class Question:
    """A choice between options, or, with none, a text. `when`: which question and answers open it."""

    name: str
    words: str
    options: tuple[tuple[str, str], ...] = ()
    required: bool = True
    when: tuple[str, tuple[str, ...]] | None = None
    scale: bool = False
    """A row of numbered points instead of a list; the answers are stored as numbers."""
    edits: bool = False
    """Writing starts from the text that is shown, and must lead away from it."""

    def is_open(self, answers: Mapping[str, Any]) -> bool:
        return self.when is None or answers.get(self.when[0]) in self.when[1]


@dataclass(frozen=True)
class Stage:
    """One page. The situation is sent only where `shows_situation`."""

    name: str
    questions: tuple[Question, ...]
    shows_situation: bool = True
    tags: tuple[tuple[str, str], ...] = ()
    """Kinds of error that may be marked on spans of the texts."""


@dataclass(frozen=True)
class Protocol:
    """`lean` is positive where the first text shown is better, None where nothing is compared."""

    name: str
    title: str
    text_names: tuple[str, ...]
    situation_name: str
    source: Source
    labels_per_item: int
    stages: tuple[Stage, ...]
    lean: Callable[[Mapping[str, Any]], float | None]
    to_frozen: Callable[[Mapping[str, Any], str], dict[str, Any]] = field(
        default=lambda answers, _first: dict(answers)
    )
    frozen_as: str | None = None
    """The protocol's name in frozen judgments, where reports know it by another."""
    tags: tuple[tuple[str, str], ...] = ()
    """Kinds of error that a study may let labelers mark."""
    noun: str = "post"
    """What the situation is called in the questions."""

    def tagged(self) -> "Protocol":
        """The same questions, with error tags on the last page."""
        return replace(self, stages=(*self.stages[:-1], replace(self.stages[-1], tags=self.tags)))

    def about(self, noun: str) -> "Protocol":
        """The same questions about another kind of text: an article instead of a post."""
        stages = []
        for stage in self.stages:
            asked = [replace(q, words=q.words.replace(self.noun, noun)) for q in stage.questions]
            stages.append(replace(stage, questions=tuple(asked)))
        name = self.situation_name.replace(self.noun, noun)
        return replace(self, stages=tuple(stages), situation_name=name, noun=noun)

    def decide(self, answers: Mapping[str, Any], first: str) -> tuple[str, float]:
        """Choice and strength, seen from a."""
        lean = self.lean(answers)
        if lean is None:
            return "none", 0.0
        strength = lean if first == "a" else -lean
        return ("tie", 0.0) if strength == 0 else ("a" if strength > 0 else "b", strength)


REMARKS = (
    Question("comment", "Anything to add about this item?", required=False),
    Question("explanation", "Why did you answer like this?", required=False),
    Question("concern", "Is something wrong with the item or the task?", required=False),
)
"""What every form ends with."""


def check_answers(stage: Stage, form: Mapping[str, str], texts: Sequence[str] = ()) -> dict[str, Any]:
    """The answers of one page about the texts that it shows, or every problem in a sentence each."""
    known = {question.name: question for question in stage.questions}
    about_marks = {name: form[name] for name in form if stage.tags and name.startswith(PREFIX)}
    strange = [name for name in form if name not in known and name not in about_marks]
    problems = [f"This form has no question '{name[:40]}'." for name in strange]
    answers: dict[str, Any] = {}
    for question in stage.questions:
        # Browsers send \r\n; an answer is the same text wherever it was typed.
        value = form.get(question.name, "").replace("\r\n", "\n").strip()
        if not question.is_open(answers):
            continue
        problem = _problem(question, value, texts)
        if problem:
            problems.append(problem)
        elif value:
            answers[question.name] = int(value) if question.scale else value
    marks, wrong = read_marks(stage.tags, about_marks, texts)
    if marks:
        answers["tags"] = marks
    if problems := problems + wrong:
        raise AnswerError(problems)
    return answers


def _problem(question: Question, value: str, texts: Sequence[str]) -> str | None:
    if not value:
        return f"Please answer: {question.words}" if question.required else None
    if question.options and value not in dict(question.options):
        return f"'{value[:40]}' is not one of the answers to: {question.words}"
    if question.edits and value.split() in [text.split() for text in texts]:
        return "Nothing is changed yet: improve the text, or skip the item if you cannot."
    if len(value) > LONGEST_TEXT:
        return (
            f"A text has at most {LONGEST_TEXT:,} characters; this one has {len(value):,}: {question.words}"
        )
    return None
