"""Advice at China's table: what is weighed, and the reasons in two languages."""

from __future__ import annotations

from typing import Any

import pytest

import tianxia
from tests.games.china.helpers import play as played
from tests.games.china.helpers import random_game, table
from tianxia.bots import adviser, make
from tianxia.draw.languages import LANGUAGES
from tianxia.games.china.bot import advice
from tianxia.kernel.errors import ViewError


def why(state: tianxia.State, token: str, language: str = "en") -> str:
    seat = state.acting[0]
    return advice.reason(state.view(seat), seat, state.parse(token, seat), language)


def test_china_has_an_adviser_of_its_own() -> None:
    assert adviser(tianxia.game("china").kind) is advice


def test_three_actions_are_weighed_at_least() -> None:
    state = table("o1g1r1", "v3", "y3", palaces={0: "Z1 Z2", 1: "Q2", 2: "S1"})
    bot = make("master", state.game, 0, 1)
    found = advice.weigh(bot, state.view(0))
    assert len(found) >= 3
    assert len({one.action for one in found}) == len(found)
    assert {one.action for one in found} <= set(state.legal_actions(0))
    assert all(-1 <= one.value <= 1 for one in found)
    assert [one.share for one in found] == [1.0] + [0.0] * (len(found) - 1)
    assert found == advice.weigh(bot, state.view(0))
    assert bot.choose(state.view(0)) == found[0].action


def test_advice_is_given_from_a_view_only() -> None:
    state = table("o1g1r1", "v3", "y3")
    with pytest.raises(ViewError, match="from a seat's view"):
        advice.weigh(make("courtier", state.game, 0, 1), state)


def test_reasons_for_palaces() -> None:
    palaces = {0: "W1 W2 W3 Q1 L1", 1: "Q2 Q3 S1 L2 L3", 2: "Q4 S2 Z1"}
    state = table("y1r1o1", "v3", "g3", palaces=palaces)
    assert why(state, "palace:Q5:y") == "Completes Qi, which scores 5 points for you."
    assert why(state, "palace:W4:r") == "Makes a road of 4 palaces."
    assert why(state, "palace:Z5:o") == "Draws level with the first in Zhao."
    assert why(state, "palace:V1:r") == "Is the first to build in Wu."
    assert why(state, "palace:W6:r") == "Secures your lead in Wei."


def test_reasons_for_emissaries() -> None:
    palaces = {0: "Q1 Q2", 1: "L1 L2", 2: "U1"}
    state = table("o1y1r1", "v3", "y3", palaces=palaces, emissaries={"Qi": "0", "Lu": "1"})
    assert why(state, "emissary:Lu:o") == "Wins the alliance of Qi and Lu."
    assert why(state, "emissary:Qi:y") == "Guards your lead among the emissaries in Qi."


def test_reasons_for_cards() -> None:
    palaces = {0: "W1 U1", 1: "U2", 2: "U3 U4"}
    state = table("v2r1", "v1", palaces=palaces, kept=("-", "r1"), influence="r1")
    played(state, "palace:W2:r", "palace:W3:vv")
    assert why(state, "keep:v").startswith("Wins the influence of violet")
    assert why(state, "keep:r").startswith("Wins the influence of red")


@pytest.mark.parametrize(
    ("players", "options"),
    [(2, {"tiles": True, "fortifications": True}), (3, {"board": "border", "tiles": True})],
)
def test_every_action_has_a_reason_in_every_language(players: int, options: Any) -> None:
    for number, state in enumerate(random_game(players, 4, **options)):
        if not state.acting or number % 4:
            continue
        seat = state.acting[0]
        view = state.view(seat)
        for action in state.legal_actions(seat)[::3]:
            told = [advice.reason(view, seat, action, language) for language in LANGUAGES]
            assert len(set(told)) == len(LANGUAGES)
            assert all(one.endswith(".") and "{" not in one for one in told)
