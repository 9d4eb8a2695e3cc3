"""The schema: migrations build what the code expects, once, whoever starts first."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from tests.tables.helpers import people
from tianxia.tables import Tables
from tianxia.tables.errors import NO_RESTART
from tianxia.tables.schema import HEAD, metadata
from tianxia.tables.store import Store
from tianxia.tables.upgrade import MIGRATIONS, WrongDatabase, build, migrate, revision

INDEPENDENT = (
    *("notices", "minds", "guesses", "holidays", "beats", "samples"),
    *("seeks", "told", "subscriptions", "ratings", "boards"),
)
"""Relations that are not about any one table."""
OLD = [f"{number:04}" for number in (1, int(HEAD) // 2, int(HEAD) - 1)]
"""From the first all migrations run, each of them once; from the others only the last ones."""


@pytest.mark.parametrize("make", [build, migrate])
def test_an_empty_database_becomes_the_schema_with_and_without_migrations(
    url: str, make: Callable[[sa.Connection], None]
) -> None:
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        make(connection)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        assert revision(connection) == HEAD
    engine.dispose()


@pytest.mark.parametrize("old", OLD)
def test_an_old_database_gets_what_is_missing(url: str, old: str) -> None:
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        command.upgrade(config, old)
    engine.dispose()
    with Tables(url) as tables:
        with tables.store.reading() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, metadata) == []
            assert revision(connection) == HEAD
        assert tables.snapshot(people(tables)).status == "playing"


def test_the_newest_migration_is_the_head() -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


def test_many_may_start_at_once(url: str) -> None:
    failed: list[BaseException] = []

    def start() -> None:
        try:
            Store(url).close()
        except BaseException as error:
            failed.append(error)
            raise

    threads = [threading.Thread(target=start) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    with Tables(url) as tables:
        people(tables)


def test_a_newer_database_is_left_alone(url: str) -> None:
    with Tables(url) as tables, tables.store.writing() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(WrongDatabase, match="newer Tianxia") as refused:
        Tables(url)
    assert (refused.value.code, refused.value.status) == ("newer-database", 503)
    assert refused.value.exit_status == NO_RESTART  # or systemd would try for ever


def test_tables_go_with_all_that_belongs_to_them(stored: Tables) -> None:
    people(stored)
    with stored.store.writing() as connection:
        connection.execute(sa.text("DELETE FROM tables"))
        for table in metadata.sorted_tables:
            if table.name in INDEPENDENT:
                continue
            assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar() == 0
