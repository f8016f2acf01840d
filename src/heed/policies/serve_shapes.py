"""The shapes in which OpenAI's protocol wants answers: choices, counts of tokens, streamed pieces."""

import json
from collections.abc import Iterator
from typing import Any

from heed.policies.policy import Answer

_PIECE_WORDS = 4


def stopped(answer: Answer, stop: str | list[str] | None) -> Answer:
    """Cut at the first stop string; the policy itself may not know of them."""
    stops = [stop] if isinstance(stop, str) else stop or []
    places = [answer.text.index(each) for each in stops if each and each in answer.text]
    if not places:
        return answer
    return Answer(answer.text[: min(places)], tokens_in=answer.tokens_in, tokens_out=answer.tokens_out)


def choice(index: int, answer: Answer, chat: bool) -> dict[str, Any]:
    finish = "length" if answer.finish == "length" else "stop"
    if chat:
        message = {"role": "assistant", "content": answer.text}
        return {"index": index, "message": message, "finish_reason": finish}
    return {"index": index, "text": answer.text, "finish_reason": finish, "logprobs": None}


def usage(answers: list[Answer]) -> dict[str, int]:
    tokens_in = sum(answer.tokens_in or 0 for answer in answers)
    tokens_out = sum(answer.tokens_out or len(answer.text.split()) for answer in answers)
    return {
        "prompt_tokens": tokens_in,
        "completion_tokens": tokens_out,
        "total_tokens": tokens_in + tokens_out,
    }


def stream(head: dict[str, Any], answers: list[Answer], chat: bool) -> Iterator[str]:
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
