"""BIN-D01 to BIN-D07, BIN-01a to BIN-02b: the box, the board and the set-up."""

from __future__ import annotations

import random
import re

import pytest

import tianxia
from tests.games.binfa.helpers import (
    COLOURS,
    FIELD,
    active,
    begin,
    field,
    held,
    legal,
    odds,
    one_step,
    part,
    pawn,
    phase,
    play,
    random_game,
    refusal,
    side,
    supplies,
    total,
    units,
    winners,
)
from tianxia import CHANCE, SPECTATOR
from tianxia.kernel.errors import NotationError, OptionError

pytestmark = pytest.mark.rules

TWELVE = "r5 r5 r5 r6 r6 r6 r7 r7 r7 r8 r8 r8"


def drawn(colours: str, **options: object) -> tianxia.State:
    """Return a game of level 1 at the placing of units."""
    state = tianxia.game("binfa", level=1, players=len(colours), **options).new()
    return play(state, " ".join(f"colour:{colour}" for colour in colours))


def place(state: tianxia.State, seat: int, tokens: str) -> tianxia.State:
    for token in tokens.split():
        state.apply(state.parse(token, seat), seat)
    return state


def placed(colours: str) -> tianxia.State:
    """Return a game of level 1 in which the first roll is due."""
    state = drawn(colours)
    for seat, colour in enumerate(colours):
        place(state, seat, f"{colour}5 " * 12)
    return play(state, "open")


def test_BIN_D01_two_to_six_players() -> None:
    for players in range(2, 7):
        assert tianxia.game("binfa", level=1, players=players).new().seats == players
    for players in (1, 7):
        with pytest.raises(OptionError):
            tianxia.game("binfa", level=1, players=players)


def test_BIN_D02_six_armies_of_twelve_units() -> None:
    state = begin("first", level=1, players=6)
    assert [total(state, colour) for colour in COLOURS] == [12] * 6
    assert sorted(part(state, "armies")) == sorted(COLOURS)
    state = place(drawn("ro"), 0, TWELVE)
    assert state.acting == (1,)
    assert state.legal_actions(0) == []
    assert refusal(state, "r5", 0) == "BIN-D02"


@pytest.mark.parametrize(("players", "armies"), [(2, 2), (2, 3), (3, 2)])
def test_BIN_D03_two_or_three_armies_each(players: int, armies: int) -> None:
    state = begin("choosing", level=4, players=players, armies=armies, terrain=0)
    colours = part(state, "armies")
    assert len(set(colours)) == players * armies
    assert all(total(state, colour) == 12 for colour in colours)
    # Colours are drawn round after round: the active seat chooses among every n-th.
    own = colours[active(state) :: players]
    assert legal(state) >= {f"move:{colour}" for colour in own}
    assert not legal(state) & {f"move:{colour}" for colour in set(colours) - set(own)}


@pytest.mark.parametrize(
    "options",
    [
        {"players": 4, "armies": 2},
        {"players": 3, "armies": 3},
        {"players": 2, "armies": 4},
        {"players": 2, "armies": 2, "level": 3},
    ],
)
def test_BIN_D03_no_more_armies_than_there_are_and_at_level_4_only(options: dict[str, int]) -> None:
    with pytest.raises(OptionError):
        tianxia.game("binfa", **options)


def test_BIN_D04_a_hexagon_of_96_triangles() -> None:
    """All that a pile can reach in one move are the triangles with a side in common."""
    assert len(FIELD) == 96
    assert sorted(len(near) for near in FIELD.values()) == [2] * 24 + [3] * 72
    for origin, near in FIELD.items():
        others = "b13:6b g13:6g" if origin[0] in "roy" else "r13:6b o13:6g"
        state = field(f"{origin}:4r {others}", colours="rbg")
        play(state, "roll 2-1")
        assert legal(state) == {f"{origin}-{target}" for target in near}, origin


def test_BIN_D04_a_ring_of_42_circles_in_six_colours() -> None:
    """Red gains on its three circles and on four that are far from home."""
    ring = [f"{colour}{number}" for colour in COLOURS for number in range(1, 8)]
    found = {colour: set[str]() for colour in "rg"}
    for colour, other in ("rg", "gr"):
        for start, end in zip(ring, ring[1:] + ring[:1], strict=True):
            stands = f"{colour}:{start} {other}:{'b7' if 'b7' not in (start, end) else 'y7'}"
            state = field(
                "r13:12r g13:12g", level=3, colours=colour + other, pawns=stands, supplies="r5 g5"
            )
            play(state, f"supply:{colour} 2-1 pawn+1")
            assert pawn(state, colour) == end
            if supplies(state, colour) == 6:
                found[colour].add(end)
    assert found["r"] == {"r3", "r4", "r5", "y1", "b2", "o6", "p7"}
    assert found["g"] == {"g3", "g4", "g5", "p1", "o2", "b6", "y7"}


def test_BIN_D05_what_is_in_the_box() -> None:
    state = begin("colours", level=4)
    hills, pools = part(state, "map").split("/")
    assert len(set(hills.split(","))) == 9
    assert len(set(pools.split(","))) == 3
    state = begin("choosing", level=4, players=6, seed=3)
    assert sorted(found[0] for found in part(state, "pawns").split(",")) == sorted(COLOURS)
    dice = odds(play(field("r5:4r o5:4o"), "roll"))
    assert dice == {
        f"{high}-{low}": 1 if high == low else 2
        for high in range(1, 7)
        for low in range(1, high + 1)
    }


def test_BIN_D05_never_more_than_60_supplies() -> None:
    for state in random_game(300, seed=5, level=4, players=3):
        assert sum(held(state).values()) <= 60
    with pytest.raises(NotationError):
        field("r5:4r o5:4o", level=3, supplies="r31 o30")


def test_BIN_D06_the_last_one_with_units_wins() -> None:
    # The last orange pile but three units is captured between r2, r4 and the border of red.
    state = play(field("r3:4o r2:2r r4:2r p1:2r"), "roll 2-1 p1-r1 2")
    assert winners(state) == "0"
    assert state.utilities() == [1, -1]
    assert units(state) == {"r1": "2r", "r2": "2r", "r4": "2r"}


def test_BIN_D07_each_level_adds_to_the_one_before() -> None:
    extra = {2: {"mapping"}, 3: {"mapping", "pawns", "showing", "stores"}}
    for level in range(1, 5):
        state, rng = tianxia.game("binfa", level=level).new(), random.Random(0)
        met = set()
        while phase(state) not in {"ready", "choosing"}:
            met.add(phase(state))
            one_step(state, rng)
        assert met - {"first"} == {"colours", "placing", "opening"} | extra.get(
            min(level, 3), set()
        )
        assert phase(state) == ("ready" if level < 3 else "choosing")
        assert len(re.findall(r"\w+", part(state, "map"))) == (0, 9, 9, 12)[level - 1]
        assert ("/" in part(state, "map")) == (level == 4)


def test_BIN_01a_colours_are_drawn_at_random() -> None:
    state = tianxia.game("binfa", level=1).new()
    assert phase(state) == "colours"
    assert odds(state) == {f"colour:{colour}": 1 for colour in COLOURS}
    play(state, "colour:g")
    assert odds(state) == {f"colour:{colour}": 1 for colour in COLOURS if colour != "g"}
    assert refusal(state, "colour:g", CHANCE) == "BIN-01a"
    play(state, "colour:r")
    assert part(state, "armies") == "gr"


def test_BIN_01a_a_colour_that_was_chosen_is_not_drawn() -> None:
    state = tianxia.game("binfa", level=1, players=3, colours="any-green").new()
    assert odds(state) == {f"colour:{colour}": 1 for colour in COLOURS if colour != "g"}
    assert refusal(state, "colour:g", CHANCE) == "BIN-01a"
    play(state, "colour:r")
    assert odds(state) == {"colour:g": 1}
    assert refusal(state, "colour:b", CHANCE) == "BIN-01a"
    play(state, "colour:g")
    assert odds(state) == {f"colour:{colour}": 1 for colour in "oybp"}
    play(state, "colour:b")
    assert part(state, "armies") == "rgb"
    with pytest.raises(NotationError, match="armies= has the colours that seats have chosen"):
        tianxia.position(state.notation().replace("armies=rgb", "armies=rbg"))


def test_BIN_01a_second_armies_are_drawn_from_what_is_left() -> None:
    game = tianxia.game("binfa", players=2, armies=2, colours="blue-red")
    state = game.new()
    while not state.acting:
        state.apply(state.chance_weights()[0][0], CHANCE)
    assert part(state, "armies")[:2] == "br"
    assert len(set(part(state, "armies"))) == 4
    with pytest.raises(OptionError, match="colours that are drawn"):
        tianxia.game("binfa", players=2, armies=2, bases="neighbours", colours="blue")


def test_BIN_01b_all_units_in_the_own_base() -> None:
    state = drawn("ro")
    assert state.acting == (0, 1)
    assert legal(state, 0) == {name for name in FIELD if name[0] == "r"}
    assert legal(state, 1) == {name for name in FIELD if name[0] == "o"}
    for foreign in ("o1", "p16", "b5"):
        assert refusal(state, foreign, 0) == "BIN-01b"
    place(state, 0, TWELVE[:-3])
    assert state.acting == (0, 1)  # eleven stand: the twelfth is still due
    place(state, 0, "r8")
    assert state.legal_actions(0) == []
    place(state, 1, "o1 " * 12)
    play(state, "open")
    assert units(state) == {"r5": "3r", "r6": "3r", "r7": "3r", "r8": "3r", "o1": "12o"}


def test_BIN_01b_nobody_sees_the_set_up_of_others_before_it_is_opened() -> None:
    state = place(drawn("ro"), 0, "r5 r6")
    action = state.parse("r7", 0)
    for viewer in (1, SPECTATOR):
        assert state.seen(action, 0, viewer) is None
        assert "r5" not in state.view(viewer).notation()
    assert "r5:1r,r6:1r" in state.view(0).notation()
    other = place(drawn("ro"), 0, "r16 r16")
    assert other.view(1) == state.view(1)


def test_BIN_01c_a_pile_of_1_to_12() -> None:
    state = place(drawn("ro"), 0, "r5 " * 12)
    place(state, 1, " ".join(f"o{number}" for number in range(1, 13)))
    play(state, "open")
    assert units(state) == {"r5": "12r"} | {f"o{number}": "1o" for number in range(1, 13)}


def test_BIN_02a_the_lowest_total_begins() -> None:
    state = play(placed("ro"), "6-5 6-4")
    assert (phase(state), active(state)) == ("ready", 1)
    state = play(placed("ro"), "1-1 6-4")  # a double does not matter here
    assert (phase(state), active(state)) == ("ready", 0)
    state = play(placed("roy"), "4-3 6-6 3-3")
    assert active(state) == 2


def test_BIN_02a_only_those_tied_for_the_lowest_roll_again() -> None:
    state = play(placed("roygb"), "2-1 6-5 2-1 6-5 2-1")
    assert phase(state) == "first"
    assert part(state, "contest") == "024"
    play(state, "6-6 5-5 6-4")  # 12, 10, 10: seats 2 and 4 again
    assert part(state, "contest") == "24"
    play(state, "1-1 2-1")
    assert (phase(state), active(state)) == ("ready", 2)


def test_BIN_02b_clockwise_by_player_whatever_the_colours() -> None:
    state = field("p5:4p r5:4r y5:4y", colours="pry", active=1)
    for seat in (2, 0, 1, 2, 0):
        play(state, "roll 4-4")
        assert active(state) == seat
    play(state, "roll 2-1 p5-p6 4 stop")
    assert active(state) == 1
    assert refusal(state, "roll", 0) == "BIN-02b"


def test_BIN_02b_play_passes_over_players_without_armies() -> None:
    state = field("p5:4p y5:4y", colours="pry", active=0)
    play(state, "roll 4-4")
    assert active(state) == 2
    play(state, "roll 4-4")
    assert active(state) == 0


def test_the_border_has_no_third_side() -> None:
    state = play(field("r12:4r o5:4o"), "roll 2-1")
    assert side(state, "displacement", "r12", 2) == "BIN-04b"
