"""Accounts: names, ways to sign in, sessions, tokens; and who sits where."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

ID, HASH = sa.String(32), sa.String(64)


def _text(name: str, kind: sa.types.TypeEngine[str], **options: Any) -> sa.Column[str]:
    return sa.Column(name, kind, nullable=False, **options)


def _time(name: str, *, nullable: bool = False) -> sa.Column[float]:
    return sa.Column(name, sa.Float(53), nullable=nullable)


def _of_accounts(name: str, *columns: sa.Column[Any], nullable: bool = False) -> None:
    """Create a relation whose rows go with their accounts."""
    op.create_table(
        name,
        *columns[:1],
        sa.Column("account_id", ID, nullable=nullable),
        *columns[1:],
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=f"fk_{name}_account_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=f"pk_{name}"),
    )
    op.create_index(f"ix_{name}_account_id", name, ["account_id"])


def upgrade() -> None:
    """Add the account of a seat, and seven relations."""
    op.add_column("seats", _text("account", ID, server_default=""))
    op.create_index("ix_seats_account", "seats", ["account"])
    op.create_table(
        "accounts",
        _text("id", ID),
        _text("name", sa.Text()),
        _text("name_key", sa.String(60)),
        _text("person", HASH),
        sa.Column("bot", sa.Boolean, nullable=False),
        _text("owner", ID, server_default=""),
        _text("role", sa.String(10), server_default=""),
        _time("suspended", nullable=True),
        _text("password", sa.Text(), server_default=""),
        _text("mail", sa.Text(), server_default=""),
        _text("language", sa.String(5), server_default=""),
        _time("created"),
        _time("seen"),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
    )
    for column, unique in (("name_key", True), ("person", True), ("mail", False), ("owner", False)):
        op.create_index(f"ix_accounts_{column}", "accounts", [column], unique=unique)
    _of_accounts(
        "passkeys",
        _text("id", HASH),
        _text("credential", sa.Text()),
        sa.Column("public_key", sa.LargeBinary, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        _text("name", sa.Text()),
        _time("created"),
        _time("used"),
    )
    op.create_table(
        "recovery_codes",
        sa.Column("account_id", ID, nullable=False),
        _text("code_hash", HASH),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name="fk_recovery_codes_account_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("account_id", "code_hash", name="pk_recovery_codes"),
    )
    _of_accounts(
        "sessions",
        _text("id", HASH),
        _text("device", sa.Text()),
        _time("created"),
        _time("seen"),
        _time("expires"),
    )
    op.create_index("ix_sessions_expires", "sessions", ["expires"])
    _of_accounts(
        "pending",
        _text("id", HASH),
        _text("kind", sa.String(10)),
        _text("about", sa.Text(), server_default=""),
        _time("expires"),
        nullable=True,
    )
    op.create_index("ix_pending_expires", "pending", ["expires"])
    _of_accounts(
        "tokens",
        _text("id", ID),
        _text("hash", HASH),
        _text("name", sa.Text()),
        _text("scopes", sa.Text()),
        _time("created"),
        _time("expires"),
        _time("used", nullable=True),
    )
    op.create_index("ix_tokens_hash", "tokens", ["hash"], unique=True)
    op.create_table(
        "guesses",
        _text("id", HASH),
        sa.Column("level", sa.Float(53), nullable=False),
        _time("at"),
        sa.PrimaryKeyConstraint("id", name="pk_guesses"),
    )
