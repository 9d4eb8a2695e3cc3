"""Minds in processes of their own: what they do, what people ask them, how far they are."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(64), nullable=False, server_default="")


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False, server_default="0")


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false())


def upgrade() -> None:
    """Add who made a table, stand-ins, what leases are about, and three relations."""
    op.add_column("tables", _text("maker"))
    op.add_column("tables", _text("origin"))
    op.add_column("tables", _flag("bots_only"))
    op.create_index("ix_tables_bots_only_status", "tables", ["bots_only", "status"])
    op.add_column("seats", _flag("stand_in"))
    op.add_column("leases", _count("version"))
    op.add_column("leases", _count("tries"))
    op.create_table(
        "questions",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("decision", sa.Integer, nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.Column("stage", sa.String(10), nullable=False),
        sa.Column("part", sa.Integer, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("owner", sa.String(120), nullable=False),
        sa.Column("until", sa.Float(53), nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_questions_table_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_questions"),
    )
    op.create_index("ix_questions_stage_at", "questions", ["stage", "at"])
    op.create_index("ix_questions_table_id", "questions", ["table_id"])
    op.create_table(
        "notices",
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("channel", sa.String(20), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("origin", sa.String(16), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_notices"),
    )
    op.create_table(
        "minds",
        sa.Column("host", sa.String(60), nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("stage", sa.String(10), nullable=False),
        sa.Column("part", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Integer, nullable=True),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.PrimaryKeyConstraint("host", "game", name="pk_minds"),
    )
