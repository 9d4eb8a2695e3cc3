"""BIN-24 to BIN-37: supplies."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.binfa.helpers import (
    active,
    actor,
    begin,
    field,
    held,
    legal,
    moves,
    odds,
    part,
    pawn,
    phase,
    play,
    random_game,
    refusal,
    store,
    supplies,
    total,
    units,
    winners,
)
from tianxia import SPECTATOR

pytestmark = pytest.mark.rules

HOME = "r5:6r o5:6o"


def camp(piles: str = HOME, **more: object) -> tianxia.State:
    """Return a position of level 3 in which the active player chooses."""
    return field(piles, level=3, **more)  # type: ignore[arg-type]


def in_seats(state: tianxia.State) -> list[int]:
    """Return the supplies of the armies in the order of the seats."""
    return [supplies(state, colour) for colour in part(state, "armies")]


# --- The set-up ---


def test_BIN_24_pawns_beside_the_own_base() -> None:
    state = begin("pawns", level=3)
    assert state.acting == (0, 1)
    for seat, colour in enumerate(part(state, "armies")):
        assert legal(state, seat) == {f"pawn:{colour}{number}" for number in range(1, 8)}
        other = part(state, "armies")[1 - seat]
        assert refusal(state, f"pawn:{other}4", seat) == "BIN-24"
    own = part(state, "armies")[0]
    action = state.parse(f"pawn:{own}6", 0)
    assert state.seen(action, 0, 1) is None
    state.apply(action, 0)
    assert actor(state) == 1
    assert pawn(state.view(1), own) == ""
    assert refusal(state, f"pawn:{own}6", 0) == "BIN-24"
    state.apply(state.legal_actions(1)[0], 1)
    play(state, "open")
    assert pawn(state.view(1), own) == f"{own}6"


def test_BIN_24_after_terrain_and_units() -> None:
    state = begin("pawns", level=3)
    assert part(state, "map")
    assert [total(state, colour) for colour in part(state, "armies")] == [12, 12]


def test_BIN_25a_each_army_takes_the_total_of_two_dice() -> None:
    state = begin("stores", level=3, players=3)
    assert odds(state)["6-5"] == 2
    play(state, "6-5")
    assert in_seats(state) == [11, 0, 0]
    play(state, "2-1 4-4")  # a double is a total like others
    assert in_seats(state) == [11, 3, 8]
    assert store(state) == 38
    assert phase(state) == "choosing"


def test_BIN_25a_the_last_take_what_is_left() -> None:
    state = play(begin("stores", level=3, players=6), "6-6 6-6 6-6 6-6 6-5 6-6")
    assert in_seats(state) == [12, 12, 12, 12, 11, 1]
    assert store(state) == 0
    state = play(begin("stores", level=3, players=6), "6-6 6-6 6-6 6-6 6-6 2-1")
    assert in_seats(state) == [12, 12, 12, 12, 12, 0]


def test_BIN_25b_the_fewest_supplies_begin() -> None:
    state = play(begin("stores", level=3, players=3), "6-5 2-1 4-4")
    assert (phase(state), active(state)) == ("choosing", 1)


def test_BIN_25b_ties_are_rolled_off_by_the_lowest_total() -> None:
    state = play(begin("stores", level=3, players=4), "2-1 6-5 2-1 2-1")
    assert (phase(state), part(state, "contest")) == ("first", "023")
    play(state, "6-5 4-1 3-2")
    assert part(state, "contest") == "23"
    play(state, "6-6 6-5")
    assert (phase(state), active(state)) == ("choosing", 3)
    assert in_seats(state) == [3, 11, 3, 3]  # supplies stay as they were


def test_BIN_25b_then_clockwise() -> None:
    state = camp("p5:4p r5:4r y5:4y", colours="pry", active=1)
    for seat, colour in ((2, "y"), (0, "p"), (1, "r"), (2, "y")):
        play(state, f"move:{part(state, 'armies')[active(state)]} roll 4-4")
        assert active(state) == seat
        assert f"move:{colour}" in legal(state)


# --- Choosing ---


def test_BIN_26_say_before_the_roll_what_the_turn_is_for() -> None:
    state = camp()
    assert legal(state) == {"move:r", "supply:r"}
    for token in ("roll", "stop", "r5-r6"):
        assert refusal(state, token) == "BIN-26"


def test_BIN_26_no_mixing() -> None:
    state = play(camp(), "move:r")
    assert refusal(state, "supply:r") == "BIN-26"
    play(state, "roll 2-1 r5-r6 6")
    assert legal(state) == {"roll", "stop"}
    assert refusal(state, "supply:r") == "BIN-26"
    assert refusal(play(state, "roll 3-1"), "supply:r") == "BIN-26"
    state = play(camp(), "supply:r 2-2")
    assert refusal(state, "move:r") == "BIN-26"
    play(state, "pawn+2")
    assert phase(state) == "foraging"  # the dice roll for the pawn again


def test_BIN_26_no_free_pass() -> None:
    state = play(camp(), "move:r")
    assert legal(state) == {"roll"}
    assert refusal(state, "stop") == "BIN-09"
    state = camp(supplies="o5")
    assert legal(state) == {"supply:r"}


def test_BIN_26_at_level_3_an_attack_is_a_movement_roll() -> None:
    state = play(camp("r4:3r r13:6r o2:2o o13:6o"), "move:r")
    assert legal(state) == {"roll", "r4xo2"}


def test_BIN_27_a_double_gives_another_roll() -> None:
    state = play(camp(pawns="o:b4"), "supply:r")
    for number, end in ((1, "r5"), (2, "r7"), (3, "o3")):
        play(state, f"{number}-{number} pawn+{number}")
        assert pawn(state, "r") == end
        assert (phase(state), active(state)) == ("foraging", 0)
    play(state, "4-1 pawn+4")
    assert pawn(state, "r") == "o7"
    assert (phase(state), active(state)) == ("choosing", 1)


def test_BIN_27_a_non_double_ends_the_turn() -> None:
    state = play(camp(), "supply:r 2-1 pawn+2")
    assert (phase(state), active(state)) == ("choosing", 1)


# --- Paying ---


def test_BIN_28a_one_supply_before_each_roll() -> None:
    state = play(camp(), "move:r")
    assert (supplies(state, "r"), store(state)) == (5, 50)
    play(state, "roll")
    assert (supplies(state, "r"), store(state)) == (4, 51)  # the dice have not fallen yet
    play(state, "2-1 r5-r6 6 roll 2-1 r6-r5 6")
    assert (supplies(state, "r"), supplies(state, "o"), store(state)) == (3, 5, 52)


def test_BIN_28a_an_attempt_to_dislodge_costs_one_too() -> None:
    state = play(camp("r4:3r r13:6r o2:2o o13:6o"), "move:r r4xo2")
    assert (supplies(state, "r"), store(state)) == (4, 51)
    play(state, "5-2 r4xo2 5-1")
    assert supplies(state, "r") == 3


def test_BIN_28a_retreating_costs_nothing() -> None:
    state = play(camp("r4:3r r13:6r o2:2o o13:6o", supplies="r5"), "move:r r4xo2 6-2 o2-o3 2")
    assert units(state)["o3"] == "2o"
    assert (supplies(state, "o"), store(state)) == (0, 56)


def test_BIN_28a_not_without_a_supply() -> None:
    state = camp(supplies="o5")
    assert refusal(state, "move:r") == "BIN-28a"
    assert refusal(state, "supply:r") is None


def test_BIN_28b_out_of_supplies() -> None:
    state = play(camp(supplies="r1 o5"), "move:r roll 3-1 r5-r6 6")
    assert (supplies(state, "r"), phase(state), active(state)) == (0, "moving", 0)
    play(state, "r6-r5 6")
    assert (phase(state), active(state)) == ("choosing", 1)


def test_BIN_28b_out_of_supplies_after_an_attempt() -> None:
    state = camp("r4:3r r13:6r o2:2o o13:6o", supplies="r1 o5")
    play(state, "move:r r4xo2 5-2")
    assert (phase(state), active(state)) == ("choosing", 1)


def test_BIN_28b_a_double_or_a_wish() -> None:
    state = play(camp(supplies="r2 o5"), "move:r roll 2-1 r5-r6 6")
    assert (phase(state), active(state)) == ("ready", 0)
    play(state, "stop")
    assert (phase(state), active(state)) == ("choosing", 1)
    assert active(play(camp(), "move:r roll 3-3")) == 1


def test_BIN_28b_supplies_won_pay_for_the_next_roll() -> None:
    piles = "r3:2o r2:2r r4:2r p1:2r y13:3o g13:4g"
    state = camp(piles, colours="rog", supplies="r1 o7 g5")
    play(state, "move:r roll 2-1 p1-r1 2")
    assert (phase(state), active(state)) == ("ready", 0)
    assert supplies(state, "r") == 7


# --- The pawn ---


@pytest.mark.parametrize(
    ("dice", "ends"),
    [
        ("4-2", {"pawn+2": "r6", "pawn+4": "o1", "pawn+6": "o3"}),
        ("6-6", {"pawn+6": "o3", "pawn+12": "y2"}),
        ("1-1", {"pawn+1": "r5", "pawn+2": "r6"}),
        ("6-1", {"pawn+1": "r5", "pawn+6": "o3", "pawn+7": "o4"}),
    ],
)
def test_BIN_29a_one_die_the_other_or_both(dice: str, ends: dict[str, str]) -> None:
    state = play(camp("r5:6r b5:6b", colours="rb"), f"supply:r {dice}")
    assert legal(state) == set(ends)
    for token, end in ends.items():
        assert pawn(play(state.clone(), token), "r") == end
    assert refusal(state, "pawn+11") == "BIN-29a"


def test_BIN_29a_clockwise_round_the_ring() -> None:
    state = play(camp(pawns="r:p6"), "supply:r 4-3 pawn+4")
    assert pawn(state, "r") == "r3"


def test_BIN_29a_the_pawn_has_to_move() -> None:
    state = play(camp(), "supply:r 4-2")
    assert refusal(state, "stop") == "BIN-29a"
    assert refusal(state, "pawn+3") == "BIN-29a"


@pytest.mark.parametrize(
    ("start", "dice", "steps"), [("p7", "3-1", 3), ("p4", "4-2", 6), ("r4", "2-1", 1)]
)
def test_BIN_30a_own_colour(start: str, dice: str, steps: int) -> None:
    state = play(camp(pawns=f"r:{start}"), f"supply:r {dice} pawn+{steps}")
    assert supplies(state, "r") == 5 + steps
    assert store(state) == 50 - steps
    assert active(state) == 1


def test_BIN_30a_also_on_a_circle_of_ones_colour_far_from_home() -> None:
    state = play(camp(pawns="r:o4 o:b4"), "supply:r 2-1 pawn+2")  # to o6, a red one
    assert pawn(state, "r") == "o6"
    assert supplies(state, "r") == 7


@pytest.mark.parametrize(
    ("stock", "gain"), [("r5 o53", 2), ("r5 o52", 3), ("r5 o50", 3), ("r5 o54", 1)]
)
def test_BIN_30b_what_the_store_has(stock: str, gain: int) -> None:
    state = play(camp(pawns="r:p7", supplies=stock), "supply:r 3-1 pawn+3")
    assert supplies(state, "r") == 5 + gain


@pytest.mark.parametrize("there", ["o16:1r", "o1:4r", "o13:1o1r"])
def test_BIN_31a_another_colour_with_units_in_its_sector(there: str) -> None:
    state = camp(f"r5:6r b5:6o {there}", pawns="r:r7 o:b4")
    play(state, "supply:r 3-1 pawn+3")  # to o3
    assert pawn(state, "r") == "o3"
    assert (supplies(state, "r"), supplies(state, "o")) == (8, 5)
    assert store(state) == 47


def test_BIN_31a_a_colour_without_an_army_too() -> None:
    state = play(camp("r5:6r y9:2r o5:6o", pawns="r:p7"), "supply:r 2-1 pawn+2")  # to r2, yellow
    assert supplies(state, "r") == 7


def test_BIN_31a_limited_by_the_store() -> None:
    state = camp("r5:6r o16:2r b5:6o", pawns="r:r7 o:b4", supplies="r5 o53")
    play(state, "supply:r 3-1 pawn+3")
    assert (supplies(state, "r"), store(state)) == (7, 0)


@pytest.mark.parametrize("there", ["r16:2r", "y10:2r", "o16:2r1o"])
def test_BIN_31b_no_units_there_no_gain(there: str) -> None:
    state = camp(f"r5:6r b5:6o {there}", pawns="r:r7 o:b4")
    play(state, "supply:r 3-1 pawn+3")
    assert (supplies(state, "r"), store(state)) == (5, 50)
    assert active(state) == 1


def test_BIN_31b_the_colour_counts_and_not_the_side() -> None:
    """Circle r2 is yellow: units in red's sector do not help."""
    state = play(camp(pawns="r:p7"), "supply:r 2-1 pawn+2")
    assert supplies(state, "r") == 5


def test_BIN_32a_taking_from_another_player() -> None:
    state = play(camp(pawns="r:r7 o:b4"), "supply:r 4-1 pawn+4")  # to o4, the centre
    assert phase(state) == "raiding"
    assert legal(state) == {"take", "leave"}
    assert refusal(state, "bank") == "BIN-31b"
    taken = play(state.clone(), "take")
    assert (supplies(taken, "r"), supplies(taken, "o"), store(taken)) == (9, 1, 50)
    left = play(state, "leave")
    assert (supplies(left, "r"), supplies(left, "o"), store(left)) == (5, 5, 50)
    assert active(left) == active(taken) == 1


def test_BIN_32a_from_the_army_or_from_the_store() -> None:
    state = camp("r5:6r o16:1r b5:6o", pawns="r:r7 o:b4")
    play(state, "supply:r 4-1 pawn+4")
    assert legal(state) == {"take", "bank"}
    assert refusal(state, "leave") == "BIN-31a"
    taken = play(state.clone(), "take")
    assert (supplies(taken, "r"), supplies(taken, "o"), store(taken)) == (9, 1, 50)
    banked = play(state, "bank")
    assert (supplies(banked, "r"), supplies(banked, "o"), store(banked)) == (9, 5, 46)


@pytest.mark.parametrize(("dice", "steps", "end"), [("3-1", 3, "o3"), ("5-1", 5, "o5")])
def test_BIN_32a_on_the_middle_circle_only(dice: str, steps: int, end: str) -> None:
    state = play(camp(pawns="r:r7 o:b4"), f"supply:r {dice} pawn+{steps}")
    assert pawn(state, "r") == end
    assert (phase(state), active(state)) == ("choosing", 1)


def test_BIN_32a_not_from_a_colour_that_is_not_in_play() -> None:
    state = play(camp(pawns="r:o7"), "supply:r 4-1 pawn+4")  # to y4
    assert pawn(state, "r") == "y4"
    assert (phase(state), active(state)) == ("choosing", 1)
    state = play(camp("r5:6r y1:1r o5:6o", pawns="r:o7"), "supply:r 4-1 pawn+4")
    assert supplies(state, "r") == 9


def test_BIN_32a_not_from_a_fallen_army() -> None:
    state = camp("r5:6r g5:6g", colours="rog", pawns="r:r7")
    play(state, "supply:r 4-1 pawn+4")
    assert pawn(state, "r") == "o4"
    assert (phase(state), active(state)) == ("choosing", 2)


def test_BIN_32a_at_a_double_the_dice_roll_again() -> None:
    state = play(camp(pawns="r:r7 o:b4"), "supply:r 4-4 pawn+4 take")
    assert (phase(state), active(state)) == ("foraging", 0)


@pytest.mark.parametrize(("has", "taken"), [(5, 4), (4, 4), (3, 3), (1, 1), (0, 0)])
def test_BIN_32b_what_the_victim_has(has: int, taken: int) -> None:
    state = camp(pawns="r:r7 o:b4", supplies=f"r5 o{has}")
    play(state, "supply:r 4-1 pawn+4 take")
    assert (supplies(state, "r"), supplies(state, "o")) == (5 + taken, has - taken)


def test_BIN_33a_no_debts() -> None:
    state = camp(pawns="r:p7 o:b4", supplies="r5 o53")
    play(state, "supply:r 3-1 pawn+3")  # 3 are due, 2 are there
    assert (supplies(state, "r"), store(state)) == (7, 0)
    play(state, "move:o roll 3-3")  # the store has one again
    assert (supplies(state, "r"), store(state)) == (7, 1)
    state = camp(pawns="r:r7 o:b4", supplies="r5 o1")
    play(state, "supply:r 4-1 pawn+4 take supply:o 3-2 pawn+2")
    assert supplies(state, "r") == 6


@pytest.mark.parametrize("seed", range(3))
def test_BIN_33b_from_army_to_army_only_by_taking_or_eliminating(seed: int) -> None:
    game = random_game(1000, seed, level=3, players=3)
    counted = [held(state) for state in game]
    for before, after, old, new in zip(game, game[1:], counted, counted[1:], strict=False):
        more = [colour for colour in new if new[colour] > old.get(colour, 0)]
        less = [colour for colour in old if new.get(colour, 0) < old[colour]]
        if more and less:
            assert phase(before) == "raiding" or total(before, less[0]) > total(after, less[0]) == 0
        assert sum(new.values()) <= 60


def test_BIN_34_not_onto_an_occupied_circle() -> None:
    state = play(camp(pawns="o:r6"), "supply:r 4-2")
    assert legal(state) == {"pawn+4", "pawn+6"}  # over it, but not onto it
    assert refusal(state, "pawn+2") == "BIN-34"


def test_BIN_34_with_no_free_end_the_pawn_stays() -> None:
    state = camp("r5:4r y5:4y g5:4g b5:4b", colours="rygb", pawns="y:r5 g:r6 b:r7")
    play(state, "supply:r 2-1")
    assert (pawn(state, "r"), supplies(state, "r")) == ("r4", 5)
    assert (phase(state), active(state)) == ("choosing", 1)
    state = camp("r5:4r y5:4y g5:4g", colours="ryg", pawns="y:r5 g:r6")
    play(state, "supply:r 1-1")
    assert (pawn(state, "r"), supplies(state, "r")) == ("r4", 5)
    assert (phase(state), active(state)) == ("foraging", 0)  # a double all the same


# --- The empty store, eliminations ---


def test_BIN_35a_an_empty_store_makes_them_move() -> None:
    state = camp(supplies="r30 o30")
    assert legal(state) == {"move:r"}
    assert refusal(state, "supply:r") == "BIN-35a"
    state = camp(supplies="r30 o29")
    assert legal(state) == {"move:r", "supply:r"}


def test_BIN_35a_only_at_the_start_of_the_turn() -> None:
    """The store empties while red resupplies; its turn goes on."""
    state = camp(pawns="r:p7 o:b4", supplies="r5 o53")
    play(state, "supply:r 3-3 pawn+3")
    assert store(state) == 0
    assert (phase(state), active(state)) == ("foraging", 0)


def test_BIN_35b_nothing_to_pay_with_passes() -> None:
    state = camp(supplies="o60")
    assert phase(state) == "passing"
    assert odds(state) == {"pass": 1}
    play(state, "pass")
    assert (phase(state), active(state)) == ("choosing", 1)
    assert part(state, "turns") == "1"


def test_BIN_35b_nobody_has_to_pass_while_the_store_has_some() -> None:
    assert phase(camp(supplies="o59")) == "choosing"


def test_BIN_36_everybody_sees_all_supplies() -> None:
    state = camp(supplies="r7 o3")
    for viewer in (0, 1, SPECTATOR):
        assert part(state.view(viewer), "supplies") == "r7o3"


POCKET = "r3:2o r2:2r r4:2r p1:2r y13:3o g13:4g"


def test_BIN_37_who_eliminates_an_army_gets_its_supplies() -> None:
    state = camp(POCKET, colours="rog", supplies="r5 o7 g9")
    play(state, "move:r roll 3-1 p1-r1 2")
    assert (supplies(state, "r"), supplies(state, "g")) == (11, 9)
    assert store(state) == 40
    assert pawn(state, "o") == ""  # its pawn leaves the ring
    assert (phase(state), moves(state)) == ("moving", 1)  # the roll goes on


def test_BIN_37_not_for_capturing_alone() -> None:
    state = camp(POCKET.replace("y13:3o", "y13:4o"), colours="rog", supplies="r5 o7 g9")
    play(state, "move:r roll 3-1 p1-r1 2")
    assert (supplies(state, "r"), supplies(state, "o")) == (4, 7)
    assert pawn(state, "o") == "o4"


def test_BIN_37_by_a_forced_loss() -> None:
    piles = "r4:2r o2:1o o3:2r o6:2r o13:3o g13:4g"
    state = camp(piles, colours="rog", supplies="r5 o7 g9")
    play(state, "move:r r4xo2 6-2")
    assert (supplies(state, "r"), total(state, "o")) == (11, 0)


def test_BIN_37_by_a_retreat_that_it_forced() -> None:
    """Orange has to retreat onto o3, and with r1 and y1 this shuts in green on o1."""
    piles = "r4:3r o6:2r o2:2o o13:3o r1:2y y1:2y o1:2g g13:3g"
    state = camp(piles, colours="royg", supplies="r5 o5 y5 g6")
    play(state, "move:r r4xo2 6-2")
    assert units(state)["o3"] == "2o"
    assert total(state, "g") == 0
    assert supplies(state, "r") == 5 - 1 + 6


def test_BIN_37_nobody_eliminates_who_walks_into_a_pocket() -> None:
    piles = "r4:2o2r r1:2o r2:2o r13:3r y13:4o g13:4g"
    state = camp(piles, colours="rog", supplies="r5 o7 g9")
    play(state, "move:r roll 6-1 r4-r3 2")
    assert total(state, "r") == 0
    assert (supplies(state, "r"), supplies(state, "o"), supplies(state, "g")) == (0, 7, 9)
    assert store(state) == 44
    assert pawn(state, "r") == ""
    assert (phase(state), active(state)) == ("choosing", 1)


def test_BIN_37_who_falls_with_the_active_army_pays_to_the_store_too() -> None:
    piles = "r12:2r2y2o r11:2y r7:2r b13:2o g13:4g"
    state = camp(piles, colours="royg", supplies="r5 o6 y7 g8")
    play(state, "move:r roll 2-1 r7-r13 2")
    assert winners(state) == "3"
    assert supplies(state, "g") == 8
    assert store(state) == 52


def test_BIN_51_equal_units_are_decided_by_supplies() -> None:
    for stock, won in (("r6 o5", "0"), ("r5 o6", "1"), ("r6 o6", "01")):
        state = camp(supplies=stock, turns=20, played=19)
        play(state, "supply:r 6-1 pawn+6")  # r4 to o3: nothing gained
        assert winners(state) == won
