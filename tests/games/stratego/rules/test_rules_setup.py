"""STR-01 to STR-04 and STR-37: the board, the armies and how they are set up."""

from __future__ import annotations

import itertools
import random

import pytest

import tianxia
from tests.games.stratego.board import board, finish_setup, moves, play, set_up
from tests.games.stratego.helpers import (
    CLASSIC,
    OWN_SQUARES,
    army,
    arranged,
    cells,
    drawn,
    place,
    random_army,
    refusal,
)
from tests.games.stratego.reference import COLUMNS

pytestmark = pytest.mark.rules

CLASSIC_LAKES = {"c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"}

# Six Bombs on the six squares of the front row that are not before a lake.
WALLED = [*"SM9887776666555544443333322222", *"BB22BB2FBB"]


def test_STR_01_the_board_has_100_squares_and_two_lakes():
    for column, row in itertools.product(COLUMNS, range(1, 11)):
        square = f"{column}{row}"
        pieces = {"a1": "rF", "j10": "bF", square: "rM"}
        if square == "a1":
            pieces["b1"] = "rF"
        if square == "j10":
            pieces["i10"] = "bF"
        if square in CLASSIC_LAKES:
            with pytest.raises(ValueError, match="lake"):
                board(drawn(pieces))
            continue
        ways = set()
        for right, up in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            c, r = COLUMNS.index(column) + right, row + up
            if 0 <= c <= 9 and 1 <= r <= 10:
                name = COLUMNS[c] + str(r)
                if name not in CLASSIC_LAKES and pieces.get(name) != "rF":
                    ways.add(f"{square}{'x' if name in pieces else '-'}{name}")
        assert moves(board(drawn(pieces))) == ways


def test_STR_01_the_diagram_shows_the_lakes_where_the_board_has_them():
    lines = [line.split() for line in tianxia.game("stratego").new().diagram().splitlines()]
    shown = {
        COLUMNS[column] + words[0]
        for words in lines
        if len(words) == 11
        for column, cell in enumerate(words[1:])
        if cell == "~"
    }
    assert shown == CLASSIC_LAKES


@pytest.mark.parametrize("seat", [0, 1])
def test_STR_02_forty_pieces_of_twelve_ranks(seat):
    assert sum(CLASSIC.values()) == 40
    for rank, count in CLASSIC.items():
        state = tianxia.game("stratego").new()
        for _ in range(count):
            assert refusal(state, rank, seat) is None
            state.apply(state.parse(rank, seat), seat)
        assert refusal(state, rank, seat) == "STR-02"
        with pytest.raises(tianxia.IllegalAction) as error:
            state.apply(state.parse(rank, seat), seat)
        assert error.value.statement == "STR-02"
        left = {state.text(action, seat) for action in state.legal_actions(seat)}
        assert left == set(CLASSIC) - {rank}


@pytest.mark.parametrize("seat", [0, 1])
def test_STR_02_a_set_up_army_has_exactly_these_pieces(seat):
    state = tianxia.game("stratego").new()
    rng = random.Random(seat)
    for _ in range(40):
        state.apply(rng.choice(state.legal_actions(seat)), seat)
    assert state.legal_actions(seat) == []
    assert seat not in state.acting
    ranks = [cell[1] for cell in cells(state).values() if cell[0] == "rb"[seat]]
    assert sorted(ranks) == sorted(army("classic"))


@pytest.mark.parametrize("seed", range(3))
def test_STR_03_the_army_stands_on_the_four_nearest_rows_one_piece_a_square(seed):
    red, blue = random_army("classic", seed), random_army("classic", seed + 100)
    state = finish_setup(tianxia.game("stratego"), red, blue)
    assert cells(state) == arranged(0, red) | arranged(1, blue)
    assert {square[1:] for square in arranged(0, red)} == {"1", "2", "3", "4"}
    assert {square[1:] for square in arranged(1, blue)} == {"7", "8", "9", "10"}


def test_STR_03_the_back_row_comes_first_from_left_to_right_as_the_player_sees_it():
    state = tianxia.game("stratego").new()
    set_up(state, 0, ["F", "S"])
    set_up(state, 1, ["F", "S"])
    assert cells(state) == {"a1": "rF", "b1": "rS", "j10": "bF", "i10": "bS"}


def test_STR_03_no_square_stays_empty():
    state = tianxia.game("stratego").new()
    for seat in (0, 1):
        assert refusal(state, "-", seat) == "STR-03"
        assert "-" not in {state.text(action, seat) for action in state.legal_actions(seat)}


def test_STR_03_nothing_is_set_up_during_play():
    before = tianxia.game("stratego").new()
    state = place("a1=rF j10=bF d4=r5 d7=b5")
    for token in ("9", "F", "-"):
        action = before.parse(token, 0)
        for seat in (0, 1):
            assert state.refusal(action, seat) == "STR-03"
        with pytest.raises(tianxia.IllegalAction) as error:
            state.apply(action, 0)
        assert error.value.statement == "STR-03"


def test_STR_03_ranks_are_hidden_from_the_other_side():
    red, blue = random_army("classic", 1), random_army("classic", 2)
    state = finish_setup(tianxia.game("stratego"), red, blue)
    for seat in (0, 1):
        shown = cells(state.view(seat))
        other = "rb"[1 - seat]
        assert {cell for cell in shown.values() if cell[0] == other} == {other + "?"}
        assert {s: c for s, c in shown.items() if c[0] != other} == arranged(
            seat, (red, blue)[seat]
        )
    assert set(cells(state.view(tianxia.SPECTATOR)).values()) == {"r?", "b?"}


def test_STR_04_red_moves_first_and_turns_alternate():
    state = finish_setup(
        tianxia.game("stratego"), random_army("classic", 3), random_army("classic", 4)
    )
    rng = random.Random(5)
    for ply in range(60):
        if state.over:
            break
        assert state.acting == (ply % 2,)
        state.apply(rng.choice(state.legal_actions(ply % 2)))
    assert ply > 20


def test_STR_04_after_a_move_or_an_attack_it_is_the_other_sides_turn():
    state = place("a1=rF j10=bF d4=r5 e4=b4 a4=r9 a7=b5")
    for token, turn in (("d4xe4", 1), ("a7-a6", 0), ("a4-a5", 1), ("a6xa5", 0)):
        assert state.acting == (1 - turn,)
        play(state, token)
        assert state.acting == (turn,)


def test_STR_04_nobody_moves_out_of_turn_or_an_enemy():
    state = place("a1=rF j10=bF d4=r5 e7=b4")
    assert refusal(state, "e7-e6", 1) == "STR-04"  # Blue, and it is Red's turn
    assert refusal(state, "e7-e6", 0) == "STR-04"  # an enemy's piece
    assert refusal(state, "a9-a8", 0) == "STR-04"  # no piece at all
    assert state.legal_actions(1) == []
    with pytest.raises(tianxia.IllegalAction) as error:
        state.apply(state.parse("e7-e6", 1), 1)
    assert error.value.statement == "STR-04"


def test_STR_04_there_is_no_way_to_pass():
    state = finish_setup(
        tianxia.game("stratego"), random_army("classic", 6), random_army("classic", 7)
    )
    for seat in (0, 1, 0, 1):
        for token in moves(state):
            before = cells(state)
            after = cells(play(state.clone(), token))
            assert before != after
        state.apply(state.legal_actions(seat)[0])


@pytest.mark.parametrize("order", ["red first", "blue first", "in turns"])
def test_STR_37_both_set_up_at_the_same_time_in_any_order(order):
    red, blue = random_army("classic", 8), random_army("classic", 9)
    state = tianxia.game("stratego").new()
    assert list(state.acting) == [0, 1]
    if order == "red first":
        set_up(state, 0, red)
        assert state.acting == (1,)
        set_up(state, 1, blue)
    elif order == "blue first":
        set_up(state, 1, blue)
        assert state.acting == (0,)
        set_up(state, 0, red)
    else:
        for mine, yours in zip(red, blue, strict=True):
            set_up(state, 0, [mine])
            set_up(state, 1, [yours])
    other = set_up(set_up(tianxia.game("stratego").new(), 1, blue), 0, red)
    assert state.to_bytes() == other.to_bytes()
    assert not state.acting
    assert not state.over
    ((action, weight),) = state.chance_outcomes()
    assert state.text(action, tianxia.CHANCE) == "open"
    assert weight == 1
    state.apply(action, tianxia.CHANCE)
    assert state.acting == (0,)
    assert cells(state) == arranged(0, red) | arranged(1, blue)


def test_STR_37_nothing_is_seen_of_an_unfinished_set_up():
    game = tianxia.game("stratego")
    red = random_army("classic", 10)
    seen = set()
    for blue in ([], ["F"], ["B", "B"], random_army("classic", 11)[:39]):
        state = set_up(set_up(game.new(), 0, red[:7]), 1, blue)
        assert state.acting == (0, 1)
        seen.add(state.view(0).to_bytes())
        assert set(cells(state.view(0))) == set(OWN_SQUARES[0][:7])
        assert cells(state.view(tianxia.SPECTATOR)) == {}
    assert len(seen) == 1


def test_STR_37_who_has_finished_is_seen_and_nothing_else():
    game = tianxia.game("stratego")
    views = set()
    for seed in (12, 13):
        state = set_up(game.new(), 1, random_army("classic", seed))
        assert state.acting == state.view(0).acting == (0,)
        views.add(state.view(0).to_bytes())
        action = state.parse("F", 0)
        assert state.seen(action, 0, 1) is None
        assert state.seen(action, 0, tianxia.SPECTATOR) is None
        assert state.seen(action, 0, 0) == action
    assert len(views) == 1


def test_STR_37_who_has_finished_places_no_more_and_nobody_moves_yet():
    state = set_up(tianxia.game("stratego").new(), 0, random_army("classic", 14))
    assert refusal(state, "2", 0) == "STR-37"
    assert refusal(state, "a4-a5", 0) == "STR-37"
    assert refusal(state, "a7-a6", 1) == "STR-37"
    with pytest.raises(tianxia.IllegalAction) as error:
        state.apply(state.parse("a4-a5", 0), 0)
    assert error.value.statement == "STR-37"


def test_STR_37_a_set_up_without_a_first_move_is_legal_and_loses():
    for red, blue, scores in (
        (WALLED, random_army("classic", 15), (0, 1)),
        (WALLED, WALLED, (0.5, 0.5)),
    ):
        state = finish_setup(tianxia.game("stratego"), red, blue)
        assert state.over
        assert tuple(state.scores()) == scores


def test_STR_37_blue_without_a_first_move_loses_when_his_turn_comes():
    red = random_army("classic", 16)
    state = finish_setup(tianxia.game("stratego"), red, WALLED)
    assert not state.over
    assert state.acting == (0,)
    play(state, min(token for token in moves(state) if "-" in token))
    assert state.over
    assert tuple(state.scores()) == (1, 0)
