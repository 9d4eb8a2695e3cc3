"""Finished games by seat: what profiles and lists of games read.

What was played before is filed by the first server that starts.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

INDEXES = (
    ("ended",),
    ("account", "ended"),
    ("account", "public", "ended"),
    ("public", "seat", "ended"),
    ("public", "seat", "game", "ended"),
)


def upgrade() -> None:
    """Add a relation, and what finds the games that are not in it yet."""
    op.create_index("ix_tables_status_updated", "tables", ["status", "updated"])
    op.create_table(
        "played",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("account", sa.String(32), nullable=False),
        sa.Column("bot", sa.String(60), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("ended", sa.Float(53), nullable=False),
        sa.Column("result", sa.String(5), nullable=False),
        sa.Column("opening", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_played_table_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_played"),
    )
    for columns in INDEXES:
        name = "_".join(("ix_played", *columns))
        rest = [] if columns == ("ended",) else ["table_id"]
        op.create_index(name, "played", [*columns, *rest])
