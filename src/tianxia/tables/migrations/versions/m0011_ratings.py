"""Ratings: which tables count, what came of them, and how strong accounts are."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def _number(name: str) -> sa.Column[float]:
    return sa.Column(name, sa.Float(53), nullable=False)


def upgrade() -> None:
    """Add a mark of tables, and two relations."""
    rated = sa.Column("rated", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("tables", rated)
    op.create_index("ix_tables_rated_updated", "tables", ["rated", "updated"])
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("account", sa.String(32), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("pace", sa.String(8), nullable=False),
        _number("ended"),
        sa.Column("place", sa.Integer, nullable=False),
        _number("mu"),
        _number("sigma"),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_results_table_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("table_id", "seat", name="pk_results"),
    )
    op.create_index("ix_results_number_seat", "results", ["number", "seat"], unique=True)
    columns = ["account", "game", "pace", "number"]
    op.create_index("ix_results_account_game_pace_number", "results", columns)
    op.create_table(
        "ratings",
        sa.Column("account", sa.String(32), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("pace", sa.String(8), nullable=False),
        _number("mu"),
        _number("sigma"),
        _number("points"),
        sa.Column("games", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("account", "game", "pace", name="pk_ratings"),
    )
    op.create_index("ix_ratings_game_pace_points", "ratings", ["game", "pace", "points"])
