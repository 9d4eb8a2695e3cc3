"""Advice: what the best bot thinks of each action, and a sentence for each in two languages."""

from __future__ import annotations

import random

import pytest

import tianxia
from tests.games.suntzu.war import BLUE, CHANCE, QUICK, begin, war
from tianxia.bots import adviser, make
from tianxia.draw.languages import LANGUAGES
from tianxia.games.suntzu.bot import advice
from tianxia.games.suntzu.bot.tactician import Tactician
from tianxia.games.suntzu.rules.state import FINAL, LAYING, ORDER, SCORING
from tianxia.kernel.errors import ViewError
from tianxia.search.bot import tell


@pytest.mark.parametrize("seed", range(3))
def test_every_decision_of_a_game_is_weighed_and_explained(seed: int) -> None:
    game, chooser = tianxia.game("suntzu", events=True), random.Random(seed)
    state = game.new()
    bots = [(seat, Tactician(game, seat, seat, QUICK)) for seat in range(2)]
    told = set()
    while not state.over:
        actor = state.acting[0] if state.acting else CHANCE
        legal = state.legal_actions(actor)
        action = chooser.choice(legal)
        if state.acting:
            view = state.view(actor)
            found = advice.weigh(bots[actor][1], view)
            assert sorted(one.action for one in found) == legal
            assert all(-1 <= one.value <= 1 for one in found), found
            assert all(0 <= one.share <= 1 for one in found), found
            assert sum(one.share for one in found) == pytest.approx(1)
            texts = [advice.reason(view, actor, action, language) for language in LANGUAGES]
            assert len(set(texts)) == len(LANGUAGES)
            assert not any("{" in text or "\n" in text for text in texts)
            told.add(texts[0])
            action = found[0].action if chooser.random() < 0.5 else action
        tell(state, action, actor, bots)
    assert len(told) > 8


def test_the_game_names_its_adviser_and_the_best_bot_is_heard() -> None:
    state = begin(3)
    view = state.view(BLUE)
    bot = make("master", state.game, BLUE, 5)
    found = adviser(state.game.kind).weigh(bot, view)
    assert found == advice.weigh(bot, view)
    laid = bot.choose(view)
    best = max(one.value for one in found)
    assert next(one for one in found if one.action == laid).value > best - 0.05


def test_advice_is_given_from_a_seat_s_view_alone() -> None:
    state = begin(3)
    bot = make("novice", state.game, BLUE, 5)
    for view in (state, state.view(tianxia.SPECTATOR)):
        with pytest.raises(ViewError, match="view"):
            advice.weigh(bot, view)


@pytest.mark.parametrize(
    ("turn", "deck", "told"), [(5, "7 8", True), (5, "7", False), (5, "", False), (9, "7 8", False)]
)
def test_a_1_is_said_to_bring_a_card_only_where_it_does(turn: int, deck: str, told: bool) -> None:
    state = war(phase=LAYING, turn=turn, deck=(deck, ""))
    text = advice.reason(state.view(BLUE), BLUE, state.parse("Wu=1", BLUE), "en")
    assert ("further card" in text) == told


@pytest.mark.parametrize(
    ("reserve", "told"), [((9, 9), "matters little"), ((2, 9), "armies back"), ((9, 2), "back")]
)
def test_armies_are_said_to_come_back_where_reserves_are_short(
    reserve: tuple[int, int], told: str
) -> None:
    state = war(
        phase=ORDER, province="", privilege=BLUE, armies={"Wu": "b3", "Chu": "r5"}, reserve=reserve
    )
    texts = {
        name: advice.reason(state.view(BLUE), BLUE, state.parse(f"next={name}", BLUE), "en")
        for name in ("Wu", "Chu", "Qin")
    }
    assert told in texts["Wu"]
    assert "armies back" not in texts["Chu"] + texts["Qin"]


def test_nobody_is_told_after_the_last_scoring_that_a_card_will_be_worth_more_later() -> None:
    state = war(
        phase=SCORING, turn=9, province="", aside=(2, 2), hand=("7 8", "7"), strategies=("4", "")
    )
    while not state.acting:
        state.apply(state.chance_outcomes()[0][0])
    assert state.fields["phase"] == FINAL
    assert state.acting == (BLUE,)
    text = advice.reason(state.view(BLUE), BLUE, state.parse("pass", BLUE), "en")
    assert text == "You need no more armies."
