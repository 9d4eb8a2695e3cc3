"""Setting up: SUN-01 to SUN-08, SUN-57, SUN-70 to SUN-72."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest

import tianxia
from tests.games.suntzu.war import (
    BLUE,
    CARDS,
    PROVINCES,
    RED,
    aside,
    begin,
    counted,
    do,
    hand,
    legal,
    refused,
    reserve,
    run,
    step,
)
from tianxia.games.suntzu.rules.components import BORDERS, NEAR, TRACK
from tianxia.games.suntzu.rules.state import END, LAYING
from tianxia.kernel.errors import OptionError

pytestmark = pytest.mark.rules


def test_SUN_01_two_players_and_at_most_nine_rounds():
    game = tianxia.game("suntzu")
    assert game.seats == 2
    assert list(game.kind.seat_names) == ["Sun Tzu", "King of Chu"]
    rounds = [int(run(game.new(), END, seed).fields["turn"]) for seed in range(6)]
    assert max(rounds) == 9


def test_SUN_02_five_of_ten_stands():
    state = tianxia.game("suntzu").new()
    assert len(state.legal_actions(tianxia.CHANCE)) == 10
    do(state, "stand=1-2-4", "stand=4-3-2")
    assert refused(state, "stand=1-2-4") == "SUN-02"
    assert len(state.legal_actions(tianxia.CHANCE)) == 8
    do(state, "stand=2-3-2", "stand=2-5-2", "stand=3-1-5")
    assert refused(state, "stand=4-1-4") is not None  # the others are out of the game
    assert "1-2-4" in state.diagram()


def test_SUN_03_pawns_begin_on_the_first_round_and_in_the_middle():
    state = tianxia.game("suntzu").new()
    assert state.fields["turn"] == 1
    assert state.fields["track"] == 0
    assert state.scores() == [0, 0]


def test_SUN_04_the_first_of_five_events_is_turned_up():
    state = tianxia.game("suntzu", events=True).new()
    rng = random.Random(2)
    for _ in range(5):
        step(state, rng)
    outcomes = state.chance_outcomes()
    assert [chance for _, chance in outcomes] == [0.2] * 5
    do(state, "event=hero")
    assert state.fields["event"] == 4
    assert state.fields["events_left"] == 0b10111


def test_SUN_05_eighteen_armies_in_reserve_three_aside():
    state = begin()
    assert reserve(state) == (18, 18)
    assert aside(state) == (3, 3)


def choice() -> tianxia.State:
    state = tianxia.game("suntzu").new()
    rng = random.Random(3)
    while not state.acting:
        step(state, rng)
    return state


def test_SUN_06_each_keeps_one_of_five_strategy_cards_in_secret():
    state = choice()
    assert state.acting == (BLUE, RED)
    assert legal(state, BLUE) == {f"choose=S{n}" for n in range(1, 6)}
    assert legal(state, RED) == {f"choose=K{n}" for n in range(1, 6)}
    other = state.clone()
    do(state, "b choose=S2")
    do(other, "b choose=S5")
    assert state.view(RED) == other.view(RED)
    assert BLUE not in state.acting
    assert refused(state, "choose=S1", BLUE) == "SUN-06"  # the others have left the game
    do(state, "choose=K4", "open")
    assert state.fields["cards"].tolist() == [1, 1]


def test_SUN_07_ten_cards_and_a_deck_of_ten():
    state = begin(4)
    for seat in (BLUE, RED):
        held = hand(state, seat).split()
        assert len(held) == 10
        assert held[:6] == list(CARDS[:6])
        assert len(counted(state, "deck", seat).split()) == 10
    absent = next(card for card in CARDS[6:] if card not in hand(state, BLUE).split())
    assert refused(state, f"Wu={absent}", BLUE) == "SUN-07"


def test_SUN_08_the_beginners_game():
    state = begin(5, deck="beginner", strategies=False)
    assert reserve(state) == (21, 21)
    assert aside(state) == (0, 0)
    for seat in (BLUE, RED):
        assert len(counted(state, "deck", seat).split()) == 8
        cards = counted(state, "deck", seat).split() + hand(state, seat).split()
        assert not {"+2", "+3"} & set(cards)
        assert len(cards) == 18
    assert state.fields["cards"].tolist() == [0, 0]
    with pytest.raises(OptionError, match="strategies=no"):
        tianxia.game("suntzu", deck="beginner")


def test_SUN_57_the_twenty_cards_of_a_player():
    state = begin(6)
    for seat in (BLUE, RED):
        cards = Counter(counted(state, "deck", seat).split() + hand(state, seat).split())
        few = {"+1": 3, "-1": 3, "P": 2}
        assert cards == {card: few.get(card, 1) for card in CARDS}
        assert cards.total() == 20


@pytest.mark.parametrize("seed", range(3))
def test_SUN_70_armies_are_never_lost_from_the_count(seed):
    state = tianxia.game("suntzu", events=True).new()
    rng = random.Random(seed)
    while not state.over:
        fields = state.fields
        for seat in (BLUE, RED):
            counts = (fields[name][seat].sum() for name in ("reserve", "aside", "board", "marks"))
            assert sum(map(int, counts)) == 21
        step(state, rng)


def test_SUN_71_five_provinces_and_nine_steps():
    assert PROVINCES == ("Qin", "Chu", "JinYan", "HanQi", "Wu")
    text = begin().diagram()
    assert all(name in text for name in ("Qin", "Chu", "Jin-Yan", "Han-Qi", "Wu"))
    assert TRACK == 9
    assert len(BORDERS) == 7
    for a, b in BORDERS:
        assert NEAR[a] >> b & 1
        assert NEAR[b] >> a & 1
    assert sum(int(near).bit_count() for near in NEAR) == 14


def test_SUN_72_the_order_of_the_set_up():
    state = tianxia.game("suntzu", events=True).new()
    rng = random.Random(8)
    phases = []
    while state.fields["phase"] != LAYING:
        phases.append(int(state.fields["phase"]))
        if state.acting:  # nobody has special cards yet, so nobody can know his four
            assert hand(state, BLUE) == hand(state, RED) == "1 2 3 4 5 6"
        step(state, rng)
    assert all(a <= b for a, b in pairwise(phases))
    assert set(phases) == {0, 1, 2, 3}
    state = tianxia.game("suntzu").new()
    assert state.refusal(state.parse("Wu=5", BLUE), BLUE) == "SUN-02"
