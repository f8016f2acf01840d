"""A study from responses: which questions, how many labels, in which order. No labelers here."""

import secrets
from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

import polars as pl
from pydantic import Field

from heed.datasets.examples import open_dataset, read_examples
from heed.datasets.imports import RESPONSES_NAME
from heed.errors import UserError
from heed.judging.edits import items_from_edits
from heed.judging.items import (
    PAIRINGS,
    Text,
    items_from_choices,
    items_from_pairs,
    items_from_texts,
    pair_chosen,
)
from heed.judging.placing import Layout, place_items
from heed.judging.protocols.protocol import Protocol
from heed.judging.protocols.table import find_protocol
from heed.options import Options
from heed.policies.responses import open_responses, read_responses, responses_place
from heed.records import Example
from heed.store.bars import Bar
from heed.store.database import Database
from heed.store.studies import Item, Study, add_study
from heed.workspace import Artifact, Workspace


class StudyOptions(Options):
    """What a study is made of."""

    protocol: str
    """helpfulness, comparison, plausibility, axes or edit."""
    responses: str | None = None
    """Responses of `heed generate`, or a dataset of `heed import pairs`."""
    dataset: str | None = None
    """The dataset of choices, for plausibility."""
    edits: str | None = None
    """A study of protocol edit: its edits are compared with their originals, never by who knows them."""
    pairs: str = "reference"
    """reference: every policy against one; round-robin: every two policies; samples: two texts of one."""
    pair: tuple[str, ...] = ()
    """Two policies as A:B; with any of these, only they are paired."""
    against: str = "reference"
    """The policy that the others are compared with."""
    labels_per_item: int | None = Field(None, ge=1, le=100)
    """How many people judge each item; else what the protocol's paper did."""
    about: Literal["forum", "news"] | None = None
    """Which instructions and words: about posts or about news; else as the dataset is."""
    tags: bool = False
    """Labelers may mark kinds of error on words of the texts (helpfulness)."""
    limit: int | None = Field(None, ge=1)
    """The first N examples only."""
    lease_minutes: int = Field(30, ge=1)
    """How long an item stays with one person before it goes to another."""
    shared: float = Field(0.0, ge=0.0, le=1.0)
    """The share of items that everybody judges."""
    anchors: int = Field(0, ge=0)
    """So many pairs of --baseline and --against in every batch of every labeler, to see drift."""
    baseline: str | None = None
    """The policy of the anchor pairs."""
    batch: int = Field(20, ge=1)
    """How many items make a batch."""
    seed: int = 0
    """The order of the items and the sides follow from it."""


def create_study(
    workspace: Workspace, database: Database, name: str, options: StudyOptions
) -> tuple[Study, dict[str, Any]]:
    """Make the items and store them; the study starts as a draft. What was left out is counted."""
    protocol = find_protocol(options.protocol)
    if options.tags and not protocol.tags:
        raise UserError(f"Protocol '{protocol.name}' has no error tags: leave --tags out.")
    layout = layout_of(options, protocol)
    parents, items, dropped, bars, about = _source(workspace, database, name, protocol, options)
    if not items:
        raise UserError(f"There is nothing to judge in this study: left out were {dict(dropped) or 'none'}.")
    row = {
        "name": name,
        "code": secrets.token_urlsafe(8),
        "protocol": protocol.name,
        "labels_per_item": layout.labels_per_item,
        "lease_seconds": options.lease_minutes * 60,
        "seed": options.seed,
        "options": {**options.recorded(), "about": options.about or about},
        "parents": parents,
    }
    placed = place_items(items, layout)
    study = add_study(database, row, placed, bars)
    purposes = dict(Counter(each.purpose for each in placed))
    return study, {"study": name, "items": len(items), "purposes": purposes, "dropped": dict(dropped)}


def _source(
    workspace: Workspace, database: Database, name: str, protocol: Protocol, options: StudyOptions
) -> tuple[list[dict[str, str]], list[Item], Counter[str], list[Bar], str]:
    """Parents, items, what was left out, who must not get which item, and what the texts are about."""
    if options.edits is not None:
        if options.responses or options.dataset or options.limit:
            raise UserError("--edits takes all edits of a study: without --responses, --dataset and --limit.")
        source, items, bars = items_from_edits(database, name, protocol, options.edits)
        return list(source.parents), items, Counter(), bars, source.options.get("about", "forum")
    artifacts, items, dropped = items_of(workspace, name, protocol, options)
    about = "news" if "news" in map(artifacts[-1].manifest.options.get, ("recipe", "import")) else "forum"
    return to_parents(artifacts), items, dropped, [], about


def layout_of(options: StudyOptions, protocol: Protocol) -> Layout:
    if options.anchors and (options.baseline is None or protocol.source != "pairs"):
        raise UserError("Anchors are pairs of two policies: name the one against --against with --baseline.")
    return Layout(
        options.labels_per_item or protocol.labels_per_item,
        options.seed,
        options.shared,
        options.anchors,
        frozenset({options.baseline or "", options.against}),
        options.batch,
    )


def to_parents(artifacts: Sequence[Artifact]) -> list[dict[str, str]]:
    manifests = [artifact.manifest for artifact in artifacts]
    return [{"kind": m.kind, "name": m.name, "hash": m.content_hash} for m in manifests]


def items_of(
    workspace: Workspace,
    name: str,
    protocol: Protocol,
    options: StudyOptions,
    more: Sequence[str] = (),
) -> tuple[list[Artifact], list[Item], Counter[str]]:
    """What there is to judge, with the artifacts it comes from. `more` are further responses to pair with."""
    if protocol.source == "choices":
        dataset = _need_dataset(workspace, options)
        examples = _examples(dataset, options)
        items = items_from_choices(name, examples)
        return [dataset], items, +Counter({"no_choices": len(examples) - len({i.example for i in items})})
    parents, texts, dropped = _texts(workspace, options)
    for name_of_more in more:
        others, added, lost = _texts(workspace, options.model_copy(update={"responses": name_of_more}))
        parents = [*others[:-1], *parents]
        texts, dropped = list(dict.fromkeys([*texts, *added])), dropped + lost
    examples = _examples(parents[-1], options, {text.example for text in texts})
    known = [text for text in texts if text.example in examples]
    dropped["other_examples"] += len(texts) - len(known)
    if protocol.source == "single":
        return parents, items_from_texts(name, known, examples), +dropped
    pairs = _pairs(known, options)
    alike = [pair for pair in pairs if pair[0].text.strip() == pair[1].text.strip()]
    dropped["same_text"] += len(alike)
    return parents, items_from_pairs(name, (p for p in pairs if p not in alike), examples), +dropped


def _pairs(texts: list[Text], options: StudyOptions) -> list[tuple[Text, Text]]:
    if options.pairs not in PAIRINGS:
        raise UserError(f"There are no pairs '{options.pairs}': known are {', '.join(PAIRINGS)}.")
    if options.pair:
        pairs = list(pair_chosen(texts, options.pair))
    else:
        pairs = list(PAIRINGS[options.pairs](texts, options.against))
    if options.anchors and options.baseline:
        there = {frozenset(pair) for pair in pairs}
        wanted = pair_chosen(texts, [f"{options.baseline}:{options.against}"])
        pairs += [pair for pair in wanted if frozenset(pair) not in there]
    return pairs


def _need_dataset(workspace: Workspace, options: StudyOptions) -> Artifact:
    if options.dataset is None:
        raise UserError(
            f"Protocol '{options.protocol}' asks about choices: name their dataset with --dataset."
        )
    return open_dataset(workspace, options.dataset)


def _examples(
    dataset: Artifact, options: StudyOptions, answered: set[str] | None = None
) -> dict[str, Example]:
    """The first examples of a dataset, of those that have an answer where answers are judged."""
    there = [each for each in read_examples(dataset) if answered is None or each.id in answered]
    return {example.id: example for example in there[: options.limit]}


def _texts(workspace: Workspace, options: StudyOptions) -> tuple[list[Artifact], list[Text], Counter[str]]:
    """Texts to judge and the artifacts they come from, the dataset last. Empty answers drop out."""
    if options.responses is None:
        raise UserError(f"Protocol '{options.protocol}' asks about responses: name them with --responses.")
    imported = workspace.root / "datasets" / options.responses / RESPONSES_NAME
    if not responses_place(workspace, options.responses).is_dir() and imported.is_file():
        dataset = open_dataset(workspace, options.responses)
        return [dataset], *_keep(_imported(pl.read_parquet(imported)))
    artifact = open_responses(workspace, options.responses)
    parent = next(parent for parent in artifact.manifest.parents if parent["kind"] == "dataset")
    dataset = open_dataset(workspace, parent["name"])
    if dataset.manifest.content_hash != parent["hash"]:
        raise UserError(f"Dataset '{parent['name']}' has changed since '{options.responses}' answered it.")
    found = [Text(r.example_id, r.policy, r.sample, r.text) for r in read_responses(artifact)]
    return [artifact, dataset], *_keep(found)


def _keep(texts: list[Text]) -> tuple[list[Text], Counter[str]]:
    kept = [text for text in texts if text.text.strip()]
    return kept, Counter({"no_text": len(texts) - len(kept)})


def _imported(frame: pl.DataFrame) -> list[Text]:
    """Rows of one policy for one prompt are its samples, in the order of the file."""
    seen: Counter[tuple[str, str]] = Counter()
    texts = []
    for example, policy, text in frame.select("example_id", "policy", "text").iter_rows():
        texts.append(Text(example, policy, seen[example, policy], text))
        seen[example, policy] += 1
    return texts
