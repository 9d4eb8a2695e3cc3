"""The Courtier: its results, its time, its habits."""

from __future__ import annotations

import time

import pytest

import tianxia
from tests.games.china.helpers import play as played
from tests.games.china.helpers import table
from tianxia.bots import make, play


@pytest.mark.slow
def test_it_beats_three_random_players() -> None:
    game = tianxia.game("china", players=4)
    won = 0
    for seed in range(16):
        names = ["random"] * 4
        names[seed % 4] = "courtier"
        won += play(game, names, seed).utilities()[seed % 4] > 0
    assert won >= 15


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2, "tiles": True, "fortifications": True},
        {"players": 2, "light": True},
        {"players": 3, "board": "border", "tiles": True},
        {"players": 5, "fortifications": True, "tiles": True},
    ],
)
def test_it_plays_every_kind_of_game(options: dict[str, object]) -> None:
    game = tianxia.game("china", **options)
    end = play(game, ["courtier", *["random"] * (game.seats - 1)], 1)
    assert end.over
    assert end.utilities()[0] > 0


def test_it_is_quick() -> None:
    state = table(
        "v1r1g1",
        "v3",
        "y3",
        palaces={0: "W1 W2 C2 C4 C6 H1", 1: "U1 U2 U3 Q1 Q2", 2: "S1 S2 L1 L2 Z1"},
    )
    bot = make("courtier", state.game, 0, 1)
    begun = time.process_time()
    bot.choose(state.view(0))
    assert time.process_time() - begun < 0.2


def chosen(state: tianxia.State) -> str:
    seat = state.acting[0]
    action = make("courtier", state.game, seat, 3).choose(state.view(seat))
    return state.text(action, seat)


def test_it_makes_a_chain_of_four() -> None:
    state = table(
        "v1o1r1",
        "v3",
        "g3",
        palaces={0: "W1 W2 W3", 1: "Q1 Q2", 2: "U1"},
        emissaries={"Wei": "111", "Qi": "11", "Chu": "2"},
    )
    assert chosen(state) in ("palace:W4:r", "palace:Z1:o")


def test_it_goes_for_an_alliance() -> None:
    palaces = {0: "Q1 Q2", 1: "L1 L2", 2: "U1"}
    state = table("o1g1r1", "v3", "y3", palaces=palaces, emissaries={"Qi": "00", "Lu": "1"})
    assert chosen(state) in ("emissary:Lu:o", "palace:L3:o", "palace:L4:o")


def test_it_takes_the_card_that_he_needs() -> None:
    palaces = {0: "Z1 Z2 Z3 U1", 1: "Q2", 2: "S1"}
    state = table(
        *("g1r1", "v3", "y3"),
        palaces=palaces,
        phase="take",
        unfinished="bp1@Chu!o1",
        display="y1o1",
    )
    assert chosen(state) == "take:y"  # for Q1: a chain of four, and a tie in Qi


def test_it_builds_on_his_fortification() -> None:
    state = table(
        "y2r1",
        "v3",
        "g3",
        palaces={0: "Q1 Q2", 1: "Q5"},
        forts="Q3",
        left="011",
        fortifications=True,
    )
    assert chosen(state).startswith("palace:Q3:")


def test_it_keeps_the_colour_that_brings_influence() -> None:
    palaces = {0: "W1 U1", 1: "U2", 2: "U3 U4"}
    state = table("v2r1", "v1", palaces=palaces, kept=("-", "r1"), influence="r1")
    played(state, "palace:W2:r", "palace:W3:vv")
    assert chosen(state) == "keep:v"
