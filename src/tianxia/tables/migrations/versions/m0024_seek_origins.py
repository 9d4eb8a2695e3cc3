"""From which address somebody waits for others, of which so many may wait at once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column: of those who wait already it is not known."""
    origin = sa.Column("origin", sa.String(64), nullable=False, server_default="")
    op.add_column("seeks", origin)
