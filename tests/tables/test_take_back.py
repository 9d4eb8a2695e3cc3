"""Taking back: what is free, what needs agreement, what is for ever."""

from __future__ import annotations

import pytest

from tests.tables.helpers import (
    DUEL,
    OTHER_SETUP,
    SETUP,
    against_bot,
    do,
    people,
    ready,
    tokens,
    wait_for,
)
from tianxia.tables import NotNow, Snapshot, Tables, Thinker


def refused(tables: Tables, table_id: str, person: str) -> str:
    """Return why somebody cannot take back; nothing changes."""
    before = tables.snapshot(table_id)
    with pytest.raises(NotNow) as error:
        tables.take_back(table_id, person)
    after = tables.snapshot(table_id)
    assert (after.version, after.state) == (before.version, before.state)
    return error.value.code


def rights(snapshot: Snapshot, seat: int) -> tuple[bool, bool]:
    return snapshot.may_take_back(seat), snapshot.may_ask_take_back(seat)


def test_nothing_was_done_yet(stored: Tables) -> None:
    table_id = people(stored)
    assert rights(stored.snapshot(table_id), 0) == (False, False)
    assert refused(stored, table_id, "ann") == "nothing-to-take-back"


# --- In secret ---


def test_a_set_up_goes_back_until_it_is_opened(stored: Tables) -> None:
    table_id = people(stored)
    start = stored.snapshot(table_id)
    do(stored, table_id, 1, *OTHER_SETUP[:7])
    done = do(stored, table_id, 0, *SETUP)
    assert rights(done, 0) == (True, False)
    back = stored.take_back(table_id, "ann")
    assert back.acting == (0, 1)
    assert back.view(0) == start.view(0)
    assert tokens(stored, table_id) == OTHER_SETUP[:7]  # what the other chose stays
    assert back.entries[-1].kind == "takeback"
    assert len(back.entries[-1].undone) == len(SETUP)
    assert len(back.entries) == 1 + 7 + 36 + 1  # the log keeps everything
    assert [back.decision(0), back.decision(1)] == [2, 1]
    do(stored, table_id, 0, *SETUP)
    opened = do(stored, table_id, 1, *OTHER_SETUP[7:])
    assert rights(opened, 0) == rights(opened, 1) == (False, True)
    anew = [one.sets_up_anew(seat) for one in (done, opened) for seat in (0, 1)]
    assert anew == [False, False, True, True]
    moved = do(stored, table_id, 0, "e4-e5")
    assert [moved.sets_up_anew(seat) for seat in (0, 1)] == [False, True]


def test_batches_go_back_one_by_one(stored: Tables) -> None:
    table_id = people(stored)
    do(stored, table_id, 0, *SETUP[:3])
    do(stored, table_id, 0, *SETUP[3:4])
    stored.take_back(table_id, "ann")
    assert tokens(stored, table_id) == SETUP[:3]
    stored.take_back(table_id, "ann")
    assert tokens(stored, table_id) == []
    assert refused(stored, table_id, "ann") == "nothing-to-take-back"


# --- In the open ---


def test_a_quiet_move_goes_back_until_the_other_moves(stored: Tables) -> None:
    table_id = ready(stored)
    before = stored.snapshot(table_id)
    moved = do(stored, table_id, 0, "e4-e5")
    assert rights(moved, 0) == (True, False)
    assert rights(moved, 1) == (False, True)
    back = stored.take_back(table_id, "ann")
    assert back.state == before.state
    assert back.decision(0) > moved.decision(0)
    assert back.decision(1) > moved.decision(1)
    assert "e4-e5" not in stored.transcript(table_id, 0)
    do(stored, table_id, 0, "f4-f5")
    replied = do(stored, table_id, 1, "e7-e6")
    assert rights(replied, 0) == (False, True)
    assert rights(replied, 1) == (True, False)


def test_an_attack_does_not_go_back_for_free(stored: Tables) -> None:
    table_id = ready(stored)
    fought = do(stored, table_id, 0, "e4-e7")
    assert rights(fought, 0) == (False, True)
    asked = stored.take_back(table_id, "ann")
    assert asked.take_back_ask == 0
    assert asked.must_answer(1) == "take-back"
    assert asked.must_answer(0) is None
    assert asked.state == fought.state
    assert asked.decision(1) == fought.decision(1)


def test_the_other_agrees(stored: Tables) -> None:
    table_id = ready(stored)
    before = stored.snapshot(table_id)
    do(stored, table_id, 0, "e4-e5")
    do(stored, table_id, 1, "f7-f6")
    stored.take_back(table_id, "ann")
    back = stored.answer_take_back(table_id, "bob", True)
    assert back.state == before.state
    assert back.take_back_ask is None
    assert [entry.kind for entry in back.entries[-3:]] == ["ask", "allow", "takeback"]
    assert back.entries[-1].seat == 0
    assert len(back.entries[-1].undone) == 2


def test_the_other_refuses(stored: Tables) -> None:
    table_id = ready(stored)
    do(stored, table_id, 0, "e4-e5")
    replied = do(stored, table_id, 1, "f7-f6")
    stored.take_back(table_id, "ann")
    kept = stored.answer_take_back(table_id, "bob", False)
    assert (kept.state, kept.take_back_ask) == (replied.state, None)
    assert rights(kept, 0) == (False, False)
    assert refused(stored, table_id, "ann") == "asked-before"
    for who in ("ann", "bob"):
        with pytest.raises(NotNow):
            stored.answer_take_back(table_id, who, True)
    do(stored, table_id, 0, "e5-e6")
    assert rights(do(stored, table_id, 1, "f6-f5"), 0) == (False, True)  # another move


def test_a_question_lapses_when_somebody_acts(stored: Tables) -> None:
    table_id = ready(stored)
    do(stored, table_id, 0, "e4-e5")
    do(stored, table_id, 1, "f7-f6")
    stored.take_back(table_id, "ann")
    assert refused(stored, table_id, "ann") == "already-asked"
    assert do(stored, table_id, 0, "e5-e6").take_back_ask is None


def test_set_ups_go_back_with_consent_and_the_others_stays(stored: Tables) -> None:
    table_id = ready(stored)
    asked = stored.take_back(table_id, "ann")
    assert asked.take_back_ask == 0
    back = stored.answer_take_back(table_id, "bob", True)
    assert back.acting == (0,)
    assert tokens(stored, table_id) == SETUP  # of the other
    again = do(stored, table_id, 0, *OTHER_SETUP)
    assert again.acting == (0,)
    assert len(again.state.fields["board"].nonzero()[0]) == 16


def test_nothing_goes_back_across_a_draw_of_chance(stored: Tables) -> None:
    table_id = people(stored, DUEL)
    stored.snapshot(table_id)
    for seat in (0, 1):
        snapshot = stored.snapshot(table_id)
        card = snapshot.view(seat).legal_actions(seat)[0]
        stored.act(table_id, ("ann", "bob")[seat], [card, 3], snapshot.decision(seat))
    rolled = stored.snapshot(table_id)
    assert any(entry.kind == "chance" for entry in rolled.entries[-3:])
    for seat, who in enumerate(("ann", "bob")):
        assert rights(rolled, seat) == (False, False)
        assert refused(stored, table_id, who) == "nothing-to-take-back"


def test_laid_cards_go_back_until_they_are_opened(stored: Tables) -> None:
    table_id = people(stored, DUEL)
    before = stored.snapshot(table_id)
    card = before.view(0).legal_actions(0)[0]
    stored.act(table_id, "ann", [card, 3], before.decision(0))
    assert stored.snapshot(table_id).acting == (1,)
    assert stored.take_back(table_id, "ann").state == before.state


# --- With bots ---


def test_bots_agree_until_something_is_shown(tables: Tables) -> None:
    table_id = against_bot(tables)
    do(tables, table_id, 0, *SETUP)
    with Thinker(tables, rhythm=0):
        wait_for(lambda: tables.snapshot(table_id).acting == (0,))
        before = tables.snapshot(table_id)
        moved = do(tables, table_id, 0, "e4-e5")
        wait_for(lambda: tables.snapshot(table_id).acting == (0,))
    replied = tables.snapshot(table_id)
    assert replied.version > moved.version
    shown = replied.state.sealed >= replied.state.plies  # did the bot attack?
    assert rights(replied, 0) == (not shown, False)
    if not shown:
        assert tables.take_back(table_id, "ann").state == before.state


def test_bots_do_not_agree_across_what_was_shown(tables: Tables) -> None:
    table_id = against_bot(tables)
    do(tables, table_id, 0, *SETUP)
    with Thinker(tables, rhythm=0):
        wait_for(lambda: tables.snapshot(table_id).acting == (0,))
    snapshot = tables.snapshot(table_id)
    assert rights(snapshot, 0) == (False, False)  # the set-ups are open
    assert refused(tables, table_id, "ann") == "nothing-to-take-back"
