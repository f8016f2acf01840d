"""`heed generate`: every policy answers every example, in batches, resumable to the single response.

Answers go into the cache as they come; the artifact is written when all are there. A cached or failed
response is never counted as generated.
"""

import hashlib
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from heed.datasets.examples import open_dataset, read_examples
from heed.errors import UserError
from heed.policies.cache import AnswerCache
from heed.policies.policy import Answer, Ask, Decoding, Policy
from heed.policies.responses import responses_place, write_responses
from heed.policies.table import Setting, open_policy
from heed.records import Example, Response
from heed.workspace import Artifact, Workspace, open_artifact

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Order:
    """What to generate."""

    dataset: str
    policies: tuple[str, ...]
    into: str
    split: str | None = None
    limit: int | None = None
    samples: int = 1
    decoding: Decoding = field(default_factory=Decoding)
    format: str | None = None
    scorer: str | None = None
    seed: int = 0
    retry_failed: bool = False


def generate(workspace: Workspace, order: Order, on_progress: Progress | None = None) -> dict[str, Any]:
    """The responses of all policies as one artifact; what was generated, cached and failed."""
    place = responses_place(workspace, order.into)
    if place.exists() and not order.retry_failed:
        return _already_there(place, order)
    dataset = open_dataset(workspace, order.dataset)
    examples = read_examples(dataset, order.split)[: order.limit]
    setting = Setting(workspace, dataset, order.decoding, order.format, order.scorer)
    policies = [open_policy(spec, setting) for spec in order.policies]
    tallies, responses = {}, []
    for policy in policies:
        tally, made = _run(workspace, policy, examples, order, on_progress)
        tallies[policy.name] = tally
        responses += made
    with workspace.draft(place, "responses", order.into) as draft:
        draft.options = _recorded(order)
        draft.parents = [{"kind": "dataset", "name": order.dataset, "hash": dataset.manifest.content_hash}]
        draft.counts = {"responses": len(responses), "policies": _counts(responses)}
        write_responses(responses, draft.path)
        if place.exists():
            shutil.rmtree(place)
    return _result(open_artifact(place), tallies)


def _recorded(order: Order) -> dict[str, Any]:
    """What decides the responses; as a manifest gives it back."""
    options = {**asdict(order), "policies": list(order.policies)}
    del options["into"], options["retry_failed"]
    return options


def _already_there(place: Path, order: Order) -> dict[str, Any]:
    artifact = open_artifact(place)
    if artifact.manifest.options != _recorded(order):
        raise UserError(f"There are other responses called '{order.into}' already: choose another --into.")
    responses = artifact.manifest.counts["policies"]
    tallies = {
        name: {"generated": 0, "cached": counts["responses"] - counts["failed"], "failed": counts["failed"]}
        for name, counts in responses.items()
    }
    return _result(artifact, tallies)


def _run(
    workspace: Workspace,
    policy: Policy,
    examples: Sequence[Example],
    order: Order,
    on_progress: Progress | None,
) -> tuple[dict[str, int], list[Response]]:
    decoding = order.decoding if policy.samples else Decoding()
    cache = AnswerCache(workspace, policy, decoding)
    asks = _asks(examples, order.samples if policy.samples else 1, order.seed)
    known = [ask for ask in asks if _is_settled(cache.find(ask), order.retry_failed)]
    missing = [ask for ask in asks if not _is_settled(cache.find(ask), order.retry_failed)]
    failures = 0
    for batch in _batches(missing, policy.batch):
        started = time.perf_counter()
        answers = policy.answer(batch)
        seconds = (time.perf_counter() - started) / len(batch)
        cache.add(zip(batch, answers, strict=True), seconds)
        failures += sum(answer.failure is not None for answer in answers)
        if on_progress:
            on_progress(policy.name, sum(cache.find(ask) is not None for ask in asks), len(asks))
    made = [_response(ask, *_found(cache, ask), policy, decoding) for ask in asks]
    old_failures = sum(_found(cache, ask)[0].failure is not None for ask in known)
    return {
        "generated": len(missing) - failures,
        "cached": len(known) - old_failures,
        "failed": failures + old_failures,
    }, made


def _is_settled(found: tuple[Answer, float] | None, retry_failed: bool) -> bool:
    return found is not None and not (retry_failed and found[0].failure is not None)


def _found(cache: AnswerCache, ask: Ask) -> tuple[Answer, float]:
    found = cache.find(ask)
    if found is None:
        raise RuntimeError(f"no answer for {ask.example.id}: the policy gave fewer answers than asks")
    return found


def _asks(examples: Sequence[Example], samples: int, seed: int) -> list[Ask]:
    return [
        Ask(example, sample, _seed(seed, example.id, sample))
        for example in examples
        for sample in range(samples)
    ]


def _seed(seed: int, example_id: str, sample: int) -> int:
    """The same for the same example and sample, whatever else is asked."""
    digest = hashlib.blake2b(f"{seed} {example_id} {sample}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big")


def _batches(asks: list[Ask], size: int) -> Iterator[list[Ask]]:
    """Texts of alike length together: a model fills all of a batch up to its longest."""
    alike = sorted(asks, key=lambda ask: len(ask.example.text))
    return (alike[start : start + size] for start in range(0, len(alike), size))


def _response(ask: Ask, answer: Answer, seconds: float, policy: Policy, decoding: Decoding) -> Response:
    return Response(
        example_id=ask.example.id,
        policy=policy.name,
        sample=ask.sample,
        text=answer.text,
        choice=answer.choice,
        finish=answer.finish,
        failure=answer.failure,
        prompt_hash=answer.prompt_hash,
        tokens_in=answer.tokens_in,
        tokens_out=answer.tokens_out,
        seconds=seconds,
        seed=ask.seed,
        temperature=decoding.temperature,
        top_p=decoding.top_p,
    )


def _counts(responses: Sequence[Response]) -> dict[str, Any]:
    counts: dict[str, Any] = {}
    for name in dict.fromkeys(response.policy for response in responses):
        own = [response for response in responses if response.policy == name]
        failures = Counter(response.failure for response in own if response.failure)
        counts[name] = {
            "responses": len(own),
            "failed": sum(failures.values()),
            "failures": dict(sorted(failures.items())),
            "cut": sum(response.finish == "length" for response in own),
        }
    return counts


def _result(artifact: Artifact, tallies: dict[str, dict[str, int]]) -> dict[str, Any]:
    counts = artifact.manifest.counts["policies"]
    return {
        "responses": artifact.manifest.name,
        "path": str(artifact.path),
        "content_hash": artifact.manifest.content_hash,
        "policies": {name: {**counts[name], **tally} for name, tally in tallies.items()},
    }
