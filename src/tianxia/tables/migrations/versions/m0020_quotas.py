"""Indexes by which the tables of a person, and of an address, are counted without all others."""

from __future__ import annotations

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Put the moment of the last change into them."""
    for whose in ("maker", "origin"):
        op.drop_index(f"ix_tables_{whose}_status", "tables")
        op.create_index(f"ix_tables_{whose}_status_updated", "tables", [whose, "status", "updated"])
