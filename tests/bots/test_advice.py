"""Advice for every game: who gives it, and that it starts from a view alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from blind_duel import GAME as BLIND_DUEL
from tianxia.bots import advice, adviser, bots, make
from tianxia.bots.advice import Searching
from tianxia.draw.languages import LANGUAGES
from tianxia.kernel import registry
from tianxia.kernel.errors import ViewError
from tianxia.kernel.state import State
from tianxia.search.levels import BEST, LEVELS, Blundering
from tianxia.search.thinking import Budget, Finding, Searcher

DUEL = BLIND_DUEL()


def test_tree_search_advises_where_a_game_has_no_adviser() -> None:
    game = DUEL
    state = game.new()
    while not state.acting:
        state.apply(state.chance_weights()[0][0])
    seat = state.acting[0]
    view = state.view(seat)
    bot = make(BEST, game, seat, 1)
    one = adviser(game.kind)
    found = one.weigh(bot, view)
    assert isinstance(one, Searching)
    assert sorted(finding.action for finding in found) == list(view.legal_actions(seat))
    assert found == one.weigh(bot, view)
    reasons = {one.reason(view, seat, found[0].action, language) for language in LANGUAGES}
    assert len(reasons) == len(LANGUAGES)


def test_advice_is_not_given_from_a_full_state() -> None:
    with pytest.raises(ViewError, match="from a seat's view"):
        Searching().weigh(make("random", DUEL, 0, 1), DUEL.new())


def test_a_game_names_the_module_of_its_adviser() -> None:
    kind = replace(DUEL.kind, advice="tests.bots.test_advice")
    assert adviser(kind).__name__ == "tests.bots.test_advice"  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", registry.games())
def test_every_adviser_knows_who_is_patient(name: str) -> None:
    assert callable(adviser(registry.kind(name)).patient)


def test_a_patient_search_takes_ten_times_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def thought(view: State, seat: int, seed: int, budget: Budget) -> list[Finding]:
        asked.append(budget.iterations)
        return []

    monkeypatch.setattr(advice, "think", thought)
    one, view = Searching(), DUEL.new().view(0)
    one.weigh(make("random", DUEL, 0, 1), view)
    one.weigh(one.patient(DUEL, 0, 1), view)
    assert asked == [advice.ITERATIONS, 10 * advice.ITERATIONS]


def test_every_game_has_the_levels() -> None:
    assert set(LEVELS) <= set(bots(DUEL))
    assert isinstance(make("master", DUEL, 0, 1), Searcher)
    assert isinstance(make("novice", DUEL, 0, 1), Blundering)
