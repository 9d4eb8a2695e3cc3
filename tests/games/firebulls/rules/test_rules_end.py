"""FBL-45 to FBL-54: the end, points, winners (example 9), what always holds."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

import tianxia
from tests.games.firebulls.helpers import (
    ATTACK_CARDS,
    POINT_CARDS,
    by_chance,
    cards,
    hand,
    part,
    pawns,
    phase,
    play,
    random_game,
    refusal,
    rows,
    table,
)
from tianxia import CHANCE, SPECTATOR

pytestmark = pytest.mark.rules

SOLDIERS = "Sb,Sy,Sn/Sr,Sg,Sb/Sy,Sn,Sr"


def exhausting(*hands: str, **facts: object) -> tianxia.State:
    """Return a position whose deck runs out for the third time with its next card."""
    return table(*hands, deck="r1", exhausted=2, **facts)  # type: ignore[arg-type]


def ended(*hands: str, **facts: object) -> tianxia.State:
    """Return the end of such a game."""
    return play(exhausting(*hands, **facts), "take:b", "card:r", "penalty")


@pytest.mark.parametrize("piles", [(0, 0, 2), (2, 0, 0), (0, 2, 0), (0, 0, 0)])
def test_FBL_45_two_piles_empty_and_the_general_won(piles: tuple[int, int, int]) -> None:
    unseen = f"X{sum(piles)}" if sum(piles) else "-"
    state = table("b1", "-", unseen=unseen, piles=piles, general="won", victory=("G1", "-"))
    play(state, "draw", "card:r", "stay")
    assert state.over
    assert phase(state) == "end:45"
    assert rows(state).count("-") == 0  # cards are left in the rows
    assert state.scores() == [12, 0]  # without a penalty
    assert refusal(state, "draw", 1) == "FBL-45"


def test_FBL_45_not_without_the_general_nor_with_two_piles() -> None:
    state = table("b1", "-", unseen="X2", piles=(0, 0, 2), general="aside")
    assert play(state, "draw", "card:r", "stay").acting == (1,)
    state = table("b1", "-", unseen="X2", piles=(0, 1, 1), general="won", victory=("G1", "-"))
    assert play(state, "draw", "card:r", "stay").acting == (1,)


def test_FBL_45_a_general_given_up_as_a_fee_was_won_all_the_same() -> None:
    state = table("w1", "-", unseen="X2", piles=(0, 0, 2), general="won", victory=("G1", "-"))
    play(state, "2:w", "stop", "fee:G", "slide")
    assert phase(state) == "end:45"
    assert state.scores() == [2, 0]  # the blue Soldier


def test_FBL_45_it_is_looked_at_after_refilling() -> None:
    state = table(
        "b1", "-", rows=SOLDIERS, unseen="X3", piles=(1, 0, 2), general="won", victory=("G1", "-")
    )
    play(state, "2:b", "stop", "slide")
    assert not state.over
    assert phase(play(state, "reveal:X")) == "end:45"


def test_FBL_46_the_deck_is_shuffled_anew_twice() -> None:
    for exhausted in (0, 1):
        state = table("-", "-", deck="r1", exhausted=exhausted)
        play(state, "take:b", "card:r")
        assert phase(state) == "shuffle"
        before = cards(part(state, 13))
        play(state, "shuffle")
        assert cards(part(state, 10)) == cards(part(state, 11)) == before
        assert part(state, 13) == "-"
        assert part(state, 17) == str(exhausted + 1)
        assert state.acting == (1,)


def test_FBL_46_the_third_exhaustion_ends_the_game_after_the_turn() -> None:
    state = exhausting("b5y3", "-")
    play(state, "draw", "card:r")
    assert state.acting == (0,)  # the turn goes on
    play(state, "right", "drop:y")
    assert phase(state) == "penalty"
    play(state, "penalty")
    assert phase(state) == "end:46"
    assert pawns(state) == "34"
    assert refusal(state, "draw", 1) == "FBL-46"


def test_FBL_46_an_attack_may_go_on_and_draws_are_lost() -> None:
    state = exhausting("b2y2n1r1g1", "-", rows="B,Sy,Sb/Sr,Sg,Sb/Sy,Sn,Sr")
    play(state, "2:bynrg", "use", "card:r")
    assert phase(state) == "more"
    play(state, "2:y", "2:b")  # two bonus cards are owed, and there is no deck
    assert phase(state) == "refill"
    assert hand(state, 0) == "r1"
    assert by_chance(state).over


def test_FBL_46_without_a_discard_it_counts_as_the_third() -> None:
    everything = "b10y10n10r9g10w4"
    rest = cards(everything) - cards("b4y4") - cards("n4r4") - cards("g8")
    reserve = "".join(f"{name}{rest[name]}" for name in ATTACK_CARDS if rest[name])
    state = table("b4y4", "n4r4", "g8", reserve=reserve, deck="r1", discard="-")
    play(state, "draw", "card:r", "stay", "drop:r", "penalty")
    assert phase(state) == "end:46"
    assert part(state, 17) == "3"


def test_FBL_46_a_reshuffle_in_mid_attack_contains_the_payments() -> None:
    reserve = "b9y9n9r8g9w4"
    state = table("b1y1n1r1g1", "-", rows="B,Sy,Sb/X,X,X/X,X,X", reserve=reserve)
    assert part(state, 10) == "r1"
    play(state, "2:bynrg", "use", "card:r")
    assert phase(state) == "shuffle"
    play(state, "shuffle")
    assert part(state, 10) == "b1y1n1r1g1"
    assert hand(state, 0) == "r1"
    assert state.acting == (0,)


def test_FBL_47_the_penalty_takes_the_highest_card_of_each() -> None:
    state = ended("-", "-", "-", victory=("C1B1", "X1Sr1", "-"))
    assert part(state, 8) == "B1/Sr1/-"
    assert part(state, 9) == "X1C1"


def test_FBL_47_among_equals_one_without_the_own_colour() -> None:
    state = ended("-", "-", victory=("Wb1Wr1", "Sy2Sb1"))
    assert part(state, 8) == "Wb1/Sy2"
    state = ended("-", "-", victory=("Wn1Wr1Ww1", "-"))
    assert part(state, 8) == "Wr1Ww1/-"  # the first in card order


def test_FBL_47_the_penalty_comes_with_the_other_end_too() -> None:
    state = exhausting(
        "-", "-", unseen="X2", piles=(0, 0, 2), general="won", victory=("G1", "X1F1")
    )
    play(state, "take:b", "card:r", "penalty")
    assert part(state, 8) == "-/F1"


def test_FBL_48_the_sum_of_the_values() -> None:
    state = table("-", "-", victory=("Sr1Wr1X1C1F2", "G1"), general="won")
    assert state.scores() == [1 + 2 + 3 + 8, 12]


def test_FBL_49_a_point_for_each_card_of_ones_colour() -> None:
    state = table("-", "-", "-", "-", "-", victory=("Sb1", "Sb1", "B1", "Wr2", "Wg1B1Sg1"))
    assert state.scores() == [2, 1, 7, 6, 3 + 7 + 2]


def test_FBL_49_the_colour_is_the_one_that_was_chosen() -> None:
    victory = ("Sb1Wr1", "Wr1", "Sb1B1")
    assert table("-", "-", "-", victory=victory).scores() == [4, 2, 8]
    state = table("-", "-", "-", victory=victory, colours="red-any-blue")
    assert state.scores() == [4, 2, 9]
    assert [view.scores() for view in (state.view(0), state.view(SPECTATOR))] == [[4, 2, 9]] * 2


def test_FBL_49_a_game_with_other_colours_is_the_usual_one_with_its_cards_exchanged() -> None:
    letters = {"b": "g", "y": "r", "n": "b", "r": "y", "g": "n", "w": "w"}
    usual = tianxia.game("firebulls", players=5).new()
    other = tianxia.game("firebulls(players=5,colours=green-red-blue-yellow-brown)").new()
    rng = random.Random(5)
    while not usual.over:
        seat = usual.acting[0] if usual.acting else CHANCE
        actions = usual.legal_actions() if usual.acting else [a for a, _ in usual.chance_weights()]
        action = rng.choice(actions)
        token = usual.text(action, seat)
        word, _, rest = token.partition(":")
        kind = rest if word in ("fee", "reveal") else ""
        if word == "place":
            changed = token
        elif kind:
            changed = f"{word}:{kind[0]}{''.join(letters[x] for x in kind[1:])}"
        else:
            new = sorted((letters[x] for x in rest), key="bynrgw".index)
            changed = f"{word}:{''.join(new)}" if rest else token
        usual.apply(action, seat)
        other.apply(other.parse(changed, seat), seat)
        assert usual.scores() == other.scores()
    assert usual.utilities() == other.utilities()
    assert sum(usual.scores()) > 3


@pytest.mark.parametrize(("colours", "left"), [("usual", "Sb1/Sr1"), ("red-blue", "Sr1/Sb1")])
def test_FBL_47_of_equal_cards_one_of_ones_colour_is_lost_last(colours: str, left: str) -> None:
    state = ended("-", "-", victory=("Sb1Sr1", "Sb1Sr1"), colours=colours)
    assert part(state, 8) == left


def test_FBL_50_white_symbols_bring_none() -> None:
    state = table("-", "-", "-", "-", "-", victory=("Ww1", "X1", "C1", "F1", "G1"), general="won")
    assert state.scores() == [2, 3, 8, 0, 12]


@pytest.mark.parametrize(
    ("victory", "utilities"),
    [
        (("X1C1", "Sr1Sg1Wn1"), (1, -1)),
        (("X2C1", "B1C1"), (-1, 1)),
        # Without the highest cards: 6 points each, by a Xi and 3, or by three Wu.
        (("C1X2", "C1Wr2Wn1"), (1, -1)),
        (("C1X2", "C1X2"), (0, 0)),
        (("C1X1", "C1Wr1Sn1", "F1"), (1, -1 / 2, -1 / 2)),
        (("C1X1", "C1X1", "F1"), (1 / 4, 1 / 4, -1 / 2)),
        (("-", "-", "-"), (0, 0, 0)),
        (("F2", "-"), (1, -1)),  # even a card of value 0 is more than none
    ],
)
def test_FBL_51_winners(victory: tuple[str, ...], utilities: tuple[float, ...]) -> None:
    state = ended(*["-"] * len(victory), victory=victory)
    assert state.utilities() == pytest.approx(list(utilities))


def test_FBL_52_example_9() -> None:
    yellow = "C1B2Wr2F2Sb1Sy1Sn1Sr1"
    state = exhausting("-", "-", victory=("-", yellow))
    play(state, "take:b", "card:r", "penalty")
    assert state.over
    assert part(state, 8) == "-/Sb1Sy1Sn1Sr1Wr2B2F2"
    assert state.scores() == [0, 23]
    assert state.utilities() == [-1, 1]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_FBL_53_no_card_is_lost(players: int) -> None:
    for state in random_game(players, seed=players)[::5]:
        fields = state.fields
        found = Counter(re.findall(r"[A-Z][a-z]?", rows(state)))
        for zone in (part(state, 9), *part(state, 8).split("/")):
            found += cards(zone)
        found["G"] += part(state, 7) == "aside"
        symbols = list(POINT_CARDS)
        # In the order of the kinds, which is that of the notation.
        found += Counter(dict(zip(symbols, fields["unseen"].tolist(), strict=True)))
        assert found == POINT_CARDS
        assert fields["unseen"].sum() == fields["piles"].sum()
        attack = cards(part(state, 10)) + cards(part(state, 12)) + cards(part(state, 13))
        for seat in range(players):
            attack += cards(hand(state, seat))
        assert attack == ATTACK_CARDS


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_FBL_54_no_two_pawns_on_one_direction(players: int) -> None:
    for state in random_game(players, seed=10 + players):
        standing = pawns(state).replace("0", "")
        assert len(set(standing)) == len(standing)
    with pytest.raises(tianxia.TianxiaError, match="FBL-54"):
        table("-", "-", pawns="33")
