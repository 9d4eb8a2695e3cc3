"""Backups: made while people play, trusted only when every table opens, read back anywhere."""

from __future__ import annotations

import random
import sqlite3
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from tests.tables.conftest import Opener
from tests.tables.helpers import DUEL, do, people, play_out, ready, step
from tianxia.tables import Tables
from tianxia.tables.copies import CopyError, check, restore, save
from tianxia.tables.schema import HEAD
from tianxia.tables.store import BACKUPS, Remark
from tianxia.tables.upgrade import MIGRATIONS, WrongDatabase


def some(tables: Tables) -> list[str]:
    """Play a little of everything."""
    ids = [ready(tables), people(tables, DUEL), people(tables, DUEL)]
    do(tables, ids[0], 0, "e4-e5")
    tables.take_back(ids[0], "ann")
    play_out(tables, ids[1])
    tables.store.add_remark(ids[2], Remark(1, "x", "say", 0, 3, 1.0, "好 é", ""), [])
    return ids


@pytest.mark.parametrize("target", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_all_is_there_again(
    opened: Opener, url: str, target: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    file = tmp_path / "copy.sqlite3"
    with Tables(url) as tables:
        ids = some(tables)
        before = [tables.snapshot(table_id) for table_id in ids]
        keys = [tables.seat_key(table_id, 0, "ann") for table_id in ids]
        save(tables.store.engine, file)
        play_out(tables, ids[2], most=3)  # is not in it
    assert file.stat().st_mode & 0o077 == 0
    assert [path.name for path in tmp_path.iterdir() if "copy" in path.name] == ["copy.sqlite3"]
    where = f"sqlite:///{tmp_path / 'other.sqlite3'}"
    if target == "postgres":
        where = str(request.getfixturevalue("postgres")())
    found = restore(file, where)
    assert (found.tables, found.damaged) == (3, ())
    after = opened(where)
    for table_id, old, key in zip(ids, before, keys, strict=True):
        new = after.snapshot(table_id)
        assert (new.state, new.entries, new.seats) == (old.state, old.entries, old.seats)
        assert new.plies_notations == old.plies_notations
        assert after.enter(table_id, key, "ann's phone") == 0
    assert [remark.text for remark in after.store.talk(ids[2])] == ["好 é"]
    do(after, ids[0], 0, "f4-f5")
    after.store.notify  # noqa: B018
    play_out(after, ids[2])  # counters go on, too


def test_it_is_of_one_moment_while_people_play(opened: Opener, url: str, tmp_path: Path) -> None:
    tables = opened(url)
    ids = [people(tables, DUEL) for _ in range(4)]
    stop = threading.Event()

    def play(table_id: str, seed: int) -> None:
        dice = random.Random(seed)
        while not stop.is_set() and not tables.snapshot(table_id).open_to_all:
            step(tables, table_id, dice)

    threads = [threading.Thread(target=play, args=(one, n)) for n, one in enumerate(ids)]
    for thread in threads:
        thread.start()
    try:
        for number in range(3):
            save(tables.store.engine, tmp_path / f"{number}.sqlite3")
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    for number in range(3):
        found = restore(tmp_path / f"{number}.sqlite3", f"sqlite:///{tmp_path / f'b{number}'}")
        assert (found.tables, found.damaged) == (4, ())


def test_damage_is_noticed(opened: Opener, url: str) -> None:
    tables = opened(url)
    ids = [ready(tables) for _ in range(6)]
    damage = (
        "UPDATE entries SET position = 'x' WHERE table_id = :t AND number = 3",
        "DELETE FROM entries WHERE table_id = :t AND number = 3",
        "DELETE FROM seats WHERE table_id = :t",
        "UPDATE tables SET status = 'odd' WHERE id = :t",
        "DELETE FROM entries WHERE table_id = :t",
    )
    with tables.store.writing() as connection:
        for table_id, statement in zip(ids, damage, strict=False):
            connection.execute(sa.text(statement), {"t": table_id})
    found = check(tables.store)
    assert found.tables == 6
    assert set(found.damaged) == set(ids[:5])


def test_what_is_no_copy_is_refused(opened: Opener, file_url: str, tmp_path: Path) -> None:
    tables = opened(file_url)
    ready(tables)
    file = tmp_path / "copy.sqlite3"
    save(tables.store.engine, file)
    with pytest.raises(CopyError, match="is there already"):
        save(tables.store.engine, file)
    with pytest.raises(CopyError, match="in this database already"):
        restore(file, file_url)
    with pytest.raises(CopyError, match="There is no file"):
        restore(tmp_path / "none", f"sqlite:///{tmp_path / 'new'}")
    text = tmp_path / "text"
    text.write_text("no database" * 100)
    with pytest.raises(CopyError, match="is not a copy"):
        restore(text, f"sqlite:///{tmp_path / 'new'}")
    other = tmp_path / "other"
    sqlite3.connect(other).execute("CREATE TABLE apples (n)").connection.close()
    with pytest.raises(CopyError, match="is not a copy"):
        restore(other, f"sqlite:///{tmp_path / 'new'}")
    cut = tmp_path / "cut"
    cut.write_bytes(file.read_bytes()[:9000])
    with pytest.raises(CopyError, match="is not a copy"):
        restore(cut, f"sqlite:///{tmp_path / 'new'}")
    taken = tmp_path / "a file"
    taken.write_text("")
    with pytest.raises(CopyError, match="No copy could be made"):
        save(tables.store.engine, taken / "copy")


# --- Before migrations ---


def old_database(url: str, version: str) -> None:
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.attributes["connection"] = connection
        command.upgrade(config, version)
    engine.dispose()


def test_a_copy_is_made_before_a_migration(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BACKUPS, str(tmp_path / "kept"))
    old_database(url, "0003")
    Tables(url).close()
    (copy,) = (tmp_path / "kept").iterdir()
    assert copy.name.endswith("-before-migration-from-0003.sqlite3")
    connection = sqlite3.connect(copy)
    assert connection.execute("SELECT version_num FROM alembic_version").fetchone() == ("0003",)
    connection.close()
    Tables(url).close()  # nothing to do: no copy
    assert len(list((tmp_path / "kept").iterdir())) == 1
    where = f"sqlite:///{tmp_path / 'again.sqlite3'}"
    assert restore(copy, where).damaged == ()
    with Tables(where) as again, again.store.reading() as found:
        assert found.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() == HEAD


def test_without_a_copy_nothing_is_migrated(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old_database(url, "0003")
    taken = tmp_path / "a file"
    taken.write_text("")
    monkeypatch.setenv(BACKUPS, str(taken))
    with pytest.raises(CopyError, match="No copy could be made"):
        Tables(url)
    engine = sa.create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
    with engine.connect() as connection:
        found = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()
    engine.dispose()
    assert found == "0003"
    monkeypatch.setenv(BACKUPS, "none")
    Tables(url).close()


def test_beside_the_file_unless_somebody_says_where(file_url: str, tmp_path: Path) -> None:
    old_database(file_url, "0004")
    Tables(file_url).close()
    assert [one.name for one in tmp_path.glob("*before-migration-from-0004*")]


def test_another_programs_database_is_left_alone(file_url: str, tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "tables.sqlite3")
    connection.execute("CREATE TABLE apples (n)")
    connection.close()
    with pytest.raises(WrongDatabase, match="another program") as refused:
        Tables(file_url)
    assert refused.value.code == "other-database"
