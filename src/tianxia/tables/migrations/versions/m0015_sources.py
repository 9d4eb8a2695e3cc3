"""Tables that go on from a position of a finished game, and from which."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; all earlier tables began as usual."""
    sources = sa.Column("sources", sa.Text, nullable=False, server_default="")
    op.add_column("tables", sources)
