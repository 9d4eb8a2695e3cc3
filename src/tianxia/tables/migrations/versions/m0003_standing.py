"""Answers that a seat gives in advance."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add them to the seats."""
    op.add_column("seats", sa.Column("standing", sa.Text, nullable=False, server_default=""))
