"""Bringing a database to the schema of this Tianxia, at start; one process at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

from tianxia.draw.languages import N_
from tianxia.tables.errors import NO_RESTART, TableError
from tianxia.tables.schema import HEAD, metadata

MIGRATIONS = Path(__file__).parent / "migrations"
VERSION = sa.Table(
    "alembic_version", sa.MetaData(), sa.Column("version_num", sa.String(32), primary_key=True)
)
"""Where Alembic notes the newest migration that a database has seen."""
LOCK = 0x7469616E  # of PostgreSQL's advisory locks; ours while we migrate


class WrongDatabase(TableError):
    """A database that a newer Tianxia, or another program, has written."""

    status = 503
    exit_status = NO_RESTART


def revision(connection: sa.Connection) -> str | None:
    """Return the newest migration that a database has seen; None for an empty one."""
    if not sa.inspect(connection).has_table(VERSION.name):
        return None
    found = connection.execute(sa.select(VERSION)).scalar()
    return None if found is None else str(found)


def upgrade(connection: sa.Connection, keep: Callable[[str], None] = lambda _: None) -> None:
    """Build the tables, or run what migrations are missing, inside the writing transaction.

    On SQLite that transaction is the lock; PostgreSQL gets a lock of its own.

    Parameters
    ----------
    keep
        Called with the migration that the database has, before it gets others: makes a copy.

    Raises
    ------
    WrongDatabase
        Where the database has seen a migration that is unknown here.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LOCK)))
    if not sa.inspect(connection).get_table_names():
        build(connection)
    elif (known := revision(connection)) != HEAD:
        check_known(known)
        keep(known or "")
        migrate(connection)


def build(connection: sa.Connection) -> None:
    """Make an empty database what all migrations together would make it."""
    metadata.create_all(connection, checkfirst=False)
    VERSION.create(connection, checkfirst=False)
    connection.execute(sa.insert(VERSION).values(version_num=HEAD))


def check_known(known: str | None) -> None:
    """Refuse a database that was never ours, or that a newer Tianxia has written."""
    if known is None:
        raise WrongDatabase(
            "other-database",
            N_("This database belongs to another program: name another file or database."),
        )
    if not any((MIGRATIONS / "versions").glob(f"m{known}_*.py")):
        raise _newer()


def _newer() -> WrongDatabase:
    return WrongDatabase(
        "newer-database",
        N_("These tables were written by a newer Tianxia: install that, or use another file."),
    )


def migrate(connection: sa.Connection, to: str = "head") -> None:
    """Run what migrations are missing; raise WrongDatabase where one is unknown here."""
    # Alembic takes a quarter of a second and 15 MB: only where there is something to do.
    from alembic import command
    from alembic.config import Config
    from alembic.util.exc import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, to)
    except CommandError as error:
        raise _newer() from error
