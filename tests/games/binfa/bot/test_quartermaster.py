"""The Quartermaster: its results, its time, its habits."""

from __future__ import annotations

import time

import pytest

import tianxia
from tianxia.bots import make, play
from tianxia.games.binfa.rules.statements import TURN_LIMIT

CAP = 500
"""Turns after which a game of its own counts as one that does not end."""


@pytest.mark.slow
def test_it_beats_random() -> None:
    game = tianxia.game("binfa", turns=CAP)
    won = 0
    for seed in range(20):
        names = ["random", "random"]
        names[seed % 2] = "quartermaster"
        won += play(game, names, seed).utilities()[seed % 2] == 1
    assert won >= 19


@pytest.mark.parametrize("spec", ["binfa(level=1)", "binfa(level=2,map=valley)", "binfa(level=3)"])
def test_it_finishes_games_against_himself(spec: str) -> None:
    for seed in range(3):
        end = play(tianxia.game(spec, turns=CAP), ["quartermaster", "quartermaster"], seed)
        assert end.fields["reason"] != TURN_LIMIT


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec",
    ["binfa", "binfa(armies=2)", "binfa(armies=3)", "binfa(players=3,armies=2)"]
    + [f"binfa(players={players})" for players in (3, 4, 5, 6)],
)
def test_it_finishes_games_with_many(spec: str) -> None:
    game = tianxia.game(spec, turns=CAP)
    for seed in range(5):
        end = play(game, ["quartermaster"] * game.seats, seed)
        assert end.fields["reason"] != TURN_LIMIT


def test_the_same_seed_plays_the_same_game() -> None:
    game = tianxia.game("binfa(level=3)", turns=CAP)
    one, two = (play(game, ["quartermaster", "quartermaster"], 5) for _ in range(2))
    assert one.transcript() == two.transcript()


def chosen(text: str) -> str:
    state = tianxia.position(text)
    (seat,) = state.acting
    begun = time.process_time()
    action = make("quartermaster", state.game, seat, 3).choose(state.view(seat))
    assert time.process_time() - begun < 0.3
    return state.text(action, seat)


def test_it_closes_the_last_side() -> None:
    place = "armies=rb units=r5:6r,r10:4b,r12:4r,b13:8b,p16:2r"
    roll = "army=r rolled=yes dice=3-2 moves=1"
    assert chosen(f"binfa(level=1) * moving 0 9/9 {place} {roll}") in ("r5-r11", "r12-r11")


def test_it_attacks_what_cannot_retreat() -> None:
    place = "armies=rb units=r10:1b,r11:3r,b13:8b,p16:2r army=r"
    assert chosen(f"binfa(level=1) * ready 0 9/9 {place}") == "r11xr10"


def test_it_leaves_the_whirlpool() -> None:
    place = "map=/r13,y13,b13 armies=rb units=r13:4r,o13:6r,b1:8b pawns=r:r1,b:b1"
    rest = "supplies=r5b5 army=r rolled=yes dice=3-2 moves=1 due=r13"
    assert chosen(f"binfa(terrain=0) * moving 0 9/9 turns=2 {place} {rest}").startswith("r13-")


def test_it_resupplies_when_he_is_poor() -> None:
    place = "map=/r13,y13,b13 armies=rb units=r1:12r,b12:12b pawns=r:r1,b:b1 supplies=r1b5"
    assert chosen(f"binfa(terrain=0) * choosing 0 9/9 turns=2 {place}") == "supply:r"
