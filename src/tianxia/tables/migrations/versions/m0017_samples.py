"""What processes have counted, in five minutes each, for the overview of the last day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the relation."""
    op.create_table(
        "samples",
        sa.Column("slot", sa.Integer, nullable=False),
        sa.Column("process", sa.String(120), nullable=False),
        sa.Column("figures", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("slot", "process", name="pk_samples"),
    )
