"""Copies of a whole database: backups, and what is read back from them.

A copy is an SQLite file with the very schema of the migration that the database had, whatever
kind of database that was. So one made of PostgreSQL can be read back into SQLite and the other
way round, and one made by an older Tianxia is brought up to date when it is read back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from tianxia.draw.languages import N_
from tianxia.kernel.registry import position
from tianxia.tables import log as logs
from tianxia.tables.causes import reason
from tianxia.tables.errors import TableError, Unavailable, Unopened, Unplayable
from tianxia.tables.seating import check_whole, find_installed
from tianxia.tables.store import Store, Stored
from tianxia.tables.upgrade import VERSION, migrate, revision

ROWS = 1000
"""Copied at a time."""
OWN = {VERSION.name, "beats", "guesses", "minds", "notices", "pending", "samples", "visitors"}
"""What is noted of a server, and of who only looks: a database with nothing else is empty."""
PAGES = 1024
"""Of an SQLite file, copied before those who write may go on."""


class CopyError(TableError):
    """A copy that cannot be made, read or trusted."""

    status = 503


def no_file(file: object) -> CopyError:
    """Return the refusal of a file that is not there."""
    return CopyError("no-such-file", N_("There is no file {file}."), file=file)


@dataclass(frozen=True)
class Checked:
    """What opening every table of a copy has found: how many there are, and which are damaged."""

    tables: int
    damaged: tuple[str, ...]


# --- Making one ---


def save(engine: sa.Engine, file: Path) -> None:
    """Copy a database, which may be in use, to a new file; it appears when it is whole.

    Raises
    ------
    CopyError
        Where the file is there already, or cannot be written.
    """
    if file.exists():
        raise CopyError("copy-exists", N_("{file} is there already: name another file."), file=file)
    draft = file.with_name(f".{file.name}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        draft.touch(mode=0o600)  # nobody else's business
        if engine.dialect.name == "sqlite":
            _save_file(engine, draft)
        else:
            _save_rows(engine, draft)
        _check_file(draft)
        draft.replace(file)
    except (OSError, sqlite3.Error, sa.exc.DBAPIError) as error:
        text = N_("No copy could be made in {file}: {why}")
        raise CopyError("copy-failed", text, file=file, why=reason(error)) from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _save_file(engine: sa.Engine, file: Path) -> None:
    """Let SQLite copy itself, page by page; what is written meanwhile is in the copy, too."""
    raw = engine.raw_connection()
    try:
        source = raw.driver_connection
        assert isinstance(source, sqlite3.Connection)  # noqa: S101
        with closing(sqlite3.connect(file)) as target:
            source.backup(target, pages=PAGES, sleep=0.01)
            target.execute("PRAGMA journal_mode=DELETE")  # one file, nothing beside it
    finally:
        raw.close()


def _save_rows(engine: sa.Engine, file: Path) -> None:
    """Copy the rows of all relations as they were at one moment."""
    level = engine.execution_options(isolation_level="REPEATABLE READ")
    with level.connect() as source, _opened(file) as made:
        with made.begin() as target:
            migrate(target, revision(source) or "head")
        with made.begin() as target:
            _copy_rows(source, target)


def _copy_rows(source: sa.Connection, target: sa.Connection) -> None:
    """Copy all rows into a database of the same schema."""
    theirs, ours = sa.MetaData(), sa.MetaData()
    theirs.reflect(source)
    ours.reflect(target)
    for relation in ours.sorted_tables:
        if relation.name == VERSION.name or relation.name not in theirs.tables:
            continue
        query = sa.select(*(theirs.tables[relation.name].c[column.name] for column in relation.c))
        found = source.execution_options(yield_per=ROWS).execute(query)
        for rows in found.mappings().partitions():
            target.execute(sa.insert(relation), [dict(row) for row in rows])


@contextmanager
def _opened(file: Path) -> Iterator[sa.Engine]:
    engine = sa.create_engine(f"sqlite:///{file}", hide_parameters=True)
    try:
        yield engine
    finally:
        engine.dispose()


# --- Trusting one ---


def _check_file(file: Path) -> None:
    """Let SQLite look for damage."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as copy:
        try:
            found = copy.execute("PRAGMA integrity_check").fetchone()[0]
            known = copy.execute(f"SELECT version_num FROM {VERSION.name}").fetchone()  # noqa: S608
        except sqlite3.DatabaseError as error:
            raise CopyError(
                "no-copy", N_("{file} is not a copy of a database: {why}"), file=file, why=error
            ) from error
    if found != "ok" or known is None:
        raise CopyError(
            "no-copy", N_("{file} is not a copy of a database: {why}"), file=file, why=found
        )


def check(store: Store) -> Checked:
    """Open every table of a database: its seats, its log, and every position."""
    damaged = []
    ids = store.ids()
    for table_id in ids:
        stored = store.load(table_id)
        if stored is not None and not _is_whole(stored):
            damaged.append(table_id)
    return Checked(len(ids), tuple(damaged))


def _is_whole(stored: Stored) -> bool:
    """Say whether all that is stored of a table can be read; its game need not be installed."""
    try:
        check_whole(stored.head, stored.seats, [holder.seat for holder in stored.holders])
        notations = logs.notations(stored.rows)
        numbers = [row.number for row in stored.rows]
        if numbers != list(range(1, len(numbers) + 1)):
            return False
        game = find_installed(stored.head.spec)
        if stored.head.status == "playing" and stored.head.rules_version == game.rules_version:
            return bool(notations) and position(notations[-1]).game == game
    except Unplayable as error:
        return error.code == "missing-game"
    except Exception:  # noqa: BLE001  (whatever can be wrong with it)
        return False
    return True


# --- Reading one back ---


def restore(file: Path, url: str) -> Checked:
    """Read a copy into an empty database, and open every table there.

    Raises
    ------
    CopyError
        Where there is no such copy, the database is not empty, or it cannot take all.
    Unopened
        Where the database cannot be opened.
    """
    if not file.is_file():
        raise no_file(file)
    _check_file(file)
    store = Store(url, copies=False)
    try:
        _demand_empty(store)
        with _opened(file) as copy, copy.connect() as source:
            before = revision(source)
            with store.writing() as target:
                _empty(target, before)
                _copy_rows(source, target)
                if target.dialect.name == "postgresql":
                    _count_on(target)
        store.close()
        store = Store(url, copies=False)  # which runs the migrations that the copy has not seen
        return check(store)
    except Unopened:
        raise
    except Unavailable as error:
        text = N_("{file} could not be read into the database: {why}")
        raise CopyError("not-restored", text, file=file, why=reason(error)) from error
    finally:
        store.close()


def _demand_empty(store: Store) -> None:
    """Refuse a database in which anybody has left anything: it would be gone."""
    there = sa.MetaData()
    with store.reading() as connection:
        there.reflect(connection)
        for relation in there.sorted_tables:
            if relation.name in OWN:
                continue
            if connection.execute(sa.select(sa.literal(1)).select_from(relation).limit(1)).first():
                raise CopyError(
                    "not-empty",
                    N_("There are tables or accounts in this database already: name an empty one."),
                )


def _empty(target: sa.Connection, known: str | None) -> None:
    """Give an empty database the schema of a copy."""
    there = sa.MetaData()
    there.reflect(target)
    if revision(target) != known:
        there.drop_all(target)
        migrate(target, known or "head")
        return
    for relation in reversed(there.sorted_tables):
        if relation.name != VERSION.name:
            target.execute(sa.delete(relation))


def _count_on(target: sa.Connection) -> None:
    """Let PostgreSQL's counters go on after the numbers that were copied."""
    there = sa.MetaData()
    there.reflect(target)
    for relation in there.sorted_tables:
        for column in relation.primary_key:
            named = sa.func.pg_get_serial_sequence(relation.name, column.name)
            sequence = target.execute(sa.select(named)).scalar()
            if sequence:
                newest = sa.select(sa.func.max(column)).scalar_subquery()
                target.execute(sa.select(sa.func.setval(sequence, sa.func.coalesce(newest, 1))))
