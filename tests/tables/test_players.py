"""Bots at seats: rhythm, failures, several workers."""

from __future__ import annotations

import logging
import time
from typing import Any

import pytest

import tianxia
from tests.tables.conftest import Opener
from tests.tables.helpers import BARRAGE, DUEL, SETUP, against_bot, do, people, wait_for
from tianxia.search.uniform import Uniform
from tianxia.tables import BotRunner, SeatPlan, Snapshot, Tables, players

BOTS = [SeatPlan("bot", "random"), SeatPlan("bot", "sergeant")]


def over(tables: Tables, table_id: str) -> Snapshot:
    wait_for(lambda: tables.snapshot(table_id).open_to_all, 60)
    return tables.snapshot(table_id)


def test_bots_play_whole_games(stored: Tables) -> None:
    with BotRunner(stored, rhythm=0):
        ids = [stored.create(BARRAGE, BOTS, person="ann").table_id for _ in range(2)]
        ids.append(stored.create(DUEL, [BOTS[0]] * 2, person="ann").table_id)
        for table_id in ids:
            snapshot = over(stored, table_id)
            assert snapshot.ending == "rules"
            assert tianxia.replay(stored.transcript(table_id)) == snapshot.state


def test_a_bot_thinks_and_waits_as_people_do(tables: Tables) -> None:
    table_id = against_bot(tables)
    with BotRunner(tables, rhythm=0.3):
        do(tables, table_id, 0, *SETUP)
        snapshot = tables.snapshot(table_id)
        assert [seat.thinking for seat in snapshot.seats] == [False, 1 in snapshot.acting]
        wait_for(lambda: tables.snapshot(table_id).acting == (0,))
        moved = do(tables, table_id, 0, "e4-e5")
        wait_for(lambda: tables.snapshot(table_id).acting == (0,))
    reply = tables.snapshot(table_id).entries[-1]
    assert reply.seat == 1
    assert reply.at - moved.entries[-1].at >= 0.29


def bot_seat(tables: Tables, table_id: str) -> Snapshot:
    """Let the bot of seat 1 set up and ann move: it is the bot's turn."""
    snapshot = tables.snapshot(table_id)
    state, actions = snapshot.state, []
    for token in SETUP:
        actions.append(state.parse(token, 1))
        state.apply(actions[-1], 1)
    tables.act_for_bot(table_id, 1, actions, snapshot.decision(1))
    return do(tables, table_id, 0, "e4-e5")


def test_many_choices_take_longer(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    table_id = against_bot(tables)
    do(tables, table_id, 0, *SETUP)
    snapshot = bot_seat(tables, table_id)
    runner = BotRunner(tables, rhythm=10.0)
    last = snapshot.entries[-1].at
    assert runner._due(snapshot, 1) == last + 10.0 * players.MANY
    monkeypatch.setattr(players, "MOST_FEW", 1000)
    assert runner._due(snapshot, 1) == last + 10.0 * players.FEW
    assert players.FORCED < players.FEW < players.MANY


def test_when_a_bot_chooses_in_secret_tells_nothing(tables: Tables) -> None:
    table_id = against_bot(tables)
    runner = BotRunner(tables, rhythm=10.0)
    before = runner._due(tables.snapshot(table_id), 1)
    do(tables, table_id, 0, *SETUP[:3])  # ann has begun; nobody else knows
    snapshot = tables.snapshot(table_id)
    assert snapshot.sealed
    assert runner._due(snapshot, 1) == before
    assert players.SEALED * players.RHYTHM > players.THINKING_SECONDS  # even for slow bots


def test_a_bot_thinks_about_a_decision_once(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    thought: list[int] = []

    class Counting(Uniform):
        def choose(self, view: Any, deadline: float | None = None) -> int:
            thought.append(view.plies)
            return super().choose(view, deadline)

    monkeypatch.setitem(tianxia.game("stratego").kind.bots, "counting", Counting)
    table_id = against_bot(tables, bot="counting")
    do(tables, table_id, 0, *SETUP)
    with BotRunner(tables, rhythm=0.1, sweep_seconds=0.02):  # the sweep looks again and again
        wait_for(lambda: tables.snapshot(table_id).acting == (0,))
        thought.clear()
        do(tables, table_id, 0, "e4-e5")
        wait_for(lambda: tables.snapshot(table_id).acting == (0,))
    assert len(thought) == 1


def test_a_busy_table_does_not_keep_others_waiting() -> None:
    agenda = players.Agenda()
    for name in ("b", "a"):
        agenda.add(name)
    assert agenda.take() == "b"
    agenda.add("b")
    agenda.done("b")
    assert [agenda.take(), agenda.take()] == ["a", "b"]


class Failing(Uniform):
    """Fails in every way that there is."""

    def choose(self, view: Any, deadline: float | None = None) -> int:
        if self.decided % 3 == 0:
            raise RuntimeError("I cannot think")
        return -5 if self.decided % 3 == 1 else super().choose(view)


def test_a_bot_that_fails_is_stood_in_for(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    kind = tianxia.game("stratego").kind
    monkeypatch.setitem(kind.bots, "failing", Failing)
    plans = [SeatPlan("bot", "failing"), SeatPlan("bot", "random")]
    with caplog.at_level(logging.CRITICAL), BotRunner(tables, rhythm=0):
        table_id = tables.create(f"{BARRAGE[:-1]},draw_after=10)", plans, person="a").table_id
        assert over(tables, table_id).ending == "rules"


def test_two_workers_share_the_bots(opened: Opener, url: str) -> None:
    one, two = opened(url), opened(url)
    with BotRunner(one, rhythm=0), BotRunner(two, rhythm=0, sweep_seconds=0.05):
        ids = [one.create(BARRAGE, BOTS, person="ann").table_id for _ in range(3)]
        for table_id in ids:
            snapshot = over(one, table_id)
            replayed = tianxia.replay(two.transcript(table_id))
            assert replayed == snapshot.state


def test_a_lease_is_respected_until_it_ends(tables: Tables) -> None:
    table_id = against_bot(tables)
    tables.store.lease(table_id, "elsewhere/1/x", time.time() + 1.0)
    with BotRunner(tables, rhythm=0, sweep_seconds=0.05):
        time.sleep(0.4)
        assert tables.snapshot(table_id).acting == (0, 1)
        wait_for(lambda: tables.snapshot(table_id).acting == (0,))


def test_the_leases_of_the_dead_are_void(tables: Tables) -> None:
    table_id = against_bot(tables)
    host = players.Leases(tables, 9).owner.partition("/")[0]
    tables.store.lease(table_id, f"{host}/999999999/x", time.time() + 99)
    with BotRunner(tables, rhythm=0):
        wait_for(lambda: tables.snapshot(table_id).acting == (0,))
        mine = tables.store.lease(table_id, "other", time.time())[0]
        assert mine.startswith(f"{host}/")
    assert tables.store.lease(table_id, "other", time.time() + 9)[0] == "other"


def test_a_lease_is_kept_without_writing_each_time(tables: Tables) -> None:
    table_id = against_bot(tables)
    one, two = players.Leases(tables, 60), players.Leases(tables, 60)
    assert one.take(table_id)
    assert one.take(table_id)
    assert not two.take(table_id)
    assert two.refused_until(table_id) is not None
    one.release()
    assert one.refused_until(table_id) is None


def test_a_bot_follows_take_backs(tables: Tables) -> None:
    table_id = against_bot(tables, bot="sergeant")
    with BotRunner(tables, rhythm=0):
        do(tables, table_id, 0, *SETUP)
        wait_for(lambda: tables.snapshot(table_id).acting == (0,))
        for _ in range(4):
            snapshot = tables.snapshot(table_id)
            legal = snapshot.view(0).legal_actions(0)
            tables.act(table_id, "ann", legal[:1], snapshot.decision(0))
            wait_for(lambda: tables.snapshot(table_id).acting != (1,))
            snapshot = tables.snapshot(table_id)
            if snapshot.open_to_all:
                break
            if snapshot.may_take_back(0):
                tables.take_back(table_id, "ann")


def test_bots_wait_for_people(tables: Tables) -> None:
    with BotRunner(tables, rhythm=0, sweep_seconds=0.02):
        table_id = people(tables)
        time.sleep(0.2)
        assert tables.snapshot(table_id).acting == (0, 1)
