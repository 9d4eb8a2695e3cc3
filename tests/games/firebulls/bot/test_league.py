"""What the strangers of Fire Bulls like about an action."""

from __future__ import annotations

from tests.games.firebulls.helpers import table
from tianxia.games.firebulls.bot import league
from tianxia.games.firebulls.rules import components as c
from tianxia.search.leaning import Leaning

BLUE = c.TAKE + int(c.Attack.BLUE)
WARRIOR = c.TAKE + c.WARRIOR


def along(direction: int, cards: int) -> int:
    """Return an attack that lays so many blue Bulls."""
    return int(c.attack(direction, c.NUMBER_OF_PAYMENT[cards, 0, 0, 0, 0, 0]))


SMALL, BIG = along(2, 1), along(2, 5)


def liked(
    leaning: Leaning, action: int, hand: str = "b1y1", exhausted: int = 0, known: int = 0
) -> float:
    """Return what the first player likes, who stands at 2 beside the other."""
    state = table(hand, "b2", pawns="23", exhausted=exhausted)
    sight = league.Sight(state.view(0), 0)
    sight.known[c.Attack.BLUE] = known
    return leaning(sight, action)


def test_some_attack_soon_and_some_late() -> None:
    assert liked(league.rushes, SMALL) > liked(league.rushes, c.DRAW)
    assert liked(league.hoards, SMALL) < 0 == liked(league.hoards, SMALL, hand="b4y4")
    assert liked(league.hoards, along(2, 3)) == 0
    assert liked(league.hunts, BIG) > 0 > liked(league.hunts, SMALL)
    assert liked(league.delays, SMALL) < 0 == liked(league.delays, SMALL, exhausted=1)


def test_some_have_their_own_ways_to_gather() -> None:
    assert liked(league.gambles, c.DRAW) > liked(league.gambles, BLUE)
    assert liked(league.recruits, WARRIOR) > liked(league.recruits, BLUE)
    assert liked(league.denies, BLUE, known=2) > 0 == liked(league.denies, BLUE)
    assert liked(league.matches, BLUE, "b3") > liked(league.matches, BLUE, "b1y2") > 0
    assert liked(league.matches, WARRIOR, "w2") == 0


def test_the_spoiler_steps_and_strikes_where_the_other_stands() -> None:
    assert liked(league.dislodges, c.RIGHT) > 0 == liked(league.dislodges, c.LEFT)
    assert liked(league.dislodges, along(3, 1)) > 0 == liked(league.dislodges, SMALL)
