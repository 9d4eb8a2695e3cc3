"""Answers in advance: taken at once, in nobody else's sight, revoked by a word or a take-back."""

from __future__ import annotations

import pytest

import tianxia
from tests.tables.conftest import Opener
from tests.tables.helpers import PEOPLE, do, people
from tianxia.tables import NotNow, NotYourSeat, Refused, SeatPlan, Snapshot, Tables

SUNTZU = "suntzu"
AROUND, WITHIN = "keep-around-fights", "keep-in-fights"
VIEWERS = (0, 1, tianxia.SPECTATOR)


def begun(tables: Tables, cards: tuple[str, str] = ("S5", "K1")) -> str:
    """Return a table at which both have chosen a strategy card."""
    table_id = people(tables, SUNTZU)
    for seat, card in enumerate(cards):
        do(tables, table_id, seat, f"choose={card}")
    return table_id


def lay(tables: Tables, table_id: str, seat: int, first: int = 1) -> Snapshot:
    """Lay the cards 1 to 5, or 2 to 6."""
    provinces = ("Qin", "Chu", "JinYan", "HanQi", "Wu")
    orders = [f"{province}={first + i}" for i, province in enumerate(provinces)]
    return do(tables, table_id, seat, *orders)


def test_an_answer_in_advance_is_taken_as_soon_as_it_is_asked_for(stored: Tables) -> None:
    table_id = begun(stored)
    stored.set_standing(table_id, "ann", AROUND, True)
    lay(stored, table_id, 0)
    opened = lay(stored, table_id, 1, 2)
    assert opened.acting == (1,)  # Sun Tzu has declined already
    assert opened.state.text(list(opened.state.history())[-1][1], 0) == "pass"
    answer = opened.entries[-1]
    assert (answer.kind, answer.seat, answer.at) == ("act", 0, opened.entries[-2].at)


def test_it_is_taken_at_once_when_it_is_given_too_late(stored: Tables) -> None:
    table_id = begun(stored)
    lay(stored, table_id, 0)
    asked = lay(stored, table_id, 1, 2)
    assert asked.acting == (0,)
    assert stored.set_standing(table_id, "ann", AROUND, True).acting == (1,)


def test_both_may_keep_their_cards_for_a_whole_round(stored: Tables) -> None:
    table_id = begun(stored)
    for person in PEOPLE[:2]:
        for name in (AROUND, WITHIN):
            stored.set_standing(table_id, person, name, True)
    lay(stored, table_id, 0)
    drawn = lay(stored, table_id, 1, 2)
    assert drawn.acting == (0, 1)
    assert drawn.view(0).fields["phase"] == 12  # both choose among the cards drawn


def test_it_says_nothing_where_it_is_not_asked_for(stored: Tables) -> None:
    table_id = begun(stored)
    stored.set_standing(table_id, "ann", WITHIN, True)
    lay(stored, table_id, 0)
    assert lay(stored, table_id, 1, 2).acting == (0,)


def test_it_is_revoked_by_a_word(stored: Tables) -> None:
    table_id = begun(stored)
    stored.set_standing(table_id, "ann", AROUND, True)
    assert stored.snapshot(table_id).standing(0) == {AROUND}
    stored.set_standing(table_id, "ann", AROUND, False)
    assert stored.snapshot(table_id).standing(0) == set()
    lay(stored, table_id, 0)
    assert lay(stored, table_id, 1, 2).acting == (0,)


def test_whoever_takes_back_is_asked_again(stored: Tables) -> None:
    table_id = begun(stored)
    lay(stored, table_id, 0)
    lay(stored, table_id, 1, 2)
    given = stored.set_standing(table_id, "ann", AROUND, True)
    assert given.acting == (1,)
    # Her own last decision is what she has laid; what was answered in advance is none.
    asked = stored.take_back(table_id, "ann")
    assert asked.take_back_ask == 0
    back = stored.answer_take_back(table_id, "bob", True)
    assert back.acting == (0,)  # what he chose in secret does not depend on hers
    assert back.standing(0) == set()
    assert lay(stored, table_id, 0, 2).acting == (0,)


def test_it_outlives_a_change_of_mind_in_secret(stored: Tables) -> None:
    table_id = begun(stored)
    stored.set_standing(table_id, "ann", AROUND, True)
    do(stored, table_id, 0, "Qin=3")
    assert stored.take_back(table_id, "ann").standing(0) == {AROUND}
    lay(stored, table_id, 0)
    assert lay(stored, table_id, 1, 2).acting == (1,)


def test_what_one_decided_oneself_goes_back_though_the_other_answers_in_advance(
    stored: Tables,
) -> None:
    table_id = begun(stored)
    lay(stored, table_id, 0)
    lay(stored, table_id, 1, 2)
    stored.set_standing(table_id, "bob", AROUND, True)
    passed = do(stored, table_id, 0, "pass")
    assert not passed.may_take_back(0)  # the cards of the first provinces are open
    assert passed.standing(1) == {AROUND}


def test_nobody_else_can_tell_that_it_was_given(stored: Tables) -> None:
    table_id = begun(stored)
    before = [stored.snapshot(table_id).entries_seen(viewer) for viewer in VIEWERS]
    decision = stored.snapshot(table_id).decision(1)
    after = stored.set_standing(table_id, "ann", AROUND, True)
    assert [after.entries_seen(viewer) for viewer in VIEWERS] == before
    assert after.decision(1) == decision
    assert after.standing(1) == set()


def test_what_others_see_does_not_depend_on_the_card(
    stored: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tianxia.tables import service

    monkeypatch.setattr(service, "new_secret", lambda: "ab" * 32)
    stored.clock = lambda: 1000.0
    seen = []
    for card in ("S1", "S4"):
        table_id = begun(stored, (card, "K1"))
        for person in PEOPLE[:2]:
            stored.set_standing(table_id, person, AROUND, True)
        lay(stored, table_id, 0)
        snapshot = lay(stored, table_id, 1, 2)
        entries = snapshot.entries_seen(1)
        told = [(e.kind, e.seat, e.action, e.ply, e.at) for e in entries if e.kind == "act"]
        seen.append((snapshot.acting, snapshot.decision(1), told))
    assert seen[0] == seen[1]


def test_it_survives_a_restart(opened: Opener, url: str) -> None:
    with Tables(url) as before:
        table_id = begun(before)
        before.set_standing(table_id, "ann", AROUND, True)
        lay(before, table_id, 0)
    after = opened(url)
    assert after.snapshot(table_id).standing(0) == {AROUND}
    assert lay(after, table_id, 1, 2).acting == (1,)
    with Tables(url) as again:
        assert again.snapshot(table_id).state == after.snapshot(table_id).state
        assert again.snapshot(table_id).decision(0) == after.snapshot(table_id).decision(0)


def test_who_may_not_is_refused(stored: Tables) -> None:
    table_id = begun(stored)
    with pytest.raises(NotYourSeat):
        stored.set_standing(table_id, "eve", AROUND, True)
    with pytest.raises(Refused) as refused:
        stored.set_standing(table_id, "ann", "keep-everything", True)
    assert refused.value.code == "no-standing"
    plain = people(stored, "suntzu(strategies=no)")
    with pytest.raises(Refused):
        stored.set_standing(plain, "ann", AROUND, True)
    waiting = stored.create(SUNTZU, [_me(), _open()], person="ann").table_id
    with pytest.raises(NotNow):
        stored.set_standing(waiting, "ann", AROUND, True)
    stored.resign(table_id, "bob")
    with pytest.raises(NotNow):
        stored.set_standing(table_id, "ann", AROUND, True)


def _me() -> SeatPlan:
    return SeatPlan("me")


def _open() -> SeatPlan:
    return SeatPlan("open")
