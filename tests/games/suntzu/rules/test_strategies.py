"""The ten strategy cards."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.suntzu.war import (
    BLUE,
    PROVINCES,
    RED,
    aside,
    begin,
    counted,
    do,
    fight,
    holds,
    lay,
    legal,
    marks,
    refused,
    reserve,
    under,
    war,
)
from tianxia.games.suntzu.rules.state import AFTER, BEFORE, LAYING

pytestmark = pytest.mark.rules


def before(strategies, **more):
    """Return the moment before the fights: both have laid."""
    state = war(phase=LAYING, strategies=strategies, **more)
    lay(state, BLUE, "1", "2", "3", "4", "5")
    lay(state, RED, "1", "2", "3", "4", "5")
    return do(state, "open")


def after(strategies, **more):
    """Return the moment after the fifth fight."""
    done = "Qin Chu JinYan HanQi"
    return fight("1", "1", strategies=strategies, done=done, **more)


def test_SUN_58_before_or_after_the_fights_and_once():
    armies = {"Qin": "b3", "Wu": "r3"}
    state = before(("5", "2"), armies=armies)
    assert legal(state) == {"pass", "S5=Qin"}
    do(state, "S5=Qin")
    assert state.fields["spent"].tolist() == [16, 0]
    do(state, "K2=Wu")
    assert state.fields["phase"] != BEFORE  # nobody holds a card any more
    later = after(("5", "2"), armies=armies)
    assert later.fields["phase"] == AFTER
    assert legal(later) == {"pass", "S5=Qin"}
    assert refused(later, "S1=Qin>Chu") == "SUN-58"  # not the card that he holds
    do(later, "pass", "pass")
    assert later.fields["phase"] != AFTER


def test_SUN_83_in_turn_until_both_pass_in_a_row():
    armies = {"Qin": "b3", "Wu": "r3"}
    state = before(("5", "2"), armies=armies, privilege=RED)
    assert state.acting == (RED,)  # the last holder first
    do(state, "pass")
    assert state.acting == (BLUE,)
    do(state, "S5=Qin")
    assert state.acting == (RED,)  # his pass does not bind him after a card was played
    do(state, "K2=Qin")
    assert holds(state, "Qin") == "b3"
    assert state.acting == (RED,)  # both have three armies: Red keeps the privilege
    counted_late = before(("5", ""), armies={"Qin": "b3", "Wu": "r4"}, privilege=BLUE)
    do(counted_late, "S5=Qin")
    assert legal(counted_late) >= {"next=Wu"}
    assert counted_late.acting == (BLUE,)  # 4 against 4
    fighting = fight("P", "1", strategies=("5", "2"))
    assert refused(fighting, "K2=Wu") == "SUN-83"


def test_SUN_87_being_asked_tells_nothing():
    armies = {"Qin": "b3", "Wu": "r3"}
    for strategy in "1245":
        state = before((strategy, "2"), armies=armies)
        assert state.acting == (BLUE,)
        assert "pass" in legal(state)
        asked = fight("9", "2", strategies=(strategy, "1"))
        assert asked.acting == (BLUE,)
        assert "pass" in legal(asked)
        assert fight("-1", "2", strategies=(strategy, "1")).acting == (BLUE,)
    for strategy in "12345":
        assert before(("", strategy), armies=armies).acting == (RED,)
        assert fight("P", "2", strategies=("", strategy)).acting == (RED,)
        assert fight("2", "P", strategies=("", strategy)).acting == (RED,)
    one, two = (before((strategy, "2"), armies=armies) for strategy in "15")
    assert one.view(RED) == two.view(RED)


def test_SUN_87_after_round_6_nobody_is_asked_before_or_after_fights():
    state = before(("5", "2"), turn=7, armies={"Qin": "b3", "Wu": "r3"})
    assert legal(state) == {"turn=Qin"}


def test_SUN_59_K1_a_second_6_in_a_marked_province():
    state = war(phase=LAYING, strategies=("", "1"), marks=("", "Wu"))
    assert refused(state, "Wu=6", RED) is None
    lay(state, RED, "1", "2", "3", "4", "6")
    lay(state, BLUE, "1", "2", "3", "4", "5")
    do(state, "open", "pass")
    assert state.view(BLUE).fields["cards"][RED] == 1  # until then nobody sees it
    for province in PROVINCES:
        do(state, f"turn={province}")
    assert marks(state) == (0, 2)
    assert state.fields["spent"][RED] == 1
    assert state.fields["cards"][RED] == 0
    plague = war("P", "6", strategies=("", "1"), marks=("", "Wu"))
    do(plague, "turn=Wu")
    assert marks(plague) == (0, 1)
    assert plague.fields["spent"][RED] == 1  # spent all the same
    assert plague.acting == ()  # a King without a card is asked nothing
    asked = fight("P", "2", strategies=("", "1"))
    assert refused(asked, "K1") == "SUN-59"


def test_SUN_60_K2_removes_an_army_of_anybody():
    armies = {"Qin": "b3", "Wu": "r1"}
    state = before(("", "2"), armies=armies)
    assert legal(state) == {"pass", "K2=Qin", "K2=Wu"}
    assert refused(state, "K2=Chu") == "SUN-60"
    own = state.clone()
    do(state, "K2=Qin")
    assert holds(state, "Qin") == "b2"
    assert reserve(state) == (19, 20)
    do(own, "K2=Wu")
    assert holds(own, "Wu") == "-"
    assert reserve(own) == (18, 21)
    late = fight("P", "1", strategies=("", "2"), turn=7)
    assert refused(late, "K2=Wu") == "SUN-60"


def test_SUN_61_K3_leaves_one_army():
    state = fight("P", "2", armies={"Wu": "b7"}, strategies=("", "3"))
    do(state, "pass")  # K4 is asked first
    assert refused(state, "K4") == "SUN-62"
    do(state, "K3")
    assert holds(state) == "b1"
    assert reserve(state) == (20, 21)
    asked = fight("P", "2", strategies=("", "4"))
    assert refused(asked, "K3") == "SUN-61"


def test_SUN_62_K4_counters_a_plague():
    state = fight("P", "3", armies={"Wu": "b8"}, strategies=("", "4"))
    assert legal(state) == {"pass", "K4"}
    do(state, "K4")
    assert holds(state) == "b5"
    assert state.fields["plagues"] == 1  # it was played all the same


def recycled(own, number, seat, **more):
    cards = (own, "2") if seat == BLUE else ("2", own)
    strategies = (number, "") if seat == BLUE else ("", number)
    return fight(*cards, strategies=strategies, **more)


def test_SUN_63_K5_puts_the_plague_under_the_deck():
    state = recycled("P", "5", RED, deck=(None, "7 8"), tail=("", "+1"))
    do(state, "pass")  # K3
    assert legal(state) == {"pass", "K5"}
    do(state, "K5")
    assert under(state, RED) == "+1 P!"
    assert legal(state) == {"discard=7", "discard=8"}
    do(state, "discard=8")
    assert counted(state, "deck", RED) == "7"
    assert "8" in counted(state, "gone", RED).split()
    assert "P" not in state.view(BLUE).diagram().split("reserve")[0].split()
    assert under(state.view(BLUE), RED).endswith("P!")  # all have seen it go there
    declined = recycled("P", "5", RED, deck=(None, "7 8"))
    do(declined, "pass", "pass")
    assert under(declined, RED) == ""


def test_SUN_67_S4_puts_the_minus_1_under_the_deck():
    state = recycled("-1", "4", BLUE, deck=("7", None))
    assert legal(state) == {"pass", "S4"}
    do(state, "S4", "discard=7")
    assert under(state, BLUE) == "-1!"
    asked = recycled("-1", "2", BLUE)
    assert refused(asked, "S4") == "SUN-58"
    high = fight("7", "2", strategies=("4", ""))
    assert refused(high, "S4") == "SUN-67"


def test_SUN_86_with_an_empty_deck_the_card_itself_goes():
    state = recycled("-1", "4", BLUE, deck=("", None))
    do(state, "S4")
    assert legal(state) == {"discard=-1"}
    do(state, "discard=-1")
    assert under(state, BLUE) == ""
    assert counted(state, "gone", BLUE).split().count("-1") == 3
    state = recycled("P", "5", RED, deck=(None, ""))
    do(state, "pass", "K5")
    assert legal(state) == {"discard=P"}


def test_SUN_64_S1_moves_an_army():
    armies = {"Qin": "b2", "JinYan": "b1", "HanQi": "r2"}
    state = before(("1", ""), armies=armies)
    assert legal(state) == {"pass", "S1=Qin>Chu", "S1=Qin>JinYan", "S1=JinYan>Qin"}
    assert refused(state, "S1=Qin>HanQi") == "SUN-64"  # the King's
    assert refused(state, "S1=Wu>Chu") == "SUN-64"  # nobody there
    with pytest.raises(tianxia.TianxiaError):
        state.parse("S1=Qin>Wu")  # no border
    do(state, "S1=Qin>Chu")
    assert (holds(state, "Qin"), holds(state, "Chu")) == ("b1", "b1")
    last = before(("1", ""), armies={"JinYan": "b1"})
    do(last, "S1=JinYan>Qin")
    assert holds(last, "JinYan") == "-"


@pytest.mark.parametrize("card", ["7", "8", "9", "10"])
def test_SUN_65_S2_counts_a_high_card_as_a_6(card):
    state = fight(card, "6", strategies=("2", ""))
    do(state, "S2")
    assert holds(state) == "-"
    assert marks(state) == (0, 1)
    assert fight(card, "P", strategies=("2", "")).acting == ()  # not against a Plague
    assert fight("6", "1", strategies=("2", "")).acting == ()
    asked = fight("-1", "3", strategies=("2", ""))
    assert refused(asked, "S2") == "SUN-65"


def test_SUN_66_S3_moves_the_pawn_as_soon_as_both_have_chosen():
    state = tianxia.game("suntzu").new()
    while not state.acting:
        state.apply(state.legal_actions()[0])
    do(state, "b choose=S3", "r choose=K1")
    assert state.fields["track"] == 0
    do(state, "open")
    assert state.fields["track"] == 1
    assert state.fields["cards"].tolist() == [0, 1]
    asked = fight("9", "1", strategies=("2", ""))
    assert refused(asked, "S3") == "SUN-66"
    second = fight(
        "6", "1", strategies=("2", ""), event="chariots", left="hero", marks=("Qin Chu", "")
    )
    assert refused(second, "choose=S3") == "SUN-66"


def test_SUN_68_S5_adds_an_army():
    state = before(("5", ""), armies={"Qin": "b2", "Wu": "r2"})
    assert legal(state) == {"pass", "S5=Qin"}
    assert refused(state, "S5=Wu") == "SUN-68"
    assert refused(state, "S5=Chu") == "SUN-68"
    do(state, "S5=Qin")
    assert holds(state, "Qin") == "b3"
    assert reserve(state)[BLUE] == 18


def test_SUN_68_S5_with_an_empty_reserve_needs_a_reinforcement():
    armies = {"Qin": "b9", "Wu": "b9"}
    cannot = before(("5", ""), armies=armies, reserve=(0, None))
    assert refused(cannot, "S5=Qin") == "SUN-68"
    state = before(("5", ""), armies=armies, reserve=(0, None), hand=("7", ""))
    declined = do(state.clone(), "S5=Qin")
    assert legal(declined) == {"reinforce=7", "pass"}
    world = declined.view(RED).sample(_rng())
    assert world.fields["hand"][BLUE][6:].sum() == 1  # he has a card to discard: all know it
    do(state, "S5=Qin", "reinforce=7")
    assert holds(state, "Qin") == "b10"
    assert aside(state)[BLUE] == 2
    do(declined, "pass")
    assert holds(declined, "Qin") == "b9"
    assert declined.fields["spent"][BLUE] == 16  # spent all the same


def _rng():
    from tianxia.kernel.rng import new_rng

    return new_rng(1)


def test_SUN_84_K3_for_any_plague_K4_for_the_opponents():
    own = fight("2", "P", armies={"Wu": "b7"}, strategies=("", "3"))
    assert refused(own, "K4") == "SUN-62"
    do(own, "K3")
    assert holds(own) == "b1"
    both = fight("P", "P", armies={"Wu": "b7"}, strategies=("", "34"))
    do(both, "K4")
    assert legal(both) == {"pass", "K3"}  # the King's own still strikes
    do(both, "K3")
    assert holds(both) == "b1"
    alone = fight("P", "2", strategies=("", "34"))
    do(alone, "K4")
    assert "K3" not in legal(alone)  # no Plague strikes any more


@pytest.mark.parametrize(("red", "result"), [("7", "r7"), ("+2", "r2"), ("+1", "r1"), ("-1", "b1")])
def test_SUN_85_the_countered_plague_is_a_0(red, result):
    state = fight("P", red, strategies=("", "4"))
    do(state, "K4")
    assert holds(state) == result


def test_SUN_58_nothing_is_asked_without_strategy_cards():
    state = begin(1, strategies=False)
    lay(state, BLUE, "1", "2", "3", "4", "5")
    lay(state, RED, "1", "2", "3", "4", "5")
    do(state, "open")
    assert legal(state) == {"turn=Qin"}
