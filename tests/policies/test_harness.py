"""lm-evaluation-harness's own client against a served policy, on loopback."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from heed.models.packaged import causal_folder
from heed.policies.policy import Policy
from heed.policies.serve import create_policy_app
from heed.policies.table import Setting, open_policy
from heed.site.serve import running_app

CONTEXT, RIGHT, WRONG = "The capital of France is", " Paris", " a purple cheese"


@contextmanager
def served(policy: Policy) -> Iterator[str]:
    with running_app(create_policy_app(policy)) as address:
        yield f"{address}/v1/completions"


def harness(address: str, **options: Any) -> Any:
    os.environ["HF_HUB_OFFLINE"] = "1"
    completions = pytest.importorskip("lm_eval.models.openai_completions")
    return completions.LocalCompletionsAPI(model="heed", base_url=address, max_retries=1, **options)


def instance(kind: str, *arguments: Any) -> Any:
    from lm_eval.api.instance import Instance

    return Instance(request_type=kind, doc={}, arguments=arguments, idx=0)


@pytest.mark.slow
def test_the_harness_gets_text_from_any_policy(setting: Setting) -> None:
    asked = [instance("generate_until", text, {"until": ["four"]}) for text in ("one two", "three four five")]
    with served(open_policy("echo", setting)) as address:
        client = harness(address, tokenizer_backend=None, tokenized_requests=False)
        texts = client.generate_until(asked, disable_tqdm=True)
    assert texts == ["You said: one two", "You said: three "]


@pytest.mark.slow
def test_the_harness_gets_log_likelihoods_from_a_language_model(setting: Setting) -> None:
    folder = causal_folder("smollm2", setting.workspace)
    policy: Any = open_policy("lm:smollm2", setting)
    asked = [instance("loglikelihood", CONTEXT, answer) for answer in (RIGHT, WRONG)]
    with served(policy) as address:
        client = harness(address, tokenizer=str(folder), tokenizer_backend="huggingface")
        (right, greedy), (wrong, _) = client.loglikelihood(asked, disable_tqdm=True)
    assert greedy
    assert right > wrong
    ours = policy._model.log_probabilities([CONTEXT] * 2, [RIGHT, WRONG])
    assert [right, wrong] == pytest.approx(ours, abs=1e-3)


@pytest.mark.slow
def test_a_policy_without_tokens_says_so(setting: Setting) -> None:
    import requests

    with served(open_policy("echo", setting)) as address:
        for body in ({"prompt": [1, 2]}, {"prompt": "x", "echo": True, "logprobs": 1}):
            answer = requests.post(address, json=body, timeout=10)
            assert answer.status_code == 400
            assert "knows text alone" in answer.json()["error"]["message"]
