"""The course of a round, the order of the provinces, drawing."""

from __future__ import annotations

import random

import pytest

from tests.games.suntzu.war import (
    BLUE,
    CHANCE,
    PROVINCES,
    RED,
    SPECTATOR,
    auto,
    begin,
    counted,
    do,
    fight,
    hand,
    lay,
    legal,
    refused,
    run,
    step,
    under,
    war,
)
from tianxia.games.suntzu.rules.state import AFTER, COLLECTING, DRAWING, KEEPING, LAYING, SCORING
from tianxia.kernel.state import State

pytestmark = pytest.mark.rules
PLAIN = {"strategies": False}


def round_of(state):
    return int(state.fields["turn"])


def test_SUN_09_five_phases_in_order():
    state = begin(1, **PLAIN)
    rng, seen = random.Random(1), list[int]()
    while round_of(state) < 4:
        phase = int(state.fields["phase"])
        if not seen or seen[-1] != phase:
            seen.append(phase)
        step(state, rng)
    course = [phase for phase in seen if phase in (LAYING, SCORING, COLLECTING, DRAWING, KEEPING)]
    usual = [LAYING, COLLECTING, DRAWING, KEEPING]
    third = [LAYING, SCORING, COLLECTING, DRAWING, KEEPING]
    assert course == [*usual, *usual, *third]
    asked = fight("7", "1", strategies=("2", ""))  # an action that belongs to another phase
    assert refused(asked, "Wu=2", BLUE) == "SUN-09"
    assert refused(asked, "Wu=2", RED) == "SUN-09"


def test_SUN_10_the_marker_advances_at_the_start_of_later_rounds():
    state = begin(2, **PLAIN)
    assert round_of(state) == 1
    run(state, KEEPING)
    while state.acting:
        step(state, random.Random(1))
    assert round_of(state) == 1
    assert legal(state) == {"round"}
    do(state, "round")
    assert round_of(state) == 2
    assert state.acting == (BLUE, RED)


def test_SUN_11_exactly_one_card_in_each_province():
    state = begin(3, **PLAIN)
    do(state, "b Wu=5")
    assert refused(state, "Wu=4", BLUE) == "SUN-11"  # twice in a province
    assert refused(state, "Qin=5", BLUE) == "SUN-11"  # the same card in two
    assert refused(state, "pass", BLUE) == "SUN-11"
    do(state, "b Qin=1", "b Chu=2", "b JinYan=3", "b HanQi=4")
    assert state.acting == (RED,)
    assert refused(state, "Wu=6", BLUE) == "SUN-11"


def test_SUN_12_round_1_goes_from_Qin_to_Wu():
    state = begin(4, **PLAIN)
    lay(state, BLUE, "1", "2", "3", "4", "5")
    lay(state, RED, "2", "1", "3", "4", "6")
    do(state, "open")
    turned = []
    while state.fields["phase"] not in (AFTER, COLLECTING):
        (token,) = legal(state)
        assert refused(state, "next=Wu", BLUE) is not None
        turned.append(token)
        do(state, token)
    assert turned == [f"turn={name}" for name in PROVINCES]
    assert state.fields["privilege"] == 0


def later(blue: str, red: str, **more) -> State:
    """Return round 2 just when both have laid, with armies in two provinces."""
    state = war(phase=LAYING, armies={"Qin": f"b{blue}", "Wu": f"r{red}"}, **more)
    lay(state, BLUE, "1", "2", "3", "4", "5")
    lay(state, RED, "1", "2", "3", "4", "5")
    return do(state, "open")


def test_SUN_13_fewer_armies_decide_the_order():
    state = later("3", "2")
    assert state.acting == (RED,)
    assert legal(state) == {f"next={name}" for name in PROVINCES}
    assert refused(state, "next=Wu", BLUE) == "SUN-13"
    do(state, "next=HanQi", "turn=HanQi")
    assert state.acting == (RED,)
    assert refused(state, "next=HanQi") == "SUN-13"
    do(state, "next=Wu", "turn=Wu", "next=Qin", "turn=Qin", "next=Chu", "turn=Chu")
    assert legal(state) == {"turn=JinYan"}  # the last follows of itself
    marked = later("1", "2", marks=("Chu HanQi", ""))  # marks are not counted
    assert marked.acting == (BLUE,)


def test_SUN_14_a_tie_leaves_the_privilege_where_it_was():
    assert later("2", "2", privilege=RED).acting == (RED,)
    assert later("2", "2", privilege=BLUE).acting == (BLUE,)
    assert legal(later("2", "2")) == {"turn=Qin"}
    assert later("2", "3", privilege=RED).acting == (BLUE,)  # it changes hands


def test_SUN_73_cards_stay_hidden_until_both_have_laid_five():
    state = war(phase=LAYING)
    other = state.clone()
    lay(state, BLUE, "1", "2", "3", "4", "5")
    lay(other, BLUE, "5", "4", "3", "2", "6")
    assert refused(state, "turn=Qin", CHANCE) == "SUN-73"
    assert refused(state, "pass", BLUE) == "SUN-73"
    for viewer in (RED, SPECTATOR):
        assert state.view(viewer) == other.view(viewer)
    waiting = war(phase=LAYING)
    assert state.view(RED).fields["laid"].sum() == 0
    assert waiting.view(RED).acting == (BLUE, RED)
    assert state.view(RED).acting == (RED,)
    for one in (state, other):
        lay(one, RED, "1", "2", "3", "4", "5")
        do(one, "open")
    assert state.view(RED) == other.view(RED)
    for one in (state, other):
        do(one, "turn=Qin")
    assert [int(s.view(RED).fields["laid"][0][0]) for s in (state, other)] == [1, 5]
    assert state.view(BLUE).fields["laid"][1].tolist() == [1, 0, 0, 0, 0]


def collected(laid, **more) -> State:
    """Return round 2 after the fights, the cards collected."""
    state = war(phase=COLLECTING, laid=(laid, "1 2 3 4 5"), **more)
    return do(state, "collect")


def test_SUN_33_cards_1_to_6_come_back_the_others_leave():
    state = collected("6 7 -1 P 2")
    assert hand(state, BLUE) == "1 2 3 4 5 6"
    gone = counted(state, "gone", BLUE).split()
    assert {"7", "-1", "P"} <= set(gone)
    assert hand(state, RED) == "1 2 3 4 5 6"
    assert state.fields["laid"].sum() == 0


def test_SUN_34_draw_two_keep_one():
    state = collected("2 3 4 5 6", deck=("7 8 9", ""))
    assert legal(state) == {"draw=7", "draw=8", "draw=9"}
    do(state, "draw=9", "draw=7")
    assert state.acting == (BLUE,)  # Red's deck is empty
    assert legal(state) == {"under=7", "under=9"}
    assert refused(state, "under=8") == "SUN-34"
    do(state, "under=7")
    assert hand(state, BLUE).endswith(" 9")
    do(state, "round")
    assert under(state, BLUE) == "7"
    assert counted(state, "deck", BLUE) == "8"
    last = war(phase=SCORING, turn=9, armies={"Qin": "b1"})
    assert auto(last).over  # after round 9 nobody draws


def test_SUN_34_what_lies_under_the_deck_is_drawn_last_and_in_order():
    state = collected("2 3 4 5 6", deck=("8", ""), tail=("P +1", ""))
    assert legal(state) == {"draw=8"}
    do(state, "draw=8")
    assert legal(state) == {"draw=P"}
    do(state, "draw=P", "under=8", "round")
    assert under(state, BLUE) == "+1 8"


def test_SUN_35_one_card_is_kept_none_is_none():
    state = collected("2 3 4 5 6", deck=("8", ""))
    do(state, "draw=8")
    assert state.acting == ()
    assert legal(state) == {"round"}
    assert hand(state, BLUE).endswith(" 8")
    assert hand(state, RED) == "1 2 3 4 5 6"


def test_SUN_76_only_the_owner_sees_what_he_draws_and_keeps():
    one, two = (collected("2 3 4 5 6", deck=("7 8 9 10", "")) for _ in range(2))
    for state, drawn, put in ((one, "7 8", "8"), (two, "9 10", "9")):
        for card in drawn.split():
            action = state.parse(f"draw={card}", CHANCE)
            assert state.seen(action, CHANCE, BLUE) == action
            assert state.seen(action, CHANCE, RED) is None
            assert state.seen(action, CHANCE, SPECTATOR) is None
            do(state, f"draw={card}")
        action = state.parse(f"under={put}", BLUE)
        assert state.seen(action, BLUE, RED) is None
        do(state, f"under={put}", "round")
    for viewer in (RED, SPECTATOR):
        assert one.view(viewer) == two.view(viewer)
    assert under(one.view(BLUE), BLUE) == "8"
    assert one.view(RED).fields["tail"][0].sum() == 0
    assert one.view(RED).fields["tail_length"][0] == 1


@pytest.mark.parametrize(
    ("deck", "drawn", "kept"), [("7 8 9 10", 3, 2), ("7 8", 2, 2), ("7", 1, 1), ("", 0, 0)]
)
def test_SUN_77_whoever_laid_his_1_draws_three_and_keeps_two(deck, drawn, kept):
    state = collected("1 2 3 4 5", deck=(deck, ""))
    for card in deck.split()[:drawn]:
        do(state, f"draw={card}")
    if drawn > kept:
        assert state.acting == (BLUE,)
        do(state, "under=8")
    do(state, "round")
    assert len(hand(state, BLUE).split()) == 6 + kept
    assert under(state, BLUE) == ("8" if drawn > kept else "")


def test_SUN_46_card_1_draws_even_if_it_met_a_plague():
    state = collected("2 3 4 5 6", deck=("7 8 9", ""))
    assert state.fields["want"].tolist() == [2, 0]
    state = collected("2 3 4 5 1", deck=("7 8 9", ""))
    assert state.fields["want"].tolist() == [3, 0]
    assert state.fields["keep"].tolist() == [2, 0]


@pytest.mark.parametrize("seed", range(4))
def test_SUN_69_five_cards_can_always_be_laid(seed):
    state = begin(seed)
    rng = random.Random(seed)
    while not state.over:
        if state.fields["phase"] == LAYING:
            for seat in state.acting:
                assert any("=" in token for token in legal(state, seat))
            if len(state.acting) == 2 and not state.fields["laid"].any():
                assert all((state.fields["hand"][seat][:6] == 1).all() for seat in (0, 1))
        step(state, rng)
