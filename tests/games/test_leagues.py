"""The strangers of all games: they play by the rules, always the same, and as their style likes."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

import tianxia
from tests.games.suntzu.war import QUICK
from tianxia.arena.players import check
from tianxia.games.binfa.bot.warlord import Skill as OfWarlord
from tianxia.games.china.bot.chancellor import Skill as OfChancellor
from tianxia.games.firebulls.bot.chief import Skill as OfChief
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import below, new_rng
from tianxia.search.bot import Bot, tell
from tianxia.search.leaning import Style

SPECS = {
    "suntzu": "suntzu",
    "firebulls": "firebulls",
    "china": "china(players=2)",
    "binfa": "binfa(turns=40)",
}
THOUGHTS = {
    "suntzu": QUICK,
    "firebulls": OfChief(trials=30, turns=1),
    "china": OfChancellor(trials=40, plans=12, rounds=0),
    "binfa": OfWarlord(width=3, deep=0),
}
"""How they think here: quickly."""
GAMES = [*SPECS, "stratego"]


def league(name: str) -> Any:
    """Return the module of a game's league."""
    return import_module(f"tianxia.games.{name}.bot.league")


NAMES = [(name, style) for name in SPECS for style in league(name).LEAGUE.names]


def others(name: str, style: str, game: Game, longest: int) -> tuple[tianxia.State, int]:
    """Let a style play at random's table; return the last position, and how often it is itself.

    Its twin has to choose the same as it does. How often it is itself: how often it chooses
    otherwise than a stranger that likes nothing.
    """
    module, seat = league(name), 0
    styles = [module.LEAGUE.style(style)] * 2 + [plain(module.LEAGUE.style(style))]
    bots: list[Bot] = [module.Stranger(game, seat, 5, one) for one in styles]
    state, rng = game.new(), new_rng(11)
    itself = 0
    while not state.over and state.plies < longest:
        actor = min(state.acting, default=CHANCE)
        if actor == CHANCE:
            action = state.draw_chance(rng)
        elif actor == seat:
            action, twin, usual = (bot.choose(state.view(seat)) for bot in bots)
            assert twin == action
            itself += usual != action
        else:
            legal = state.legal_actions(actor)
            action = legal[below(rng, len(legal))]
        tell(state, action, actor, [(seat, bot) for bot in bots])
    return state, itself


def plain(style: Style) -> Style:
    """Return a style that likes nothing, and sets up as this one does."""
    usual = Style()
    return replace(style, leaning=usual.leaning, taste=usual.taste)


@pytest.mark.parametrize(("name", "style"), NAMES)
def test_it_plays_whole_games_by_the_rules_and_differs_by_its_style(
    name: str, style: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(league(name), "THOUGHT", THOUGHTS[name])
    state, itself = others(name, style, tianxia.game(SPECS[name]), 4000)
    assert state.over
    assert itself


@pytest.mark.parametrize("name", ["firebulls", "china", "binfa"])
def test_three_can_play(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(league(name), "THOUGHT", THOUGHTS[name])
    style = league(name).LEAGUE.names[2]
    state, itself = others(name, style, tianxia.game(name, players=3), 200)
    assert state.plies > 50
    assert itself


@pytest.mark.parametrize("name", GAMES)
def test_the_arena_finds_them_by_their_module(name: str) -> None:
    game, module = tianxia.game(name), f"tianxia.games.{name}.bot.league"
    styles = league(name).LEAGUE.names
    assert len(styles) >= 9
    for style in styles:
        check(f"{module}:{style}", game)
    with pytest.raises(TianxiaError, match=rf"no style 'tortoise'.*{styles[0]}"):
        check(f"{module}:tortoise", game)


@pytest.mark.parametrize("name", SPECS)
def test_the_exploiters_are_bred(name: str) -> None:
    found = league(name).LEAGUE
    assert len(found.bred) >= 2
    assert {f"bred_{number}" for number in found.bred} <= set(found.names)
