"""Backups from the command line."""

from __future__ import annotations

import errno
import os
import signal
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from tests.tables.helpers import do, ready
from tianxia.accounts import Accounts
from tianxia.cli import app, backing
from tianxia.kernel import mode
from tianxia.tables import Tables, Unavailable, schema
from tianxia.tables.copies import CopyError, save


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TIANXIA_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANG", "en")
    monkeypatch.setattr(mode, "interpret", lambda: None)  # this process has settled that
    return tmp_path


def run(*words: object) -> tuple[int, str]:
    found = CliRunner().invoke(app, [str(word) for word in words])
    return found.exit_code, " ".join(found.output.split())


def test_there_and_back(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Tables() as tables:
        table_id = ready(tables)
        before = do(tables, table_id, 0, "e4-e5")
        status, said = run("backup", home / "copy.sqlite3")
    assert (status, "1 tables, each of them opened." in said) == (0, True)
    assert "keep a copy of" in said
    monkeypatch.setenv("TIANXIA_DATABASE", f"sqlite:///{home / 'new.sqlite3'}")
    status, said = run("restore", home / "copy.sqlite3")
    assert (status, "1 tables, each of them opened." in said) == (0, True)
    with Tables(f"sqlite:///{home / 'new.sqlite3'}") as again:
        assert again.snapshot(table_id).state == before.state
    status, said = run("restore", home / "copy.sqlite3")
    assert (status, "name an empty one" in said) == (2, True)


def test_a_folder_keeps_so_many(home: Path) -> None:
    Tables().close()
    folder = home / "kept"
    folder.mkdir()
    for day in range(1, 6):
        (folder / f"tianxia-2026010{day}-000000.sqlite3").touch()
    (folder / "tianxia-of-mine.sqlite3").touch()
    assert run("backup", folder, "--keep", 3)[0] == 0
    names = sorted(path.name for path in folder.iterdir())
    assert names[:2] == ["tianxia-20260104-000000.sqlite3", "tianxia-20260105-000000.sqlite3"]
    assert len(names) == 4
    assert "tianxia-of-mine.sqlite3" in names


def test_nothing_is_made_of_nothing(home: Path) -> None:
    status, said = run("backup", home / "copy.sqlite3")
    assert (status, "There is no file" in said) == (2, True)
    assert not (home / "home" / "tables.sqlite3").exists()
    status, said = run("restore", home / "none")
    assert (status, "There is no file" in said) == (2, True)


@pytest.mark.parametrize(
    "words", [["backup", "copy.sqlite3"], ["restore", "copy"], ["admin", "audit"]]
)
def test_why_a_database_cannot_be_opened_is_told(
    home: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By each command in one line, where it is and what is wrong with it."""
    with Tables() as tables:
        save(tables.store.engine, home / "copy")
    place = home / ("long" * 30)
    place.write_bytes(b"no database" * 100)
    monkeypatch.setenv("TIANXIA_DATABASE", f"sqlite:///{place}")
    monkeypatch.chdir(home)
    said = CliRunner().invoke(app, words).output
    why = "cannot be opened: DatabaseError: file is not a database."
    assert said == f"tianxia: The tables in sqlite:///{place} {why}\n"


def test_what_fails_its_check_is_no_backup(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing that looks like one is left; the trial needs no other room than the backup's."""
    Tables().close()
    trials: list[str] = []

    def full(_: Path, url: str) -> None:
        trials.append(url)
        raise CopyError("not-restored", "the disk is full")

    monkeypatch.setattr(backing, "restore", full)
    status, said = run("backup", home / "kept", "--keep", 2)
    assert (status, "the disk is full" in said) == (2, True)
    assert list((home / "kept").iterdir()) == []
    assert f"{home / 'kept'}/" in trials[0]


def test_why_a_copy_cannot_be_read_into_a_database(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tables() as tables:
        save(tables.store.engine, home / "copy")

    def full(*_: object) -> None:
        raise Unavailable from OSError("no space left")

    monkeypatch.setattr("tianxia.tables.copies._copy_rows", full)
    monkeypatch.setenv("TIANXIA_DATABASE", f"sqlite:///{home / 'new'}")
    assert "into the database: OSError: no space left" in run("restore", home / "copy")[1]


def test_damage_is_in_the_exit_status(home: Path) -> None:
    """Else nobody would notice, night after night."""
    with Tables() as tables:
        ready(tables)
        with tables.store.writing() as connection:
            connection.execute(sa.text("DELETE FROM entries"))
    status, said = run("backup", home / "copy.sqlite3")
    assert (status, "1 of them cannot be read" in said) == (1, True)
    assert (home / "copy.sqlite3").exists()


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_backup_that_is_stopped_leaves_nothing_half_made(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Tables().close()
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(backing, "restore", lambda *_: signal.raise_signal(signal.SIGTERM))
    try:
        assert run("backup", f"{home / 'kept'}/")[0] == 1
    finally:
        signal.signal(signal.SIGTERM, before)
    assert list((home / "kept").iterdir()) == []


def test_who_only_looked_is_no_reason_not_to_restore(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Tables() as tables:
        ready(tables)
        save(tables.store.engine, home / "copy")
    monkeypatch.setenv("TIANXIA_DATABASE", f"sqlite:///{home / 'new'}")
    with Tables(f"sqlite:///{home / 'new'}") as new, new.store.writing() as connection:
        connection.execute(sa.insert(schema.visitors), {"person": "a digest", "at": 1.0})
    assert run("restore", home / "copy")[0] == 0


def test_one_after_another(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Tables().close()
    slept: list[float] = []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 2:
            raise KeyboardInterrupt
        (home / "home" / "tables.sqlite3").unlink()  # the next one fails, and the one after comes

    monkeypatch.setattr("time.sleep", sleep)
    _, said = run("backup", home / "kept", "--every", 24)
    assert "There is no file" in said
    assert slept[0] == pytest.approx(24 * 3600, abs=120)
    assert len(list((home / "kept").iterdir())) == 1


def test_a_full_disk_does_not_end_what_goes_on_for_ever(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Tables().close()
    trial, slept = "tianxia.cli.backing.TemporaryDirectory", list[float]()

    def full(**_: object) -> None:
        monkeypatch.setattr(trial, TemporaryDirectory)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        if len(slept) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(trial, full)
    monkeypatch.setattr("time.sleep", sleep)
    _, said = run("backup", home / "kept", "--every", 24)
    assert "No space left" in said
    assert len(list((home / "kept").iterdir())) == 1


def test_nobody_is_restored_away(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Tables() as tables:
        assert run("backup", home / "copy.sqlite3")[0] == 0
        accounts = Accounts(tables, "secret" * 6)
        accounts.register("Carol")
        status, said = run("restore", home / "copy.sqlite3")
        assert (status, "tables or accounts" in said) == (2, True)
        assert accounts.named("Carol")


@pytest.mark.parametrize("how", [["kept", "--keep", 2], ["new/kept/"]])
def test_a_folder_is_made(home: Path, how: list[object]) -> None:
    Tables().close()
    assert run("backup", f"{home}/{how[0]}", *how[1:])[0] == 0
    folder = home / str(how[0])
    assert [path.suffix for path in folder.iterdir()] == [".sqlite3"]
    (home / "file").touch()
    status, said = run("backup", home / "file", "--keep", 2)
    assert (status, "cannot be a folder" in said) == (2, True)


def test_paths_are_not_cut_in_two(home: Path) -> None:
    Tables().close()
    said = CliRunner().invoke(app, ["backup", str(home / ("long" * 40))]).output
    assert "long" * 40 in said


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no such modes")
def test_only_their_owner_reads_tables(home: Path) -> None:
    with Tables():
        modes = [path.stat().st_mode & 0o077 for path in (home / "home").iterdir()]
    assert modes
    assert set(modes) == {0}
