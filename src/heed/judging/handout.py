"""Handing out: one blinded item at a time, exactly K labels each, nobody twice. The statements are in store/.

What leaves this module for a page (`Task`) holds no policy, no example and no item id.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from heed.errors import UserError
from heed.judging.instructions import instructions_of
from heed.judging.protocols.protocol import Protocol, Stage, check_answers
from heed.judging.protocols.table import protocol_of
from heed.store.database import Database
from heed.store.judgments import Outcome, Verdict, record_instructions, revise_judgment, save_judgment
from heed.store.leases import Lease, find_lease, finish_stage, grant_lease
from heed.store.studies import Study

WAITING = {
    "draft": "This study has not begun yet.",
    "paused": "This study is paused. What you did is saved; come back later.",
    "closed": "This study is closed. Thank you for your work.",
}


@dataclass(frozen=True, slots=True)
class Task:
    """What a labeler may see of an item at its present stage."""

    token: str
    protocol: Protocol
    stage: Stage
    number: int
    title: str | None
    situation: str | None
    texts: tuple[str, ...]
    earlier: dict[str, Any]
    """What was answered before this stage, by the words of its question."""
    draft: dict[str, Any] = field(default_factory=dict)


def next_task(database: Database, study: Study, account: int) -> Task | None:
    """The item this person is at, or the next one; None when there is no more for them."""
    if study.state != "open":
        raise UserError(WAITING[study.state])
    lease = grant_lease(database, study, account, lambda item: first_side(study, item, account))
    return show_task(study, lease) if lease else None


def show_task(study: Study, lease: Lease, at: int | None = None) -> Task:
    """Blind a lease: the texts in this person's order, the situation only where the stage has it."""
    protocol = protocol_of(study)
    number = lease.stage if at is None else at
    here = protocol.stages[number]
    title, situation = (lease.title, lease.situation) if here.shows_situation else (None, None)
    before = [question for stage in protocol.stages[:number] for question in stage.questions]
    earlier = {q.words: lease.answers[q.name] for q in before if q.name in lease.answers}
    return Task(lease.token, protocol, here, number, title, situation, _shown(lease), earlier, lease.draft)


def answer_task(
    database: Database, study: Study, lease: Lease, form: Mapping[str, str], seconds: float | None
) -> Outcome | None:
    """Check and store one page of answers; None: the next stage is to come."""
    protocol = protocol_of(study)
    if lease.state == "done":
        return "already"
    answers = check_answers(protocol.stages[lease.stage], form, _shown(lease))
    if lease.stage + 1 < len(protocol.stages):
        finish_stage(database, study, lease, answers)
        return None
    return save_judgment(database, study, lease, _verdict(database, study, lease, answers, seconds))


def correct_task(
    database: Database, study: Study, lease: Lease, form: Mapping[str, str], seconds: float | None
) -> bool:
    """A new revision of the last stage; what was said before the post was shown stays as it is."""
    protocol = protocol_of(study)
    answers = check_answers(protocol.stages[-1], form, _shown(lease))
    return revise_judgment(database, study, lease, _verdict(database, study, lease, answers, seconds))


def open_lease(
    database: Database, study: Study, token: str, account: int, protocol: str, stage: str
) -> Lease:
    """The lease that a form was made for; a form of another protocol or stage is told so."""
    lease = find_lease(database, study, token, account)
    if protocol != study.protocol:
        raise UserError("This form belongs to another kind of study; nothing was saved from it.")
    expected = protocol_of(study).stages[lease.stage].name
    if lease.state != "done" and stage != expected:
        raise UserError("This page was answered already; your first answer is kept.")
    return lease


def first_side(study: Study, item: str, account: int) -> str:
    """Which text comes first, by coin: the same for one labeler and item, even over all of them."""
    coin = hashlib.sha256(f"{study.seed}\0{study.code}\0{item}\0{account}".encode()).digest()[0]
    return "a" if coin % 2 else "b"


def _shown(lease: Lease) -> tuple[str, ...]:
    """The texts in this person's order."""
    texts = (lease.text_a, lease.text_b) if lease.first == "a" else (lease.text_b, lease.text_a)
    return tuple(text for text in texts if text is not None)


def _verdict(
    database: Database, study: Study, lease: Lease, answers: dict[str, Any], seconds: float | None
) -> Verdict:
    instructions = instructions_of(study)
    record_instructions(database, instructions.version, instructions.text)
    everything = {**lease.answers, **answers}
    choice, strength = protocol_of(study).decide(everything, lease.first)
    return Verdict(choice, strength, everything, seconds, instructions.version)
