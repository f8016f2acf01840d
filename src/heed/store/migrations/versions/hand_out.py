"""Items for everybody come first, one running lease per person and study, and failed sign-ins."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("items_to_hand_out", "items")
    op.create_index("items_to_hand_out", "items", ["study", "full", "wanted", "position"])
    running = sa.text("state = 'running'")
    op.create_index(
        "leases_one_running",
        "leases",
        ["account", "study"],
        unique=True,
        sqlite_where=running,
        postgresql_where=running,
    )
    op.create_table(
        "failures",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=256), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("failures_lately", "failures", ["key", "at"])
