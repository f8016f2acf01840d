"""With the packaged SmolLM2, a real pretrained model; about a minute on two cores."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from heed.errors import NotFoundError, UserError
from heed.models.packaged import causal_folder, encoder_folder, package_folder
from heed.workspace import Workspace

PROMPTS = [
    "The capital of France is",
    "My sister borrowed my car and returned it with an empty tank. What should I do about it? I think",
    "Once",
]


def test_a_model_that_is_not_there_is_said(workspace: Workspace) -> None:
    with pytest.raises(UserError, match="is no model: give a folder"):
        causal_folder("gpt-nowhere", workspace)
    with pytest.raises(UserError, match="Nothing is loaded from a hub"):
        encoder_folder("some/encoder")
    with pytest.raises(NotFoundError, match="run make setup-lm"):
        package_folder("no_such_packaged_model")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return causal_folder("smollm2", Workspace(tmp_path_factory.mktemp("models")))


@pytest.fixture(scope="session")
def model(folder: Path) -> Any:
    from heed.models.causal import CausalModel

    return CausalModel(folder)


@pytest.mark.slow
def test_greedy_equals_transformers_own_generate_batched_and_alone(model: Any) -> None:
    from heed.models.causal import Sampling

    ours = model.generate(PROMPTS, Sampling(most_tokens=12), seeds=[0, 0, 0])
    for prompt, generated in zip(PROMPTS, ours, strict=True):
        single = model.tokenizer(prompt, return_tensors="pt", add_special_tokens=False)
        tokens = model.model.generate(**single, max_new_tokens=12, do_sample=False)
        reference = model.tokenizer.decode(
            tokens[0][single["input_ids"].shape[1] :], skip_special_tokens=True
        )
        assert generated.text == reference
        (alone,) = model.generate([prompt], Sampling(most_tokens=12), seeds=[0])
        assert alone == generated
    assert "Paris" in ours[0].text


@pytest.mark.slow
def test_a_sample_depends_on_its_seed_and_not_on_its_neighbours(model: Any) -> None:
    from heed.models.causal import Sampling

    sampling = Sampling(temperature=0.9, top_p=0.95, most_tokens=10)
    together = model.generate(PROMPTS, sampling, seeds=[11, 12, 13])
    alone = [
        model.generate([prompt], sampling, [seed])[0]
        for prompt, seed in zip(PROMPTS, (11, 12, 13), strict=True)
    ]
    assert together == alone
    other = model.generate(PROMPTS, sampling, seeds=[21, 22, 23])
    assert [each.text for each in other] != [each.text for each in together]


@pytest.mark.slow
def test_noise_and_the_largest_draw_from_the_models_distribution(model: Any) -> None:
    """The frequencies of 600 one-token samples against the softmax, by a chi-squared distance."""
    import torch

    from heed.models.causal import Sampling

    prompt = "My favourite colour is"
    tokens = model.tokenizer(prompt, return_tensors="pt", add_special_tokens=False)
    with torch.inference_mode():
        probabilities = torch.softmax(model.model(**tokens).logits[0, -1] / 0.7, dim=-1)
    draws: Counter[str] = Counter()
    for start in range(0, 600, 100):
        batch = model.generate(
            [prompt] * 100, Sampling(temperature=0.7, most_tokens=1), range(start, start + 100)
        )
        draws.update(each.text for each in batch)
    top = torch.topk(probabilities, 5)
    for probability, token in zip(top.values.tolist(), top.indices.tolist(), strict=True):
        seen = draws[model.tokenizer.decode([token])]
        deviation = (600 * probability * (1 - probability)) ** 0.5
        assert abs(seen - 600 * probability) < 4 * deviation


@pytest.mark.slow
def test_stop_strings_lengths_and_log_probabilities(model: Any) -> None:
    import torch

    from heed.models.causal import Sampling

    (cut,) = model.generate(["One, two, three,"], Sampling(most_tokens=30, stop=("six",)), [0])
    assert "six" not in cut.text
    assert cut.finish == "stop"
    (short,) = model.generate(["Once upon a time"], Sampling(most_tokens=3), [0])
    assert (short.finish, short.tokens_out) == ("length", 3)
    (found,) = model.log_probabilities(["The capital of France is"], [" Paris."])
    tokens = model.tokenizer("The capital of France is Paris.", return_tensors="pt", add_special_tokens=False)
    with torch.inference_mode():
        loss = model.model(
            **tokens, labels=torch.where(torch.arange(7) < 5, -100, tokens["input_ids"][0])[None]
        ).loss
    assert found == pytest.approx(-2 * float(loss), abs=1e-3)
    nearer, farther = model.log_probabilities(["The capital of France is"] * 2, [" Paris", " banana"])
    assert nearer > farther
    # A prompt that is read once for several continuations gives each what it gets alone.
    prompts = ["The capital of France is"] * 3 + ["", "The capital of Italy is"]
    continuations = [" Paris, I think.", "", " banana", "Hello there", " Rome"]
    together = model.log_probabilities(prompts, continuations)
    alone = [model.log_probabilities([p], [c])[0] for p, c in zip(prompts, continuations, strict=True)]
    assert together == pytest.approx(alone, abs=1e-4)
    assert together[1] == 0.0


@pytest.mark.slow
def test_the_packaged_encoder_knows_what_is_alike() -> None:
    from heed.models.encoder import SentenceEncoder

    encoder = SentenceEncoder(encoder_folder("minilm"))
    a, b, c = encoder.encode(["How do I ask for a raise?", "How can I get more salary?", "My cat is orange."])
    assert a @ a == pytest.approx(1.0, abs=1e-5)
    assert a @ b > a @ c + 0.2
