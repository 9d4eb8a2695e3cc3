"""Clocks: how much time players have, when flags fall, who was there when."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the clocks of tables, the seconds of entries, and three relations."""
    pace = sa.Column("pace", sa.String(12), nullable=False, server_default="")
    returns = sa.Column("returns", sa.Boolean, nullable=False, server_default=sa.false())
    for column in (pace, returns, sa.Column("deadline", sa.Float(53), nullable=True)):
        op.add_column("tables", column)
    op.create_index("ix_tables_deadline", "tables", ["deadline"])
    op.add_column("entries", sa.Column("seconds", sa.Float(53), nullable=False, server_default="0"))
    op.create_table(
        "presence",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_presence_table_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_presence"),
    )
    op.create_table(
        "holidays",
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("since", sa.Float(53), nullable=False),
        sa.Column("until", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("person", "since", name="pk_holidays"),
    )
    op.create_table(
        "beats",
        sa.Column("name", sa.String(20), nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_beats"),
    )
