"""Acting, resigning, offering draws; what is refused, and that it changes nothing."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

import tianxia
from tests.tables.helpers import (
    BARRAGE,
    DUEL,
    SETUP,
    against_bot,
    do,
    people,
    play_out,
    ready,
    step,
    tokens,
)
from tianxia.kernel.transcript import Transcript
from tianxia.tables import NotNow, NotYourSeat, Refused, Snapshot, Stale, TableError, Tables
from tianxia.tables.game_log import LONGEST_BATCH, OFFER_PAUSE


def test_a_set_up_is_sent_together(stored: Tables) -> None:
    table_id = people(stored)
    snapshot = do(stored, table_id, 0, *SETUP)
    assert snapshot.acting == (1,)
    assert [seat.finished for seat in snapshot.seats] == [True, False]
    snapshot = do(stored, table_id, 1, *SETUP)
    assert snapshot.acting == (0,)
    assert [seat.finished for seat in snapshot.seats] == [False, False]
    kinds = [entry.kind for entry in snapshot.entries]
    assert kinds == ["start", *["act"] * 72, "chance"]
    assert [entry.number for entry in snapshot.entries] == list(range(1, 75))
    assert snapshot.entries[-1].seat == tianxia.CHANCE
    assert snapshot.entries[-1].ply == 73


def test_a_batch_is_taken_together_or_not_at_all(stored: Tables) -> None:
    table_id = people(stored)
    before = stored.snapshot(table_id)
    flag = before.state.parse("F", 0)
    with pytest.raises(Refused, match="STR-43") as refused:
        stored.act(table_id, "ann", [flag, flag], before.decision(0))
    assert refused.value.statement == "STR-43"
    assert refused.value.reason == before.game.kind.rulebook("STR-43", "en")
    assert refused.value.status == 422
    assert "STR-43" in refused.value.text("fr")
    after = stored.snapshot(table_id)
    assert (after.version, after.entries, after.state) == (
        before.version,
        before.entries,
        before.state,
    )


def test_a_refused_batch_does_not_tell_what_its_first_action_would_show(stored: Tables) -> None:
    told = []
    for front in (["F", "2"], ["2", "F"]):
        table_id = people(stored)
        do(stored, table_id, 0, *SETUP)
        do(stored, table_id, 1, *["2" if piece == "F" else piece for piece in SETUP[:-2]], *front)
        before = stored.snapshot(table_id)
        attack = before.state.parse("e4xe7", 0)
        for more in (attack, before.state.parse("f4-f5", 0)):
            with pytest.raises(Refused) as refused:
                stored.act(table_id, "ann", [attack, more], before.decision(0))
            found = refused.value
            told.append((found.code, found.statement, found.reason, found.place, found.text()))
        assert stored.snapshot(table_id).version == before.version
    assert len(set(told)) == 1
    assert told[0][:4] == ("not-together", "", "", 2)


@pytest.mark.parametrize("actions", [[-1], [10**30], [True], ["1"], [None], [1.0], [[1]], [99999]])
def test_what_is_no_action(tables: Tables, actions: list) -> None:
    table_id = people(tables)
    with pytest.raises(Refused) as refused:
        tables.act(table_id, "ann", actions, 0)
    assert (refused.value.code, refused.value.statement) == ("no-action", "no-action")


@pytest.mark.parametrize("count", [0, LONGEST_BATCH + 1])
def test_how_many_actions(tables: Tables, count: int) -> None:
    with pytest.raises(Refused) as refused:
        tables.act(people(tables), "ann", [1] * count, 0)
    assert refused.value.code == "how-many"


def test_who_may_act(stored: Tables) -> None:
    table_id = ready(stored)
    snapshot = stored.snapshot(table_id)
    action = snapshot.state.parse("e4-e5", 0)
    with pytest.raises(NotYourSeat):
        stored.act(table_id, "eve", [action], snapshot.decision(0))
    with pytest.raises(NotYourSeat):
        stored.act(table_id, "", [action], snapshot.decision(0))
    with pytest.raises(NotNow) as refused:
        stored.act(table_id, "bob", [action], snapshot.decision(1))
    assert refused.value.code == "not-your-turn"
    with pytest.raises(NotYourSeat):
        stored.act_for_bot(table_id, 0, [action], snapshot.decision(0))
    assert stored.snapshot(table_id).version == snapshot.version


def test_a_request_sent_twice_counts_once(stored: Tables) -> None:
    table_id = ready(stored)
    snapshot = stored.snapshot(table_id)
    action, decision = snapshot.state.parse("e4-e5", 0), snapshot.decision(0)
    stored.act(table_id, "ann", [action], decision)
    with pytest.raises(Stale) as refused:
        stored.act(table_id, "ann", [action], decision)
    assert (refused.value.code, refused.value.status) == ("stale", 409)
    for wrong in (decision - 1, decision + 5, -1, 10**40):
        with pytest.raises(Stale):
            stored.act(table_id, "ann", [action], wrong)


def test_a_snapshot_never_changes(tables: Tables) -> None:
    table_id = ready(tables)
    snapshot = tables.snapshot(table_id)
    facts = (snapshot.version, snapshot.entries, snapshot.state.to_bytes(), snapshot.decision(0))
    snapshot.state.apply(snapshot.state.parse("e4-e5", 0), 0)  # a copy
    do(tables, table_id, 0, "e4-e5")
    assert facts == (
        snapshot.version,
        snapshot.entries,
        snapshot.state.to_bytes(),
        snapshot.decision(0),
    )
    assert tables.snapshot(table_id).version == snapshot.version + 1


def test_a_whole_game(stored: Tables) -> None:
    table_id = ready(stored, f"{BARRAGE[:-1]},draw_after=30)")
    snapshot = play_out(stored, table_id)
    assert (snapshot.status, snapshot.ending, snapshot.acting) == ("over", "rules", ())
    assert snapshot.open_to_all
    text = stored.transcript(table_id)
    last = tianxia.replay(text)
    assert last == snapshot.state
    assert Transcript.read(text).ending == "rules"
    notations = snapshot.plies_notations
    assert len(notations) == snapshot.entries[-1].ply + 1
    replayed = [state.notation() for state in Transcript.read(text).positions()]
    assert list(notations) == replayed
    for refused in (stored.resign, stored.take_back, stored.offer_draw):
        with pytest.raises(NotNow) as error:
            refused(table_id, "ann")
        assert error.value.code == "over"


def test_chance_acts_at_once(tables: Tables) -> None:
    table_id = people(tables, f"{DUEL}(players=3)", seats=3)
    snapshot = tables.snapshot(table_id)
    assert snapshot.acting == (0, 1, 2)  # the cards are drawn
    assert sum(entry.kind == "chance" for entry in snapshot.entries) == 6
    snapshot = play_out(tables, table_id)
    assert snapshot.ending == "rules"
    assert tianxia.replay(tables.transcript(table_id)) == snapshot.state


def test_every_entry_can_be_walked(tables: Tables) -> None:
    table_id = ready(tables)
    do(tables, table_id, 0, "e4-e5")
    tables.take_back(table_id, "ann")
    do(tables, table_id, 0, "f4-f5")
    snapshot = tables.snapshot(table_id)
    steps = list(snapshot.walk())
    assert [entry for entry, _ in steps] == list(snapshot.entries)
    back = next(i for i, (entry, _) in enumerate(steps) if entry.kind == "takeback")
    assert steps[back - 1][1] == steps[back + 1][1] != steps[back][1]
    entry, position = steps[-1]
    position.apply(entry.action or 0, entry.seat)
    assert position == snapshot.state


# --- Ending it otherwise ---


def test_resigning_opens_everything(stored: Tables) -> None:
    table_id = ready(stored)
    snapshot = stored.resign(table_id, "bob")
    assert (snapshot.status, snapshot.ending, snapshot.acting) == ("over", "resignation 1", ())
    for viewer in (0, 1, tianxia.SPECTATOR):
        assert snapshot.view(viewer) == snapshot.state
        assert snapshot.entries_seen(viewer) == snapshot.entries
    assert len(snapshot.plies_notations) == 74
    assert "end: resignation 1" in stored.transcript(table_id)


def test_a_draw_needs_all(stored: Tables) -> None:
    table_id = people(stored, f"{DUEL}(players=3)", seats=3)
    with pytest.raises(NotNow) as refused:
        stored.answer_draw(table_id, "bob", True)
    assert refused.value.code == "not-offered"
    snapshot = stored.offer_draw(table_id, "ann")
    assert snapshot.draw_offer == 0
    assert [snapshot.must_answer(seat) for seat in range(3)] == [None, "draw", "draw"]
    with pytest.raises(NotNow):
        stored.answer_draw(table_id, "ann", True)
    snapshot = stored.answer_draw(table_id, "bob", True)
    assert [snapshot.must_answer(seat) for seat in range(3)] == [None, None, "draw"]
    with pytest.raises(NotNow):
        stored.answer_draw(table_id, "bob", True)
    snapshot = stored.offer_draw(table_id, "cat")  # offering back is agreeing
    assert (snapshot.status, snapshot.ending, snapshot.draw_offer) == ("over", "agreement", None)


def test_a_draw_is_declined(stored: Tables) -> None:
    table_id = ready(stored)
    stored.offer_draw(table_id, "ann")
    with pytest.raises(NotNow) as refused:
        stored.offer_draw(table_id, "ann")
    assert refused.value.code == "already-offered"
    snapshot = stored.answer_draw(table_id, "bob", False)
    assert snapshot.draw_offer is None
    assert not snapshot.may_offer_draw(0)
    assert snapshot.may_offer_draw(1)
    with pytest.raises(NotNow, match=f"{OFFER_PAUSE} plies") as refused:
        stored.offer_draw(table_id, "ann")
    assert refused.value.code == "too-soon"
    rng = random.Random(3)
    while stored.snapshot(table_id).state.plies < snapshot.state.plies + OFFER_PAUSE:
        assert not step(stored, table_id, rng).open_to_all
    assert stored.offer_draw(table_id, "ann").draw_offer == 0


def test_an_offer_lapses_when_the_other_acts(stored: Tables) -> None:
    table_id = ready(stored)
    stored.offer_draw(table_id, "ann")
    assert do(stored, table_id, 0, "e4-e5").draw_offer == 0
    assert do(stored, table_id, 1, "f7-f6").draw_offer is None


def test_an_offer_does_not_lapse_by_what_is_done_in_secret(stored: Tables) -> None:
    table_id = people(stored)
    stored.offer_draw(table_id, "ann")
    assert do(stored, table_id, 1, *SETUP[:5]).draw_offer == 0
    assert do(stored, table_id, 1, *SETUP[5:]).draw_offer is None


def test_bots_decline(tables: Tables) -> None:
    table_id = against_bot(tables)
    snapshot = tables.offer_draw(table_id, "ann")
    assert [entry.kind for entry in snapshot.entries[-2:]] == ["offer", "decline"]
    assert snapshot.entries[-1].seat == 1


def test_questions_do_not_make_decisions_stale(tables: Tables) -> None:
    table_id = ready(tables)
    before = tables.snapshot(table_id)
    after = tables.offer_draw(table_id, "bob")
    assert after.decision(0) == before.decision(0)


@pytest.mark.parametrize("what", ["resign", "offer_draw", "take_back", "rename"])
def test_strangers_do_nothing(tables: Tables, what: str) -> None:
    table_id = ready(tables)
    version = tables.snapshot(table_id).version
    more = ("Eve",) if what == "rename" else ()
    with pytest.raises(NotYourSeat) as refused:
        getattr(tables, what)(table_id, "eve", *more)
    assert refused.value.status == 403
    assert tables.snapshot(table_id).version == version


# --- Chosen by random people ---


@pytest.mark.parametrize(("spec", "seats"), [(BARRAGE, 2), (DUEL, 2), (f"{DUEL}(players=3)", 3)])
@pytest.mark.parametrize("seed", range(4))
def test_whatever_people_do_a_restart_leads_to_the_same(
    file_url: str, spec: str, seats: int, seed: int
) -> None:
    """Everything that a snapshot says follows from what is stored."""
    rng = random.Random(seed)
    with Tables(file_url) as tables:
        table_id = people(tables, spec, seats)
        for _ in range(150):
            _anything(tables, table_id, rng, seats)
        mine = tables.snapshot(table_id)
        with Tables(file_url) as others:
            theirs = others.snapshot(table_id)
            assert _facts(theirs) == _facts(mine)
            assert others.transcript(table_id, 0) == tables.transcript(table_id, 0)
        if mine.status == "playing":
            tables.resign(table_id, "ann")
        over = tables.snapshot(table_id)
        assert len(over.plies_notations) == len(list(over.state.history())) + 1
        tianxia.replay(tables.transcript(table_id))
        states = Transcript.read(tables.transcript(table_id)).positions()
        assert [state.notation() for state in states] == list(over.plies_notations)


def _anything(tables: Tables, table_id: str, rng: random.Random, seats: int) -> None:
    who = ("ann", "bob", "cat")[rng.randrange(seats)]
    wishes: list[Callable[[], object]] = [
        lambda: step(tables, table_id, rng),
        lambda: tables.take_back(table_id, who),
        lambda: tables.answer_take_back(table_id, who, rng.random() < 0.7),
        lambda: tables.offer_draw(table_id, who),
        lambda: tables.answer_draw(table_id, who, False),
    ]
    if tables.snapshot(table_id).open_to_all:
        return
    before = tables.snapshot(table_id)
    try:
        rng.choices(wishes, [12, 3, 3, 1, 1])[0]()
    except TableError:
        assert tables.snapshot(table_id).version == before.version


def _facts(snapshot: Snapshot) -> list:
    seats = range(snapshot.game.seats)
    facts: list = [
        snapshot.version,
        snapshot.status,
        snapshot.ending,
        snapshot.entries,
        snapshot.state.to_bytes(),
        list(snapshot.state.history()),
        snapshot.draw_offer,
        snapshot.take_back_ask,
        snapshot.epoch,
        snapshot.seats,
    ]
    for seat in seats:
        facts += [
            snapshot.decision(seat),
            snapshot.may_take_back(seat),
            snapshot.may_ask_take_back(seat),
            snapshot.may_offer_draw(seat),
            snapshot.must_answer(seat),
            snapshot.entries_seen(seat),
        ]
    return facts


def test_acting_takes_little_time(tables: Tables) -> None:
    """A millisecond or two of processor time with the commit; more where others are at work."""
    table_id = people(tables, "stratego(draw_after=0)")
    rng = random.Random(5)
    snapshot = tables.snapshot(table_id)
    while len(snapshot.acting) == 2 or snapshot.state.plies < 60:
        snapshot = step(tables, table_id, rng)
    times = []
    for _ in range(60):
        seat = snapshot.acting[0]
        action = rng.choice(snapshot.view(seat).legal_actions(seat))
        begun = time.thread_time()
        snapshot = tables.act(table_id, ("ann", "bob")[seat], [action], snapshot.decision(seat))
        times.append(time.thread_time() - begun)
        if snapshot.open_to_all:
            break
    assert min(times) < 0.006
    assert len(tokens(tables, table_id)) > 100
