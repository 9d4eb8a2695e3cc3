"""STR-10, STR-11, STR-40 and STR-41: no endless chase."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.stratego.board import moves, play
from tests.games.stratego.helpers import cells, place, refusal
from tests.games.stratego.reference import Reference

pytestmark = pytest.mark.rules

FLAGS = "a1=rF j10=bF "

# Red hunts Blue's piece around the four squares a7, a8, b8 and b7.
ROUND = "a6-a7 a8-b8 a7-a8 b8-b7 a8-b8 b7-a7 b8-b7 a7-a8"
HUNT = FLAGS + "a6=r5 a8=b4 d1=r6 j9=b7"

# Red's two pieces take turns hunting Blue's two.
PAIRS = FLAGS + "a7=r6 a10=r6 b10=b5 a8=b5"
PAIRS_PLAYED = "a10-a9 a8-b8 a9-b9 b10-a10 a7-b7 b8-a8 b9-a9 a10-b10"


def test_STR_10_a_chase_may_not_recreate_a_position():
    state = play(place(HUNT), ROUND)
    others = {square: cell for square, cell in cells(state).items() if square != "b7"}
    assert cells(play(place(HUNT), "a6-a7")) == {**others, "a7": "r5"}
    assert refusal(state, "b7-a7") == "STR-10"
    assert "b7-a7" not in moves(state)
    with pytest.raises(tianxia.IllegalAction) as error:
        play(state, "b7-a7")
    assert error.value.statement == "STR-10"


def test_STR_10_the_hunter_must_stop_and_the_hunted_need_not():
    state = play(place(HUNT), ROUND)
    assert {t for t in moves(state) if t.startswith("b7")} == {"b7-b8", "b7-b6", "b7-c7"}
    play(state, "d1-d2")
    assert {"a8-b8", "a8-a7", "a8-a9"} <= moves(state)


@pytest.mark.parametrize("option", [3, 5])
def test_STR_10_the_other_option_of_two_squares_changes_nothing(option):
    state = play(place(HUNT, two_squares=option), ROUND)
    assert refusal(state, "b7-a7") == "STR-10"


def test_STR_10_blue_may_not_hunt_endlessly_either():
    state = place(FLAGS + "a6=b5 a8=r4 d2=b6 j3=r7", turn=1)
    play(state, ROUND)
    assert refusal(state, "b7-a7") == "STR-10"


@pytest.mark.parametrize(("hunter", "hunted"), [("S", "M"), ("3", "9"), ("M", "S"), ("2", "2")])
def test_STR_10_ranks_do_not_matter(hunter, hunted):
    state = place(FLAGS + f"a6=r{hunter} a8=b{hunted} d1=r6 j9=b7")
    assert refusal(play(state, ROUND), "b7-a7") == "STR-10"


def test_STR_10_a_position_from_before_the_chase_may_come_back():
    """Nobody was threatened by a move when a7 beside a8 stood on the board at first."""
    state = place(FLAGS + "a7=r5 a8=b4 d1=r6 j9=b7", turn=1)
    play(state, "a8-b8 a7-a8 b8-b7 a8-b8 b7-a7 b8-b7 a7-a8")
    assert refusal(state, "b7-a7") is None
    play(state, "b7-a7 a8-b8")
    # With a8 beside b8 the chase had begun.
    assert refusal(state, "a7-a8") == "STR-10"


def test_STR_10_a_quiet_move_ends_the_chase():
    state = play(place(HUNT), ROUND)
    assert refusal(state, "b7-a7") == "STR-10"
    play(state, "d1-d2 j9-j8 d2-d1 j8-j9")
    assert refusal(state, "b7-a7") is None
    play(state, "b7-a7")
    assert cells(state) == cells(play(place(HUNT), "a6-a7"))


def test_STR_10_an_answer_that_does_not_evade_ends_the_chase():
    """Red circles beside enemies who stay; Blue plays elsewhere, and nothing is forbidden."""
    state = place(FLAGS + "a7=r5 a6=b6 a9=b7 b9=b7 c7=bB i8=b4")
    red = ["a7-a8", "a8-b8", "b8-b7", "b7-a7"]
    blue = ["i8-i9", "i9-h9", "h9-h8", "h8-i8"]
    start = cells(state)
    for _ in range(3):
        for mine, other in zip(red, blue, strict=True):
            assert {"a7-a8", "a8-b8", "b8-b7", "b7-a7"} & moves(state)
            play(state, f"{mine} {other}")
        assert cells(state) == start


def test_STR_10_a_quiet_move_may_recreate_what_it_likes():
    """A scout leaves its prey for a square from which it threatened before; none is near now."""
    state = place(FLAGS + "b8=r2 a9=b4")
    play(state, "b8-a8 a9-b9 a8-a9 b9-b10 a9-a10 b10-b9")
    assert refusal(state, "a10-a8") is None
    play(state, "a10-a8")
    assert cells(state) == cells(play(place(FLAGS + "b8=r2 a9=b4"), "b8-a8 a9-b9"))


@pytest.mark.parametrize("fixed", ["b7=bB j10=bF", "b7=bF"])
def test_STR_10_bombs_and_the_flag_can_be_what_is_threatened(fixed):
    """Without the Bomb on b7 the scout's step to b8 would threaten nobody."""
    played = "c8-b8 a8-a9 b8-b9 c9-c10 b9-b10 c10-c9"
    state = play(place(f"a1=rF c8=r2 c9=b3 a8=b3 {fixed}"), played)
    assert refusal(state, "b10-b8") == "STR-10"
    free = play(place("a1=rF j10=bF c8=r2 c9=b3 a8=b3"), played)
    assert refusal(free, "b10-b8") is None


def test_STR_10_it_does_not_matter_who_was_to_move():
    """After b8, and Blue's answer, Red was to move; now Blue would be, in the same position."""
    start = "a1=rF c8=r2 c9=b3 a8=b3 b7=bB j10=bF"
    earlier = cells(play(place(start), "c8-b8 a8-a9"))
    state = play(place(start), "c8-b8 a8-a9 b8-b9 c9-c10 b9-b10 c10-c9")
    assert {**cells(state), "b8": "r2"} == {**earlier, "b10": "r2"}
    assert refusal(state, "b10-b8") == "STR-10"


def test_STR_10_several_hunters_and_several_hunted_are_one_chase():
    state = play(place(PAIRS), PAIRS_PLAYED)
    assert refusal(state, "b7-a7") == "STR-10"
    assert refusal(state, "a9-b9") is None


def round_the_board() -> list[str]:
    """List eighty squares in a ring around and across the whole board."""
    half = [f"{column}4" for column in "bcdefghij"]
    for right, left in ("ji", "hg", "fe", "dc", "ba"):
        depth = 2 if right == "j" else 1  # j1 and i1 are left out
        half += [f"{right}{row}" for row in range(3, depth - 1, -1)]
        half += [f"{left}{row}" for row in range(depth, 4)]
    half.append("a4")
    far = [square[0] + str(11 - int(square[1:])) for square in reversed(half)]
    return [*half, "a5", "a6", *far, "b6", "b5"]


def test_STR_10_a_hunt_all_over_the_board_is_remembered():
    ring = round_the_board()
    assert len(set(ring)) == 80
    state = place(f"j1=rF j10=bF {ring[-1]}=r5 {ring[1]}=b4", draw_after=0)
    for step in range(80):
        hunter, prey = ring[step - 1], ring[(step + 1) % 80]
        play(state, f"{hunter}-{ring[step]} {prey}-{ring[(step + 2) % 80]}")
    assert refusal(state, f"{ring[79]}-{ring[0]}") == "STR-10"


def test_STR_10_two_scouts_hunt_one_piece():
    state = place(FLAGS + "b8=r2 a10=r2 b9=b2")
    play(state, "a10-a9 b9-e9 b8-e8 e9-h9 e8-h8 h9-b9")
    assert refusal(state, "h8-b8") == "STR-10"
    assert {"h8-c8", "h8-a8"} <= moves(state)


def test_STR_11_stepping_straight_back_is_allowed():
    state = place(FLAGS + "a4=r5 a6=b4")
    play(state, "a4-a5 a6-b6 a5-b5 b6-a6")
    first = cells(play(place(FLAGS + "a4=r5 a6=b4"), "a4-a5"))
    assert refusal(state, "b5-a5") is None
    play(state, "b5-a5")
    assert cells(state) == first  # recreated, in a chase, and allowed
    play(state, "a6-b6")
    assert refusal(state, "a5-b5") is None


def test_STR_11_a_scout_steps_straight_back_too():
    state = place(FLAGS + "b10=r5 b7=b2", turn=1)
    play(state, "b7-b9 b10-a10 b9-a9 a10-b10")
    assert refusal(state, "a9-b9") is None


def test_STR_11_but_only_within_the_rule_of_two_squares():
    state = place(FLAGS + "b5=r5 a6=b4")
    play(state, "b5-a5 a6-b6 a5-b5 b6-a6 b5-a5 a6-b6")
    assert refusal(state, "a5-b5") == "STR-08"
    longer = place(FLAGS + "b5=r5 a6=b4", two_squares=5)
    play(longer, "b5-a5 a6-b6 a5-b5 b6-a6 b5-a5 a6-b6")
    assert refusal(longer, "a5-b5") is None


def test_STR_11_only_the_very_last_move_may_be_taken_back():
    """a7-b7 was Red's last but one; his last was another piece's."""
    state = play(place(PAIRS), PAIRS_PLAYED)
    assert refusal(state, "b7-a7") == "STR-10"


def test_STR_11_going_round_is_not_stepping_back():
    state = play(place(HUNT), ROUND)
    assert refusal(state, "b7-b8") is None  # straight back
    assert refusal(state, "b7-a7") == "STR-10"  # onward, to where the chase began


def test_STR_40_the_chase_rule_never_forbids_an_attack():
    state = play(place(HUNT + " c7=b2"), ROUND)
    assert refusal(state, "b7-a7") == "STR-10"
    assert refusal(state, "b7xc7") is None
    assert cells(play(state, "b7xc7"))["c7"] == "r5"


def test_STR_40_a_surviving_attacker_beside_another_enemy_starts_the_next_chase():
    """Right after the attack Blue's 4 on b10 stood beside Red's 5 on a10."""
    state = place(FLAGS + "a10=r5 b10=r2 b9=b4", turn=1)
    play(state, "b9xb10 a10-a9 b10-a10 a9-b9 a10-a9 b9-b10 a9-b9 b10-a10")
    assert refusal(state, "b9-b10") == "STR-10"
    # The same hunt without the attack: nobody had been threatened by a move at first.
    quiet = place(FLAGS + "a10=r5 b10=b4 j2=r2 j9=b3")
    play(quiet, "a10-a9 b10-a10 a9-b9 a10-a9 b9-b10 a9-b9 b10-a10")
    assert refusal(quiet, "b9-b10") is None


def test_STR_40_an_attack_clears_the_chase():
    """The survivor stands alone: the hunt that follows is a new one."""
    state = play(place(HUNT + " c7=b2"), ROUND + " b7xc7 a8-b8 c7-b7 b8-a8")
    # a7 with a8 beside it stood in the old chase; that position is gone with the scout.
    assert refusal(state, "b7-a7") is None
    play(state, "b7-a7 a8-b8 a7-a8 b8-b7 a8-b8 b7-a7 b8-b7 a7-a8")
    assert refusal(state, "b7-a7") == "STR-10"


SWAP = "a1=rF j10=bF d10=bB b9=r6 c10=r6 c8=b2 "
SWAP_PLAYED = (
    "b9-c9 c8-b8 c9-c8 b8-b9 c10-b10 b9-c9 b10-a10 a9-a8 a10-a9 a8-b8 a9-b9 c9-c10 c8-c9 c10-a10 "
    "b9-b10 a10-a9"
)


def test_STR_41_like_pieces_that_changed_places_make_a_new_position():
    """Blue's two scouts have changed places; by ranks alone c10 would be forbidden."""
    state = place(SWAP + "a9=b2")
    by_rank = []
    for token in SWAP_PLAYED.split():
        by_rank.append(cells(state))
        play(state, token)
    again = cells(play(state.clone(), "b10-c10"))
    assert again in by_rank
    assert refusal(state, "b10-c10") is None
    assert "b10-c10" in moves(state)


def test_STR_41_what_is_legal_tells_no_hidden_rank():
    """Red's moves are the same whether Blue's two pieces are alike or not."""
    alike, unlike = place(SWAP + "a9=b2"), place(SWAP + "a9=b4")
    for token in SWAP_PLAYED.split():
        if alike.acting == (0,):
            assert moves(alike) == moves(unlike)
            assert alike.view(0).legal_actions(0) == alike.legal_actions(0)
        play(alike, token)
        play(unlike, token)
    assert moves(alike) == moves(unlike)


def test_STR_41_own_like_pieces_are_told_apart_as_well():
    start = "a1=rF j10=bF b9=r6 b10=r6 a10=b5 a8=b5"
    played = "b9-a9 a8-b8 a9-a8 b8-b9 a8-b8 b9-a9 b10-b9 a9-a8 b9-a9 a10-b10 b8-b9 b10-a10"
    state = place(start)
    by_rank = []
    for token in played.split():
        by_rank.append(cells(state))
        play(state, token)
    assert cells(play(state.clone(), "b9-b10")) in by_rank
    assert refusal(state, "b9-b10") is None


def test_STR_10_the_second_statement_of_the_rules_agrees_with_these_examples():
    pieces = dict(piece.split("=") for piece in HUNT.split())
    game = Reference(pieces)
    for token in ROUND.split():
        game.apply(token)
    assert game.chase_length(0) == 8
    assert game.sorted_moves()[2] == {"b7-a7"}
