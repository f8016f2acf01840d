"""A tiny T5 of our own making: untrained, but built, saved and loaded by the real library."""

from pathlib import Path
from typing import Any

import pytest

from heed.models.causal import Sampling
from heed.policies.generate import Order, generate
from heed.policies.responses import open_responses, read_responses
from heed.records import Example, Reference
from heed.workspace import Workspace

pytestmark = pytest.mark.slow
WORDS = """my sister borrowed the car and returned it empty what should i do ask her to fill tank"""
PROMPTS = ["my sister borrowed the car", "what should i do", "ask her to fill the tank and the car it"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seeded weights, a vocabulary of whole words."""
    torch = pytest.importorskip("torch", reason="needs the lm extra (make setup-lm)")
    from tokenizers import Tokenizer, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    place = tmp_path_factory.mktemp("t5")
    vocabulary = {
        word: number for number, word in enumerate(["<pad>", "</s>", "<unk>", *dict.fromkeys(WORDS.split())])
    }
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        eos_token="</s>",
        unk_token="<unk>",
        model_max_length=512,
    ).save_pretrained(place)
    torch.manual_seed(8)
    config = T5Config(
        vocab_size=len(vocabulary), d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4,
        decoder_start_token_id=0, pad_token_id=0, eos_token_id=1, tie_word_embeddings=False,
    )  # fmt: skip
    T5ForConditionalGeneration(config).save_pretrained(place)
    return place


@pytest.fixture(scope="module")
def model(folder: Path) -> Any:
    from heed.models.opening import open_text_model

    return open_text_model(folder)


def test_greedy_equals_transformers_own_generate_batched_and_alone(model: Any) -> None:
    ours = model.generate(PROMPTS, Sampling(most_tokens=10), seeds=[0, 0, 0])
    for prompt, generated in zip(PROMPTS, ours, strict=True):
        tokens = model.model.generate(
            **model.tokenizer(prompt, return_tensors="pt"), max_new_tokens=10, do_sample=False
        )
        assert generated.text == model.tokenizer.decode(tokens[0], skip_special_tokens=True)
        assert model.generate([prompt], Sampling(most_tokens=10), seeds=[0]) == [generated]
    assert any(generated.text for generated in ours)


def test_a_sample_depends_on_its_seed_and_not_on_its_neighbours(model: Any) -> None:
    warm = Sampling(temperature=20.0, most_tokens=10)
    together = model.generate(PROMPTS, warm, seeds=[1, 2, 3])
    assert model.generate(PROMPTS[1:2], warm, seeds=[2]) == together[1:2]
    assert model.generate(PROMPTS[1:2], warm, seeds=[9]) != together[1:2]


def test_log_probabilities_sum_over_every_continuation(model: Any) -> None:
    """All words of the vocabulary as a first word together have probability 1."""
    import math

    words = list(model.tokenizer.get_vocab())
    total = sum(math.exp(value) for value in model.log_probabilities([PROMPTS[0]] * len(words), words))
    assert total == pytest.approx(1.0, abs=1e-5)


def test_it_answers_advice_in_the_named_format(folder: Path, workspace: Workspace) -> None:
    from heed.datasets.examples import write_examples
    from heed.policies.prompts import advice_named, hash_prompt

    example = Example(
        id="e1", kind="advice", split="test", subreddit="Advice", domain="life", created=None, title="my car",
        text="my sister borrowed the car", references=(Reference("ask her", 5, "r", None),),
    )  # fmt: skip
    with workspace.draft(workspace.root / "datasets" / "d", "dataset", "d") as draft:
        draft.counts = {"splits": write_examples([example], draft.path)}
    generate(workspace, Order("d", (f"lm:{folder}",), "r"))
    (response,) = read_responses(open_responses(workspace, "r"))
    assert response.failure is None
    assert response.prompt_hash == hash_prompt(advice_named(example, example.text))
