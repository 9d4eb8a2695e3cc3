"""What the strangers of China like about a plan."""

from __future__ import annotations

from tests.games.china.helpers import table
from tianxia.games.china.bot import league
from tianxia.games.china.bot.chancellor import Weighed
from tianxia.search.leaning import Leaning

WEI, ZHAO, QI = "palace:W4:r", "palace:Z5:o", "palace:Q3:y"


def liked(leaning: Leaning, *tokens: str) -> float:
    """Return what Blue likes: it has two palaces in Wei, the leader three in Zhao; Qi is empty."""
    state = table(
        *("r2o1", "v1", "v1"),
        palaces={0: "W1 W2", 1: "Z1 Z2 Z3"},
        points=("3,0,0,0,0,0", "9,0,0,0,0,0", "2,0,0,0,0,0"),
        display="v1y1g1r1",
    )
    first, second = [*(state.parse(token, 0) for token in tokens or ["pass"]), -1][:2]
    return leaning(league.Sight(state.view(0), 0), Weighed(first, second, 1, 0.5))


def test_some_care_how_much_and_what_they_place() -> None:
    assert liked(league.hurries, WEI, WEI) > liked(league.hurries, WEI) > liked(league.hurries)
    assert liked(league.sends, "emissary:Wei:r") > 0 == liked(league.sends, WEI)


def test_some_care_where_they_place() -> None:
    assert liked(league.settles, QI) > 0 == liked(league.settles, WEI)
    assert liked(league.spoils, ZHAO) > 0 == liked(league.spoils, WEI)
    assert liked(league.follows, ZHAO) > 0 == liked(league.follows, WEI)
    assert liked(league.insists, WEI) > 0 == liked(league.insists, ZHAO)


def test_some_care_for_cards() -> None:
    assert liked(league.pairs, "take:r") > 0 == liked(league.pairs, "take:v")
    assert liked(league.pairs, "exchange:r") > 0 == liked(league.pairs, WEI)
    assert liked(league.hides, "deck") > 0 == liked(league.hides, "take:v")
