"""A local language model as a policy: any Hugging Face folder that writes text, or the packaged SmolLM2."""

from collections.abc import Sequence
from typing import Any

from heed.datasets.examples import read_examples
from heed.errors import NotFoundError
from heed.manifest import hash_file
from heed.models.causal import CausalModel, Generated, Sampling
from heed.models.opening import open_text_model
from heed.models.packaged import causal_folder
from heed.models.token_scores import TokenScore, score_tokens
from heed.policies.artifacts import clean_answer
from heed.policies.budget import Prompt, with_shots, write_prompt
from heed.policies.policy import Answer, Ask, Decoding, Policy, failed
from heed.policies.prompts import FORMATS, format_for
from heed.policies.table import Setting
from heed.workspace import Artifact

# An empty answer is asked for again with another seed, this often (T3 e).
_TRIES = 3
_SHOTS_MOST = 20
# The papers' budgets where they name one (S2, T3), in tokens of the prompt.
_BUDGETS = {"advice_fields": 1536, "tldr": 512, "news_transfer": 512, "news": 1999, "tldr_zero_shot": 1999}
_STOPS = {"advice_page": ("~",), "tldr_zero_shot": ("\n",), "advice_fields": ("<|/advice|>",)}


class LanguageModel:
    """Prompts in the format of the dataset's kind; chat formats go through the model's own chat layout."""

    batch = 16
    samples = True

    def __init__(self, name: str, model: CausalModel, identity: str, setting: Setting) -> None:
        self.name = name
        self._model = model
        self._identity = identity
        self._format = setting.format
        self._decoding = setting.decoding
        self._shots = _shots(setting.dataset) if setting.format == "tldr_zero_shot" else []

    def describe(self) -> dict[str, Any]:
        return {"model": self._identity, "format": self._format}

    def answer(self, asks: Sequence[Ask]) -> list[Answer]:
        prompts = [self.prompt(ask) for ask in asks]
        answers = self._generate(asks, prompts, extra_seed=0)
        for attempt in range(1, _TRIES):
            empty = [place for place, answer in enumerate(answers) if answer.failure == "empty"]
            if not empty or self._decoding.temperature == 0:
                break
            again = self._generate([asks[p] for p in empty], [prompts[p] for p in empty], extra_seed=attempt)
            for place, answer in zip(empty, again, strict=True):
                answers[place] = answer
        return answers

    def prompt(self, ask: Ask) -> Prompt:
        name = self._format_of(ask)
        budget = min(
            _BUDGETS.get(name, self._model.most_positions),
            self._model.most_positions - self._decoding.most_tokens,
        )
        if not name.endswith("_chat"):
            prompt = write_prompt(ask.example, name, budget, self._model.count_tokens)
            return with_shots(prompt, self._shots, budget, self._model.count_tokens)
        prompt = write_prompt(ask.example, name, budget - 64, self._model.count_tokens)
        return Prompt(self._model.chat_prompt([{"role": "user", "content": prompt.text}]), prompt.dropped)

    def decode(self, tokens: Sequence[int]) -> str:
        return self._model.decode(tokens)

    def score_tokens(self, prompt: str | Sequence[int]) -> list[TokenScore]:
        return score_tokens(self._model, prompt)

    def _format_of(self, ask: Ask) -> str:
        kind = ask.example.kind
        return format_for(kind, self._format or self._model.usual_formats.get(kind))

    def _generate(self, asks: Sequence[Ask], prompts: Sequence[Prompt], extra_seed: int) -> list[Answer]:
        name = self._format_of(asks[0])
        sampling = _sampling(self._decoding, _STOPS.get(name, ()))
        seeds = [ask.seed + extra_seed for ask in asks]
        texts = self._model.generate([prompt.text for prompt in prompts], sampling, seeds)
        return [_answer(prompt, text) for prompt, text in zip(prompts, texts, strict=True)]


def _sampling(decoding: Decoding, stop: tuple[str, ...]) -> Sampling:
    return Sampling(decoding.temperature, decoding.top_p, decoding.beams, decoding.most_tokens, stop)


def _answer(prompt: Prompt, generated: Generated) -> Answer:
    text = clean_answer(generated.text)
    if not text:
        return failed("empty", prompt.hash)
    return Answer(
        text,
        finish=generated.finish,
        prompt_hash=prompt.hash,
        tokens_in=generated.tokens_in,
        tokens_out=generated.tokens_out,
    )


def _shots(dataset: Artifact | None) -> list[str]:
    """Solved examples in the zero-shot layout, from the training split alone."""
    if dataset is None:
        return []
    try:
        examples = read_examples(dataset, "train")
    except NotFoundError:
        return []
    solved = [example for example in examples if example.references][:_SHOTS_MOST]
    layout = FORMATS["tldr_zero_shot"]
    return [f"{layout(example, example.text)} {example.references[0].text}" for example in solved]


def open_lm(argument: str, setting: Setting) -> Policy:
    """`lm:smollm2` or `lm:FOLDER`."""
    folder = causal_folder(argument, setting.workspace)
    weights = sorted(folder.glob("*.safetensors"))
    identity = "+".join(hash_file(path)[:16] for path in weights) or folder.name
    return LanguageModel(f"lm:{argument}", open_text_model(folder), identity, setting)
