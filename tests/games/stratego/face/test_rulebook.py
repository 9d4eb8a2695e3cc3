"""The examples that the rulebook gives are true."""

from __future__ import annotations

import re
from itertools import cycle

import pytest

import tianxia
from tianxia.draw.languages import LANGUAGES
from tianxia.draw.rulebook import Rulebook

pytestmark = [pytest.mark.rules, pytest.mark.parametrize("language", LANGUAGES)]
BOOK = Rulebook("tianxia.games.stratego.face")
ARMY = "FBS2239M"  # Barrage


def army(pieces: str, first: str) -> str:
    """Return an army as notation: what is not among `pieces`, such as 2@a4, is lost.

    `first` is the square where the set-up begins.
    """
    placed = {piece[2:]: piece[0] for piece in pieces.split()}
    lost = list(ARMY)
    for rank in placed.values():
        lost.remove(rank)
    slots = []
    for slot in range(40):
        square = slot if first == "a1" else 99 - slot
        name = "abcdefghij"[square % 10] + str(square // 10 + 1)
        slots.append(placed[name] if name in placed else lost.pop() + "x" if lost else "-")
    return "".join(slots)


def begin(red: str, blue: str) -> tianxia.State:
    """Return a position in which Red is to move and nobody has moved yet."""
    armies = f"{army(red + ' F@j2', 'a1')} {army(blue + ' F@j9', 'j10')}"
    return tianxia.position(f"stratego(variant=barrage) * play r 17/17 {armies} 0 - - - 0/0 -")


def example(statement: str, language: str) -> list[str]:
    """Return the moves that a statement mentions."""
    return re.findall(r"\b[a-j]\d-[a-j]\d\b", BOOK.text(statement, language))


def play(state: tianxia.State, moves: list[str]) -> None:
    for text in moves:
        state.apply(state.parse(text))


def play_red(state: tianxia.State, moves: list[str]) -> None:
    """Play Red's moves, while a Blue piece walks around a square far from them."""
    walk = cycle(["j7-j8", "j8-i8", "i8-i7", "i7-j7"])
    for text in moves:
        play(state, [text, next(walk)])


def refusal(state: tianxia.State, text: str) -> str | None:
    return state.refusal(state.parse(text))


def test_pacing(language: str) -> None:
    *moves, forbidden = example("STR-08", language)
    state = begin("9@e4", "3@j7")
    play_red(state, moves)
    assert refusal(state, forbidden) == "STR-08"


def test_who_began_stops_first(language: str) -> None:
    state = chase()
    play(state, example("STR-09", language))
    assert state.acting == (0,)
    assert refusal(state, "b5-a5") == "STR-08"


def test_the_count_begins_anew(language: str) -> None:
    state = begin("9@e4", "3@j7")
    moves = example("STR-08", language)[:3]
    assert moves == example("STR-39", language)[:3]
    play_red(state, example("STR-39", language))
    assert state.diagram().count("r9") == 1
    assert state.plies == 17 + 2 * 6


def test_a_long_run_crosses_all_borders(language: str) -> None:
    state = begin("2@d4", "3@j7")
    play_red(state, example("STR-16", language))
    assert [refusal(state, f"h4-{column}4") for column in "gfeda"] == ["STR-08"] + ["STR-16"] * 4
    assert refusal(state, "h4-i4") is None


def test_up_to_the_closed_border(language: str) -> None:
    state = begin("2@d4", "3@j7")
    play_red(state, example("STR-38", language))
    assert [refusal(state, f"j4-{column}4") for column in "ih"] == [None, None]
    assert [refusal(state, f"j4-{column}4") for column in "gfdba"] == ["STR-16"] * 5


def chase() -> tianxia.State:
    """Return a position with Red on a5 and Blue on b6, in which nobody threatens."""
    state = begin("9@a4", "3@b7")
    play(state, ["a4-a5", "b7-b6"])
    return state


def test_chasing_around(language: str) -> None:
    state = chase()
    *moves, forbidden = example("STR-10", language)
    play(state, moves)
    assert refusal(state, forbidden) == "STR-10"


def test_stepping_straight_back(language: str) -> None:
    state = chase()
    play(state, example("STR-11", language))
    play(state, ["b6-a6"])
    assert refusal(state, "b5-a5") == "STR-08"


def test_scouts(language: str) -> None:
    assert set(re.findall(r"\ba\d", BOOK.text("STR-13", language))) == {"a4", "a5", "a9"}
    state = begin("2@a4 2@c4", "3@j7")
    assert [refusal(state, f"a4-a{row}") for row in range(5, 10)] == [None] * 5
    assert {"c4", "c7"} <= set(re.findall(r"\bc\d", BOOK.text("STR-14", language)))
    assert refusal(state, "c4-c7") == "STR-14"
