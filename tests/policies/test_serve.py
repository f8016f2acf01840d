"""A served policy against the clients that people use, on loopback."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from fastapi.testclient import TestClient

from heed.policies.askbatch import instance, situation
from heed.policies.policy import Ask, Decoding
from heed.policies.prompts import day_of
from heed.policies.serve import create_policy_app
from heed.policies.table import Setting, open_policy
from heed.records import Example
from heed.site.serve import running_app
from heed.workspace import Workspace


@pytest.fixture
def address(setting: Setting) -> Iterator[str]:
    """The echo policy behind a real server."""
    with running_app(create_policy_app(open_policy("echo", setting))) as address:
        yield address


@pytest.fixture
def client(address: str) -> Any:
    openai = pytest.importorskip("openai")
    return openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0)


def test_the_real_openai_client_chats_completes_and_lists(client: Any) -> None:
    assert [model.id for model in client.models.list()] == ["echo"]
    chat = client.chat.completions.create(
        model="echo", messages=[{"role": "user", "content": "My cat is sad."}], n=2, seed=3
    )
    assert [choice.message.content for choice in chat.choices] == ["You said: My cat is sad."] * 2
    assert chat.usage.total_tokens > 0
    plain = client.completions.create(model="echo", prompt=["one two", "three"], stop=["two"])
    assert [choice.text for choice in plain.choices] == ["You said: one ", "You said: three"]
    assert {choice.finish_reason for choice in plain.choices} == {"stop"}


def test_the_real_openai_client_streams(client: Any) -> None:
    pieces = client.chat.completions.create(
        model="echo", messages=[{"role": "user", "content": "a b c d e f g"}], stream=True
    )
    texts = [piece.choices[0].delta.content or "" for piece in pieces]
    assert len(texts) > 2
    assert "".join(texts) == "You said: a b c d e f g"
    plain = client.completions.create(model="echo", prompt="a b c", stream=True)
    assert "".join(piece.choices[0].text for piece in plain) == "You said: a b c"


def test_one_persons_policy_is_anothers_endpoint(
    address: str, workspace: Workspace, make_situation: Callable[..., Example]
) -> None:
    setting = Setting(workspace, None, Decoding(), format="plain")
    for spec in (f"endpoint:{address}", f"endpoint:{address}/v1/#completions", f"askbatch:{address}"):
        policy = open_policy(spec, setting)
        answers = policy.answer([Ask(make_situation(n), 0, n) for n in range(5)])
        assert [answer.failure for answer in answers] == [None] * 5
        assert all(answer.text.startswith("You said: ") for answer in answers)


def test_a_served_policy_sees_all_four_fields(make_situation: Callable[..., Example]) -> None:
    sent = replace(make_situation(3), created=1_600_000_000)
    seen = situation(instance(sent))
    assert (seen.title, seen.text, seen.subreddit) == (sent.title, sent.text, sent.subreddit)
    assert day_of(seen) == day_of(sent) == "September 13, 2020"
    assert situation({"title": "Help", "date": "a Tuesday"}).created is None
    assert situation({}).text == ""


def test_bad_requests_get_an_answer_that_says_why(setting: Setting) -> None:
    web = TestClient(create_policy_app(open_policy("echo", setting)))
    assert web.post("/v1/chat/completions", json={"messages": []}).status_code == 400
    assert "message" in web.post("/v1/completions", json={"prompt": []}).json()["error"]
    assert web.post("/v1/completions", json={"prompt": "x", "n": 0}).status_code == 422
    assert web.post("/api/askbatch", json={"instances": []}).json() == {"gens": []}
    assert web.post("/api/askbatch", json={}).status_code == 422


def test_an_endpoint_that_is_gone_or_wrong_is_a_counted_failure(
    address: str, workspace: Workspace, make_situation: Callable[..., Example]
) -> None:
    setting = Setting(workspace, None, Decoding())
    wrong = open_policy(f"askbatch:{address}/nowhere", setting)
    (answer,) = wrong.answer([Ask(make_situation(1), 0, 1)])
    assert (answer.finish, answer.failure) == ("failed", "status_404")
