"""The tables, as they are now; how a database gets there is in migrations/. No statements, no rules.

Columns that nothing reads yet (pay, panels, the expected answer of a training item) are here because adding
them now is free. Times are seconds since 1970, UTC; `options`, `answers` and `draft` are JSON objects.
"""

from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData()


def _needed(name: str, kind: Any, **rest: Any) -> Column[Any]:
    return Column(name, kind, nullable=False, **rest)


def _link(name: str, target: str, kind: Any = Integer, **rest: Any) -> Column[Any]:
    return Column(name, kind, ForeignKey(target), **{"nullable": False, **rest})


settings = Table("settings", metadata, Column("name", String(64), primary_key=True), _needed("value", Text))

accounts = Table(
    "accounts",
    metadata,
    Column("id", Integer, primary_key=True),
    _needed("name", String(200), unique=True),
    _needed("password", Text),
    _needed("role", String(16)),
    _needed("kind", String(16)),
    _needed("worker", String(32), unique=True),  # the pseudonym in every export
    _needed("created", BigInteger),
    Column("consented", BigInteger),
    Column("panel", String(32)),
    Column("participant", String(200)),
    Column("pay_cents_per_hour", Integer),
)

studies = Table(
    "studies",
    metadata,
    Column("id", Integer, primary_key=True),
    _needed("name", String(200), unique=True),
    _needed("code", String(32), unique=True),  # what addresses hold, for a name may tell a policy
    _needed("protocol", String(32)),
    _needed("state", String(16)),
    _needed("labels_per_item", Integer),
    _needed("lease_seconds", Integer),
    _needed("seed", Integer),
    _needed("options", Text),
    _needed("parents", Text),
    _needed("created", BigInteger),
    Column("pay_cents_per_item", Integer),
)

invites = Table(
    "invites",
    metadata,
    Column("id", Integer, primary_key=True),
    _link("study", "studies.id", nullable=True),
    _needed("role", String(16)),
    _needed("kind", String(16)),
    _needed("uses", Integer),
    _needed("most_uses", Integer),
    _needed("created", BigInteger),
    _needed("expires", BigInteger),
)

memberships = Table(
    "memberships",
    metadata,
    _link("study", "studies.id", primary_key=True),
    _link("account", "accounts.id", primary_key=True),
    _needed("joined", BigInteger),
    Column("excluded", BigInteger),
    Column("reason", Text),
)

items = Table(
    "items",
    metadata,
    Column("id", String(32), primary_key=True),
    _link("study", "studies.id"),
    _needed("position", Integer),  # the order; for everybody's: due to somebody who has had so many items
    _needed("purpose", String(16)),  # ordinary, shared, anchor; later training, exam
    _needed("example", String(200)),
    Column("domain", String(200)),
    Column("subreddit", String(200)),
    Column("split", String(64)),
    _needed("title", Text),
    _needed("situation", Text),
    _needed("policy_a", Text),
    Column("policy_b", Text),
    _needed("text_a", Text),
    Column("text_b", Text),
    Column("reference", Text),
    Column("expected", Text),
    _needed("wanted", Integer),  # K; 0: everybody
    _needed("taken", Integer),  # judgments that count, and leases that run
    _needed("full", Boolean),
    Index("items_to_hand_out", "study", "full", "wanted", "position"),
)

leases = Table(
    "leases",
    metadata,
    Column("id", Integer, primary_key=True),
    _needed("token", String(32), unique=True),
    _link("item", "items.id", String(32)),
    _link("account", "accounts.id"),
    _link("study", "studies.id"),
    _needed("state", String(16)),  # running, done, expired, skipped, reported, late, withdrawn
    _needed("stage", Integer),
    _needed("answers", Text),  # of the stages before this one
    _needed("draft", Text),
    _needed("first", String(1)),  # which text the labeler sees first, a or b
    _needed("granted", BigInteger),
    _needed("expires", BigInteger),
    Column("note", Text),
    UniqueConstraint("item", "account", name="leases_never_twice"),
    Index("leases_of_account", "account", "study", "state"),
    Index(
        "leases_one_running",
        "account",
        "study",
        unique=True,
        sqlite_where=text("state = 'running'"),
        postgresql_where=text("state = 'running'"),
    ),
    Index("leases_to_expire", "study", "state", "expires"),
)

instructions = Table(
    "instructions",
    metadata,
    Column("version", String(64), primary_key=True),
    _needed("text", Text),
    _needed("first_used", BigInteger),
)

judgments = Table(
    "judgments",
    metadata,
    Column("id", Integer, primary_key=True),
    _link("item", "items.id", String(32)),
    _link("account", "accounts.id"),
    _link("study", "studies.id"),
    _needed("revision", Integer),
    _needed("kind", String(16)),
    _needed("choice", String(4)),
    _needed("strength", Float),
    _needed("answers", Text),
    _needed("first", String(4)),
    Column("seconds", Float),
    _needed("started", BigInteger),
    _needed("saved", BigInteger),
    _link("instructions", "instructions.version", String(64)),
    UniqueConstraint("item", "account", "revision", name="judgments_once"),
    Index("judgments_of_study", "study"),
)

failures = Table(
    "failures",
    metadata,
    Column("id", Integer, primary_key=True),
    _needed("key", String(256)),  # the address or the name of a sign-in that failed
    _needed("at", BigInteger),
    Index("failures_lately", "key", "at"),
)
