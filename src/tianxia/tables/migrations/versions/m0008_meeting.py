"""Meeting: who waits to be paired, who is here, watchers' talk, blocks, reports, the audit."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

ID, HASH, TEXT = sa.String(32), sa.String(64), sa.Text()


def _text(name: str, kind: sa.types.TypeEngine[str] = TEXT, **how: Any) -> sa.Column[str]:
    return sa.Column(name, kind, nullable=False, **how)


def _time(name: str, *, nullable: bool = False) -> sa.Column[float]:
    return sa.Column(name, sa.Float(53), nullable=nullable)


def _create(name: str, *columns: sa.schema.SchemaItem, key: tuple[str, ...] = ("id",)) -> None:
    op.create_table(name, *columns, sa.PrimaryKeyConstraint(*key, name=f"pk_{name}"))


def _index(table: str, *columns: str) -> None:
    op.create_index(f"ix_{table}_{'_'.join(columns)}", table, list(columns))


def upgrade() -> None:
    """Add six relations, and what lists of tables are found by."""
    for columns in (("public", "status", "created"), ("maker", "status"), ("origin", "status")):
        _index("tables", *columns)
    _create(
        "seeks",
        _text("id", ID),
        _text("person", HASH),
        _text("name"),
        _text("spec"),
        _text("pace", sa.String(12)),
        _text("table_id", ID, server_default=""),
        _time("created"),
        _time("at"),
    )
    _index("seeks", "person")
    _index("seeks", "table_id", "at")
    _create(
        "visitors",
        _text("person", HASH),
        _text("account", ID, server_default=""),
        _time("at"),
        key=("person",),
    )
    _index("visitors", "at")
    _create(
        "gallery",
        _text("table_id", ID),
        sa.Column("number", sa.Integer, nullable=False),
        _text("id", sa.String(16)),
        _text("person", HASH),
        _text("account", ID),
        _text("name"),
        _time("at"),
        _text("text"),
        sa.ForeignKeyConstraint(
            ["table_id"], ["tables.id"], name="fk_gallery_table_id", ondelete="CASCADE"
        ),
        key=("table_id", "number"),
    )
    _create(
        "shunned",
        _text("person", HASH),
        _text("other", HASH),
        _text("how", sa.String(5)),
        _text("name"),
        _time("at"),
        key=("person", "other"),
    )
    _index("shunned", "other")
    _create(
        "reports",
        _text("id", ID),
        _time("at"),
        _text("reporter", HASH),
        _text("reporter_name"),
        _text("about", HASH),
        _text("account", ID),
        _text("about_name"),
        _text("table_id", ID),
        _text("reason", sa.String(20)),
        _text("text"),
        _text("context"),
        _time("settled", nullable=True),
        _text("verdict", server_default=""),
    )
    _index("reports", "settled", "at")
    _index("reports", "reporter", "at")
    _create(
        "audit",
        sa.Column("number", sa.Integer, nullable=False),
        _time("at"),
        _text("who"),
        _text("what", sa.String(20)),
        _text("about"),
        _text("why"),
        key=("number",),
    )
