"""STR-36 and STR-43: Duel and Barrage."""

from __future__ import annotations

import random

import pytest

import tianxia
from tests.games.stratego.board import board, finish_setup, moves, play, set_up
from tests.games.stratego.helpers import (
    BARRAGE,
    CLASSIC,
    DUEL,
    army,
    arranged,
    cells,
    drawn,
    place,
    random_army,
    refusal,
)

pytestmark = pytest.mark.rules


def check_counts(variant: str, counts: dict[str, int], statement: str) -> None:
    for seat in (0, 1):
        for rank in CLASSIC:
            state = tianxia.game("stratego", variant=variant).new()
            for _ in range(counts.get(rank, 0)):
                assert refusal(state, rank, seat) is None
                set_up(state, seat, [rank])
            assert refusal(state, rank, seat) == statement
            left = {state.text(action, seat) for action in state.legal_actions(seat)}
            assert left == set(counts) - {rank} | {"-"}


def check_setup(variant: str, counts: dict[str, int]) -> None:
    total = sum(counts.values())
    for seed in range(20):
        rng = random.Random(seed)
        state = tianxia.game("stratego", variant=variant).new()
        tokens: tuple[list[str], list[str]] = ([], [])
        while state.acting:
            seat = rng.choice(state.acting)
            action = rng.choice(state.legal_actions(seat))
            tokens[seat].append(state.text(action, seat))
            state.apply(action, seat)
        play_ready = arranged(0, tokens[0]) | arranged(1, tokens[1])
        for seat in (0, 1):
            assert tokens[seat][-1] != "-"
            assert sorted(t for t in tokens[seat] if t != "-") == sorted(army(variant))
            assert len([t for t in tokens[seat] if t != "-"]) == total
        state.apply(state.parse("open", tianxia.CHANCE))
        assert cells(state) == play_ready


def check_empty_squares(variant: str, statement: str) -> None:
    """Squares may stay empty only while enough are left for the pieces."""
    pieces = army(variant)
    empty = 40 - len(pieces)
    for seat in (0, 1):
        state = tianxia.game("stratego", variant=variant).new()
        set_up(state, seat, ["-"] * empty)
        assert refusal(state, "-", seat) in {statement, "STR-03"}
        assert "-" not in {state.text(a, seat) for a in state.legal_actions(seat)}
        set_up(state, seat, pieces)
        assert state.acting == (1 - seat,)
        # After the last piece nothing is asked any more.
        early = tianxia.game("stratego", variant=variant).new()
        set_up(early, seat, pieces)
        assert early.acting == (1 - seat,)
        assert refusal(early, "-", seat) == "STR-37"
        assert early.legal_actions(seat) == []


def test_STR_36_duel_has_ten_pieces_a_side():
    assert sum(DUEL.values()) == 10
    check_counts("duel", DUEL, "STR-36")


def test_STR_36_they_stand_on_any_squares_of_the_four_rows():
    check_setup("duel", DUEL)


def test_STR_36_squares_stay_empty_while_pieces_remain():
    check_empty_squares("duel", "STR-36")


def test_STR_43_barrage_has_eight_pieces_a_side():
    assert sum(BARRAGE.values()) == 8
    check_counts("barrage", BARRAGE, "STR-43")


def test_STR_43_they_stand_on_any_squares_of_the_four_rows():
    check_setup("barrage", BARRAGE)


def test_STR_43_squares_stay_empty_while_pieces_remain():
    check_empty_squares("barrage", "STR-43")


VARIANTS = [
    pytest.param("duel", id="STR_36"),
    pytest.param("barrage", id="STR_43"),
]


@pytest.mark.parametrize("variant", VARIANTS)
def test_STR_36_STR_43_board_and_moves_are_the_same(variant):
    state = place("a1=rF j10=bF e4=r2 b5=r9 d7=b2 b6=bS", variant=variant)
    assert {t for t in moves(state) if t.startswith("b5")} == {"b5xb6", "b5-a5", "b5-b4"}
    assert refusal(state, "b5-c5") == "STR-06"
    assert "e4-e10" in moves(state)
    play(state, "b5xb6 d7-d10")
    assert cells(state)["b6"] == "r9"


@pytest.mark.parametrize("variant", VARIANTS)
def test_STR_36_STR_43_red_moves_first_and_fights_are_the_same(variant):
    state = place("a1=rF j10=bF e6=rS e7=bM f6=r3 f7=bB i4=r9 i9=b2", variant=variant)
    play(state, "e6xe7 i9-i8 f6xf7 i8-i9")
    assert {"e7": "rS", "f7": "r3"}.items() <= cells(state).items()
    game = tianxia.game("stratego", variant=variant)
    begun = finish_setup(game, random_army(variant, 3), random_army(variant, 4))
    assert begun.acting == (0,)


@pytest.mark.parametrize("variant", VARIANTS)
def test_STR_36_STR_43_the_rules_of_repetition_are_the_same(variant):
    state = place("a1=rF j10=bF a6=r9 a8=b3 d1=r2 j9=b2", variant=variant)
    play(state, "a6-a7 a8-b8 a7-a8 b8-b7 a8-b8 b7-a7 b8-b7 a7-a8")
    assert refusal(state, "b7-a7") == "STR-10"
    play(state, "d1-d2 j9-j8 d2-d1 j8-j9 d1-d2 j9-j8")
    assert refusal(state, "d2-d1") == "STR-08"


@pytest.mark.parametrize("variant", VARIANTS)
def test_STR_36_STR_43_they_end_alike(variant):
    state = play(place("a1=rF e10=bF e9=rS i9=b2", variant=variant), "e9xe10")
    assert state.over
    assert tuple(state.scores()) == (1, 0)
    state = play(place("a1=rF e10=bF e8=r2 e9=b2", variant=variant), "e8xe9")
    assert tuple(state.scores()) == (0.5, 0.5)


def test_STR_36_more_pieces_than_a_variant_has_are_refused():
    with pytest.raises(ValueError, match="too many"):
        board(drawn({"a1": "rF", "j10": "bF", "e4": "r4"}), variant="duel")
