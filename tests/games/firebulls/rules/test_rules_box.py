"""FBL-01 to FBL-11: players, cards, what takes them, powers."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

import tianxia
from tests.games.firebulls.helpers import (
    ATTACK_CARDS,
    COLOURS,
    POINT_CARDS,
    VALUES,
    attacks,
    begin,
    cards,
    hand,
    legal,
    part,
    phase,
    play,
    random_game,
    refusal,
    table,
    victory,
)

pytestmark = pytest.mark.rules


def takes(kind: str, bulls: str) -> set[str]:
    """Return what can be laid for a card, out of a given hand."""
    if kind == "G":
        return attacks(table(bulls, "-", general="aside"), "G")
    return attacks(table(bulls, "-", rows=f"{kind},Sy,Sy/Sn,X,X/F,F,C"), "2")


def letters(token: str) -> str:
    return "".join(sorted(token))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_FBL_01_two_to_five_play(players: int) -> None:
    state = begin(players)
    assert state.seats == players
    assert sorted({state.acting[0] for state in random_game(players, 1) if state.acting}) == [
        *range(players)
    ]


@pytest.mark.parametrize("players", [1, 6, 0, 7])
def test_FBL_01_no_other_number_plays(players: int) -> None:
    with pytest.raises(tianxia.TianxiaError, match="2, 3, 4 or 5"):
        tianxia.game("firebulls", players=players)


def test_FBL_02_there_are_54_attack_cards() -> None:
    state = tianxia.game("firebulls").new()
    assert cards(part(state, 10)) == ATTACK_CARDS
    assert sum(ATTACK_CARDS.values()) == 54
    # When all red Bulls are somewhere else, none can come from the deck.
    state = play(table("r7", "r3"), "draw")
    assert refusal(state, "card:r") == "FBL-02"
    assert legal(state) == {"card:b", "card:y", "card:n", "card:g", "card:w"}


@pytest.mark.parametrize("colour", COLOURS)
def test_FBL_03_a_warrior_replaces_a_bull_of_any_colour(colour: str) -> None:
    state = table("w1", "-", rows=f"S{colour},Sy,Sy/Sn,X,X/F,F,C")
    play(state, "2:w")
    assert victory(state, 0) == f"S{colour}1"
    assert refusal(table("w1", "-", rows=f"W{colour},Sy,Sy/Sn,X,X/F,F,C"), "2:ww") == "FBL-25"


def test_FBL_04_a_warrior_costs_a_card_won_earlier() -> None:
    state = play(table("w1", "-", victory=("Sr1F1", "X1")), "2:w", "stop")
    assert phase(state) == "fee"
    assert legal(state) == {"fee:Sr", "fee:F"}
    play(state, "fee:Sr")
    assert victory(state, 0) == "Sb1F1"


def test_FBL_05_there_are_54_point_cards() -> None:
    assert sum(POINT_CARDS.values()) == 54
    fields = tianxia.game("firebulls").new().fields
    # In the order of the kinds: five Soldiers, five Wu, the white Wu, Xi, Bo, Colonel, General, F.
    assert fields["unseen"].tolist() == [*[3] * 5, *[2] * 6, 9, 6, 3, 1, 8]
    for kind, value in VALUES.items():
        name = kind + "w" * (kind == "W") + "r" * (kind == "S")
        state = table("-", "-", victory=(f"{name}1",), general="won" if kind == "G" else "piles")
        assert state.scores() == [value + (kind == "B"), 0]  # a Bo has everybody’s colour
    # A kind of which all are on the table cannot be turned up.
    state = play(table("b1", "-", victory=("C2",)), "2:b", "stop", "slide")
    assert refusal(state, "reveal:C") == "FBL-05"
    assert refusal(state, "reveal:X") is None


@pytest.mark.parametrize("colour", COLOURS)
def test_FBL_06_soldier_and_wu(colour: str) -> None:
    rich = "".join(f"{c}{1 + (c == colour)}" for c in COLOURS)
    assert takes(f"S{colour}", rich) == {colour}
    assert takes(f"W{colour}", rich) == {colour * 2}
    other = "y" if colour == "b" else "b"
    assert refusal(table(rich, "-", rows=f"S{colour},X,X/X,X,X/X,X,X"), f"2:{other}") == "FBL-06"
    mixed = f"2:{other}{other}"
    assert refusal(table(rich, "-", rows=f"W{colour},X,X/X,X,X/X,X,X"), mixed) == "FBL-06"


def test_FBL_06_xi_and_bo() -> None:
    assert takes("X", "b3n1r3g1") == {"bbb", "rrr"}
    assert takes("B", "b2y2n2r1g1") == {"bynrg"}
    assert takes("B", "b2y2n2r1w1") == {"bynrw"}
    assert takes("B", "b5") == set()
    state = table("b4y1n1r1g1", "-", rows="B,X,X/X,X,X/X,X,X")
    assert refusal(state, "2:bbbbb") == "FBL-06"


def colonel(three: int, five: int, bulls: str) -> set[str]:
    """Work out all payments with two groups of different colours, or one of a colour."""
    total = cards(bulls)
    found = set()
    groups = [(a, b) for a in COLOURS for b in COLOURS if a != b]
    wanted = [first * (five - three if five == 7 else 3) + second * 3 for first, second in groups]
    for bare in [*wanted, *(colour * five for colour in COLOURS)]:
        for kept in range(1 << len(bare)):
            chosen = "".join(c for i, c in enumerate(bare) if kept >> i & 1)
            laid = chosen + "w" * (len(bare) - len(chosen))
            if all(laid.count(c) <= total[c] for c in set(laid)):
                found.add(letters(laid))
    return found


@pytest.mark.parametrize(
    "bulls", ["b5y3", "b4y3w1", "b3y3w2", "b2y1w4", "b4", "b3r2", "n5", "g1w4"]
)
def test_FBL_07_colonel(bulls: str) -> None:
    found = {letters(token) for token in takes("C", bulls)}
    assert found == colonel(3, 5, bulls)


def test_FBL_07_the_two_groups_have_different_colours() -> None:
    state = table("b5y3", "-", rows="C,X,X/X,X,X/X,X,X")
    assert refusal(state, "2:bbbyyy") is None
    assert refusal(state, "2:bbbbb") is None
    with pytest.raises(tianxia.TianxiaError, match="FBL-25"):
        state.parse("2:bbbbbb")  # no card of the game is taken with six of one colour


@pytest.mark.parametrize(
    "bulls", ["b7", "b4y4", "b4y3w1", "b3y3w1", "b2y1w4", "b6w1", "b6", "b4r2", "n3w4"]
)
def test_FBL_08_general(bulls: str) -> None:
    found = {letters(token) for token in takes("G", bulls)}
    assert found == colonel(3, 7, bulls)


def test_FBL_08_what_does_not_take_the_general() -> None:
    state = table("b4y4", "-", general="aside")
    assert refusal(state, "G:bbbbyyy") is None
    assert refusal(state, "G:bbbyyyy") is None
    assert refusal(state, "G:bbbyyy") == "FBL-25"


def test_FBL_09_fortification() -> None:
    assert takes("F", "b2y1n1r1g1") == {"b", "y", "n", "r", "g"}
    assert takes("F", "w2") == {"w"}
    state = play(table("b1", "-", rows="F,X,X/X,X,X/X,X,X"), "2:b")
    assert victory(state, 0) == "F1"
    assert state.scores() == [0, 0]


BO = "B,Sy,Sn/Wb,X,B/F,Sr,C"
COLONEL = "C,Sy,Sn/Wb,X,B/F,Sr,B"


def test_FBL_10_bo_draws_a_card_at_once() -> None:
    state = play(table("b1y1n1r1g1", "-", rows=BO), "2:bynrg")
    assert legal(state) == {"use", "decline"}
    play(state, "use", "card:y")
    assert hand(state, 0) == "y1"
    # It can pay for the next card of the same attack.
    assert attacks(state, "2") == {"y"}
    play(state, "2:y")
    assert victory(state, 0) == "Sy1B1"


def test_FBL_10_a_power_can_be_declined_and_not_used_later() -> None:
    state = play(table("b1y2n1r1g1", "-", rows=BO), "2:bynrg", "decline")
    assert hand(state, 0) == "y1"
    assert refusal(state, "use") == "FBL-10"
    play(state, "2:y")
    assert phase(state) == "more"
    assert refusal(state, "use") == "FBL-10"


def test_FBL_10_colonel_discards_a_random_card_of_each_opponent() -> None:
    state = table("b5", "y2r1", "-", "g1", rows=COLONEL, active=0, pawns="2413")
    play(state, "2:bbbbb", "use")
    assert phase(state) == "colonel"
    chances = {state.text(a, -2): p for a, p in state.chance_outcomes()}
    assert chances == {"lose:y": pytest.approx(2 / 3), "lose:r": pytest.approx(1 / 3)}
    play(state, "lose:y")
    assert legal(state) == {"lose:g"}  # the third has no cards
    play(state, "lose:g")
    assert part(state, 14) == "-/y1r1/-/-"
    assert part(state, 13) == "b5y1g1"
    assert phase(state) == "more"


def test_FBL_10_colonel_starts_after_the_active_player() -> None:
    state = table("y1", "b5", "g1", rows=COLONEL, active=1, pawns="421")
    play(state, "2:bbbbb", "use")
    assert legal(state) == {"lose:g"}
    play(state, "lose:g")
    assert legal(state) == {"lose:y"}


def test_FBL_10_general_takes_a_random_card_of_each_opponent() -> None:
    state = play(table("b7", "y2r1", "g1", general="aside"), "G:bbbbbbb", "use")
    chances = {state.text(a, -2): p for a, p in state.chance_outcomes()}
    assert chances == {"steal:y": pytest.approx(2 / 3), "steal:r": pytest.approx(1 / 3)}
    play(state, "steal:r", "steal:g")
    assert part(state, 14) == "r1g1/y2/-"
    assert part(state, 13) == "b7"


def test_FBL_10_a_power_that_can_do_nothing_is_not_asked() -> None:
    assert phase(play(table("b5", "-", rows=COLONEL), "2:bbbbb")) == "more"
    assert phase(play(table("b7", "-", general="aside"), "G:bbbbbbb")) == "turn"


def test_FBL_11_pawns_are_two_of_each_colour() -> None:
    """One pawn names the seat, the other stands before a direction."""
    state = begin(5)
    assert list(state.game.kind.seat_names) == ["Blue", "Yellow", "Brown", "Red", "Green"]
    assert sorted(part(state, 4)) == list("12345")
    assert len(part(begin(2), 4)) == 2


def test_every_set_of_up_to_three_cards_is_refused_or_takes_its_card() -> None:
    """An independent count for small cards: symbols matched one by one."""
    for size in (1, 2, 3):
        for laid in combinations_with_replacement("byw", size):
            if laid.count("y") > 2:
                continue
            colours = set(laid) - {"w"}
            expected = {
                "Sb": size == 1 and colours <= {"b"},
                "Wb": size == 2 and colours <= {"b"},
                "Ww": size == 2 and len(colours) <= 1,
                "X": size == 3 and len(colours) <= 1,
                "F": size == 1,
            }
            for kind, right in expected.items():
                found = {letters(token) for token in takes(kind, "b3y2w3")}
                assert (letters("".join(laid)) in found) == right, (kind, laid)
