"""CHI-01 to CHI-10: what is in the box, and how the table is set."""

from __future__ import annotations

from collections import Counter

import pytest

import tianxia
from tests.games.china.helpers import (
    COLOURS,
    IN_THE_BOX,
    LETTERS,
    begin,
    by_chance,
    cards,
    deck,
    discard,
    display,
    hand,
    in_game,
    legal,
    on,
    part,
    phase,
    play,
    province,
    random_game,
    refusal,
    table,
)
from tianxia import CHANCE, SPECTATOR
from tianxia.games.china.face import tally
from tianxia.kernel.errors import NotationError, OptionError

pytestmark = pytest.mark.rules

EVERY_SPACE = {"A": (7, 6, 5, 6, 5, 4, 5, 8, 5), "B": (7, 7, 5, 6, 6, 4, 6, 8, 6)}


def all_cards(state: tianxia.State, players: int) -> Counter[str]:
    hands = sum((cards(hand(state, seat)) for seat in range(players)), Counter())
    return hands + cards(deck(state)) + cards(display(state)) + cards(discard(state))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_CHI_01_two_to_five_play(players: int) -> None:
    state = begin(players)
    assert phase(state) == "turn"
    assert len(state.scores()) == players


@pytest.mark.parametrize("players", [0, 1, 6])
def test_CHI_01_no_other_number_plays(players: int) -> None:
    with pytest.raises(OptionError):
        tianxia.game("china", players=players)


def test_CHI_02_the_province_cards() -> None:
    assert sum(IN_THE_BOX.values()) == 57
    assert all_cards(begin(5), 5) == IN_THE_BOX
    with pytest.raises(NotationError):
        table("v3", "r3", "g3", "o3", "y3", deck="v10r1")


def test_CHI_02_pieces_of_a_player() -> None:
    twenty = " ".join(province("A", "W") + province("A", "Z") + province("A", "U"))[: 20 * 3 - 1]
    assert len(twenty.split()) == 20
    table("r3", "r3", "r3", palaces={0: twenty})
    with pytest.raises(NotationError):
        table("r3", "r3", "r3", palaces={0: twenty + " H1"})
    table("r3", "r3", "r3", palaces={1: twenty}, emissaries={"Wei": "0000000", "Zhao": "0"})
    with pytest.raises(NotationError):
        table("r3", "r3", "r3", palaces={1: twenty}, emissaries={"Wei": "0000000", "Zhao": "00"})


def test_CHI_02_one_fortification_a_player() -> None:
    assert part(begin(5, fortifications=True), 19) == "11111"
    with pytest.raises(NotationError):
        table("r3", "r3", "r3", forts="W1", fortifications=True)  # would be the fourth


@pytest.mark.parametrize("colour", "vyogr")
def test_CHI_03_provinces_by_colour(colour: str) -> None:
    state = table(f"{colour}3", "-", "-", display="v1r1")
    singles = {token for token in legal(state, "palace:") if token.endswith(f":{colour}")}
    assert {token[7] for token in singles} == {x for x in LETTERS if COLOURS[x] == colour}
    assert len({x for x in LETTERS if COLOURS[x] == colour}) == (1 if colour == "v" else 2)


@pytest.mark.parametrize(
    ("players", "board", "side"),
    [
        *((2, "A", "A"), (3, "A", "A"), (4, "A", "A"), (4, "B", "B"), (5, "B", "B")),
        *((2, "auto", "A"), (3, "auto", "A"), (4, "auto", "B"), (5, "auto", "B")),
    ],
)
def test_CHI_04_two_sides_of_the_board(players: int, board: str, side: str) -> None:
    state = begin(players, board=board)
    assert tuple(map(len, part(state, 4).split("/"))) == EVERY_SPACE[side]


@pytest.mark.parametrize(("players", "board"), [(2, "B"), (3, "B"), (5, "A")])
def test_CHI_04_a_side_is_not_for_everybody(players: int, board: str) -> None:
    with pytest.raises(OptionError):
        tianxia.game("china", players=players, board=board)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_CHI_05_everybody_begins_at_0(players: int) -> None:
    state = begin(players)
    assert state.scores() == [0] * players
    assert part(state, 5) == "/".join("-" * 9)


def test_CHI_05_eight_emissaries_are_left_to_place() -> None:
    seven = " ".join(province("A", "W"))
    state = table("o3", "-", "-", palaces={1: f"{seven} Z1 Z2"}, emissaries={"Wei": "0000000"})
    play(state, "emissary:Zhao:o")
    assert refusal(state, "emissary:Zhao:o") == "CHI-21"


@pytest.mark.parametrize(("players", "count"), [(2, 47), (3, 47), (4, 52), (5, 57)])
def test_CHI_06_cards_leave_the_game(players: int, count: int) -> None:
    removed = (57 - count) // 5
    state = tianxia.game("china", players=players).new()
    assert cards(deck(state)) == Counter({name: n - removed for name, n in IN_THE_BOX.items()})
    assert sum(in_game(players).values()) == count


@pytest.mark.parametrize("players", [3, 4, 5])
def test_CHI_07_three_cards_each_and_four_open(players: int) -> None:
    state = tianxia.game("china", players=players).new()
    told = [token.split(":")[0] for token in by_chance(state)]
    assert told == ["first"] + ["card"] * 3 * players + ["show"] * 4
    assert [cards(hand(state, seat)).total() for seat in range(players)] == [3] * players
    assert cards(display(state)).total() == 4
    assert discard(state) == "-"
    assert all_cards(state, players) == in_game(players)


def test_CHI_07_hands_are_hidden_and_the_display_is_not() -> None:
    state = begin(3)
    for viewer in (0, 1, 2, SPECTATOR):
        view = state.view(viewer)
        for seat in range(3):
            assert hand(view, seat) == (hand(state, seat) if seat == viewer else "?3")
        assert deck(view) == "?34"
        assert display(view) == display(state)


def test_CHI_08_who_begins_is_named_by_the_colour_that_was_chosen() -> None:
    game = tianxia.game("china", players=3, colours="red-any-yellow", first="yellow")
    assert legal(game.new()) == {"first:2"}
    play(state := game.new(), "first:2")
    by_chance(state)
    assert state.acting == (2,)
    assert tianxia.position(state.notation()) == state
    assert tianxia.position(state.view(1).notation()) == state.view(1)
    with pytest.raises(OptionError, match="with 3 players, red, green, yellow have a seat"):
        tianxia.game("china", players=3, colours="red-any-yellow", first="blue")


def test_CHI_07_a_dealt_card_is_seen_by_its_owner_only() -> None:
    state = play(tianxia.game("china", players=3).new(), "first:1")
    card = state.parse("card:r", CHANCE)
    assert state.seen(card, CHANCE, 0) == card
    assert state.seen(card, CHANCE, 1) != card
    assert state.seen(card, CHANCE, SPECTATOR) != card


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_CHI_08_chance_decides_who_begins(players: int) -> None:
    state = tianxia.game("china", players=players).new()
    assert legal(state) == {f"first:{seat}" for seat in range(players)}
    shares = [share for _, share in state.chance_outcomes()]
    assert shares == pytest.approx([1 / players] * players)
    play(state, f"first:{players - 1}")
    by_chance(state)
    assert state.acting == (players - 1,)


def test_CHI_08_the_table_may_choose() -> None:
    state = begin(4, first="red")
    assert state.acting == (3,)
    with pytest.raises(OptionError):
        tianxia.game("china", players=3, first="red")


def test_CHI_08_the_first_player_keeps_the_emperor_all_game() -> None:
    for state in random_game(3, seed=2, first="green"):
        if phase(state) not in ("first", "tiles"):
            assert part(state, 2)[2] == "1" or state.over


@pytest.mark.parametrize(
    ("points", "shown"),
    [(0, (0, 0)), (1, (0, 1)), (50, (0, 50)), (51, (1, 1)), (100, (1, 50)), (101, (2, 1))],
)
def test_CHI_09_score_cards_beyond_50_and_100(points: int, shown: tuple[int, int]) -> None:
    assert tuple(tally.track(points)) == shown


def test_CHI_09_where_points_come_from() -> None:
    points = ["50,1,0,0,0,0", "3,0,0,4,5,0", "0,0,2,0,0,6"]
    found = tally.breakdown(table("-", "-", "-", points=points, deck="-", exhausted=2))
    assert [sum(seat.values()) for seat in found] == [51, 12, 8]
    assert (found[1]["alliances"], found[1]["roads"], found[2]["tiles"]) == (4, 5, 6)


def test_CHI_10_no_fortifications_unless_chosen() -> None:
    state = table("r3", "-", "-", palaces={1: "W1"})
    assert part(state, 19) == "-"
    assert refusal(state, "fort:W2:r") == "CHI-10"
    assert legal(state, "fort") == set()


def test_CHI_10_one_each_in_the_experienced_game() -> None:
    state = table("r3", "-", "-", palaces={1: "W1"}, fortifications=True)
    assert part(state, 19) == "111"
    play(state, "fort:W2:r")
    assert on(state, "W2") == "#"
    assert part(state, 19) == "011"
    assert refusal(state, "fort:W3:r") == "CHI-21"
