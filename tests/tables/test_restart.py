"""A new process on the same database goes on where the last one stopped, however it did."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tables.conftest import Opener
from tests.tables.helpers import SETUP, against_bot, do, ready, tokens, wait_for
from tianxia.tables import Tables, Thinker

ROOT = Path(__file__).resolve().parents[2]
KILLS = 20


def test_everybody_is_back_at_the_same_position(opened: Opener, url: str) -> None:
    with Tables(url) as before:
        table_id = ready(before)
        key = before.seat_key(table_id, 1, "bob")
        old = do(before, table_id, 0, "e4-e5")
    after = opened(url)
    snapshot = after.snapshot(table_id)
    assert (snapshot.state, snapshot.entries) == (old.state, old.entries)
    assert snapshot.decision(1) == old.decision(1)
    assert after.seat_key(table_id, 1, "bob") == key
    assert after.enter(table_id, key, "bob's phone") == 1
    assert after.take_back(table_id, "ann").acting == (0,)
    do(after, table_id, 0, "f4-f5")
    do(after, table_id, 1, "e7-e6")


def test_bots_move_on(opened: Opener, url: str) -> None:
    with Tables(url) as before:
        table_id = against_bot(before)
        do(before, table_id, 0, *SETUP)  # the bot was not there to do the same
    after = opened(url)
    with Thinker(after, rhythm=0):
        wait_for(lambda: after.snapshot(table_id).acting == (0,))
    set_up = tokens(after, table_id)
    assert after.work.turns() == []
    do(after, table_id, 0, "e4-e5")
    with Tables(url) as again, Thinker(again, rhythm=0):
        wait_for(lambda: again.snapshot(table_id).acting == (0,))
        assert tokens(again, table_id)[: len(set_up)] == set_up


def test_a_bot_decides_as_if_it_had_never_been_stopped(
    opened: Opener, file_url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from tianxia.tables import service

    monkeypatch.setattr(service, "new_secret", lambda: "ab" * 32)
    played = []
    for name, stops in (("one", False), ("two", True)):
        tables = opened(f"sqlite:///{tmp_path / name}")
        table_id = against_bot(tables)
        do(tables, table_id, 0, *SETUP)
        runner = Thinker(tables, rhythm=0).start()
        for _ in range(6):
            wait_for(lambda: tables.snapshot(table_id).acting in ((0,), ()))  # noqa: B023
            snapshot = tables.snapshot(table_id)
            if snapshot.open_to_all:
                break
            if stops:
                runner.close()
            legal = snapshot.view(0).legal_actions(0)
            tables.act(table_id, "ann", legal[:1], snapshot.decision(0))
            if stops:
                runner = Thinker(tables, rhythm=0).start()
        runner.close()
        played.append(tokens(tables, table_id)[: 73 + 11])
    assert played[0] == played[1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs kill -9")
def test_nothing_that_was_acknowledged_is_lost_by_kill_9(tmp_path: Path) -> None:
    file = tmp_path / "tables.sqlite3"
    url = f"sqlite:///{file}"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.tables.soak", "kill", url, str(KILLS), "7"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["acknowledged"] > 2 * KILLS
    connection = sqlite3.connect(file)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
