"""Ratings of bots, and the games they come from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the tables; games of before count no more."""
    op.create_table(
        "bot_matches",
        sa.Column("number", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("source", sa.String(60), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("players", sa.Text, nullable=False),
        sa.Column("places", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_bot_matches"),
    )
    op.create_index("ix_bot_matches_source", "bot_matches", ["source"], unique=True)
    op.create_table(
        "bot_ratings",
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("bot", sa.String(60), nullable=False),
        sa.Column("mu", sa.Float(53), nullable=False),
        sa.Column("sigma", sa.Float(53), nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", "bot", name="pk_bot_ratings"),
    )
