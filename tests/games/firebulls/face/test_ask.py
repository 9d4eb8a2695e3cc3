"""What the rows and cards of Fire Bulls answer: costs, gains, and what lies in the way."""

from __future__ import annotations

from tests.draw.test_every_answer import ask
from tests.games.firebulls.helpers import table
from tianxia.draw.asking import Answer


def facts(answer: Answer | None) -> dict[str, tuple[str, str]]:
    assert answer is not None
    return {fact.name: (fact.text, fact.after) for fact in answer.facts}


ROWS = "Sb,X,Wr/B,F,Sg/Sy,Sn,C"
"""Row by row, nearest first: a blue Soldier, a Bo and a yellow Soldier before the pawns."""


def test_a_card_says_what_it_is_worth_what_takes_it_and_what_lies_before_it():
    state = table("b2g3", "y2", rows=ROWS, pawns="25")
    soldier = facts(ask(state.view(0), 0, "p0"))
    assert soldier["Worth"][0] == "1 point and 1 for your colour"
    assert soldier["Your hand"][0] == "suffices: 1 × blue Bull"
    assert soldier["Along 2, straight"][0] == "the first card"
    behind = facts(ask(state.view(0), 0, "p3"))
    assert behind["Along 2, straight"][0] == "after blue Soldier"
    assert behind["Your hand"][0] == "suffices: 3 × green Bull"
    assert facts(ask(state.view(1), 1, "p3"))["Your hand"][0] == "does not suffice"


def test_a_chosen_attack_says_what_is_laid_and_won():
    state = table("b2w1", "y2", rows=ROWS, pawns="25", victory=("Sy1",))
    told = facts(ask(state.view(0), 0, "p0", action=state.parse("2:w", 0)))
    assert told["You lay"][1] == "1 × Warrior"
    assert told["Cards in your hand"] == ("3", "2 cards")
    assert told["Your points"] == ("1", "1, and 1 point and 1 for your colour")
    assert told["For Warriors you give up"][1] == "1 point card won earlier"
    elsewhere = facts(ask(state.view(0), 0, "p1", action=state.parse("2:w", 0)))
    assert "You lay" not in elsewhere


def test_an_attack_card_lights_what_it_helps_to_take():
    answer = ask(table("b2", "y2", rows=ROWS).view(0), 0, "hand-b")
    assert answer is not None
    assert "p0" in answer.lights
    assert "p2" not in answer.lights
    assert facts(answer)["In your hand"][0] == "2"
