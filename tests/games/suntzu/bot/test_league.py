"""What the strangers of Sun Tzu like about an order."""

from __future__ import annotations

import numpy as np

from tests.games.suntzu.war import BLUE, CARDS, war
from tianxia.games.suntzu.bot import league
from tianxia.games.suntzu.rules.state import LAYING
from tianxia.search.leaning import Leaning

ARMIES = {"Qin": "b2", "Chu": "r5"}


def liked(leaning: Leaning, order: str, turn: int = 2) -> float:
    """Return what Sun Tzu likes about cards from Qin to Wu; HanQi and Wu bring most in round 3."""
    state = war(phase=LAYING, turn=turn, stands="124 135 143 232 234", armies=ARMIES)
    cards = np.array([CARDS.index(card) for card in order.split()])
    return leaning(league.Sight(state.view(BLUE), BLUE), cards)


def test_some_spend_early_and_some_late() -> None:
    rich, poor = "7 8 9 1 2", "1 2 3 4 5"
    assert liked(league.rushes, rich) > liked(league.rushes, poor)
    assert liked(league.saves, rich) < liked(league.saves, poor)
    for leaning in (league.rushes, league.saves):
        assert liked(leaning, rich, turn=8) == liked(leaning, poor, turn=8)
    assert liked(league.draws, poor) > liked(league.draws, "2 3 4 5 6")


def test_some_are_strong_where_much_is_to_be_won_and_some_are_not() -> None:
    strong, feigned = "1 2 3 10 9", "10 9 1 2 3"
    assert liked(league.masses, strong) > liked(league.masses, feigned)
    assert liked(league.pretends, strong) < liked(league.pretends, feigned)
    assert liked(league.trickles, "3 4 5 6 2") > liked(league.trickles, "1 2 10 9 3")


def test_some_look_at_whose_armies_lie_there() -> None:
    at_home, abroad = "6 1 2 3 4", "1 6 2 3 4"
    assert liked(league.guards, at_home) > liked(league.guards, abroad)
    assert liked(league.invades, at_home) < liked(league.invades, abroad)
    assert liked(league.infects, "1 P 2 3 4") > 0 > liked(league.infects, "P 1 2 3 4")
