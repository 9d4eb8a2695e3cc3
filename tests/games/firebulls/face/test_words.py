"""Tokens, hints, notation, rulebooks."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.firebulls.helpers import play, table
from tianxia.draw.rulebook import Rulebook
from tianxia.games.firebulls import GAME
from tianxia.kernel.errors import IllegalAction, NotationError, ParseError

BOOK = Rulebook("tianxia.games.firebulls.face")


def test_the_rulebooks_have_all_statements_in_both_languages() -> None:
    BOOK.check()
    assert BOOK.languages == ("en", "fr")
    assert sorted(BOOK.statements()) == sorted(GAME.statements.values())
    assert len(BOOK.statements()) == 54


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("attack", "not an action"),
        ("2:bq", "one letter for each card"),
        ("2:", "not an action"),
        ("2:bbr", "FBL-25"),
        ("take:z", "should be one of"),
        ("take:purple", "should be one of"),
        ("6:b", "not an action"),
    ],
)
def test_hints(text: str, hint: str) -> None:
    with pytest.raises(ParseError, match=hint):
        table("b1", "-").parse(text)


def test_words_and_other_orders_are_read_too() -> None:
    state = table("b2w1", "-", rows="X,X,X/X,X,X/X,X,X")
    assert state.parse("2:wbb") == state.parse("2:bbw") == state.parse("2: b b w")
    assert state.parse("take yellow") == state.parse("take:y")
    assert state.parse("take jaune") == state.parse("take:y")
    assert state.parse("G:bbbbbbb") == state.parse("g:bbbbbbb")


def test_an_illegal_payment_says_what_would_be_legal() -> None:
    state = table("b1", "-", rows="Wb,X,X/X,X,X/X,X,X")
    with pytest.raises(IllegalAction, match=r"FBL-25.*Legal now: take:b"):
        state.apply(state.parse("2:bb"))


def test_both_languages_tell_an_attack() -> None:
    state = table("b2", "-", rows="Wb,X,X/X,X,X/X,X,X")
    action = state.parse("2:bb")
    assert state.describe(action, 0) == (
        "Blue attacks along direction 2 with 2 × blue Bull and wins a card: blue Wu."
    )
    assert "Wu bleu" in state.describe(action, 0, None, "fr")
    assert "Reserve" in state.diagram()
    assert "Réserve" in state.diagram("fr")


BASE = table("b2", "y1").notation()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (" turn 0 ", " pay 0 "),
        (" turn 0 ", " turn 2 "),
        (" 40/40 ", " 40/41 "),
        (" 24 ", " 22 "),
        (" 24 ", " 20 "),
        (" 24 ", " 26 "),
        (" Sb,", " G,"),
        (" Sb,", " -,"),
        (" 15/15/15 ", " 15/15/14 "),
        (" piles ", " aside "),
        (" piles ", " won "),
        (" b2/y1 ", " b3/y1 "),
        (" b2/y1 ", " ?2/y1 "),
        (" b1y1n1 ", " y1b1n1 "),
        (" b1y1n1 ", " b1y1 "),
        (" -/-,=,= ", " r1/-,=,= "),
        (" 0 -", " 3 -"),
        (" 0 -", " 0 d2"),
        (" 0 -", " 0 v1"),
    ],
)
def test_what_is_no_position_is_refused(old: str, new: str) -> None:
    assert BASE.count(old) >= 1
    with pytest.raises(NotationError):
        tianxia.position(BASE.replace(old, new, 1))


def test_the_notation_of_an_attack() -> None:
    state = play(table("b5w3", "-", rows="Sb,Sb,X/X,X,X/X,X,X", victory=("F2", "-")), "2:b", "2:w")
    assert state.notation().endswith(" 0 d2+Sb+Sbw1")
    assert tianxia.position(state.notation()) == state
