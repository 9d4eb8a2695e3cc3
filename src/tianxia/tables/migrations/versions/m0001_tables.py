"""Tables, seats, people, logs, leases of bots."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID, HASH, TIME = sa.String(32), sa.String(64), sa.Float(53)


def _of_table(name: str, *columns: sa.Column[object], key: str | None = None) -> None:
    """Create a table whose rows go with the table of play that they belong to."""
    op.create_table(
        name,
        sa.Column("table_id", ID, nullable=False),
        *columns,
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name=f"fk_{name}_table_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint(*filter(None, ("table_id", key)), name=f"pk_{name}"),
    )


def upgrade() -> None:
    """Create everything."""
    op.create_table(
        "tables",
        sa.Column("id", ID, nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("talk", sa.Boolean, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("created", TIME, nullable=False),
        sa.Column("updated", TIME, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("ending", sa.String(20), nullable=False),
        sa.Column("acting", sa.Integer, nullable=False),
        sa.Column("bot_turn", sa.Boolean, nullable=False),
        sa.Column("chance_secret", HASH, nullable=False),
        sa.Column("chance_hash", HASH, nullable=False),
        sa.Column("next_id", ID, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_tables"),
    )
    op.create_index("ix_tables_bot_turn", "tables", ["bot_turn"])
    op.create_index("ix_tables_public_status", "tables", ["public", "status"])
    _of_table(
        "seats",
        sa.Column("seat", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("bot", sa.String(60), nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("reserved", sa.Boolean, nullable=False),
        key="seat",
    )
    _of_table(
        "keys",
        sa.Column("key_hash", HASH, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        key="key_hash",
    )
    _of_table(
        "holders",
        sa.Column("person", HASH, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("key_hash", HASH, nullable=False),
        sa.Column("key_sealed", sa.Text, nullable=False),
        key="person",
    )
    op.create_index("ix_holders_person", "holders", ["person"])
    _of_table(
        "entries",
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("kind", sa.String(10), nullable=False),
        sa.Column("seat", sa.Integer, nullable=True),
        sa.Column("action", sa.Integer, nullable=True),
        sa.Column("batch", sa.Integer, nullable=False),
        sa.Column("at", TIME, nullable=False),
        sa.Column("token", sa.Text, nullable=True),
        sa.Column("position", sa.LargeBinary, nullable=True),
        sa.Column("undone", sa.Text, nullable=True),
        key="number",
    )
    _of_table(
        "leases",
        sa.Column("owner", sa.String(120), nullable=False),
        sa.Column("until", TIME, nullable=False),
    )
