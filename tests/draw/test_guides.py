"""Guided first games as data: whole, short, in both languages, with every kind of decision."""

from __future__ import annotations

import random
from importlib import import_module
from typing import Any

import pytest

from tianxia.draw.guides import Guide, guide_of, read
from tianxia.draw.languages import LANGUAGES
from tianxia.kernel import registry
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.record import CHANCE

GUIDES = {name: guide for name in registry.games() if (guide := guide_of(registry.kind(name)))}
MOST_SECONDS = 8 * 60
WORDS_A_SECOND = 3
SECONDS_A_DECISION, SECONDS_A_HAPPENING = 8, 1.5
GAMES = 6


def kind_of(guide: Guide, action: int) -> str:
    components = import_module(f"tianxia.games.{guide.game.name}.rules.components")
    return str(components.ACTIONS.split(action)[0])


def kinds_decided(guide: Guide) -> set[str]:
    """Return the kinds of decision that come up in games that try each as soon as they can."""
    found: set[str] = set()
    for number in range(GAMES):
        chooser, state = random.Random(number), guide.game.new()
        while not state.over and state.plies < 400:
            if not state.acting:
                actions, weights = zip(*state.chance_weights(), strict=True)
                state.apply(chooser.choices(actions, weights)[0], CHANCE)
                continue
            seat = state.acting[0]
            legal = state.legal_actions(seat)
            new = [action for action in legal if kind_of(guide, action) not in found]
            action = chooser.choice(new or legal)
            found.add(kind_of(guide, action))
            state.apply(action, seat)
    return found


@pytest.mark.parametrize("name", GUIDES)
def test_each_kind_of_decision_is_made_once(name: str) -> None:
    guide = GUIDES[name]
    asked = {kind_of(guide, one.action) for one in guide.line if one.asked is not None}
    assert kinds_decided(guide) <= asked


@pytest.mark.parametrize("name", GUIDES)
def test_all_is_said_in_every_language(name: str) -> None:
    for step in GUIDES[name].steps:
        assert step.texts.keys() == set(LANGUAGES)
        assert all(step.texts.values())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GUIDES)
def test_it_takes_eight_minutes_at_most(name: str, language: str) -> None:
    guide = GUIDES[name]
    words = sum(len(step.text(language).split()) for step in guide.steps)
    steps = len(guide.steps)
    begun = next(place for place, one in enumerate(guide.line) if one.asked is not None)
    shown = sum(one.asked is None for one in guide.line[begun:])
    assert (
        words / WORDS_A_SECOND + steps * SECONDS_A_DECISION + shown * SECONDS_A_HAPPENING
        <= MOST_SECONDS
    )


@pytest.mark.parametrize("name", GUIDES)
def test_only_the_learner_is_asked_and_is_told_last_when_all_is_played(name: str) -> None:
    guide = GUIDES[name]
    assert all(one.actor == guide.seat for one in guide.line if one.asked is not None)
    asked = {one.asked for one in guide.line if one.asked is not None}
    assert asked == set(range(len(guide.steps) - 1))
    assert guide.step_at(len(guide.line)) == len(guide.steps) - 1
    assert guide.step_at(len(guide.line) + 1) is None


def test_a_move_against_the_rules_is_named_with_its_step() -> None:
    steps: list[dict[str, Any]] = [{"do": "F", "en": "…"}, {"do": "F", "en": "…"}]
    with pytest.raises(TianxiaError, match="step 1"):
        read({"game": "stratego", "seat": 0, "step": steps})
