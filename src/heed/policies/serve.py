"""`heed serve-policy`: any policy behind the protocols that others speak, so that it is somebody's endpoint.

The OpenAI protocol (chat, completions, models; streaming too) and TuringAdvice's batch protocol. A prompt
that arrives is an example of kind 'plain': what the asker wrote is what the policy sees.
"""

import hashlib
import itertools
import json
import threading
import time
from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from heed.policies.policy import Answer, Ask, Policy
from heed.records import Example

_PIECE_WORDS = 4


class Completion(BaseModel):
    """What we read of a request; the rest of the protocol is accepted and left alone."""

    model_config = ConfigDict(extra="allow")

    prompt: str | list[str] = ""
    messages: list[dict[str, Any]] = Field(default_factory=list)
    n: int = Field(default=1, ge=1, le=128)
    seed: int | None = None
    stream: bool = False
    stop: str | list[str] | None = None


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
        prompts = [request.prompt] if isinstance(request.prompt, str) else request.prompt
        if not prompts:
            return _refusal("a completion needs a prompt")
        return self._complete(request, prompts, chat=False)

    def ask_batch(self, request: Batch) -> dict[str, Any]:
        asks = [Ask(_situation(each), 0, index) for index, each in enumerate(request.instances)]
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
        answers = [_stopped(answer, request.stop) for answer in self._answer(asks)]
        head = {
            "id": f"heed-{next(self._numbers)}",
            "created": int(time.time()),
            "model": self._policy.name,
            "object": "chat.completion" if chat else "text_completion",
        }
        if request.stream:
            return StreamingResponse(_stream(head, answers, chat), media_type="text/event-stream")
        return {
            **head,
            "choices": [_choice(index, answer, chat) for index, answer in enumerate(answers)],
            "usage": _usage(answers),
        }


def _refusal(what: str) -> JSONResponse:
    return JSONResponse({"error": {"message": what, "type": "invalid_request_error"}}, status_code=400)


def _plain(prompt: str) -> Example:
    return Example(hashlib.sha256(prompt.encode()).hexdigest()[:16], "plain", "", "", "", None, "", prompt)


def _situation(instance: dict[str, Any]) -> Example:
    title, text = str(instance.get("title") or ""), str(instance.get("selftext") or "")
    identity = hashlib.sha256(f"{title}\0{text}".encode()).hexdigest()[:16]
    return Example(identity, "advice", "", str(instance.get("subreddit") or ""), "", None, title, text)


def _stopped(answer: Answer, stop: str | list[str] | None) -> Answer:
    """Cut at the first stop string; the policy itself may not know of them."""
    stops = [stop] if isinstance(stop, str) else stop or []
    places = [answer.text.index(each) for each in stops if each and each in answer.text]
    if not places:
        return answer
    return Answer(answer.text[: min(places)], tokens_in=answer.tokens_in, tokens_out=answer.tokens_out)


def _choice(index: int, answer: Answer, chat: bool) -> dict[str, Any]:
    finish = "length" if answer.finish == "length" else "stop"
    if chat:
        message = {"role": "assistant", "content": answer.text}
        return {"index": index, "message": message, "finish_reason": finish}
    return {"index": index, "text": answer.text, "finish_reason": finish, "logprobs": None}


def _usage(answers: list[Answer]) -> dict[str, int]:
    tokens_in = sum(answer.tokens_in or 0 for answer in answers)
    tokens_out = sum(answer.tokens_out or len(answer.text.split()) for answer in answers)
    return {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
    }


def _stream(head: dict[str, Any], answers: list[Answer], chat: bool) -> Iterator[str]:
    """Server-sent events, a few words each, closed as the protocol wants it."""
    head = {**head, "object": "chat.completion.chunk" if chat else "text_completion"}
    for index, answer in enumerate(answers):
        for piece in _pieces(answer.text):
            part: dict[str, Any] = (
                {"delta": {"role": "assistant", "content": piece}} if chat else {"text": piece}
            )
            yield _event({**head, "choices": [{"index": index, **part, "finish_reason": None}]})
        end: dict[str, Any] = {"delta": {}} if chat else {"text": ""}
        finish = "length" if answer.finish == "length" else "stop"
        yield _event({**head, "choices": [{"index": index, **end, "finish_reason": finish}]})
    yield "data: [DONE]\n\n"


def _pieces(text: str) -> Iterator[str]:
    words = text.split(" ")
    for start in range(0, len(words), _PIECE_WORDS):
        space = " " if start else ""
        yield space + " ".join(words[start : start + _PIECE_WORDS])


def _event(data: dict[str, Any]) -> str:
    return f"data: {json.dumps(data)}\n\n"


def create_policy_app(policy: Policy) -> FastAPI:
    """Every route of a served policy."""
    server = PolicyServer(policy)
    app = FastAPI(title=f"Heed policy {policy.name}", openapi_url=None)
    app.add_api_route("/v1/models", server.models, methods=["GET"])
    app.add_api_route("/v1/chat/completions", server.chat, methods=["POST"], response_model=None)
    app.add_api_route("/v1/completions", server.completions, methods=["POST"], response_model=None)
    app.add_api_route("/api/askbatch", server.ask_batch, methods=["POST"])
    return app
