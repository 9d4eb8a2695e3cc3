"""A game's own policy in the search, and the tree that is kept within a turn."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.search.exact import Expectimax
from tests.search.heap import GAME as HEAP
from tianxia.kernel.state import State
from tianxia.search.bot import tell
from tianxia.search.thinking import Budget, Finding, Searcher, think

FEW = Budget(iterations=60)


def found(state: State, budget: Budget, seed: int = 1) -> dict[int, Finding]:
    (seat,) = state.acting
    return {one.action: one for one in think(state.view(seat), seat, seed, budget)}


# --- The game's own policy ---


@pytest.mark.parametrize("stones", range(5, 13))
def test_simulations_follow_the_policy(stones: int) -> None:
    """Of one stone each time, so that whoever takes the last is known beforehand."""
    winner = (stones - 1) // 2 % 2
    for seed in range(4):
        first = found(HEAP(stones=stones, guide=1).new(), Budget(iterations=1), seed)[0]
        assert first.visits == 1  # the policy's first choice is the tree's, too
        assert first.value == (1.0, -1.0)[winner]


def test_the_tree_tries_first_what_the_policy_likes() -> None:
    """The end is far away and every guess is 0, so no value tells the three apart."""
    few = Budget(iterations=40, rollout=0)
    liked = found(HEAP(stones=900, guide=2).new(), few)
    alike = found(HEAP(stones=900).new(), few)
    assert [liked[action].visits for action in range(3)] == pytest.approx([4, 4, 33], abs=3)
    assert [alike[action].visits for action in range(3)] == pytest.approx([13, 13, 13], abs=3)


@pytest.mark.parametrize("stones", [6, 10, 13, 14])
@pytest.mark.parametrize("guide", [0, 2])
def test_a_policy_that_misleads_is_overcome(stones: int, guide: int) -> None:
    state = HEAP(stones=stones, guide=guide).new()
    exact = Expectimax().choices(state, 0)
    assert min(exact.values()) < max(exact.values())
    best = max(found(state, Budget(iterations=8000)).values(), key=lambda one: one.share)
    assert exact[best.action] == 1.0
    assert best.value == pytest.approx(1.0, abs=0.1)


# --- The tree that is kept ---


def games(bot: Searcher, state: State) -> Iterator[State]:
    """Play a bot against itself; yield the positions in which it decides."""
    while not state.over:
        (seat,) = state.acting
        if seat == bot.seat:
            yield state
        chosen = bot if seat == bot.seat else Searcher(state.game, seat, 9, FEW)
        tell(state, chosen.choose(state.view(seat)), seat, [(bot.seat, bot)])


def rebuilt(state: State, budget: Budget) -> Searcher:
    bot, position = Searcher(state.game, 0, 5, budget), state.start()
    for actor, action in state.history():
        tell(position, action, actor, [(0, bot)])
    return bot


def test_the_tree_is_kept_within_a_turn_and_no_longer() -> None:
    bot = Searcher(HEAP(stones=40).new().game, 0, 5, FEW)
    lengths = [
        (int(state.fields["half"]), len(bot.series)) for state in games(bot, HEAP(stones=40).new())
    ]
    assert lengths[2:] == [(half, half) for half, _ in lengths[2:]]
    assert lengths[:2] == [(0, 0), (1, 0)]  # nothing was observed before the first action


def test_the_kept_tree_holds_what_was_found_before() -> None:
    """Each simulation that took the action, but the first, has gone on below it."""
    state = HEAP(stones=40).new()
    bot = Searcher(state.game, 1, 5, FEW)
    for action in (0, 0):
        tell(state, action, 0, [(1, bot)])
    first = bot._think(state.view(1), None).findings
    for one in first:
        again, later = state.clone(), Searcher(state.game, 1, 5, FEW)
        later.view, later.decided, later._thoughts = bot.view, bot.decided, dict(bot._thoughts)
        tell(again, one.action, 1, [(1, later)])
        second = later._think(again.view(1), None).findings
        assert sum(other.visits for other in second) == FEW.iterations + one.visits - 1


def test_news_ends_what_is_kept() -> None:
    start = HEAP(stones=40, news=1).new()
    bot = Searcher(start.game, 0, 5, FEW)
    halves = [int(state.fields["half"]) for state in games(bot, start.clone()) if not bot.series]
    assert 1 in halves[2:]


@pytest.mark.parametrize("options", [{}, {"guide": 2}, {"news": 1}], ids=str)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_rebuilt_bot_decides_the_same(options: dict[str, int], threads: int) -> None:
    budget = Budget(iterations=40, threads=threads)
    start = HEAP(stones=60, **options).new()
    bot = Searcher(start.game, 0, 5, budget)
    for state in games(bot, start):
        view, again = state.view(0), rebuilt(state, budget)
        kept, anew = bot._think(view, None), again._think(view, None)
        assert kept.findings == anew.findings
        assert bot.choose(view) == again.choose(view) == bot.choose(view)
        assert bot._think(view, None).findings == kept.findings
