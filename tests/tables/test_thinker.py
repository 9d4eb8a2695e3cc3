"""Bots at seats: rhythm, failures, several workers."""

from __future__ import annotations

import logging
import random
import time
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa

import tianxia
from tests.tables.conftest import Opener
from tests.tables.helpers import BARRAGE, DUEL, SETUP, against_bot, do, people, wait_for
from tianxia.kernel.record import SPECTATOR
from tianxia.search.uniform import Uniform
from tianxia.tables import SeatPlan, Snapshot, Tables, Thinker, leases, schema, thinker
from tianxia.tables.advising import hurry, may_hurry
from tianxia.tables.errors import NotNow, NotYourSeat, Refused
from tianxia.tables.work import Turn

BOTS = [SeatPlan("bot", "random"), SeatPlan("bot", "skirmisher")]


def over(tables: Tables, table_id: str) -> Snapshot:
    wait_for(lambda: tables.snapshot(table_id).open_to_all, 60)
    return tables.snapshot(table_id)


def test_bots_play_whole_games(stored: Tables) -> None:
    with Thinker(stored, rhythm=0):
        ids = [stored.create(BARRAGE, BOTS, person="ann").table_id for _ in range(2)]
        ids.append(stored.create(DUEL, [BOTS[0]] * 2, person="ann").table_id)
        for table_id in ids:
            snapshot = over(stored, table_id)
            assert snapshot.ending == "rules"
            assert tianxia.replay(stored.transcript(table_id)) == snapshot.state


def test_a_bot_thinks_and_waits_as_people_do(tables: Tables) -> None:
    table_id = against_bot(tables)
    with Thinker(tables, rhythm=0.3):
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
    runner = Thinker(tables, rhythm=10.0)
    last = snapshot.entries[-1].at
    assert runner._due(snapshot, 1) == last + 10.0 * thinker.MANY
    monkeypatch.setattr(thinker, "MOST_FEW", 1000)
    assert runner._due(snapshot, 1) == last + 10.0 * thinker.FEW
    assert thinker.FORCED < thinker.FEW < thinker.MANY


def test_how_long_a_bot_takes_tells_nothing_of_its_hand(tables: Tables) -> None:
    """In all worlds that others cannot tell apart a bot takes the same time."""
    runner, dice, apart = Thinker(tables, rhythm=10.0), random.Random(3), 0
    state = tianxia.game("suntzu").new()
    while apart < 5 and not state.over:
        if not state.acting:
            actions, weights = zip(*state.chance_weights(), strict=True)
            state.apply(dice.choices(actions, weights)[0], tianxia.CHANCE)
            continue
        seat = dice.choice(state.acting)
        if len(state.acting) == 1:
            seen = state.view(SPECTATOR)
            worlds = [state, *(seen.sample(tianxia.new_rng(n)) for n in range(6))]
            apart += len({min(len(world.legal_actions(seat)), 5) for world in worlds}) > 1
            assert len({runner._due(_moment(world), seat) for world in worlds}) == 1
        state.apply(dice.choice(state.legal_actions(seat)), seat)
    assert apart == 5


def _moment(state: tianxia.State) -> Any:
    """Return what a mind looks at of a table in this position."""
    last = SimpleNamespace(at=0.0)
    facts = {"entries_seen": lambda viewer: [last], "sealed": False, "view": state.view}
    return SimpleNamespace(id="t", **facts)


def test_bots_hurry_for_whoever_waits_for_them_alone(tables: Tables) -> None:
    table_id = against_bot(tables)
    do(tables, table_id, 0, *SETUP)
    last = bot_seat(tables, table_id).entries[-1].at
    with Thinker(tables, rhythm=30.0):  # longer than the test may take
        with pytest.raises(NotYourSeat):
            hurry(tables, table_id, "bob")
        hurry(tables, table_id, "ann")
        wait_for(lambda: tables.snapshot(table_id).acting == (0,))
        assert tables.snapshot(table_id).entries[-1].at - last < 10
        assert not may_hurry(tables.snapshot(table_id), 0)
        hurry(tables, table_id, "ann")  # nobody is waited for any more: nothing comes of it
        do(tables, table_id, 0, "b1-b2")  # the Scout at e5 may have been taken
        assert may_hurry(tables.snapshot(table_id), 0)
        time.sleep(0.5)
        assert tables.snapshot(table_id).acting == (1,)  # it held until ann was to move


def test_bots_do_not_hurry_where_others_look_on_from_their_seats(tables: Tables) -> None:
    table_id = people(tables)
    with pytest.raises(NotNow):
        hurry(tables, table_id, "ann")
    alone = against_bot(tables)
    do(tables, alone, 0, *SETUP)
    assert tables.snapshot(alone).sealed
    assert not may_hurry(tables.snapshot(alone), 0)


def test_when_a_bot_chooses_in_secret_tells_nothing(tables: Tables) -> None:
    table_id = against_bot(tables)
    runner = Thinker(tables, rhythm=10.0)
    before = runner._due(tables.snapshot(table_id), 1)
    do(tables, table_id, 0, *SETUP[:3])  # ann has begun; nobody else knows
    snapshot = tables.snapshot(table_id)
    assert snapshot.sealed
    assert runner._due(snapshot, 1) == before
    assert thinker.SEALED * thinker.RHYTHM > thinker.THINKING_SECONDS  # even for slow bots


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
    with Thinker(tables, rhythm=0.1, sweep_seconds=0.02):  # the sweep looks again and again
        wait_for(lambda: tables.snapshot(table_id).acting == (0,))
        thought.clear()
        do(tables, table_id, 0, "e4-e5")
        wait_for(lambda: tables.snapshot(table_id).acting == (0,))
    assert len(thought) == 1


def test_of_a_table_where_no_bot_is_asked_nothing_is_kept(tables: Tables) -> None:
    table_id = against_bot(tables)
    runner = Thinker(tables, rhythm=30.0)
    runner._look_around()
    assert runner._do_next(1.0)
    assert runner._ready
    tables.resign(table_id, "ann")
    runner._note_table(table_id, 0)
    runner._look_around()
    assert not runner._ready


def test_what_others_take_back_in_secret_lets_no_bot_think_anew(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be later than it is otherwise, and a third player would see that."""
    table_id = against_bot(tables)
    runner, thought = Thinker(tables, rhythm=10.0), list[int]()
    decide = runner._decide

    def counting(snapshot: Snapshot, seat: int, name: str) -> list[int]:
        thought.append(seat)
        return decide(snapshot, seat, name)

    monkeypatch.setattr(runner, "_decide", counting)
    for _ in range(2):
        snapshot = tables.snapshot(table_id)
        actions = runner._decided(snapshot, 1, snapshot.decision(1), stand_in=False)
        do(tables, table_id, 0, *SETUP[:3])
        tables.take_back(table_id, "ann")
    assert len(thought) == 1
    tables.act_for_bot(table_id, 1, actions, snapshot.decision(1))


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
    with caplog.at_level(logging.CRITICAL), Thinker(tables, rhythm=0):
        table_id = tables.create(f"{BARRAGE[:-1]},draw_after=10)", plans, person="a").table_id
        assert over(tables, table_id).ending == "rules"


def test_a_bot_is_tried_three_times_and_the_table_says_who_stands_in(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tried: list[int] = []

    class Broken(Uniform):
        def choose(self, view: Any, deadline: float | None = None) -> int:
            if len(tried) < 3:
                tried.append(view.plies)
                raise RuntimeError("I cannot think")
            return super().choose(view, deadline)

    monkeypatch.setitem(tianxia.game("stratego").kind.bots, "broken", Broken)
    table_id = against_bot(tables, bot="broken")
    do(tables, table_id, 0, *SETUP)
    with Thinker(tables, rhythm=0):
        wait_for(lambda: tables.snapshot(table_id).acting == (0,))
        assert [seat.stand_in for seat in tables.snapshot(table_id).seats] == [False, True]
        assert len([one for one in caplog.records if "bot broken" in one.message]) == 3
        do(tables, table_id, 0, "e4-e5")
        wait_for(lambda: tables.snapshot(table_id).acting == (0,))
    assert not any(seat.stand_in for seat in tables.snapshot(table_id).seats)


def test_what_is_not_awake_yet_waits(tables: Tables) -> None:
    awake: set[str] = set()
    table_id = against_bot(tables)
    with Thinker(tables, rhythm=0, awake=awake.__contains__):
        time.sleep(0.3)
        assert tables.snapshot(table_id).acting == (0, 1)
        awake.add("stratego")
        wait_for(lambda: tables.snapshot(table_id).acting == (0,))


def test_two_workers_share_the_bots(opened: Opener, url: str) -> None:
    one, two = opened(url), opened(url)
    with Thinker(one, rhythm=0), Thinker(two, rhythm=0, sweep_seconds=0.05):
        ids = [one.create(BARRAGE, BOTS, person="ann").table_id for _ in range(3)]
        for table_id in ids:
            snapshot = over(one, table_id)
            replayed = tianxia.replay(two.transcript(table_id))
            assert replayed == snapshot.state


def turn_of(tables: Tables, table_id: str) -> Turn:
    return next(iter(tables.work.turns([table_id])))


def claim(tables: Tables, table_id: str, owner: str, seconds: float) -> None:
    now = time.time()
    turn = turn_of(tables, table_id)
    assert tables.work.claim(turn, owner, now, now + seconds) is not None


def test_a_claim_is_respected_until_it_ends(stored: Tables) -> None:
    table_id = against_bot(stored)
    claim(stored, table_id, "elsewhere/1/x", 1.0)
    with Thinker(stored, rhythm=0, sweep_seconds=0.05):
        time.sleep(0.4)
        assert stored.snapshot(table_id).acting == (0, 1)
        wait_for(lambda: stored.snapshot(table_id).acting == (0,))


def test_the_claims_of_the_dead_are_void(stored: Tables) -> None:
    table_id = against_bot(stored)
    claim(stored, table_id, f"{leases.HOST}/999999999/x", 99)
    with Thinker(stored, rhythm=0):
        wait_for(lambda: stored.snapshot(table_id).acting == (0,))


def test_a_claim_ends_with_the_version_that_it_is_about(stored: Tables) -> None:
    table_id = against_bot(stored)
    one, two = leases.Leases(stored.work, 60), leases.Leases(stored.work, 60)
    assert one.claim(turn_of(stored, table_id)) == 0
    assert one.claim(turn_of(stored, table_id)) == 0
    assert two.claim(turn_of(stored, table_id)) is None
    assert two.has_other(turn_of(stored, table_id))
    stored.rename(table_id, "ann", "Ann the Great")
    assert not two.has_other(turn_of(stored, table_id))
    assert two.known(turn_of(stored, table_id))
    assert two.claim(turn_of(stored, table_id)) == 0
    one.close()
    two.close()


def test_it_is_counted_how_often_a_turn_has_failed(stored: Tables) -> None:
    table_id = against_bot(stored)
    one, two = leases.Leases(stored.work, 60), leases.Leases(stored.work, 60)
    assert one.claim(turn_of(stored, table_id)) == 0
    stored.work.fail(turn_of(stored, table_id), one.owner)
    assert two.claim(turn_of(stored, table_id)) == 1
    two.close()  # as if its process had died
    assert one.claim(turn_of(stored, table_id)) == 2
    stored.rename(table_id, "ann", "Ann the Great")
    assert one.claim(turn_of(stored, table_id)) == 0
    one.close()


def test_a_bot_follows_take_backs(tables: Tables) -> None:
    table_id = against_bot(tables, bot="skirmisher")
    with Thinker(tables, rhythm=0):
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


def test_a_bot_that_was_stored_under_a_former_name_plays_on(opened: Opener, url: str) -> None:
    """A table of an earlier version is shown, goes on and gets a rematch by today's name."""
    before = opened(url)
    table_id = against_bot(before, bot="skirmisher")
    do(before, table_id, 0, *SETUP)
    with before.store.writing() as connection:
        seats = schema.seats
        connection.execute(sa.update(seats).where(seats.c.kind == "bot").values(bot="sergeant"))
    stored = opened(url)
    (listed,) = stored.open_tables("ann")
    for table in (listed, stored.snapshot(table_id)):
        assert [seat.bot for seat in table.seats] == ["", "skirmisher"]
    with Thinker(stored, rhythm=0):
        wait_for(lambda: stored.snapshot(table_id).acting == (0,))
    stored.resign(table_id, "ann")
    rematch = stored.snapshot(stored.rematch(table_id, "ann"))
    assert [seat.bot for seat in rematch.seats] == ["skirmisher", ""]


def test_a_former_name_is_taken_where_a_bot_is_chosen(tables: Tables) -> None:
    chosen = tables.snapshot(against_bot(tables, bot="sergeant"))
    open_ = [SeatPlan("me"), SeatPlan("open")]
    waiting = tables.create(BARRAGE, open_, person="ann").table_id
    filled = tables.timing.fill(waiting, "ann", "sergeant")
    assert [one.seats[1].bot for one in (chosen, filled)] == ["skirmisher"] * 2
    with pytest.raises(Refused, match="sergeant"):
        against_bot(tables, "china(players=2)", "sergeant")


def test_bots_wait_for_people(tables: Tables) -> None:
    with Thinker(tables, rhythm=0, sweep_seconds=0.02):
        table_id = people(tables)
        time.sleep(0.2)
        assert tables.snapshot(table_id).acting == (0, 1)
