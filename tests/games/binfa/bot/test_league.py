"""What the strangers of Bin'Fa like about an action; how they set up."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.binfa.helpers import field
from tianxia.games.binfa.bot import league
from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules.components import triangle_number as at
from tianxia.search.leaning import Leaning

UNITS = "r1:3r r3:2r o1:2o o3:1o o15:1o y1:5y"
OWN, NOWHERE = "r1", "b9"


def beside(name: str) -> tuple[int, int]:
    """Return a displacement and an attack that go to an empty triangle beside one."""
    near = next(int(t) for t in c.NEIGHBOURS[at(name)] if t >= 0 and not taken(int(t)))
    return onto(near)


def taken(triangle: int) -> bool:
    return c.triangle_name(triangle) in [pile.partition(":")[0] for pile in UNITS.split()]


def onto(triangle: int) -> tuple[int, int]:
    """Return a displacement and an attack that go to a triangle."""
    for origin in range(c.TRIANGLES):
        for way in range(c.WAYS):
            if c.NEIGHBOURS[origin, way] == triangle:
                return int(c.go_along(origin, way)), int(c.attack_along(origin, way))
    raise ValueError("nothing is beside that")


def liked(leaning: Leaning, action: int) -> float:
    """Return what Red likes, where Yellow has most units and one tall pile."""
    state = field(UNITS, colours="roy")
    return leaning(league.Sight(state.view(0), 0), action)


GO, ATTACK = onto(at(NOWHERE))


def test_some_like_to_roll_to_stop_or_to_resupply() -> None:
    assert liked(league.rushes, c.ROLL) > liked(league.rushes, c.STOP)
    assert liked(league.waits, c.STOP) > liked(league.waits, c.ROLL)
    assert liked(league.stores, c.SUPPLY_ARMY) > liked(league.stores, c.MOVE_ARMY)


def test_some_like_to_attack() -> None:
    assert liked(league.drives, ATTACK) > liked(league.drives, GO) == 0
    assert liked(league.shuns, ATTACK) < liked(league.shuns, GO) == 0


def test_some_like_company() -> None:
    near, _ = beside(OWN)
    assert liked(league.waits, near) > liked(league.waits, GO)
    assert liked(league.scatters, near) < liked(league.scatters, GO)
    assert liked(league.scatters, int(c.count_of(5))) < liked(league.scatters, int(c.count_of(1)))
    assert liked(league.heaps, onto(at(OWN))[0]) > 0 == liked(league.heaps, near)


def test_some_go_for_the_leader_or_for_tall_piles() -> None:
    near, weak = beside("y1")[0], beside("o3")[0]
    assert liked(league.spoils, near) > 0 == liked(league.spoils, weak)
    away = next(
        int(c.go_along(at("y1"), way)) for way in range(c.WAYS) if c.NEIGHBOURS[at("y1"), way] >= 0
    )
    assert liked(league.stalks, onto(at("y1"))[0]) > 0 > liked(league.stalks, away)


@pytest.mark.parametrize("style", ["heaper", "turtle", "stalker"])
def test_it_sets_up_as_its_style_says(style: str) -> None:
    game, made = tianxia.game("binfa", level=1), league.LEAGUE.style(style)
    bot = league.Stranger(game, 0, 5, made)
    state = game.new()
    while not state.over and int(state.fields["alive"]) == 0:
        actor = min(state.acting, default=tianxia.CHANCE)
        if actor == 0:
            action = bot.choose(state.view(0))
        elif actor == tianxia.CHANCE:
            action = state.chance_weights()[0][0]
        else:
            action = state.legal_actions(actor)[0]
        state.apply(action, actor)
    army = state.fields["owner"].tolist().index(1)
    piles = [int(h) for h, top in zip(state.fields["height"], state.fields["top"], strict=True)
             if h and top == army + 1]  # fmt: skip
    assert sorted(piles) == sorted(made.formation)
