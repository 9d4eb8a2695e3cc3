"""Minds as processes: killed, left alone, on several machines, and made ready in turn."""

from __future__ import annotations

import logging
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import tianxia
from tests.minds.fresh import descendants, fresh_server
from tests.tables.conftest import Opener
from tests.tables.helpers import BARRAGE, SETUP, against_bot, do, wait_for
from tianxia.minds import crew as crews
from tianxia.minds import mind, processes
from tianxia.minds.crew import Crew
from tianxia.tables import SeatPlan, Tables, Thinker, Unavailable
from tianxia.tables.leases import is_running
from tianxia.tables.work import GONE_SECONDS, Turn

BOTS = [SeatPlan("bot", "skirmisher"), SeatPlan("bot", "random")]


def ready(game: str, phase: str) -> bool:
    return True


def bots_only(tables: Tables, count: int) -> list[str]:
    return [tables.create(BARRAGE, BOTS, person=f"ann{i}").table_id for i in range(count)]


def all_over(tables: Tables, ids: list[str]) -> bool:
    return all(tables.snapshot(table_id).open_to_all for table_id in ids)


def entries(tables: Tables, ids: list[str]) -> int:
    return sum(len(tables.snapshot(table_id).entries) for table_id in ids)


def goes_on(tables: Tables, ids: list[str], until: int) -> bool:
    return all_over(tables, ids) or entries(tables, ids) > until


def gone(process: int) -> bool:
    """Say whether a process has ended, one that nobody has asked for its status, too."""
    try:
        status = Path(f"/proc/{process}/stat").read_text(encoding="ascii")
        return status.rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def test_bots_outlive_the_minds_that_think_for_them(stored: Tables) -> None:
    dice = random.Random(3)
    with Crew(stored, 2, games=["stratego"], rhythm=0, warm=ready) as crew:
        ids = bots_only(stored, 3)
        for _ in range(4):
            wait_for(partial(goes_on, stored, ids, entries(stored, ids) + 20))
            wait_for(lambda: len(crew.processes()) > 0)
            os.kill(dice.choice(crew.processes()), signal.SIGKILL)
        wait_for(lambda: all_over(stored, ids))
    for table_id in ids:
        assert tianxia.replay(stored.transcript(table_id)) == stored.snapshot(table_id).state


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_all_end_with_the_process_that_has_started_them(file_url: str) -> None:
    code = (
        "import sys, time; from tianxia.kernel import mode; mode.interpret()\n"
        "from tianxia.tables import Tables; from tianxia.minds.crew import Crew\n"
        "crew = Crew(Tables(sys.argv[1]), 2, games=[]).start()\n"
        "while len(crew.processes()) < 2: time.sleep(0.05)\n"
        "print(*crew.processes(), flush=True); time.sleep(600)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, file_url], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        children = list(map(int, parent.stdout.readline().split()))
        assert len(children) == 2
        parent.kill()
    wait_for(lambda: all(map(gone, children)))


@contextmanager
def machine(url: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run what another machine would run."""
    command = [sys.executable, "-m", "tianxia", "think", "--processes", "2"]
    environment = {**os.environ, "TIANXIA_DATABASE": url, "TIANXIA_BOT_SECONDS": "0"}
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(30)


@pytest.mark.postgres
def test_two_machines_think_for_one_database(opened: Opener, postgres: Callable[[], str]) -> None:
    url = postgres()
    tables = opened(url)
    seen: set[str] = set()

    def owners() -> set[str]:
        seen.update(turn.owner.rpartition("/")[0] for turn in tables.work.turns() if turn.owner)
        return seen

    with machine(url) as one, machine(url):
        table_id = against_bot(tables)
        do(tables, table_id, 0, *SETUP)
        wait_for(lambda: tables.snapshot(table_id).acting == (0,), 240)
        ids = bots_only(tables, 4)
        wait_for(lambda: len(owners()) >= 2 or all_over(tables, ids), 240)
        one.kill()  # the whole machine: the other one takes over
        wait_for(lambda: all_over(tables, ids), 240)
    assert len(seen) >= 2


@pytest.mark.postgres
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
def test_several_workers_answer_without_a_compiler(
    tmp_path: Path, postgres: Callable[[], str]
) -> None:
    settings = {"TIANXIA_DATABASE": postgres(), "TIANXIA_WORKERS": "2", "TIANXIA_THINKERS": "1"}
    with fresh_server(tmp_path, settings) as server:
        server.first_page()
        server.play("firebulls", "random")
        server.act()
        answering = [
            process
            for process in descendants(server.process.pid)
            if b"spawn_main" in Path(f"/proc/{process}/cmdline").read_bytes()
        ]
        assert len(answering) == 2
        for process in answering:
            assert "llvmlite" not in Path(f"/proc/{process}/maps").read_text(encoding="utf-8")


def test_a_mind_that_hangs_ends_itself(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Ended(BaseException):
        pass

    def end(status: int) -> None:
        raise Ended(status)

    monkeypatch.setattr(mind, "WATCH_SECONDS", 0.01)
    monkeypatch.setattr(os, "_exit", end)
    monkeypatch.setattr(logging, "shutdown", lambda: None)
    thinker = Thinker(tables)
    thinker.busy = "some table", time.monotonic() - 100
    with pytest.raises(Ended, match="70"):
        mind.watch(thinker, 60)
    assert "hangs at some table" in caplog.text


class Slowly:
    """Compiling that takes as long as the test wants."""

    made: dict[str, Slowly]

    def __init__(self, game: str, phase: str) -> None:
        self.game, self.phase, self.status, self.ended, self.part = game, phase, None, False, 0
        self.seconds_left, self.seconds_since = 30, 1.0
        Slowly.made[game] = self

    def close(self) -> None:
        self.ended = True


def stages(tables: Tables) -> dict[str, tuple[str, int]]:
    return {game: (stage, part) for game, stage, part, _ in tables.work.minds(0)}


def test_the_game_that_people_play_is_compiled_first(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    Slowly.made = {}
    monkeypatch.setattr(crews, "Preparing", Slowly)
    crew = Crew(
        tables, 0, games=["binfa", "stratego", "suntzu"], warm=lambda game, _: game == "suntzu"
    )
    crew._make_ready()
    assert stages(tables) == {"suntzu": ("ready", 100), "binfa": ("waking", 0)}
    against_bot(tables)
    crew._make_ready()
    binfa: Any = Slowly.made["binfa"]
    stratego: Any = Slowly.made["stratego"]
    # Standing still it could be alone for ever at what the other game needs, too.
    assert (binfa.ended, stratego.ended) == (True, False)
    stratego.part = 40
    crew._make_ready()
    assert stages(tables)["stratego"] == ("waking", 40)
    stratego.status = 0
    crew._make_ready()
    assert stages(tables)["stratego"] == ("ready", 100)
    crew._make_ready()
    binfa = Slowly.made["binfa"]
    assert (binfa.phase, binfa.ended) == ("first", False)  # before all else of any game
    for _ in range(crews.TRIES):
        Slowly.made["binfa"].status = 1  # type: ignore[assignment]
        crew._make_ready()
        crew._make_ready()
    assert stages(tables)["binfa"][0] == "failed"
    assert caplog.text.count("compiling for binfa has ended with 1") == crews.TRIES
    assert Slowly.made["stratego"].phase == "later"
    crew.close()
    assert stages(tables) == {}


def test_code_that_people_wait_for_is_not_put_off_for_a_newer_table(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    Slowly.made = {}
    monkeypatch.setattr(crews, "Preparing", Slowly)
    crew = Crew(tables, 0, games=["stratego", "suntzu"], warm=lambda *_: False)
    against_bot(tables)
    crew._make_ready()
    tables.create("suntzu", [SeatPlan("bot", "novice")] * 2, person="ann")
    crew._make_ready()
    assert list(Slowly.made) == ["stratego"]
    crew.close()


def test_that_a_game_is_ready_is_heard_of_though_the_database_was_away(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever compiles tells it once more, and who thinks asks once more."""
    crew, usual = Crew(tables, 0, games=["stratego"], warm=ready), tables.work.note_mind

    def away(*_: object) -> None:
        monkeypatch.setattr(tables.work, "note_mind", usual)
        raise Unavailable

    monkeypatch.setattr(tables.work, "note_mind", away)
    with pytest.raises(Unavailable):
        crew._make_ready()
    now = [100.0]
    monkeypatch.setattr("tianxia.minds.mind.time.monotonic", lambda: now[0])
    knows = mind.Ready(tables, crew.name)
    assert not knows("stratego")
    monkeypatch.setattr(tables.minds_news, "publish", lambda *_: None)  # nobody hears of it
    crew._make_ready()
    assert not knows("stratego")
    now[0] += mind.AGAIN_SECONDS
    assert knows("stratego")


def test_crews_that_were_killed_are_forgotten(stored: Tables) -> None:
    for name, at in (("killed", 0.0), ("here", 0.0), ("elsewhere", 9.0)):
        stored.work.note_mind(name, "stratego", "ready", 100, None, at)
    stored.work.beat("here", GONE_SECONDS + 5.0)
    assert [bool(stored.work.ready(name)) for name in ("killed", "here", "elsewhere")] == [
        *(False, True, True)
    ]


def test_a_process_ends_with_its_input(monkeypatch: pytest.MonkeyPatch) -> None:
    process = processes.start("tianxia.minds.mind", environment={mind.DATABASE: "sqlite://"})
    assert is_running(process.pid)
    assert process.stdin is not None
    process.stdin.close()
    process.wait(60)
    processes.end([process])


def test_turns_say_whose_they_are(tables: Tables) -> None:
    table_id = against_bot(tables)
    turn = tables.work.turns([table_id])[0]
    assert isinstance(turn, Turn)
    assert (turn.game, turn.bots_only, turn.owner, turn.until) == ("stratego", False, "", 0.0)
    bots = tables.create(BARRAGE, BOTS, person="ann").table_id
    assert {one.group for one in tables.work.turns()} == {turn.group}
    assert {one.table_id for one in tables.work.turns() if one.bots_only} == {bots}
