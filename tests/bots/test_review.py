"""Looking back: what is weighed, by what knowledge, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from blind_duel import GAME as BLIND_DUEL
from tianxia.bots import play, review
from tianxia.kernel.record import CHANCE
from tianxia.kernel.state import State
from tianxia.search.bot import Bot
from tianxia.search.thinking import Finding

DUEL = BLIND_DUEL()


class Largest:
    """Finds the action with the largest number best; everything is known for certain."""

    def __init__(self) -> None:
        self.views: list[State] = []

    def weigh(self, bot: Bot, view: State) -> Sequence[Finding]:
        self.views.append(view)
        legal = sorted(view.legal_actions(view.viewer or 0), reverse=True)
        return [
            Finding(action, 0, 0.5 - 0.1 * place, float(place == 0))
            for place, action in enumerate(legal)
        ]

    def reason(self, view: State, seat: int, action: int, language: str) -> str:
        return "It is large."


@pytest.fixture
def adviser(monkeypatch: pytest.MonkeyPatch) -> Largest:
    one = Largest()
    monkeypatch.setattr(review, "adviser", lambda kind: one)
    return one


def game() -> State:
    return play(DUEL, ["random", "random"], seed=3)


def choices(state: State) -> list[tuple[int, int, int, list[int]]]:
    """Return ply, seat, action and what was legal of every real decision."""
    position, found = state.start(), []
    for ply, (actor, action) in enumerate(state.history()):
        if actor != CHANCE and len(position.legal_actions(actor)) > 1:
            found.append((ply, actor, action, position.legal_actions(actor)))
        position.apply(action, actor)
    return found


def test_every_decision_is_weighed_from_its_seats_view(adviser: Largest) -> None:
    state = game()
    found = review.review(DUEL, list(state.history()))
    decided = choices(state)
    assert [(point.ply, point.seat) for point in found.points[:-2]] == [
        (ply, seat) for ply, seat, _, _ in decided
    ]
    assert [view.viewer for view in adviser.views] == [seat for _, seat, _, _ in decided]
    assert [point.value for point in found.points[-2:]] == state.utilities()
    assert found.plies == len(list(state.history()))


def test_the_cost_is_what_was_lost_against_the_best(adviser: Largest) -> None:
    state = game()
    found = review.review(DUEL, list(state.history()))
    costs = {
        ply: 0.1 * sorted(legal, reverse=True).index(action)
        for ply, _, action, legal in choices(state)
    }
    assert found.costly
    assert found.costly[0].cost == pytest.approx(max(costs.values()))
    for one in found.costly:
        assert one.cost == pytest.approx(costs[one.ply])
        assert one.better != one.chosen
    assert [one.cost for one in found.costly] == sorted(
        (one.cost for one in found.costly), reverse=True
    )


def test_long_games_are_sampled_and_slow_ones_cut_short(adviser: Largest) -> None:
    state = game()
    decided = [ply for ply, *_ in choices(state)]
    found = review.review(DUEL, list(state.history()), most=3)
    plies = [point.ply for point in found.points[:-2]]
    assert len(plies) == 3
    assert plies[-1] == decided[-1]
    assert not review.review(DUEL, list(state.history()), seconds=-1.0).points[:-2]


def test_few_simulations_are_believed_less() -> None:
    findings = [Finding(1, 100, 0.5, 1.0), Finding(2, 10, -0.5, 0.0)]
    assert review._judged(0, 0, 2, findings).cost == pytest.approx(0.5)
    unlisted = review._judged(0, 0, 7, findings)
    assert (unlisted.chosen, unlisted.better) == (7, 1)


def test_it_says_how_far_it_is_and_can_be_stopped(adviser: Largest) -> None:
    told: list[float] = []
    review.review(DUEL, list(game().history()), told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0

    def stop(part: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        review.review(DUEL, list(game().history()), stop)
