"""From the edits of one study to the blind comparisons of the next: the edit as a, the original as b.

Who was ever given the original to edit would know it again, so the comparison is barred for all of them; the
bars are leases, which is how the hand-out keeps an item from somebody.
"""

import hashlib
import json
from typing import Any

from heed.errors import UserError
from heed.judging.protocols.protocol import Protocol
from heed.store.bars import KNOWER, WRITER, Bar, list_holders
from heed.store.database import Database
from heed.store.judgments import read_judgments
from heed.store.studies import Item, Study, find_study

_COPIED = ("example", "domain", "subreddit", "split", "title", "situation", "reference")


def items_from_edits(
    database: Database, name: str, protocol: Protocol, source: str
) -> tuple[Study, list[Item], list[Bar]]:
    """The study of the edits, one item per edit in it, and who must not judge which."""
    study = find_study(database, name=source)
    if study.protocol != "edit":
        raise UserError(f"Study '{source}' has the protocol {study.protocol}: edits come from one of 'edit'.")
    if protocol.source != "pairs":
        raise UserError(f"Protocol '{protocol.name}' compares nothing: take comparison or helpfulness.")
    holders = list_holders(database, study.id)
    items, bars = [], []
    for row in read_judgments(database, study):
        item = _item(name, row)
        items.append(item)
        for account, worker in holders[row["item"]]:
            bars.append(Bar(item.id, account, WRITER if worker == row["worker"] else KNOWER))
    return study, items, bars


def describe_edit(row: dict[str, Any], writers: dict[str, str]) -> dict[str, Any]:
    """What frozen answers say of an edit besides the verdict: who wrote it, and by how much it is longer."""
    if row["item"] not in writers:
        return {}
    longer_by = len(row["text_a"]) - len(row["text_b"])
    return {"editor": writers[row["item"]], "longer_by_characters": longer_by}


def _item(name: str, row: dict[str, Any]) -> Item:
    key = "\0".join((name, row["item"], row["worker"]))
    return Item(
        **{column: row[column] for column in _COPIED},
        id=hashlib.sha256(key.encode()).hexdigest()[:16],
        policy_a="edit" if row["kind"] == "human" else f"{row['kind']}_edit",
        policy_b=row["policy_a"],
        text_a=json.loads(row["answers"])["edit"],
        text_b=row["text_a"],
    )
