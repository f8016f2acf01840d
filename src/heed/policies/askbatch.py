"""TuringAdvice's batch protocol as a policy: POST /api/askbatch with instances, gens back."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from heed.net.caller import Caller, CallError, CallOptions
from heed.net.keys import key_for
from heed.policies.policy import Answer, Ask, Policy, failed
from heed.policies.prompts import hash_prompt
from heed.policies.table import Setting
from heed.records import Example

PATH = "/api/askbatch"


def instance(example: Example) -> dict[str, Any]:
    """An example as the protocol has it."""
    day = "" if example.created is None else f"{datetime.fromtimestamp(example.created, UTC):%Y-%m-%d}"
    return {"title": example.title, "selftext": example.text, "subreddit": example.subreddit, "date": day}


def situation(instance: dict[str, Any]) -> Example:
    """The other way round, for who serves a policy; what somebody left out is empty."""
    title, text, subreddit = (str(instance.get(name) or "") for name in ("title", "selftext", "subreddit"))
    identity = hashlib.sha256(f"{title}\0{text}".encode()).hexdigest()[:16]
    created = _moment(str(instance.get("date") or ""))
    return Example(identity, "advice", "", subreddit, "", created, title, text)


def _moment(day: str) -> int | None:
    """Strangers write dates as they like: one that cannot be read is none."""
    try:
        return int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp())
    except ValueError:
        return None


class AskBatch:
    """Whole batches at once; when one fails, each of its asks fails with the reason."""

    batch = 50
    samples = True

    def __init__(self, url: str, setting: Setting, calls: CallOptions) -> None:
        self.name = f"askbatch:{url}"
        self._url = url.rstrip("/").removesuffix(PATH) + PATH
        key = key_for(self._url, setting.workspace)
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._caller = Caller(calls)

    def describe(self) -> dict[str, Any]:
        return {"url": self._url}

    def answer(self, asks: Sequence[Ask]) -> list[Answer]:
        instances = [instance(ask.example) for ask in asks]
        hashes = [hash_prompt(repr(sorted(each.items()))) for each in instances]
        try:
            reply = self._caller.post(self._url, {"instances": instances}, self._headers)
        except CallError as error:
            return [failed(error.reason, each) for each in hashes]
        texts = reply.get("gens") if isinstance(reply, dict) else None
        if not isinstance(texts, list) or len(texts) != len(asks):
            return [failed("unexpected_reply", each) for each in hashes]
        return [_read(text, each) for text, each in zip(texts, hashes, strict=True)]


def _read(text: Any, prompt_hash: str) -> Answer:
    if not isinstance(text, str):
        return failed("unexpected_reply", prompt_hash)
    return Answer(text.strip(), prompt_hash=prompt_hash) if text.strip() else failed("empty", prompt_hash)


def open_askbatch(argument: str, setting: Setting) -> Policy:
    return AskBatch(argument, setting, CallOptions(timeout=600.0))
