"""Boards that people have drawn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add a relation."""
    op.create_table(
        "boards",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("changed", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_boards"),
    )
    op.create_index("ix_boards_person_changed", "boards", ["person", "changed"])
