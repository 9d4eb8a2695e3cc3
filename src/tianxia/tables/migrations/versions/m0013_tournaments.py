"""Tournaments: who plays in them, who meets whom, and of which tournament a table is a game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def _of_tournament(relation: str) -> list[sa.schema.SchemaItem]:
    return [
        sa.Column("tournament_id", sa.String(32), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"],
            ["tournaments.id"],
            name=f"fk_{relation}_tournament_id",
            ondelete="CASCADE",
        ),
    ]


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False, autoincrement=False)


def upgrade() -> None:
    """Add a mark of tables, and three relations."""
    mark = sa.Column("tournament_id", sa.String(32), nullable=False, server_default="")
    op.add_column("tables", mark)
    op.create_table(
        "tournaments",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("maker", sa.String(32), nullable=False),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("pace", sa.String(12), nullable=False),
        sa.Column("system", sa.String(12), nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("bots", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float(53), nullable=False),
        sa.Column("starts", sa.Float(53), nullable=True),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("due", sa.Float(53), nullable=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_tournaments"),
    )
    for columns in (("public", "status", "created"), ("status", "starts"), ("maker", "status")):
        op.create_index("_".join(("ix_tournaments", *columns)), "tournaments", [*columns])
    op.create_table(
        "entrants",
        *_of_tournament("entrants"),
        _number("number"),
        sa.Column("account", sa.String(32), nullable=True),
        sa.Column("strength", sa.Float(53), nullable=False),
        sa.Column("gone", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("tournament_id", "number", name="pk_entrants"),
    )
    pair = ["tournament_id", "account"]
    op.create_index("ix_entrants_tournament_id_account", "entrants", pair, unique=True)
    op.create_index("ix_entrants_account", "entrants", ["account"])
    op.create_table(
        "pairings",
        *_of_tournament("pairings"),
        _number("round"),
        _number("entrant"),
        sa.Column("board", sa.Integer, nullable=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("points", sa.Float(53), nullable=True),
        sa.PrimaryKeyConstraint("tournament_id", "round", "entrant", name="pk_pairings"),
    )
    op.create_index("ix_pairings_table_id", "pairings", ["table_id"])
