"""BIN-47 to BIN-50a, BIN-A1, BIN-A2: several armies, alliances."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.binfa.helpers import (
    active,
    attacks,
    begin,
    field,
    legal,
    part,
    pawn,
    phase,
    play,
    random_game,
    refusal,
    supplies,
    total,
    units,
    winners,
)

pytestmark = pytest.mark.rules


def war(piles: str, colours: str = "rogb", armies: int = 2, **more: object) -> tianxia.State:
    """Return a position of level 4: seat 0 has red and green, seat 1 orange and blue."""
    more.setdefault("whirlpools", "y6 p6 p13")
    return field(piles, level=4, colours=colours, armies=armies, **more)  # type: ignore[arg-type]


FOUR = "r13:6r o13:6o g13:6g b13:6b"


def test_BIN_47_from_player_to_player() -> None:
    """Seat 1 has one army left; the turns still alternate."""
    state = war("r12:6r g12:6g o12:6o")
    for seat, army in ((0, "r"), (1, "o"), (0, "g"), (1, "o"), (0, "g")):
        assert active(state) == seat
        play(state, f"move:{army} roll 4-4")


def test_BIN_47_three_players_of_two_armies() -> None:
    state = war("r12:4r y12:4y b12:4b", colours="roygbp")  # r g, o b, y p
    for seat, army in ((0, "r"), (1, "b"), (2, "y"), (0, "r")):
        assert active(state) == seat
        play(state, f"move:{army} roll 4-4")
    state = war("r12:4r y12:4y g12:4g", colours="roygbp")  # seat 1 has none
    play(state, "move:g roll 4-4")
    assert active(state) == 2


def test_BIN_47x_six_ways_to_begin_with_three_armies() -> None:
    state = war("r12:4r o12:4o y12:4y g12:4g b12:4b p12:4p", "roygbp", 3)
    assert legal(state) == {f"{what}:{army}" for what in ("move", "supply") for army in "ryb"}


def test_BIN_47x_four_with_two_armies() -> None:
    state = war("r12:4r o12:4o y12:4y g12:4g b12:4b p12:4p", "roygbp", 2)
    assert legal(state) == {f"{what}:{army}" for what in ("move", "supply") for army in "rg"}
    state = war("r12:4r o12:4o g12:4g b12:4b")
    assert len(legal(state)) == 4


def test_BIN_47x_two_when_one_army_is_left() -> None:
    state = war("r12:4r o12:4o b12:4b")
    assert legal(state) == {"move:r", "supply:r"}
    assert refusal(state, "move:g") == "BIN-48"


def test_BIN_48_one_army_in_a_turn() -> None:
    state = war(FOUR)
    for token in ("roll", "r13-r12"):
        assert refusal(state, token) == "BIN-26"  # name it before the roll
    assert refusal(state, "move:o") == "BIN-48"
    play(state, "move:g roll 3-1")
    assert part(state, "army") == "g"
    assert {token[0] for token in legal(state)} == {"g"}
    assert refusal(state, "r13-r12") == "BIN-48"
    play(state, "g13-g12 6 g12-g13 6")
    assert legal(state) == {"roll", "stop"}
    assert refusal(state, "move:r") == refusal(state, "supply:r") == "BIN-48"
    assert refusal(state, "supply:g") == "BIN-26"


def test_BIN_48_attacks_are_made_by_the_same_army() -> None:
    state = war("r4:3r o2:2o g7:3g g8:1o o13:6o r13:3r g13:3g b13:6b")
    play(state, "move:r")
    assert attacks(state) == {"r4xo2"}
    assert refusal(state, "g7xg8") == "BIN-48"


def test_BIN_48_the_pawn_is_that_of_the_army() -> None:
    state = play(war(FOUR), "supply:g 2-1 pawn+2")
    assert (pawn(state, "g"), pawn(state, "r")) == ("g6", "r4")


def test_BIN_49_moving_between_ones_own_colours() -> None:
    state = war("r5:6r r6:2g g12:4g b12:6b")
    play(state, "move:r roll 2-1")
    assert refusal(state, "r5-r6") == "BIN-06"


def test_BIN_49_capturing_ones_own_colour() -> None:
    state = war("r3:2g r2:2r r4:2r p1:2r g12:6g b12:6b")
    play(state, "move:r roll 2-1 p1-r1 2")
    assert "r3" not in units(state)
    assert total(state, "g") == 6


def test_BIN_49_surrounding_together() -> None:
    state = war("r3:2b r2:2g r4:2r p1:2r g12:6g b12:6b")
    play(state, "move:r roll 2-1 p1-r1 2")
    assert "r3" not in units(state)


def test_BIN_49_dislodging_ones_own_colour() -> None:
    state = war("r4:3r o2:2g r12:3r g12:6g b12:6b")
    play(state, "move:r r4xo2 6-2")
    assert state.acting == (0,)  # the same player decides on the retreat
    assert legal(state) == {"o2-o3", "o2-o6"}
    play(state, "o2-o3 2")
    assert units(state)["o2"] == "3r"


def test_BIN_49_eliminating_ones_own_army() -> None:
    state = war("r3:2g r2:2r r4:2r p1:2r g12:3g b12:6b", supplies="r5 g6 b7")
    play(state, "move:r roll 2-1 p1-r1 2")
    assert total(state, "g") == 0
    assert supplies(state, "r") == 5 - 1 + 6


def test_BIN_49_a_game_is_over_when_one_owner_is_left() -> None:
    state = war("r3:2b r2:2r r4:2r p1:2r g12:6g b12:3b")
    play(state, "move:r roll 2-1 p1-r1 2")
    assert winners(state) == "0"
    assert state.scores() == [12, 0]


def test_BIN_49b_covering_a_lone_unit_of_ones_other_army() -> None:
    state = war("r5:6r r6:1g g12:6g b12:6b")
    play(state, "move:r roll 3-1 r5-r6 2 r6-r7 3")
    assert units(state)["r7"] == "1g2r"
    assert total(state, "g") == 7  # covered, but not lost


def test_BIN_49b_the_pile_has_the_covering_colour() -> None:
    state = war("r5:3r1g g12:6g r12:3r b12:6b")
    moved = play(state.clone(), "move:g roll 2-1 r5-r6 4")
    assert units(moved)["r6"] == "3r1g"
    play(state, "move:r roll 2-1")
    assert refusal(state, "r5-r6") == "BIN-48"


def test_BIN_50a_supplies_of_each_army_are_its_own() -> None:
    state = war(FOUR, supplies="g9 o5 b5")
    assert refusal(state, "move:r") == "BIN-28a"
    assert legal(state) == {"supply:r", "move:g", "supply:g"}
    play(state, "move:g roll 2-1 g13-g12 6")
    assert (supplies(state, "g"), supplies(state, "r")) == (8, 0)


def test_BIN_50a_the_turn_ends_when_this_army_has_none() -> None:
    state = play(war(FOUR, supplies="r1 g9 o5 b5"), "move:r roll 2-1 r13-r12 6")
    assert (phase(state), active(state)) == ("choosing", 1)


def test_BIN_32a_not_from_ones_other_army() -> None:
    state = war(FOUR, pawns="r:y7 g:p1")
    play(state, "supply:r 4-1 pawn+4")
    assert pawn(state, "r") == "g4"
    assert (phase(state), active(state)) == ("choosing", 1)
    assert (supplies(state, "r"), supplies(state, "g")) == (5, 5)


def test_BIN_31b_units_of_ones_other_army_do_not_help() -> None:
    state = war(FOUR, pawns="r:y7 g:p1")
    play(state, "supply:r 3-1 pawn+3")  # to g3; green's units stand there, red's do not
    assert supplies(state, "r") == 5


def test_BIN_34_ones_other_pawn_is_in_the_way_too() -> None:
    state = play(war(FOUR, pawns="g:r6"), "supply:r 4-2")
    assert refusal(state, "pawn+2") == "BIN-34"
    assert legal(state) == {"pawn+4", "pawn+6"}


def test_BIN_35a_an_army_with_supplies_has_to_move() -> None:
    state = war(FOUR, supplies="g20 o20 b20")
    assert legal(state) == {"move:g"}
    assert refusal(state, "move:r") == "BIN-28a"
    assert refusal(state, "supply:r") == "BIN-35a"


def test_BIN_35b_passing_only_if_all_armies_have_none() -> None:
    assert phase(war(FOUR, supplies="o30 b30")) == "passing"


def test_BIN_36_supplies_are_kept_for_each_army() -> None:
    state = war(FOUR, supplies="r1 g2 o3 b4")
    assert part(state.view(1), "supplies") == "r1o3g2b4"


def test_BIN_25b_the_owner_of_the_poorest_army_begins() -> None:
    state = play(begin("stores", players=2, armies=2, terrain=0), "6-6 6-5 5-5 2-1")
    # Seat by seat, each seat's armies in the order of drawing.
    armies = part(state, "armies")
    assert [supplies(state, armies[n]) for n in (0, 2, 1, 3)] == [12, 11, 10, 3]
    assert (phase(state), active(state)) == ("choosing", 1)


def test_BIN_A1_the_rules_know_no_alliances() -> None:
    """Nobody is spared, and nothing about a pact is kept: each foe can be attacked alike."""
    state = field("r4:3r r3:3r o2:2o r1:2y o13:6o y13:6y", colours="roy")
    assert attacks(state) == {"r4xo2", "r3xr1"}
    game = tianxia.game("binfa", players=3)
    assert not [name for name in game.options if "all" in name or "team" in name]


def test_BIN_A2_nobody_waits_for_talks() -> None:
    """In play exactly one seat, or chance, acts: no offer and no answer is ever asked for."""
    for state in random_game(300, seed=1, level=4, players=4):
        if phase(state) not in {"placing", "pawns", "ended"}:
            assert len(state.acting) <= 1
            for seat in set(range(4)) - set(state.acting):
                assert state.legal_actions(seat) == []
