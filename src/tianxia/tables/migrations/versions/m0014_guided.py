"""Tables that follow the guided first game of a game, and how far."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; all earlier tables are none."""
    guided = sa.Column("guided", sa.Integer, nullable=False, server_default="-1")
    op.add_column("tables", guided)
