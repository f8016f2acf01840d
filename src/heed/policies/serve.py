"""`heed serve-policy`: any policy behind the protocols that others speak, so that it is somebody's endpoint.

The OpenAI protocol (chat, completions, models; streaming too) and TuringAdvice's batch protocol. A prompt
that arrives is an example of kind 'plain': what the asker wrote is what the policy sees.
"""

import hashlib
import itertools
import threading
import time
from typing import Any

from fastapi import FastAPI
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from heed.errors import UserError
from heed.policies.askbatch import situation
from heed.policies.policy import Answer, Ask, Policy
from heed.policies.serve_shapes import choice, stopped, stream, usage
from heed.policies.serve_tokens import Prompt, as_text, scored_choice, split_prompts
from heed.records import Example


class Completion(BaseModel):
    """What we read of a request; the rest of the protocol is accepted and left alone."""

    model_config = ConfigDict(extra="allow")

    prompt: str | list[str] | list[int] | list[list[int]] = ""
    messages: list[dict[str, Any]] = Field(default_factory=list)
    n: int = Field(default=1, ge=1, le=128)
    seed: int | None = None
    stream: bool = False
    stop: str | list[str] | None = None
    echo: bool = False
    logprobs: int | bool | None = None


class Batch(BaseModel):
    """TuringAdvice's request."""

    instances: list[dict[str, Any]]


class PolicyServer:
    """Turns requests into asks. One at a time: a model on one machine gains nothing from two."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)

    def models(self) -> dict[str, Any]:
        return {"object": "list", "data": [{"id": self._policy.name, "object": "model", "owned_by": "heed"}]}

    def chat(self, request: Completion) -> Any:
        texts = [str(message.get("content") or "") for message in request.messages]
        if not texts:
            return _refusal("a chat needs at least one message")
        return self._complete(request, ["\n\n".join(texts)], chat=True)

    def completions(self, request: Completion) -> Any:
        prompts = split_prompts(request.prompt)
        if not prompts:
            return _refusal("a completion needs a prompt")
        try:
            if request.echo and request.logprobs:
                return self._score(prompts)
            texts = [as_text(prompt, self._policy) for prompt in prompts]
        except UserError as error:
            return _refusal(str(error))
        return self._complete(request, texts, chat=False)

    def _score(self, prompts: list[Prompt]) -> dict[str, Any]:
        with self._lock:
            choices = [scored_choice(index, each, self._policy) for index, each in enumerate(prompts)]
        return {**self._head(chat=False), "choices": choices}

    def ask_batch(self, request: Batch) -> dict[str, Any]:
        asks = [Ask(situation(each), 0, index) for index, each in enumerate(request.instances)]
        return {"gens": [answer.text for answer in self._answer(asks)]}

    def _answer(self, asks: list[Ask]) -> list[Answer]:
        with self._lock:
            return self._policy.answer(asks) if asks else []

    def _complete(self, request: Completion, prompts: list[str], *, chat: bool) -> Any:
        seed = 0 if request.seed is None else request.seed
        asks = [
            Ask(_plain(prompt), sample, seed * request.n + sample)
            for prompt in prompts
            for sample in range(request.n)
        ]
        answers = [stopped(answer, request.stop) for answer in self._answer(asks)]
        head = self._head(chat)
        if request.stream:
            return StreamingResponse(stream(head, answers, chat), media_type="text/event-stream")
        return {
            **head,
            "choices": [choice(index, answer, chat) for index, answer in enumerate(answers)],
            "usage": usage(answers),
        }

    def _head(self, chat: bool) -> dict[str, Any]:
        return {
            "id": f"heed-{next(self._numbers)}",
            "created": int(time.time()),
            "model": self._policy.name,
            "object": "chat.completion" if chat else "text_completion",
        }


def _refusal(what: str) -> JSONResponse:
    return JSONResponse({"error": {"message": what, "type": "invalid_request_error"}}, status_code=400)


def _plain(prompt: str) -> Example:
    return Example(hashlib.sha256(prompt.encode()).hexdigest()[:16], "plain", "", "", "", None, "", prompt)


def create_policy_app(policy: Policy) -> FastAPI:
    """Every route of a served policy."""
    server = PolicyServer(policy)
    app = FastAPI(title=f"Heed policy {policy.name}", openapi_url=None)
    app.add_api_route("/v1/models", server.models, methods=["GET"])
    app.add_api_route("/v1/chat/completions", server.chat, methods=["POST"], response_model=None)
    app.add_api_route("/v1/completions", server.completions, methods=["POST"], response_model=None)
    app.add_api_route("/api/askbatch", server.ask_batch, methods=["POST"])
    return app
