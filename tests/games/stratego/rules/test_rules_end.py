"""STR-30 to STR-33 and STR-42: how a game ends."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.stratego.board import finish_setup, moves, play
from tests.games.stratego.helpers import MOVABLE, cells, place, random_army, refusal

pytestmark = pytest.mark.rules

FLAGS = "a1=rF j10=bF "


def ended(state: tianxia.State, red: float, statement: str) -> bool:
    """Check that a game is over with this score for Red, by this statement."""
    assert state.over
    assert state.acting == ()
    assert tuple(state.scores()) == (red, 1 - red)
    assert tuple(state.utilities()) == (2 * red - 1, 1 - 2 * red)
    for seat in (0, 1):
        assert state.legal_actions(seat) == []
        assert state.refusal(state.parse("e4-e5", seat), seat) == statement
    with pytest.raises(tianxia.IllegalAction) as error:
        state.apply(state.parse("e4-e5", 0), 0)
    assert error.value.statement == statement
    return True


@pytest.mark.parametrize("rank", MOVABLE)
def test_STR_30_any_piece_takes_the_flag_and_wins_at_once(rank):
    red = place(f"a1=rF e9=r{rank} e10=bF a7=bM b7=b9")
    assert not red.over
    assert ended(play(red, "e9xe10"), 1, "STR-30")
    blue = place(f"e1=rF e2=b{rank} j10=bF a4=rM b4=r9", turn=1)
    assert ended(play(blue, "e2xe1"), 0, "STR-30")


def test_STR_30_a_scout_takes_it_from_afar():
    assert ended(play(place("a1=rF e1=r2 e10=bF a7=b9"), "e1xe10"), 1, "STR-30")


def test_STR_30_even_as_the_last_piece_that_moves():
    assert ended(play(place("a1=rF e9=r5 e10=bF"), "e9xe10"), 1, "STR-30")


def test_STR_30_when_it_is_over_every_view_shows_everything():
    state = play(place("a1=rF a2=rB e9=r4 e10=bF a9=b9 b9=bB"), "e9xe10")
    for viewer in (0, 1, tianxia.SPECTATOR):
        assert cells(state.view(viewer)) == cells(state)


def test_STR_31_who_has_only_bombs_and_the_flag_loses_on_his_turn():
    state = place(FLAGS + "e9=b4 e8=r5 a2=rB b9=bB")
    play(state, "e8xe9")  # Blue's last moving piece falls, and it is Blue's turn
    assert ended(state, 1, "STR-31")


def test_STR_31_who_loses_his_last_piece_is_not_beaten_before_his_turn():
    state = place(FLAGS + "e4=r4 e5=b5 a9=b3")
    play(state, "e4xe5")  # Red's last moving piece falls, and it is Blue's turn
    assert not state.over
    assert state.acting == (1,)
    assert len(moves(state)) > 3
    play(state, "a9-a8")
    assert ended(state, 0, "STR-31")


def test_STR_31_until_his_turn_his_flag_can_still_be_taken():
    state = place("e4=rF e3=r4 e2=b5 j10=bF d4=b3")
    play(state, "e3xe2")
    assert not state.over
    assert ended(play(state, "d4xe4"), 0, "STR-30")


def test_STR_31_all_pieces_blocked():
    # Red's pieces are walled in by Bombs, the edge and a lake.
    blocked = "a1=rF a2=r5 a3=rB b2=rB d4=r6 c4=rB e4=rB d3=rB"
    state = place(blocked + " j10=bF j9=b4", turn=1)
    assert ended(play(state, "j9-j8"), 0, "STR-31")


def test_STR_31_who_can_still_attack_is_not_blocked():
    blocked = "a1=rF a2=r5 a3=rB b2=rB d4=r6 c4=rB e4=rB d3=rB"
    state = place(blocked + " j10=bF b1=b4", turn=1)
    play(state, "b1xb2")  # runs into a Bomb; Blue has no piece left, and neither can Red move
    assert ended(state, 0.5, "STR-32")
    state = place("a1=rF a2=r5 a3=rB b2=rB j10=bF a4=b4 b3=b3", turn=1)
    play(state, "b3xb2")  # a Miner clears the way
    assert not state.over
    assert moves(state) == {"a2xb2"}


def test_STR_31_blue_is_tested_on_his_turn_too():
    state = place("a1=rF i2=r4 j10=bF j9=b5 j8=bB i9=bB")
    assert ended(play(state, "i2-i3"), 1, "STR-31")


def test_STR_32_nobody_can_move_after_an_exchange():
    state = place(FLAGS + "e4=r5 e5=b5 a2=rB b9=bB")
    assert ended(play(state, "e4xe5"), 0.5, "STR-32")


def test_STR_32_the_last_piece_falls_at_a_bomb():
    state = place(FLAGS + "e6=r5 e7=bB a2=rB")
    assert ended(play(state, "e6xe7"), 0.5, "STR-32")
    # So also if the other side's pieces are there, but blocked.
    state = place(FLAGS + "e6=r5 e7=bB i10=b5 h10=bB i9=bB")
    assert ended(play(state, "e6xe7"), 0.5, "STR-32")


def test_STR_32_who_could_move_but_is_not_on_turn_wins_only_then():
    state = place(FLAGS + "e6=r5 e7=bB a2=rB j9=b4")
    play(state, "e6xe7")
    assert not state.over
    assert ended(play(state, "j9-j8"), 0, "STR-31")


# Red's piece has a1 and b1 to itself, Blue's j10 and i10.
CELL = "j1=rF a1=r4 a2=rB b2=rB c1=rB "
BLUE_CELL = "a10=bF j10=b4 j9=bB i9=bB h10=bB "
RED_STEPS = ["a1-b1", "b1-a1"] * 3
BLUE_STEPS = ["j10-i10", "i10-j10"] * 3


@pytest.mark.parametrize("option", [3, 5])
def test_STR_33_two_squares_can_leave_no_legal_move(option):
    state = place(CELL + "a10=bF j9=b4", two_squares=option)
    away = ["j9-j8", "j8-i8", "i8-i9", "i9-j9", "j9-j8"]
    for mine, other in zip(RED_STEPS[:option], away, strict=False):
        assert moves(state) == {mine}
        play(state, f"{mine} {other}")
    assert ended(state, 0, "STR-31")


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("option", [3, 5])
def test_STR_33_both_prisoners_shuttle_and_the_first_loses(first, option):
    """The other's only step is closed too; that it could be made at all is what counts."""
    state = place(CELL + BLUE_CELL, turn=first, two_squares=option)
    lines = (RED_STEPS, BLUE_STEPS)
    for time in range(option):
        play(state, f"{lines[first][time]} {lines[1 - first][time]}")
    assert ended(state, first, "STR-31")


def test_STR_33_the_chase_rule_can_take_the_last_move():
    """Two squares close the way back to b10, and a9 would recreate the hunt's first position."""
    state = place(FLAGS + "a10=r5 b9=b4 a7=bB")
    play(
        state,
        "a10-a9 b9-b10 a9-b9 b10-a10 b9-b10 a10-a9 b10-a10 a9-b9 a10-b10 b9-a9 b10-a10",
    )
    assert not state.over
    play(state, "a9-b9")
    assert cells(state) == {"a1": "rF", "j10": "bF", "a10": "r5", "b9": "b4", "a7": "bB"}
    assert ended(state, 0, "STR-31")


def test_STR_33_it_needs_both_rules():
    """With five moves between two squares the way back to b10 is open."""
    state = place(FLAGS + "a10=r5 b9=b4 a7=bB", two_squares=5)
    play(
        state,
        "a10-a9 b9-b10 a9-b9 b10-a10 b9-b10 a10-a9 b10-a10 a9-b9 a10-b10 b9-a9 b10-a10 a9-b9",
    )
    assert moves(state) == {"a10-b10"}
    assert refusal(state, "a10-a9") == "STR-10"


def test_STR_32_repetition_is_left_aside_when_the_other_side_is_tested():
    """Red has lost everything; Blue's only step is closed, but Blue could move."""
    state = place("j1=rF e6=r5 e5=r2 e7=bB " + BLUE_CELL, turn=1)
    play(state, "j10-i10 e6xe7 i10-j10 e5xe7 j10-i10")
    assert ended(state, 0, "STR-31")


def test_STR_32_who_is_stopped_by_repetition_draws_against_who_cannot_move():
    state = place("j1=rF e6=r5 e5=r2 f7=r6 e7=bB " + BLUE_CELL, turn=1)
    play(state, "j10-i10 e6xe7 i10-j10 e5xe7 j10-i10")
    # Blue's only step is closed: he loses if Red keeps a piece that can move …
    assert ended(play(state.clone(), "f7-f6"), 1, "STR-31")
    # … and draws if Red's last one falls.
    assert ended(play(state, "f7xe7"), 0.5, "STR-32")


ROUNDS = ["b2-b3", "b9-b8", "d2-d3", "d9-d8", "b3-b2", "b8-b9", "d3-d2", "d8-d9"]
FOUR = FLAGS + "b2=r4 d2=r5 b9=b4 d9=b5 "


def quiet(number: int) -> str:
    return " ".join(ROUNDS[ply % 8] for ply in range(number))


def test_STR_42_two_hundred_moves_in_a_row_without_an_attack_are_a_draw():
    assert tianxia.game("stratego").options["draw_after"] == 200
    state = place(FOUR)
    play(state, quiet(199))
    assert not state.over
    assert state.acting == (1,)
    play(state, ROUNDS[199 % 8])
    assert ended(state, 0.5, "STR-42")


def test_STR_42_it_can_be_turned_off():
    state = place(FOUR, draw_after=0)
    play(state, quiet(480))
    assert not state.over


@pytest.mark.parametrize("number", [1, 2, 5, 40])
@pytest.mark.parametrize("first", [0, 1])
def test_STR_42_the_nth_move_of_both_players_together_draws(number, first):
    state = place(FOUR, turn=first, draw_after=number)
    pairs = list(zip(ROUNDS[0::2], ROUNDS[1::2], strict=True)) * 6
    tokens = [token for pair in pairs for token in (pair[first], pair[1 - first])][:number]
    play(state, " ".join(tokens[:-1]))
    assert not state.over
    play(state, tokens[-1])
    assert ended(state, 0.5, "STR-42")


def test_STR_42_it_counts_from_the_first_move_after_the_set_up():
    game = tianxia.game("stratego", draw_after=4)
    state = finish_setup(game, random_army("classic", 1), random_army("classic", 2))
    for _ in range(4):
        assert not state.over
        play(state, min(token for token in moves(state) if "-" in token))
    assert ended(state, 0.5, "STR-42")


def test_STR_42_an_attack_starts_the_count_anew():
    state = place(FOUR + "i4=r6 i5=b3", draw_after=6)
    play(state, quiet(4) + " i4xi5 " + "b8-b9 b3-b2 d8-d9 d3-d2 b9-b8")
    assert not state.over
    play(state, "b2-b3")
    assert ended(state, 0.5, "STR-42")


def test_STR_42_an_attack_that_fails_starts_the_count_anew():
    state = place(FOUR + "i6=r6 i7=bB", draw_after=6)
    play(state, quiet(4) + " i6xi7 " + "b8-b9 b3-b2 d8-d9 d3-d2 b9-b8")
    assert not state.over
    play(state, "b2-b3")
    assert ended(state, 0.5, "STR-42")


def test_STR_42_an_attack_as_the_nth_move_is_no_draw():
    state = place(FOUR + "i4=r6 i5=b3", draw_after=5)
    play(state, quiet(4) + " i4xi5")
    assert not state.over
    play(state, "b8-b9 b3-b2 d8-d9 d3-d2")
    assert not state.over
    assert ended(play(state, "b9-b8"), 0.5, "STR-42")


def test_STR_42_the_flag_taken_as_the_nth_move_wins():
    state = place("a1=rF e10=bF e8=r5 a9=b4", draw_after=3)
    play(state, "e8-e9 a9-a8")
    assert ended(play(state, "e9xe10"), 1, "STR-30")


def test_STR_42_is_tested_before_STR_31():
    tokens = "a1-b1 j10-i10 b1-a1 i10-j10 a1-b1 j10-i10"
    assert ended(play(place(CELL + BLUE_CELL, draw_after=6), tokens), 0.5, "STR-42")
    assert ended(play(place(CELL + BLUE_CELL, draw_after=7), tokens), 0, "STR-31")
    assert ended(play(place(CELL + BLUE_CELL, draw_after=0), tokens), 0, "STR-31")
