"""Tables whose people each have to add a seed to the secret of chance."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add whether seeds are demanded; of tables that there are already none are."""
    op.add_column(
        "tables", sa.Column("seeded", sa.Boolean, nullable=False, server_default=sa.false())
    )
