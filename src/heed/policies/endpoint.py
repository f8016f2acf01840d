"""Somebody's hosted model as a policy: any server that speaks the OpenAI protocol, chat or completions.

`endpoint:URL` asks for a chat; `endpoint:URL#completions` completes text; `#model=NAME` names the model. Only
what is needed is sent, so servers that do not know `n` or `logprobs` will do.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qs

from heed.errors import UserError
from heed.net.caller import Caller, CallError, CallOptions
from heed.net.keys import key_for
from heed.policies.artifacts import clean_answer
from heed.policies.budget import Prompt, write_prompt
from heed.policies.policy import Answer, Ask, Decoding, Policy, failed
from heed.policies.prompts import format_for
from heed.policies.table import Setting

_TRIES = 3
_WORDS_BUDGET = 3_000
_STOP = "~"


def base_url(url: str) -> str:
    """Up to and with /v1, however the user wrote it."""
    if not url.startswith(("http://", "https://")):
        raise UserError(f"'{url}' is no address: give http://… or https://….")
    bare = url.rstrip("/")
    for ending in ("/chat/completions", "/completions", "/v1"):
        bare = bare.removesuffix(ending)
    return f"{bare}/v1"


class Endpoint:
    """Asks in parallel, within the caller's limits; a failure is an answer with a reason."""

    samples = True

    def __init__(self, url: str, model: str, completions: bool, setting: Setting, calls: CallOptions) -> None:
        self.name = f"endpoint:{url}"
        self.batch = calls.concurrency
        self._url = base_url(url)
        self._model = model
        self._completions = completions
        self._format = setting.format
        self._decoding = setting.decoding
        key = key_for(self._url, setting.workspace)
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._caller = Caller(calls)

    def describe(self) -> dict[str, Any]:
        return {
            "url": self._url,
            "model": self._model,
            "completions": self._completions,
            "format": self._format,
        }

    def answer(self, asks: Sequence[Ask]) -> list[Answer]:
        with ThreadPoolExecutor(self.batch) as threads:
            return list(threads.map(self._one, asks))

    def _one(self, ask: Ask) -> Answer:
        name = format_for(ask.example.kind, self._format, completion=self._completions)
        prompt = write_prompt(ask.example, name, _WORDS_BUDGET, lambda text: len(text.split()))
        answer = failed("empty", prompt.hash)
        for attempt in range(_TRIES):
            try:
                answer = self._ask(prompt, ask.seed + attempt)
            except CallError as error:
                return failed(error.reason, prompt.hash)
            if answer.failure is None or self._decoding.temperature == 0:
                break
        return answer

    def _ask(self, prompt: Prompt, seed: int) -> Answer:
        body = {"model": self._model, **_decoding(self._decoding), "seed": seed}
        if self._completions:
            body |= {"prompt": prompt.text, "stop": [_STOP]}
            reply = self._caller.post(f"{self._url}/completions", body, self._headers)
        else:
            body |= {"messages": [{"role": "user", "content": prompt.text}]}
            reply = self._caller.post(f"{self._url}/chat/completions", body, self._headers)
        return read_reply(reply, prompt.hash)


def _decoding(decoding: Decoding) -> dict[str, Any]:
    return {
        "temperature": decoding.temperature,
        "top_p": decoding.top_p,
        "max_tokens": decoding.most_tokens,
    }


def read_reply(reply: Any, prompt_hash: str) -> Answer:
    """The first choice of a chat or completion; anything else is a failure of a known kind."""
    try:
        choice = reply["choices"][0]
        text = choice["message"]["content"] if "message" in choice else choice["text"]
        text = clean_answer(text or "")
        usage = reply.get("usage") or {}
    except (KeyError, IndexError, TypeError, AttributeError):
        return failed("unexpected_reply", prompt_hash)
    if not text:
        return failed("empty", prompt_hash)
    finish = "length" if choice.get("finish_reason") == "length" else "stop"
    return Answer(
        text,
        finish=finish,
        prompt_hash=prompt_hash,
        tokens_in=usage.get("prompt_tokens"),
        tokens_out=usage.get("completion_tokens"),
    )


def open_endpoint(argument: str, setting: Setting) -> Policy:
    url, _, fragment = argument.partition("#")
    words = parse_qs(fragment, keep_blank_values=True)
    unknown = set(words) - {"completions", "chat", "model"}
    if unknown:
        raise UserError(
            f"'#{fragment}' is not known: add #completions, #model=NAME or #completions&model=NAME."
        )
    model = words.get("model", ["default"])[0]
    return Endpoint(url, model, "completions" in words, setting, CallOptions())
