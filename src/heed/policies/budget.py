"""Makes a prompt fit a number of tokens by rules that keep what matters, and says how much had to go."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from heed.policies.prompts import FORMATS, Format, hash_prompt, paragraphs
from heed.records import Example

CountTokens = Callable[[str], int]
# What a format is cut by: the papers cut advice from its middle, summaries at their last newline.
_CUT_AT_LINES = frozenset({"tldr", "tldr_chat", "tldr_zero_shot", "news", "news_transfer"})
SHOT_MARK = "\n=====\n"


@dataclass(frozen=True)
class Prompt:
    """What a model sees; `dropped` is how many paragraphs or lines of the text had to go."""

    text: str
    dropped: int = 0

    @property
    def hash(self) -> str:
        return hash_prompt(self.text)


def write_prompt(example: Example, name: str, budget: int, count: CountTokens) -> Prompt:
    """The prompt in this format within the budget of tokens."""
    shorten = drop_lines if name in _CUT_AT_LINES else drop_middle_paragraphs
    return shorten(example, FORMATS[name], budget, count)


def drop_middle_paragraphs(example: Example, layout: Format, budget: int, count: CountTokens) -> Prompt:
    """The paragraph in the middle goes, again and again; the first and the last stay (TuringAdvice, 4.1)."""
    kept = paragraphs(example.text)
    total = len(kept)
    prompt = layout(example, example.text)
    while count(prompt) > budget and len(kept) > 2:
        del kept[len(kept) // 2]
        prompt = layout(example, "\n\n".join(kept))
    if count(prompt) > budget:
        prompt = _cut_words(example, layout, "\n\n".join(kept), budget, count)
    return Prompt(prompt, total - len(kept))


def drop_lines(example: Example, layout: Format, budget: int, count: CountTokens) -> Prompt:
    """The post is cut at its last newline, again and again (SPEC S2)."""
    text, dropped = example.text, 0
    while count(layout(example, text)) > budget and "\n" in text:
        text, dropped = text[: text.rindex("\n")], dropped + 1
    prompt = layout(example, text)
    if count(prompt) > budget:
        prompt = _cut_words(example, layout, text, budget, count)
    return Prompt(prompt, dropped)


def _cut_words(example: Example, layout: Format, text: str, budget: int, count: CountTokens) -> str:
    """One paragraph that is too long by itself loses words from its end: the most that fit, by halving."""
    words = text.split(" ")
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        fits = count(layout(example, " ".join(words[:middle]))) <= budget
        low, high = (middle, high) if fits else (low, middle - 1)
    return layout(example, " ".join(words[:low]))


def with_shots(prompt: Prompt, shots: Sequence[str], budget: int, count: CountTokens) -> Prompt:
    """As many solved examples in front as fit, the first ones first (SPEC S2, zero-shot)."""
    text = prompt.text
    for shot in shots:
        longer = f"{shot}{SHOT_MARK}{text}"
        if count(longer) > budget:
            break
        text = longer
    return Prompt(text, prompt.dropped)
