"""`heed score`: automatic metrics of a run, stored per response and averaged per policy.

None of them says that an answer is good; how far each agrees with people is the agreement matrix of a report.
"""

from collections.abc import Sequence
from typing import Any

import polars as pl

from heed.datasets.bpe import count_tokens
from heed.datasets.examples import open_dataset, read_examples
from heed.errors import NotFoundError
from heed.policies.responses import open_responses, read_responses
from heed.records import Estimate, Example, Response
from heed.reports.best_of import metric_curves
from heed.reports.content import Table
from heed.reports.export import write_chart, write_table
from heed.statistics.overlap import ROUGE_TYPES, copied_bigrams, rouge
from heed.statistics.preference import proportion
from heed.statistics.variety import distinct
from heed.workspace import Artifact, Workspace, open_artifact

SCORES_NAME = "scores.parquet"
# The encoding of the papers' models, for every policy alike: a model's own count is in its responses.
_TOKENIZER = "gpt2"
_MEANS = (*ROUGE_TYPES, "characters", "words", "tokens", "copied", "logprob")


def score(workspace: Workspace, name: str, logprob: str | None = None) -> dict[str, Any]:
    """The metrics of every policy of a run; per response they lie in the artifact scores/NAME."""
    responses = open_responses(workspace, name)
    dataset = open_dataset(workspace, responses.manifest.options["dataset"])
    examples = {example.id: example for example in read_examples(dataset)}
    made = read_responses(responses)
    frame = _per_response(made, examples)
    if logprob:
        frame = frame.with_columns(logprob=_logprobs(workspace, made, examples, logprob))
    artifact = _store(workspace, responses, frame, logprob)
    policies = dict.fromkeys(response.policy for response in made)
    return {
        "responses": name,
        "path": str(artifact.path),
        "policies": {policy: _summary(frame.filter(pl.col("policy") == policy)) for policy in policies},
        **_curves(workspace, artifact, frame),
    }


def _per_response(responses: Sequence[Response], examples: dict[str, Example]) -> pl.DataFrame:
    """One row per response; null where a metric has no meaning."""
    shown = [_example(response, examples) for response in responses]
    references = [example.references[0].text if example.references else "" for example in shown]
    frame = pl.DataFrame(
        {
            "example_id": [response.example_id for response in responses],
            "policy": [response.policy for response in responses],
            "sample": [response.sample for response in responses],
            "text": [response.text for response in responses],
            "failed": [response.failure is not None for response in responses],
            "cut": [response.finish == "length" for response in responses],
            "characters": [len(response.text) for response in responses],
            "words": [len(response.text.split()) for response in responses],
            "tokens": [count_tokens(response.text, _TOKENIZER) for response in responses],
            "copied": [
                copied_bigrams(response.text, f"{example.title}\n{example.text}")
                for response, example in zip(responses, shown, strict=True)
            ],
            "right": [
                None if example.label is None else response.choice == example.label
                for response, example in zip(responses, shown, strict=True)
            ],
            "has_reference": [bool(reference) for reference in references],
        },
        schema_overrides={"right": pl.Boolean, "tokens": pl.Int64, "sample": pl.Int64},
    )
    overlaps = rouge([response.text for response in responses], references)
    answered = ~pl.col("failed")
    compared = answered & pl.col("has_reference")
    frame = frame.hstack(overlaps).with_columns(
        pl.when(answered).then(pl.col("copied")),
        *(pl.when(compared).then(pl.col(name)).alias(name) for name in ROUGE_TYPES),
    )
    return frame.drop("has_reference")


def _example(response: Response, examples: dict[str, Example]) -> Example:
    if response.example_id not in examples:
        raise NotFoundError(
            f"The dataset has no example {response.example_id} any more: generate the responses again."
        )
    return examples[response.example_id]


def _logprobs(
    workspace: Workspace, responses: Sequence[Response], examples: dict[str, Example], spec: str
) -> pl.Series:
    """The log-probability of each answer under a model, after the prompt of its format."""
    from heed.policies.policy import Decoding
    from heed.policies.scorers import open_scorer
    from heed.policies.table import Setting

    scorer = open_scorer(f"logprob:{spec}", Setting(workspace, None, Decoding()))
    values = [
        None if response.failure else scorer(examples[response.example_id], [response.text])[0]
        for response in responses
    ]
    return pl.Series(values, dtype=pl.Float64)


def _store(workspace: Workspace, responses: Artifact, frame: pl.DataFrame, logprob: str | None) -> Artifact:
    manifest = responses.manifest
    suffix = f"-{manifest.content_hash[:8]}" + (
        f"-{logprob.replace(':', '_').replace('/', '_')}" if logprob else ""
    )
    place = workspace.root / "scores" / f"{manifest.name}{suffix}"
    if not place.exists():
        with workspace.draft(place, "scores", manifest.name) as draft:
            draft.options = {"logprob": logprob}
            draft.parents = [{"kind": "responses", "name": manifest.name, "hash": manifest.content_hash}]
            draft.counts = {"responses": len(frame)}
            frame.drop("text").write_parquet(draft.path / SCORES_NAME)
    return open_artifact(place)


def _curves(workspace: Workspace, artifact: Artifact, frame: pl.DataFrame) -> dict[str, Any]:
    """Best-of-N by KL where the run has it: the table and a figure per metric, in the folder curves/NAME."""
    table, charts = metric_curves(frame.filter(~pl.col("failed")))
    if not charts:
        return {}
    folder = workspace.folder("curves", artifact.path.name)
    write_table(Table("best_of", "Metrics by KL of best-of-N", table), folder)
    for chart in charts:
        write_chart(chart, "", folder)
    return {"best_of": {"path": str(folder), "points": table.to_dicts()}}


def _summary(frame: pl.DataFrame) -> dict[str, Any]:
    answered = frame.filter(~pl.col("failed"))
    means = {name: answered[name].mean() for name in _MEANS if name in answered.columns}
    texts = answered["text"].to_list()
    return {
        "responses": len(frame),
        "failed": int(frame["failed"].sum()),
        "cut": int(frame["cut"].sum()),
        "empty": round(int((frame["characters"] == 0).sum()) / len(frame), 4),
        "truncated": round(int(frame["cut"].sum()) / len(frame), 4),
        **{name: round(value, 4) for name, value in means.items() if isinstance(value, int | float)},
        "distinct1": round(distinct(texts, 1), 4),
        "distinct2": round(distinct(texts, 2), 4),
        **_accuracy(frame),
    }


def _accuracy(frame: pl.DataFrame) -> dict[str, Any]:
    """A failed choice is a wrong one."""
    judged = frame.filter(
        pl.col("right").is_not_null() | (pl.col("failed") & frame["right"].is_not_null().any())
    )
    if judged.is_empty():
        return {}
    found: Estimate = proportion(int(judged["right"].fill_null(value=False).sum()), len(judged))
    return {
        "accuracy": round(found.value, 4),
        "accuracy_low": round(found.low, 4),
        "accuracy_high": round(found.high, 4),
    }
