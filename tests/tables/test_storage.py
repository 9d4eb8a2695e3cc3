"""The database: what it refuses leaves no trace, and several may use it at once."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
import sqlalchemy as sa

from tests.tables.conftest import Opener
from tests.tables.helpers import (
    PEOPLE,
    SETUP,
    do,
    people,
    play_out,
    ready,
    step,
    tokens,
)
from tianxia.tables import SeatPlan, Stale, TableError, Tables, Unavailable
from tianxia.tables.snapshot import Snapshot


def facts(snapshot: Snapshot) -> tuple:
    return snapshot.version, snapshot.entries, snapshot.state.to_bytes(), snapshot.status


# --- Memory and database say the same ---


def test_another_process_sees_the_same(opened: Opener, url: str) -> None:
    one, two = opened(url), opened(url)
    table_id = ready(one)
    assert facts(two.snapshot(table_id)) == facts(one.snapshot(table_id))
    do(two, table_id, 0, "e4-e5")
    assert facts(one.snapshot(table_id)) == facts(two.snapshot(table_id))
    one.take_back(table_id, "ann")
    do(two, table_id, 0, "f4-f5")
    two.rename(table_id, "bob", "Rob")
    assert one.snapshot(table_id).seats[1].name == "Rob"
    assert tokens(one, table_id) == tokens(two, table_id)


def test_seeds_come_from_whoever_joins_elsewhere(opened: Opener, url: str) -> None:
    from tests.tables.helpers import DUEL
    from tianxia.tables.verify import verify

    one, two = opened(url), opened(url)
    plans = [SeatPlan("me"), SeatPlan("open")]
    table_id = one.create(DUEL, plans, person="ann", seed="a").table_id
    one.snapshot(table_id)
    two.take_seat(table_id, 1, "bob", seed="b")
    assert play_out(one, table_id).chance_seeds == ("a", "b")
    assert verify(two.transcript(table_id)).ok


def test_few_tables_are_kept_in_memory(opened: Opener, url: str) -> None:
    tables = opened(url, cached=2)
    ids = [ready(tables) for _ in range(4)]
    rng = random.Random(1)
    for _ in range(12):
        step(tables, rng.choice(ids), rng)
    assert len(tables._lives) == 2
    with Tables(url) as others:
        for table_id in ids:
            assert facts(tables.snapshot(table_id)) == facts(others.snapshot(table_id))


# --- At once ---


def test_of_many_who_post_the_same_one_wins(stored: Tables) -> None:
    table_id = ready(stored)
    for round_ in range(6):
        snapshot = stored.snapshot(table_id)
        seat = snapshot.acting[0]
        action, decision = snapshot.state.legal_actions(seat)[0], snapshot.decision(seat)
        got: list[str] = []
        barrier = threading.Barrier(6)

        def post(
            barrier: threading.Barrier = barrier,
            who: str = PEOPLE[seat],
            action: int = action,
            decision: int = decision,
            got: list[str] = got,
        ) -> None:
            barrier.wait()
            try:
                stored.act(table_id, who, [action], decision)
                got.append("done")
            except Stale:
                got.append("stale")

        threads = [threading.Thread(target=post) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert Counter(got) == {"done": 1, "stale": 5}, round_
        assert len(stored.snapshot(table_id).entries) == len(snapshot.entries) + 1


def test_both_set_up_at_once(stored: Tables) -> None:
    """Neither is refused, whatever the other does meanwhile."""
    table_id = people(stored)
    failed: list[BaseException] = []

    def set_up(seat: int) -> None:
        try:
            for token in SETUP:
                do(stored, table_id, seat, token)
        except BaseException as error:
            failed.append(error)
            raise

    threads = [threading.Thread(target=set_up, args=(seat,)) for seat in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    snapshot = stored.snapshot(table_id)
    assert snapshot.acting == (0,)
    assert [entry.number for entry in snapshot.entries] == list(range(1, 75))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="its processes are forks")
def test_two_processes_on_one_database(opened: Opener, url: str) -> None:
    tables = opened(url)
    table_id = ready(tables, "stratego(variant=barrage,draw_after=0)")
    before = len(tables.snapshot(table_id).entries)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.tables.soak", "race", url, table_id],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    counts = [int(line) for line in done.stdout.split()]
    snapshot = tables.snapshot(table_id)
    assert len(counts) == 2
    assert len(snapshot.entries) - before == sum(counts)
    with Tables(url) as fresh:
        assert facts(fresh.snapshot(table_id)) == facts(snapshot)


# --- Trouble ---


def test_a_locked_database_refuses_and_changes_nothing(opened: Opener, tmp_path: Path) -> None:
    file = tmp_path / "t.sqlite3"
    tables = opened(f"sqlite:///{file}", busy_seconds=0.2)
    table_id = ready(tables)
    before = tables.snapshot(table_id)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    begun = time.monotonic()
    with pytest.raises(Unavailable) as refused:
        do(tables, table_id, 0, "e4-e5")
    assert time.monotonic() - begun < 5
    assert (refused.value.status, refused.value.code) == (503, "unavailable")
    assert "nothing was changed" in str(refused.value)
    assert facts(tables.snapshot(table_id)) == facts(before)  # looking goes on
    other.execute("ROLLBACK")
    other.close()
    after = do(tables, table_id, 0, "e4-e5")
    assert after.version == before.version + 1


def test_a_full_disk_refuses_and_changes_nothing(opened: Opener, file_url: str) -> None:
    tables = opened(file_url)
    table_id = ready(tables, "stratego(variant=barrage,draw_after=0)")
    pages: list[int | None] = [None]

    def limit(connection: sqlite3.Connection, _: object) -> None:
        used = connection.execute("PRAGMA page_count").fetchone()[0]
        most = 2**30 if pages[0] is None else used + pages[0]
        connection.execute(f"PRAGMA max_page_count={most}").close()

    sa.event.listen(tables.store.engine, "connect", limit)
    pages[0] = 1
    tables.store.engine.dispose()
    rng, last = random.Random(1), tables.snapshot(table_id)
    with suppress(Unavailable):
        for _ in range(2000):
            last = step(tables, table_id, rng)
    with pytest.raises(Unavailable):
        step(tables, table_id, rng)
    assert facts(tables.snapshot(table_id)) == facts(last)
    with pytest.raises(Unavailable):
        people(tables)
    pages[0] = None
    tables.store.engine.dispose()
    with Tables(file_url) as fresh:
        assert facts(fresh.snapshot(table_id)) == facts(last)
    assert step(tables, table_id, rng).version == last.version + 1


def test_a_failing_commit_changes_nothing(stored: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    table_id = ready(stored)
    before = stored.snapshot(table_id)
    heard: list[int] = []
    stored.hub.listen(lambda _, version: heard.append(version))  # news may be late
    new = before.version + 1

    def fail(*_: object) -> None:
        raise sa.exc.OperationalError("COMMIT", {}, Exception("disk I/O error"))

    monkeypatch.setattr(stored.store.engine.dialect, "do_commit", fail)
    with pytest.raises(Unavailable):
        do(stored, table_id, 0, "e4-e5")
    monkeypatch.undo()
    assert facts(stored.snapshot(table_id)) == facts(before)
    assert new not in heard
    assert do(stored, table_id, 0, "e4-e5").version == new
    assert new in heard


def test_a_database_that_cannot_be_opened(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(Unavailable):
        Tables(f"sqlite:///{tmp_path / 'file' / 'tables.sqlite3'}")
    (tmp_path / "junk").write_bytes(b"this is not a database" * 100)
    with pytest.raises(Unavailable):
        Tables(f"sqlite:///{tmp_path / 'junk'}")
    with pytest.raises(Unavailable):
        Tables("postgresql://nobody@127.0.0.1:1/none")


def test_in_memory_many_threads_share_one_connection() -> None:
    with Tables("sqlite://") as tables:
        ids = [ready(tables) for _ in range(4)]
        threads = [
            threading.Thread(target=play_out, args=(tables, table_id, 1, 40)) for table_id in ids
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len({tables.snapshot(table_id).version for table_id in ids}) == 1


def test_reading_goes_on_while_somebody_writes(opened: Opener, file_url: str) -> None:
    tables = opened(file_url)
    table_id = ready(tables)
    with tables.store.writing() as connection:
        connection.execute(sa.text("UPDATE tables SET updated = 0"))
        assert tables.snapshot(table_id).updated > 0


def test_the_default_file_is_in_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIANXIA_HOME", str(tmp_path / "new" / "home"))
    with Tables() as tables:
        people(tables)
    assert (tmp_path / "new" / "home" / "tables.sqlite3").is_file()


# --- Other rules ---


def other_rules(monkeypatch: pytest.MonkeyPatch, version: int) -> None:
    from tianxia.kernel.game import Game

    monkeypatch.setattr(Game, "rules_version", property(lambda self: version))


def test_a_finished_table_needs_no_rules(
    opened: Opener, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = opened(url)
    table_id = ready(tables)
    do(tables, table_id, 0, "e4-e5")
    tables.take_back(table_id, "ann")
    do(tables, table_id, 0, "f4-f5")
    before = tables.resign(table_id, "bob")
    text = tables.transcript(table_id)
    other_rules(monkeypatch, 9)
    monkeypatch.setattr("tianxia.tables.game_log.GameLog._step", None)  # whoever replays fails
    after = opened(url).snapshot(table_id)
    assert (after.status, after.ending, after.playable) == ("over", "resignation 1", False)
    assert after.plies_notations == before.plies_notations
    assert after.state == before.state
    assert after.entries == before.entries
    assert opened(url).transcript(table_id) == text
    assert list(after.walk()) == []


def test_a_game_that_is_gone(opened: Opener, file_url: str) -> None:
    tables = opened(file_url)
    table_id = people(tables)
    with tables.store.writing() as connection:
        connection.execute(sa.text("UPDATE tables SET spec = 'gone', version = 9"))
    with pytest.raises(TableError) as refused:
        opened(file_url).snapshot(table_id)
    assert refused.value.code == "missing-game"


def test_what_another_process_did_refuses_nobody(opened: Opener, url: str) -> None:
    """What a process remembers is tried first; where that refuses, it is asked how it is now."""
    one, two = opened(url), opened(url)
    table_id = ready(one)
    remembered = two.snapshot(table_id)
    now = do(one, table_id, 0, "e4-e5")
    assert two.look(table_id, "bob", remembered.version)[0].version == remembered.version
    answer = now.state.parse("e7-e6", 1)
    assert two.act(table_id, "bob", [answer], now.decision(1)).version == now.version + 1
    assert two.look(table_id, "bob", 0)[0].version == now.version + 1
    assert one.look(table_id, "bob", now.version + 1)[0].version == now.version + 1
    before = facts(one.snapshot(table_id))
    action = remembered.state.parse("f4-f5", 0)
    three = opened(url)
    three.snapshot(table_id)
    do(one, table_id, 0, "f4-f5")
    with pytest.raises(Stale):
        three.act(table_id, "ann", [action], one.snapshot(table_id).decision(0) - 1)
    assert facts(three.snapshot(table_id))[0] == before[0] + 1


def test_a_move_asks_for_no_version(stored: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    table_id = ready(stored)
    snapshot = stored.snapshot(table_id)
    monkeypatch.setattr(stored.store, "version", None)
    moved = stored.act(table_id, "ann", [snapshot.state.parse("e4-e5", 0)], snapshot.decision(0))
    assert stored.look(table_id, "ann", moved.version)[0].version == snapshot.version + 1


def test_what_many_hear_of_is_read_once(
    opened: Opener, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = opened(url), opened(url)
    table_id = ready(one)
    two.snapshot(table_id)
    load, loads, many = two.store.load, list[str](), threading.Barrier(8)

    def slowly(table_id: str, after: int = 0) -> object:
        loads.append(table_id)
        time.sleep(0.1)
        return load(table_id, after)

    monkeypatch.setattr(two.store, "load", slowly)
    monkeypatch.setattr(two.store, "version", None)
    version, seen = do(one, table_id, 0, "e4-e5").version, list[int]()

    def look() -> None:
        many.wait(30)
        seen.append(two.look(table_id, "", version)[0].version)

    threads = [threading.Thread(target=look) for _ in range(many.parties)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert seen == [version] * many.parties
    assert loads == [table_id]


@pytest.mark.postgres
def test_connections_that_postgresql_has_ended_are_not_used(
    opened: Opener, postgres: Callable[[], str]
) -> None:
    tables, other = opened(url := postgres()), opened(url)
    table_id = ready(tables)
    with tables.store.glancing() as first, tables.store.glancing() as second:
        pids = [one.exec_driver_sql("SELECT pg_backend_pid()").scalar() for one in (first, second)]
    with other.store.writing() as connection:
        for pid in pids:
            connection.execute(sa.text(f"SELECT pg_terminate_backend({pid}, 10000)"))
    with tables.store.glancing() as first, tables.store.glancing() as second:
        assert first.exec_driver_sql("SELECT pg_backend_pid()").scalar() not in pids
        assert second.exec_driver_sql("SELECT pg_backend_pid()").scalar() not in pids
    do(tables, table_id, 0, "e4-e5")


def test_conflicts_are_tried_again_and_given_up(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tianxia.tables.store import Conflict

    table_id = ready(tables)
    commit: Callable = tables.store.commit
    failures = iter([True, True, False])

    def sometimes(*arguments: object) -> None:
        if next(failures, True):
            raise Conflict
        commit(*arguments)

    monkeypatch.setattr(tables.store, "commit", sometimes)
    do(tables, table_id, 0, "e4-e5")
    with pytest.raises(Unavailable):
        do(tables, table_id, 1, "e7-e6")
    monkeypatch.undo()
    do(tables, table_id, 1, "e7-e6")
