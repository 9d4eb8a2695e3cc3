"""Clocks at tables: by a clock that is passed in, never by waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import pytest
import sqlalchemy as sa

from tests.tables.conftest import Opener
from tests.tables.helpers import BARRAGE, DUEL, PEOPLE, SETUP, do
from tianxia.kernel.record import SPECTATOR
from tianxia.tables import NotNow, NotYourSeat, Refused, SeatPlan, Snapshot, Tables, schema
from tianxia.tables.clocks import DAY, Clocks, Pace, SteadyClock
from tianxia.tables.errors import TimeOver, Unavailable
from tianxia.tables.keeper import BEAT_SECONDS, Keeper
from tianxia.tables.store import Conflict
from tianxia.tables.timing import GONE_SECONDS, MOST_BEGUN, SILENT_SECONDS

THREE = "blind-duel(players=3)"
BEGUN = 1_000_000.0
ME = SeatPlan("me")


@dataclass
class Hand:
    """A clock that stands until somebody turns it."""

    now: float = BEGUN

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def timed(opened: Opener, file_url: str, hand: Hand) -> Tables:
    return opened(file_url, clock=hand)


def table(
    tables: Tables, pace: str, spec: str = BARRAGE, seats: int = 2, *, returns: bool = False
) -> str:
    """Return a table at which people sit and clocks run."""
    plans = [SeatPlan("me"), *[SeatPlan("open")] * (seats - 1)]
    made = tables.create(spec, plans, person="ann", pace=pace, returns=returns)
    for seat in range(1, seats):
        tables.take_seat(made.table_id, seat, PEOPLE[seat])
    return made.table_id


def begun(tables: Tables, hand: Hand, pace: str = "300+5") -> str:
    """Return a table of two after the set-up, which took 10 and 20 seconds."""
    table_id = table(tables, pace)
    hand.now += 10
    do(tables, table_id, 0, *SETUP)
    hand.now += 10
    do(tables, table_id, 1, *SETUP)
    return table_id


def lay(tables: Tables, table_id: str, seat: int = 0) -> None:
    """Lay the first card that a seat can, in secret."""
    snapshot = tables.snapshot(table_id)
    first = snapshot.view(seat).legal_actions(seat)[0]
    tables.act(table_id, PEOPLE[seat], [first], snapshot.decision(seat), lag=0.7)


def left(snapshot: Snapshot) -> list[float | None]:
    return [clock.left for clock in snapshot.clocks]


# --- Arithmetic ---


@pytest.mark.parametrize("text", ["", "300+5", "10+0", "10800+180", "1d", "7d"])
def test_a_pace_is_written_as_it_is_read(text: str) -> None:
    assert str(Pace.read(text)) == text


@pytest.mark.parametrize("text", ["300", "9+5", "4d", "10801+0", "60+181", "+5", "١0+5", "x" * 99])
def test_other_paces_are_refused(timed: Tables, text: str) -> None:
    with pytest.raises(Refused, match="clock") as refused:
        table(timed, text)
    assert refused.value.code == "pace"
    assert timed.open_tables("ann") == []


@pytest.mark.parametrize(
    ("text", "category"),
    [("", "none"), ("180+2", "quick"), ("300+8", "calm"), ("600+0", "calm"), ("3d", "mail")],
)
def test_paces_are_rated_by_kind(text: str, category: str) -> None:
    assert Pace.read(text).category == category


def test_a_bank_of_three_holds_no_more_than_it_began_with() -> None:
    clocks = Clocks.of(Pace.read("100+20"), 3)
    clocks.ask({0}, 0.0, 1, None, 0.0)
    clocks.ask({1}, 5.0, 2, 0, 5.0)
    clocks.ask({0}, 35.0, 3, 1, 30.0)
    assert clocks.left == [100.0, 90.0, 100.0]


# --- Live ---


def test_in_a_phase_of_secret_choices_all_run_who_still_choose(timed: Tables, hand: Hand) -> None:
    table_id = table(timed, "300+5")
    assert [clock.since for clock in timed.snapshot(table_id).clocks] == [BEGUN, BEGUN]
    hand.now += 10
    do(timed, table_id, 0, *SETUP)
    ready = timed.snapshot(table_id)
    assert [clock.since for clock in ready.clocks] == [None, BEGUN]
    assert left(ready) == [295.0, 300.0]
    assert ready.clocks[1].falls == BEGUN + 300


def test_only_who_is_asked_loses_time_and_a_turn_gains(timed: Tables, hand: Hand) -> None:
    table_id = begun(timed, hand)
    assert left(timed.snapshot(table_id)) == [295.0, 285.0]
    hand.now += 30
    moved = do(timed, table_id, 0, "e4-e5")
    assert left(moved) == [270.0, 285.0]
    assert moved.entries[-1].spent == 30.0
    assert [clock.since for clock in moved.clocks] == [None, hand.now]


def test_what_is_taken_back_gains_nothing(timed: Tables, hand: Hand) -> None:
    table_id = begun(timed, hand)
    hand.now += 30
    do(timed, table_id, 0, "e4-e5")
    hand.now += 2
    timed.take_back(table_id, "ann")
    assert left(timed.snapshot(table_id)) == [265.0, 283.0]


def test_a_flag_is_a_loss_with_two_and_falls_at_its_time(timed: Tables, hand: Hand) -> None:
    table_id, keeper = begun(timed, hand), Keeper(timed)
    hand.now += 294.99
    keeper.sweep()
    assert timed.snapshot(table_id).status == "playing"
    hand.now += 0.01
    keeper.sweep()
    over = timed.snapshot(table_id)
    assert (over.status, over.ending, over.winners) == ("over", "clock 0", (1,))
    assert over.entries[-1].kind == "flag"
    assert timed.store.next_deadline() is None
    text = timed.transcript(table_id)
    assert "end: clock 0" in text
    assert "clock: 300+5" in text


def test_the_keeper_wakes_when_a_flag_falls_however_much_happens(timed: Tables, hand: Hand) -> None:
    begun(timed, hand)
    hand.now += 295 - 0.5
    assert Keeper.SHORTEST_WAIT + Keeper(timed).sweep() == pytest.approx(0.5)
    hand.now += 0.49
    assert Keeper(timed).sweep() == 0


def test_who_comes_too_late_has_lost_though_nobody_watched(timed: Tables, hand: Hand) -> None:
    table_id = begun(timed, hand)
    hand.now += 296
    with pytest.raises(TimeOver):
        do(timed, table_id, 0, "e4-e5")
    assert timed.snapshot(table_id).ending == "clock 0"


def test_at_most_a_second_on_the_way_is_forgiven(timed: Tables, hand: Hand) -> None:
    table_id = begun(timed, hand)
    snapshot = timed.snapshot(table_id)
    action = snapshot.state.parse("e4-e5", 0)
    hand.now += 295.5
    moved = timed.act(table_id, "ann", [action], snapshot.decision(0), lag=9.0)
    assert moved.clocks[0].left == pytest.approx(0.5 + 5)
    assert moved.entries[-1].spent == pytest.approx(294.5)


def test_waiting_for_the_server_counts_as_on_the_way(timed: Tables, hand: Hand) -> None:
    table_id = begun(timed, hand)
    snapshot = timed.snapshot(table_id)
    action = snapshot.state.parse("e4-e5", 0)
    hand.now += 20
    moved = timed.act(
        table_id, "ann", [action], snapshot.decision(0), lag=0.1, received=hand.now - 0.3
    )
    assert moved.clocks[0].left == pytest.approx(295 - 19.6 + 5)


def test_an_answer_in_advance_is_forgiven_the_way_of_what_led_to_it(
    timed: Tables, hand: Hand
) -> None:
    table_id = table(timed, "300+5", "suntzu")
    timed.set_standing(table_id, "ann", "keep-around-fights", True)
    for seat, card in enumerate(("S5", "K1")):
        do(timed, table_id, seat, f"choose={card}")
    provinces = ("Qin", "Chu", "JinYan", "HanQi", "Wu")
    orders = [f"{province}={1 + place}" for place, province in enumerate(provinces)]
    do(timed, table_id, 1, *[f"{province}={2 + place}" for place, province in enumerate(provinces)])
    snapshot = timed.snapshot(table_id)
    state, actions = snapshot.state, []
    for token in orders:
        actions.append(state.parse(token, 0))
        state.apply(actions[-1], 0)
    before = snapshot.clocks[0].left or 0.0
    hand.now += 20
    opened = timed.act(table_id, "ann", actions, snapshot.decision(0), lag=0.75)
    answered = [one for one in opened.entries if one.kind == "act"][-1]
    assert (answered.seat, opened.acting) == (0, (1,))
    assert answered.spent == pytest.approx(19.25)
    assert opened.clocks[0].left == pytest.approx(before - 19.25 + 5)


def test_where_nobody_sets_up_nobody_wins(timed: Tables, hand: Hand) -> None:
    table_id = table(timed, "60+0")
    hand.now += 60
    assert timed.timing.flag(table_id)
    over = timed.snapshot(table_id)
    assert (over.ending, over.winners) == ("clocks", ())
    assert not timed.timing.flag(table_id)


def test_a_game_may_be_aborted_until_every_seat_has_decided(timed: Tables, hand: Hand) -> None:
    table_id = table(timed, "300+5")
    do(timed, table_id, 0, *SETUP)
    assert timed.snapshot(table_id).may_call_off
    over = timed.timing.call_off(table_id, "ann")
    assert (over.status, over.ending, over.winners) == ("over", "called-off", ())
    later = begun(timed, hand)
    with pytest.raises(NotNow, match="resign instead"):
        timed.timing.call_off(later, "ann")
    with pytest.raises(NotYourSeat):
        timed.timing.call_off(later, "stranger")


# --- Three and more ---


def test_with_three_a_bot_takes_over_and_hands_the_seat_back(timed: Tables, hand: Hand) -> None:
    table_id = table(timed, "60+10", THREE, 3, returns=True)
    for seat in (0, 2):
        lay(timed, table_id, seat)
        do(timed, table_id, seat, "done")
    hand.now += 60
    assert timed.timing.flag(table_id)
    flagged = timed.snapshot(table_id)
    assert flagged.status == "playing"
    assert [info.kind for info in flagged.seats] == ["person", "bot", "person"]
    assert flagged.seats[1].name == timed.snapshot(table_id).seats[1].name
    assert timed.seat_of(table_id, "bob") is None
    back = timed.timing.come_back(table_id, "bob")
    assert back.seats[1].kind == "person"
    assert timed.seat_of(table_id, "bob") == 1
    assert back.clocks[1].left == 10.0
    assert back.entries[-1].kind == "return"


def test_without_that_agreement_who_was_away_watches(timed: Tables, hand: Hand) -> None:
    table_id = table(timed, "60+10", THREE, 3)
    for seat in (0, 2):
        lay(timed, table_id, seat)
        do(timed, table_id, seat, "done")
    hand.now += 60
    timed.timing.flag(table_id)
    with pytest.raises(NotNow, match="left"):
        timed.timing.come_back(table_id, "bob")


def test_who_has_left_does_not_come_back(timed: Tables) -> None:
    table_id = table(timed, "60+10", THREE, 3, returns=True)
    timed.resign(table_id, "bob")
    with pytest.raises(NotNow, match="left"):
        timed.timing.come_back(table_id, "bob")


# --- By mail ---


def test_by_mail_each_decision_has_its_days(timed: Tables, hand: Hand) -> None:
    table_id = table(timed, "3d")
    hand.now += 2 * DAY
    do(timed, table_id, 0, *SETUP)
    do(timed, table_id, 1, *SETUP)
    assert timed.snapshot(table_id).clocks[0].falls == hand.now + 3 * DAY
    hand.now += 2 * DAY
    moved = do(timed, table_id, 0, "e4-e5")
    assert moved.clocks[1].falls == hand.now + 3 * DAY


def test_on_holiday_clocks_by_mail_stand(timed: Tables, hand: Hand) -> None:
    table_id = table(timed, "1d")
    do(timed, table_id, 0, *SETUP)
    hand.now += DAY / 2
    timed.timing.rest("bob", 5)
    assert timed.snapshot(table_id).clocks[1].falls == hand.now + 5.5 * DAY
    assert timed.snapshot(table_id).clocks[1].away == hand.now + 5 * DAY
    hand.now += 2 * DAY
    timed.timing.rest("bob", 0)  # is back earlier
    assert timed.snapshot(table_id).clocks[1].falls == hand.now + DAY / 2
    with pytest.raises(Refused, match="28 days"):
        timed.timing.rest("bob", 29)
    do(timed, table_id, 1, *SETUP)
    timed.timing.rest("bob", 7)
    hand.now += DAY / 10
    moved = do(timed, table_id, 0, "e4-e5")
    assert moved.clocks[1].falls == pytest.approx(hand.now + (7 - 0.1 + 1) * DAY)


def test_who_was_not_away_is_not_told_to_be_back(timed: Tables, hand: Hand) -> None:
    table_id = table(timed, "3d")
    before = timed.snapshot(table_id)
    assert timed.timing.rest("bob", 0) == hand.now
    assert timed.snapshot(table_id).version == before.version


def test_a_holiday_that_not_all_tables_know_of_is_told_to_have_failed(
    timed: Tables, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And whoever asks once more has it at all of them."""
    table_id, usual = table(timed, "3d"), timed.change

    def away(*_: object) -> None:
        monkeypatch.setattr(timed, "change", usual)
        raise Unavailable

    monkeypatch.setattr(timed, "change", away)
    with pytest.raises(Unavailable):
        timed.timing.rest("bob", 1)
    assert timed.timing.rest("bob", 1) == hand.now + DAY
    assert timed.snapshot(table_id).clocks[1].away == hand.now + DAY


def test_a_log_does_not_grow_by_holidays_without_end(timed: Tables, hand: Hand) -> None:
    table_id = table(timed, "3d")
    for _ in range(MOST_BEGUN):
        hand.now += 1
        timed.timing.rest("bob", 1)
        hand.now += 1
        timed.timing.rest("bob", 0)
    before = timed.snapshot(table_id).version
    with pytest.raises(Refused, match="within a day"):
        timed.timing.rest("bob", 1)
    assert timed.snapshot(table_id).version == before
    hand.now += DAY
    assert timed.timing.rest("bob", 1) == hand.now + DAY


def test_who_is_on_holiday_rests_at_games_that_begin_meanwhile(timed: Tables, hand: Hand) -> None:
    waiting = timed.create(BARRAGE, [ME, SeatPlan("open")], person="ann", pace="1d").table_id
    timed.timing.rest("ann", 10)
    hand.now += 2 * DAY
    timed.take_seat(waiting, 1, "bob")
    clocks = timed.snapshot(waiting).clocks
    assert (clocks[0].falls, clocks[1].falls) == (hand.now + 9 * DAY, hand.now + DAY)
    do(timed, waiting, 1, *SETUP)
    hand.now += 5 * DAY
    assert not timed.timing.flag(waiting)
    timed.resign(waiting, "bob")
    rematch = timed.rematch(waiting, "bob")
    timed.rematch(waiting, "ann")
    assert timed.snapshot(rematch).clocks[1].falls == hand.now + 4 * DAY
    made = timed.create(BARRAGE, [ME, SeatPlan("bot", "random")], person="ann", pace="1d")
    assert timed.snapshot(made.table_id).clocks[0].falls == hand.now + 4 * DAY
    hand.now += 3 * DAY  # it is over
    made = timed.create(BARRAGE, [ME, SeatPlan("bot", "random")], person="ann", pace="1d")
    assert timed.snapshot(made.table_id).clocks[0].falls == hand.now + DAY
    assert [one.kind for one in timed.snapshot(made.table_id).entries] == ["start"]


# --- Silence ---


def test_after_a_week_of_silence_the_others_choose(timed: Tables, hand: Hand) -> None:
    table_id = table(timed, "")
    do(timed, table_id, 0, *SETUP)
    with pytest.raises(NotNow, match="silent"):
        timed.timing.claim(table_id, "ann", "claim")
    hand.now += SILENT_SECONDS
    with pytest.raises(Refused, match="claim, bot, abort"):
        timed.timing.claim(table_id, "ann", "cake")  # type: ignore[arg-type]
    over = timed.timing.claim(table_id, "ann", "claim")
    assert (over.ending, over.winners) == ("silence 1", (0,))


def test_a_bot_may_play_on_for_who_is_silent(timed: Tables, hand: Hand) -> None:
    table_id = table(timed, "", returns=True)
    do(timed, table_id, 0, *SETUP)
    hand.now += SILENT_SECONDS
    assert timed.timing.claim(table_id, "ann", "bot").seats[1].kind == "bot"
    assert timed.timing.come_back(table_id, "bob").seats[1].kind == "person"


def test_whoever_has_gone_from_a_live_game_is_not_waited_for(timed: Tables, hand: Hand) -> None:
    table_id = begun(timed, hand, "")
    for seat, move in ((0, "e4-e5"), (1, "e7-e6"), (0, "f4-f5")):
        hand.now += 20
        do(timed, table_id, seat, move)
    hand.now += 60
    timed.see(table_id, 1)
    timed.see(table(timed, ""), 0)
    Keeper(timed).sweep()
    hand.now += GONE_SECONDS - 1
    assert timed.timing.wishes(timed.snapshot(table_id), 0) == ()
    hand.now += 1
    assert timed.timing.wishes(timed.snapshot(table_id), 0) == ("claim", "bot", "abort")
    assert timed.timing.wishes(timed.snapshot(table_id), 1) == ()
    assert timed.timing.claim(table_id, "ann", "abort").ending == "called-off"


def test_a_game_over_days_is_waited_for(timed: Tables, hand: Hand) -> None:
    table_id = table(timed, "")
    for seat in (0, 1):
        hand.now += DAY
        do(timed, table_id, seat, *SETUP)
    hand.now += DAY
    assert timed.timing.wishes(timed.snapshot(table_id), 1) == ()


# --- Tables that wait ---


def test_a_waiting_table_can_be_left_and_filled_again(timed: Tables) -> None:
    plans = [SeatPlan("me"), SeatPlan("open"), SeatPlan("open")]
    table_id = timed.create(THREE, plans, person="ann").table_id
    key = timed.take_seat(table_id, 1, "bob")
    timed.timing.leave(table_id, "bob")
    assert timed.snapshot(table_id).seats[1].kind == "open"
    assert timed.seat_of(table_id, "bob") is None
    with pytest.raises(NotYourSeat):
        timed.enter(table_id, key, "thief")
    timed.take_seat(table_id, 1, "cat")
    begun = timed.timing.fill(table_id, "cat")
    assert begun.status == "playing"
    assert [info.kind for info in begun.seats] == ["person", "person", "bot"]
    with pytest.raises(NotNow):
        timed.timing.leave(table_id, "cat")


def test_a_waiting_table_can_be_closed(timed: Tables) -> None:
    plans = [SeatPlan("me"), SeatPlan("open"), SeatPlan("open")]
    table_id = timed.create(THREE, plans, person="ann", public=True).table_id
    timed.take_seat(table_id, 1, "bob")
    with pytest.raises(NotNow):
        timed.timing.close(table_id, "bob")
    closed = timed.timing.close(table_id, "ann")
    assert (closed.status, closed.ending) == ("over", "closed")
    assert len(closed.plies_notations) == 1
    with pytest.raises(NotNow, match="closed"):
        timed.take_seat(table_id, 2, "cat")
    for late in (
        timed.timing.close,
        timed.timing.leave,
        timed.timing.fill,
        lambda table_id, who: timed.add_seed(table_id, who, "seed"),
    ):
        with pytest.raises(NotNow) as refused:  # it has never begun
            late(table_id, "ann")
        assert refused.value.code == "over"
    assert all(one.status != "waiting" for one in timed.open_tables("cat"))


def test_the_last_one_who_leaves_closes_the_table(timed: Tables) -> None:
    made = timed.create(BARRAGE, [SeatPlan("me"), SeatPlan("open")], person="ann")
    assert timed.timing.leave(made.table_id, "ann").ending == "closed"


# --- Faults ---


def test_a_restart_goes_on_with_the_same_clocks(opened: Opener, url: str, hand: Hand) -> None:
    first = opened(url, clock=hand)
    table_id = begun(first, hand)
    hand.now += 7
    do(first, table_id, 0, "e4-e5")
    hand.now += 2
    first.take_back(table_id, "ann")
    hand.now += 3
    before = do(first, table_id, 0, "e4-e5")
    again = opened(url, clock=hand)
    assert again.snapshot(table_id).clocks == before.clocks
    assert again.snapshot(table_id).entries == before.entries
    assert again.store.next_deadline() == before.clocks[1].falls


def test_while_nobody_is_there_clocks_stand(opened: Opener, file_url: str, hand: Hand) -> None:
    first = opened(file_url, clock=hand)
    table_id = begun(first, hand)
    Keeper(first).catch_up()
    hand.now += 1000  # a server that is away for longer than anybody has
    others = [Keeper(opened(file_url, clock=hand)) for _ in range(2)]
    last = first.store.last_beat()
    assert last is not None
    for keeper in others:  # both see the same gap; the table is forgiven once
        first.store.beat(last)
        keeper.catch_up()
        keeper.sweep()
    clock = first.snapshot(table_id).clocks[0]
    assert clock.left is not None
    assert clock.falls == hand.now + clock.left


def test_a_clock_set_back_while_nobody_is_there_gives_nobody_hours(
    opened: Opener, file_url: str, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = opened(file_url, clock=hand)
    table_id = begun(first, hand)
    Keeper(first).catch_up()
    hand.now -= 3600
    keeper = Keeper(opened(file_url, clock=hand))
    monkeypatch.setattr(keeper._stop, "wait", lambda _: False)
    keeper.catch_up()
    assert first.snapshot(table_id).clocks[0].falls == hand.now + 295


def test_a_clock_set_back_while_others_are_there_lets_no_flag_fall_with_them(
    opened: Opener, file_url: str, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One worker is replaced, and the others still go by what the machine's clock was."""
    first = opened(file_url, clock=hand)
    table_id = begun(first, hand)
    Keeper(first).catch_up()
    later = Hand(hand.now - 3600)
    keeper = Keeper(opened(file_url, clock=later))

    def wait(_: float | None) -> bool:
        first.store.beat(hand.now + BEAT_SECONDS)
        return False

    monkeypatch.setattr(keeper._stop, "wait", wait)
    keeper.catch_up()
    assert not first.timing.flag(table_id)
    assert first.snapshot(table_id).clocks[0].falls == hand.now + 295


def test_the_clock_of_the_machine_may_jump(caplog: pytest.LogCaptureFixture) -> None:
    wall, steady = Hand(1000.0), Hand(50.0)
    clock = SteadyClock(wall, steady)
    for _ in range(3):
        wall.now, steady.now = wall.now + 1, steady.now + 1
    assert clock() == 1003.0
    wall.now += 3600
    steady.now += 1
    assert [clock(), clock()] == [1004.0, 1004.0]
    assert len(caplog.records) == 1
    wall.now = 1004.3  # set right again; small differences are followed slowly
    assert clock() == pytest.approx(1004.0)
    wall.now, steady.now = wall.now + 100, steady.now + 100
    assert clock() == pytest.approx(1104.05)
    caplog.clear()


def test_of_several_processes_one_lets_the_flag_fall(opened: Opener, url: str, hand: Hand) -> None:
    workers = [opened(url, clock=hand) for _ in range(4)]
    table_id = begun(workers[0], hand)
    for worker in workers:
        worker.snapshot(table_id)
    hand.now += 300
    done: list[bool] = []
    threads = [
        threading.Thread(target=lambda w=worker: done.append(w.timing.flag(table_id)))
        for worker in workers
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == [False, False, False, True]
    kinds = [entry.kind for entry in workers[1].snapshot(table_id).entries]
    assert kinds.count("flag") == 1


def test_a_worker_that_dies_while_a_flag_falls_leaves_it_to_others(
    opened: Opener, url: str, hand: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    dying, other = opened(url, clock=hand), opened(url, clock=hand)
    table_id = begun(dying, hand)
    hand.now += 300

    class Killed(BaseException):
        pass

    def die(*_: object) -> None:
        raise Killed

    monkeypatch.setattr(dying.store, "_add", die)  # in the middle of its transaction
    with pytest.raises(Killed):
        Keeper(dying).sweep()
    assert other.snapshot(table_id).status == "playing"
    Keeper(other).sweep()
    assert other.snapshot(table_id).ending == "clock 0"


def test_an_act_and_a_flag_at_once_are_one_of_both(timed: Tables, hand: Hand) -> None:
    table_id = begun(timed, hand)
    snapshot = timed.snapshot(table_id)
    action = snapshot.state.parse("e4-e5", 0)
    hand.now += 294.999
    tried = iter([True])
    commit = timed.store.commit

    def slow(*arguments: object) -> None:
        if next(tried, None):
            hand.now += 0.2  # somebody else was faster, and meanwhile the time is over
            raise Conflict
        commit(*arguments)  # type: ignore[arg-type]

    timed.store.commit = slow  # type: ignore[method-assign,assignment]
    received = hand.now
    moved = timed.act(table_id, "ann", [action], snapshot.decision(0), received=received)
    assert moved.status == "playing"
    assert not timed.timing.flag(table_id)


def test_a_table_whose_flag_cannot_fall_does_not_stop_the_others(
    opened: Opener, file_url: str, hand: Hand, caplog: pytest.LogCaptureFixture
) -> None:
    first, timed = opened(file_url, clock=hand), opened(file_url, clock=hand)
    broken, sound = begun(first, hand), begun(first, hand)
    with timed.store.writing() as connection:
        wrong = sa.update(schema.tables).where(schema.tables.c.id == broken)
        connection.execute(wrong.values(spec="x", version=99))
    hand.now += 400
    keeper = Keeper(timed)
    keeper.sweep()
    keeper.sweep()
    assert timed.snapshot(sound).status == "over"
    assert sum("cannot fall" in record.message for record in caplog.records) == 1
    caplog.clear()


def test_finding_whose_flag_falls_takes_no_look_at_all_tables(timed: Tables) -> None:
    for query in (
        "SELECT id FROM tables WHERE deadline <= 5",
        "SELECT min(deadline) FROM tables",
    ):
        with timed.store.reading() as connection:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {query}").all()
        assert all("ix_tables_deadline" in row[-1] for row in plan), plan


def test_a_keeper_beats_only_while_clocks_run(timed: Tables, hand: Hand) -> None:
    keeper = Keeper(timed)
    keeper.sweep()
    assert timed.store.last_beat() is None
    begun(timed, hand)
    keeper.sweep()
    assert timed.store.last_beat() == hand.now
    hand.now += BEAT_SECONDS
    keeper.sweep()
    assert timed.store.last_beat() == hand.now


def test_old_tables_have_no_clock(timed: Tables) -> None:
    table_id = table(timed, "")
    snapshot = timed.snapshot(table_id)
    assert left(snapshot) == [None, None]
    assert timed.store.running() == []


# --- Secrets ---


@pytest.fixture
def course() -> Callable[..., list[object]]:
    """Play a table anew, each step at its second; return what others see of its clocks."""
    hand = Hand()

    def play(pace: str, *steps: tuple[float, str]) -> list[object]:
        hand.now = BEGUN
        seen: list[object] = []
        with Tables("sqlite://", clock=hand) as tables:
            table_id = table(tables, pace, DUEL)
            for at, token in steps:
                hand.now = BEGUN + at
                if token == "back":
                    tables.take_back(table_id, "ann")
                elif token == "look":
                    snapshot = tables.snapshot(table_id)
                    seen.append((snapshot.clocks, snapshot.may_call_off, snapshot.decided))
                    seen.append(tables.store.next_deadline())
                    entries = [*snapshot.entries_seen(1), *snapshot.entries_seen(SPECTATOR)]
                    seen.append([entry.spent for entry in entries])
                elif token == "lay":
                    lay(tables, table_id)
                else:
                    do(tables, table_id, 0, token)
        return seen

    return play


@pytest.mark.parametrize("pace", ["300+5", "1d", ""])
def test_a_clock_tells_nothing_secret(course: Callable[..., list[object]], pace: str) -> None:
    look, end = (20.0, "look"), [(30.0, "done"), (31.0, "look")]
    courses = [
        [(5.0, "lay"), look, *end],
        [(5.0, "lay"), (6.0, "lay"), look, *end],
        [(5.0, "lay"), (7.0, "lay"), (19.0, "back"), look, *end],
        [(1.0, "lay"), (2.0, "back"), (3.0, "lay"), look, (25.0, "lay"), *end],
        [look, (25.0, "lay"), *end],
    ]
    first, *others = [course(pace, *steps) for steps in courses]
    assert all(other == first for other in others)
