"""Bringing a database to the schema of this Tianxia, at start; one process at a time."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from tianxia.draw.languages import N_
from tianxia.tables.errors import TableError
from tianxia.tables.schema import HEAD

MIGRATIONS = Path(__file__).parent / "migrations"
LOCK = 0x7469616E  # of PostgreSQL's advisory locks; ours while we migrate


class WrongDatabase(TableError):
    """A database that a newer Tianxia, or another program, has written."""

    status = 503


def revision(connection: sa.Connection) -> str | None:
    """Return the newest migration that a database has seen; None for an empty one."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def upgrade(connection: sa.Connection) -> None:
    """Run what migrations are missing, inside the connection's writing transaction.

    On SQLite that transaction is the lock; PostgreSQL gets a lock of its own.

    Raises
    ------
    WrongDatabase
        Where the database has seen a migration that is unknown here.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
    if revision(connection) == HEAD:
        return
    # Alembic takes a quarter of a second to import: only where there is something to do.
    from alembic import command
    from alembic.config import Config
    from alembic.util.exc import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise WrongDatabase(
            "newer-database",
            N_("These tables were written by a newer Tianxia: install that, or use another file."),
        ) from error
