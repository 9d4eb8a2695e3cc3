"""What piles and circles of Bin'Fa answer: whose they are, what is around them, their reach."""

from __future__ import annotations

from tests.draw.test_every_answer import ask
from tests.games.binfa.helpers import field, play
from tianxia.draw.asking import Answer


def facts(answer: Answer | None) -> dict[str, tuple[str, str]]:
    assert answer is not None
    return {fact.name: (fact.text, fact.after) for fact in answer.facts}


def test_a_pile_says_what_lies_in_it_and_which_sides_are_closed():
    state = field("r5:2r r6:1r2o r11:2o r10:4r o5:4o")
    told = facts(ask(state.view(0), 0, "r5"))
    assert told["From the top"][0] == "2 Red"
    assert told["Units of the army left"][0].startswith("7; with 3 or fewer")
    assert told["Surrounded"][0] == "2 of 3 sides closed"
    assert "r6 2 Orange over 1 Red (closed)" in told["Beside it"][0]
    assert told["Can be dislodged from"][0] == "r6"


def test_a_pile_that_moves_shows_how_far_it_reaches_and_what_a_move_changes():
    state = field("r5:4r r10:4r o5:4o")
    play(state, "roll 3-1")
    answer = ask(state.view(0), 0, "r5")
    assert facts(answer)["In reach"][0].endswith("with 2 moves left")
    assert answer is not None
    assert "r2" in answer.lights
    legal = {state.text(action, 0): action for action in state.legal_actions(0)}
    step = next(action for token, action in legal.items() if token.startswith("r5-"))
    changed = facts(ask(state.view(0), 0, "r5", action=step))
    assert any(after for _text, after in changed.values())


def test_a_circle_says_whom_it_supplies():
    state = field("r5:4r o5:4o r1:4r", level=3, terrain="")
    told = facts(ask(state.view(0), 0, "c-o4"))
    assert told["Brings supplies to"][0] == "Orange"
    assert told["Supplies of Orange"][0] == "5"
    assert ask(field("r5:4r o5:4o").view(0), 0, "c-o4") is None


def test_nobody_dislodges_what_is_in_a_whirlpool_but_from_there_one_can():
    state = field("r5:4r r6:3o o1:2o", level=4, whirlpools="r6 b13 p13", army="r")
    assert not any("x" in state.text(action, 0) for action in state.legal_actions(0))
    assert "Can dislodge" not in facts(ask(state.view(0), 0, "r5"))
    assert "Can be dislodged from" not in facts(ask(state.view(0), 0, "r6"))
    state = field("r5:4r r6:3o o1:2o", level=4, whirlpools="r5 b13 p13", army="r")
    assert facts(ask(state.view(0), 0, "r5"))["Can dislodge"][0] == "r6"
    assert facts(ask(state.view(0), 0, "r6"))["Can be dislodged from"][0] == "r5"


def test_a_circle_brings_nothing_to_units_in_a_whirlpool_nor_to_an_army_that_has_fallen():
    state = field("r1:4r o5:2r g1:4g", level=4, whirlpools="o5 b13 p13", colours="rog")
    assert facts(ask(state.view(0), 0, "c-o4"))["Brings supplies to"][0] == "nobody"
    state = field("r1:4r o5:2r g1:4g", level=4, whirlpools="o6 b13 p13", colours="rog")
    assert facts(ask(state.view(0), 0, "c-o4"))["Brings supplies to"][0] == "Red"
    assert facts(ask(state.view(0), 0, "c-g4"))["Brings supplies to"][0] == "Green"
