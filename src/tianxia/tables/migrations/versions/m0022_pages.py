"""Pages of tables that are open: who is there."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the table."""
    op.create_table(
        "pages",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("look", sa.String(32), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("at", sa.Float(53), nullable=False),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_pages_table_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", "table_id", name="pk_pages"),
    )
    op.create_index("ix_pages_table_id", "pages", ["table_id"])
    op.create_index("ix_pages_at", "pages", ["at"])
