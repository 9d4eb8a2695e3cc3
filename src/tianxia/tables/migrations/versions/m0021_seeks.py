"""An index by which those who have waited in vain are forgotten without a look at all."""

from __future__ import annotations

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add it."""
    op.create_index("ix_seeks_at", "seeks", ["at"])
