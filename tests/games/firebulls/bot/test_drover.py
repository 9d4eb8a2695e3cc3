"""The Drover: its results, its time, its habits."""

from __future__ import annotations

import time

import pytest

import tianxia
from tests.games.firebulls.helpers import play as played
from tests.games.firebulls.helpers import table
from tianxia.bots import make, play


@pytest.mark.slow
def test_it_beats_random() -> None:
    game = tianxia.game("firebulls")
    won = 0
    for seed in range(20):
        names = ["random", "random"]
        names[seed % 2] = "drover"
        won += play(game, names, seed).utilities()[seed % 2] == 1
    assert won >= 19


@pytest.mark.parametrize("players", [3, 5])
def test_it_plays_with_more(players: int) -> None:
    game = tianxia.game("firebulls", players=players)
    end = play(game, ["drover", *["random"] * (players - 1)], 1)
    assert end.over
    assert end.utilities()[0] == 1


def test_it_is_quick() -> None:
    state = table("b3y2n1r1w1", "-", "-", "-", "-", rows="C,X,B/B,X,C/X,X,C", general="aside")
    bot = make("drover", state.game, 0, 1)
    begun = time.process_time()
    bot.choose(state.view(0))
    assert time.process_time() - begun < 0.2


def chosen(state: tianxia.State) -> str:
    seat = state.acting[0]
    action = make("drover", state.game, seat, 3).choose(state.view(seat))
    return state.text(action, seat)


def test_it_takes_a_bo() -> None:
    assert chosen(table("b1y1n1r1g1", "-", rows="B,X,X/X,X,X/X,X,X"))[1:] == ":bynrg"


def test_it_takes_the_general_rather_than_a_soldier() -> None:
    assert chosen(table("b7y1", "-", general="aside")).startswith("G:bbbb")


def test_it_spares_his_warriors() -> None:
    state = table("b1y1n1w1", "-", rows="Sb,Sy,Sn/X,X,X/X,X,X", victory=("C1", "-"))
    assert chosen(state) == "2:b"


def test_it_gives_up_the_cheapest_card() -> None:
    state = table("w1", "-", rows="Sb,X,X/X,X,X/X,X,X", victory=("C1F1Sb1", "-"))
    assert chosen(played(state, "2:w", "stop")) == "fee:F"


@pytest.mark.parametrize("bot", ["drover", "novice", "master"])
@pytest.mark.parametrize(("colours", "given"), [("usual", "fee:Sr"), ("red-blue", "fee:Sb")])
def test_it_keeps_the_card_of_the_colour_that_was_chosen(
    bot: str, colours: str, given: str
) -> None:
    state = table(
        "b1y1n1w1", "-", rows="Sb,Wy,Sn/X,X,X/X,X,X", victory=("Sb1Sr1", "-"), colours=colours
    )
    state = played(state, "2:w", "stop")
    action = make(bot, state.game, 0, 3).choose(state.view(0))
    assert state.text(action, 0) == given
