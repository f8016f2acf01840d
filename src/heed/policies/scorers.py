"""What says which of several answers is best: a plain table of scorers for best-of-N."""

from collections.abc import Callable, Sequence

from heed.errors import UserError
from heed.policies.budget import write_prompt
from heed.policies.prompts import format_for
from heed.policies.table import Setting
from heed.records import Example


class NoScoreError(UserError):
    """These texts cannot be scored, others may be. `reason` is a word to count by."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


Scorer = Callable[[Example, Sequence[str]], list[float]]


def length(_argument: str, _setting: Setting) -> Scorer:
    """More words score higher: the baseline that a reward model has to beat."""
    return lambda _example, texts: [float(len(text.split())) for text in texts]


def logprob(argument: str, setting: Setting) -> Scorer:
    """How likely a model finds the answer, per token."""
    from heed.models.opening import open_text_model
    from heed.models.packaged import causal_folder

    name = argument.removeprefix("lm:")
    model = open_text_model(causal_folder(name, setting.workspace))

    def score(example: Example, texts: Sequence[str]) -> list[float]:
        layout = format_for(example.kind, setting.format, completion=True)
        prompt = write_prompt(example, layout, model.most_positions // 2, model.count_tokens).text
        sums = model.log_probabilities([prompt] * len(texts), [f" {text}" for text in texts])
        return [total / max(1, model.count_tokens(text)) for total, text in zip(sums, texts, strict=True)]

    return score


def rouge(argument: str, _setting: Setting) -> Scorer:
    """Overlap with what a person wrote: rougeL, or rouge:rouge1 and so on. Not for the reference itself."""
    from heed.statistics.overlap import ROUGE_TYPES
    from heed.statistics.overlap import rouge as overlap

    kind = argument or "rougeL"
    if kind not in ROUGE_TYPES:
        raise UserError(f"There is no ROUGE '{kind}': known are {', '.join(ROUGE_TYPES)}.")

    def score(example: Example, texts: Sequence[str]) -> list[float]:
        reference = example.references[0].text if example.references else ""
        if not reference:
            raise NoScoreError("no_reference", f"ROUGE needs a reference; example {example.id} has none.")
        if reference in texts:
            raise NoScoreError("text_is_reference", f"A text of example {example.id} is its reference.")
        return [float(value) for value in overlap(texts, [reference] * len(texts))[kind]]

    return score


SCORERS: dict[str, Callable[[str, Setting], Scorer]] = {"length": length, "logprob": logprob, "rouge": rouge}


def open_scorer(spec: str, setting: Setting) -> Scorer:
    word, _, argument = spec.partition(":")
    if word not in SCORERS:
        raise UserError(f"There is no scorer '{word}': known are {', '.join(SCORERS)}.")
    return SCORERS[word](argument, setting)
