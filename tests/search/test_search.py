"""Tree search: it finds what is there to be found, and knows no more than it may."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest

import tianxia
from tests.battery.games import GAMES  # registers the toy game
from tests.games.stratego.helpers import place
from tests.search.exact import Expectimax, TooLarge
from tests.search.pennies import GAME as PENNIES
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import Rng, below
from tianxia.kernel.state import State
from tianxia.search.thinking import Budget, Searcher, drawn, think

assert "blind-duel" in GAMES
QUICK = Budget(iterations=400)


def best(state: State, budget: Budget = QUICK, seed: int = 1) -> str:
    (seat,) = state.acting
    return state.text(think(state.view(seat), seat, seed, budget)[0].action, seat)


# --- Small positions of Stratego ---


@pytest.mark.parametrize("turn", [0, 1])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_takes_the_flag(turn: int, seed: int) -> None:
    """The Flag is all that the other has left but one piece: nobody can mistake it."""
    pieces = ("a1=rF a9=r3 e6=r9 a10=bF e5=bM", "a10=bF a2=b3 e5=b9 a1=rF e6=rM")[turn]
    state = place(pieces, turn, variant="duel")
    assert best(state, seed=seed) == ("a9xa10", "a2xa1")[turn]


def test_it_takes_what_it_can_beat() -> None:
    """A known Spy beside our Marshal, who is safe there, and nothing else to do."""
    state = place("a1=rF e4=rM j1=rB a10=bF e5=bS j10=b2", 0, variant="duel")
    assert best(state, Budget(iterations=2000, rollout=6)) == "e4xe5"


def test_it_runs_from_what_would_take_it() -> None:
    """Red's last piece beside a stronger one, known since a fight: it has to go."""
    text = place("a1=rF e4=r9 b1=rB a10=bF e5=bM", 0, variant="duel").notation()
    state = tianxia.position(text.replace("M@e5", "M!@e5"))
    move = best(state, Budget(iterations=4000, rollout=4))
    assert move in ("e4-d4", "e4-f4", "e4-e3")


# --- Exact values ---


def endings(spec: str) -> list[State]:
    """Return positions of the toy in which one seat decides, and nothing is hidden.

    Late in a long game the deck is empty and each knows all cards.
    """
    game, rng = tianxia.game(spec), tianxia.new_rng(3)
    found: list[State] = []
    for _ in range(400):
        state = game.new()
        while not state.over and len(found) < 6:
            if decides_alone(state):
                found.append(state.clone())
                break
            actor = min(state.acting, default=CHANCE)
            state.apply(anything(state, actor, rng), actor)
    return found


def decides_alone(state: State) -> bool:
    """Say whether there is one exact value and some difference between the choices."""
    if len(state.acting) != 1 or len(state.legal_actions(state.acting[0])) < 2:
        return False
    (seat,) = state.acting
    view, rng = state.view(seat), tianxia.new_rng(1)
    if any(view.sample(rng) != state for _ in range(20)):
        return False  # something is hidden
    try:
        values = {round(value, 6) for value in Expectimax().choices(state, seat).values()}
    except TooLarge:
        return False
    return len(values) > 1


@pytest.mark.parametrize("players", [2, 3])
def test_it_agrees_with_expectimax(players: int) -> None:
    positions = endings(f"blind-duel(players={players},rounds=5)")
    assert len(positions) == 6
    for state in positions:
        (seat,) = state.acting
        values = Expectimax().choices(state, seat)
        found = think(state.view(seat), seat, 5, Budget(iterations=6000))
        top = found[0]
        assert values[top.action] == pytest.approx(max(values.values())), state.notation()
        assert top.value == pytest.approx(max(values.values()), abs=0.06), state.notation()


@pytest.mark.parametrize("seat", [0, 1])
def test_secret_choices_are_mixed_as_they_should(seat: int) -> None:
    """The one equilibrium of the biased pennies: 0 one time out of three, for both."""
    state = PENNIES().new()
    found = think(state.view(seat), seat, 7, Budget(iterations=40_000))
    shares = {one.action: one.share for one in found}
    assert shares[0] == pytest.approx(1 / 3, abs=0.05)
    assert sum(shares.values()) == pytest.approx(1)
    actions = [
        Searcher(state.game, seat, seed, QUICK).choose(state.view(seat)) for seed in range(40)
    ]
    assert 3 <= actions.count(0) <= 25


def test_it_knows_no_more_when_the_other_has_chosen() -> None:
    """Who chooses second has seen nothing of the first choice."""
    answers = []
    for choice in (0, 1):
        state = PENNIES().new()
        state.apply(choice, 0)
        answers.append(think(state.view(1), 1, 7, QUICK))
    assert answers[0] == answers[1]


# --- What it knows, and that it is repeatable ---


def anything(state: State, actor: int, rng: Rng) -> int:
    """Return an action of somebody, drawn at random."""
    if actor == CHANCE:
        return state.draw_chance(rng)
    legal = state.legal_actions(actor)
    return legal[below(rng, len(legal))] if len(legal) > 1 else legal[0]


def positions(spec: str, wanted: int) -> list[State]:
    """Return positions spread over a random game, in which somebody has a choice."""
    rng, state = tianxia.new_rng(4), tianxia.game(spec).new()
    found: list[State] = []
    while not state.over:
        actor = min(state.acting, default=CHANCE)
        legal = state.legal_actions(actor) if actor != CHANCE else []
        if len(legal) > 1:
            found.append(state.clone())
        state.apply(anything(state, actor, rng), actor)
    return [found[len(found) * part // (wanted + 1)] for part in range(1, wanted + 1)]


@pytest.mark.parametrize(
    "spec",
    [
        "blind-duel(rounds=5)",
        "stratego(variant=barrage)",
        "suntzu",
        "firebulls(players=3)",
        "china",
        "binfa(level=3,turns=1)",
    ],
)
def test_it_never_sees_a_secret(spec: str) -> None:
    """Swap all that a seat cannot know: for the same seed the same findings, to the bit."""
    rng, swapped = tianxia.new_rng(6), 0
    for state in positions(spec, 4):
        seat = min(state.acting)
        view = state.view(seat)
        found = think(view, seat, 3, QUICK)
        for _ in range(3):
            other = view.sample(rng)
            assert think(other.view(seat), seat, 3, QUICK) == found
            swapped += other != state
    assert swapped > 3


def test_same_seed_same_answer() -> None:
    state = positions("stratego(variant=barrage)", 3)[-1]
    seat = min(state.acting)
    view = state.view(seat)
    one = think(view, seat, 9, Budget(iterations=1000))
    think(view, seat, 1, Budget(iterations=5000))  # what was searched before does not matter
    assert think(view, seat, 9, Budget(iterations=1000)) == one
    assert think(view, seat, 10, Budget(iterations=1000)) != one
    assert sum(finding.visits for finding in one) == 1000
    twice = Budget(iterations=1000, threads=2)
    assert think(view, seat, 9, twice) == think(view, seat, 9, twice)
    assert sum(finding.visits for finding in think(view, seat, 9, twice)) == 1000


def test_two_threads_find_what_one_finds() -> None:
    state = place("a1=rF e4=rM j1=rB a10=bF e5=bS j10=b2", 0, variant="duel")
    view = state.view(0)
    found = {}
    for threads in (1, 2):
        budget = Budget(iterations=8000, rollout=6, threads=threads)
        found[threads] = think(view, 0, 3, budget)
    assert found[1][0].action == found[2][0].action
    assert found[1][0].value == pytest.approx(found[2][0].value, abs=0.05)


def test_it_stops_in_time_and_lets_others_work() -> None:
    state = positions("stratego(variant=barrage)", 3)[-1]
    seat = min(state.acting)
    view = state.view(seat)
    think(view, seat, 1, QUICK)
    ticks, done = [], threading.Event()

    def tick() -> None:
        while not done.wait(0.01):
            ticks.append(time.monotonic())

    ticking = threading.Thread(target=tick)
    ticking.start()
    begun = time.monotonic()
    found = think(view, seat, 1, Budget(iterations=10**9), begun + 0.5)
    took = time.monotonic() - begun
    done.set()
    ticking.join()
    assert 0.2 < took < 0.75
    assert sum(finding.visits for finding in found) > 100
    assert len(ticks) > 10  # the interpreter's lock is free while it thinks


def test_a_full_pool_is_no_error() -> None:
    state = positions("blind-duel(rounds=5)", 2)[0]
    seat = min(state.acting)
    found = think(state.view(seat), seat, 1, Budget(iterations=30_000, rollout=0))
    assert sum(finding.visits for finding in found) > 25_000


def test_what_it_cannot_search_is_refused() -> None:
    state = tianxia.game("blind-duel").new()
    with pytest.raises(tianxia.ViewError, match="starts from the view of seat 0"):
        think(state, 0, 1)
    with pytest.raises(tianxia.SeatError, match="seat 0 may not act now"):
        think(state.view(0), 0, 1)


def test_shares_are_drawn_as_they_stand() -> None:
    state = PENNIES().new()
    found = think(state.view(0), 0, 7, Budget(iterations=20_000))
    taken = [drawn(found, tianxia.new_rng(seed)) for seed in range(1500)]
    share = next(one.share for one in found if one.action == 0)
    assert taken.count(0) / 1500 == pytest.approx(share, abs=0.05)
    assert drawn(found, tianxia.new_rng(1), least=0.5) == 1


@pytest.mark.parametrize("wish", [{"iterations": 0}, {"rollout": -1}, {"threads": 1.5}])
def test_a_budget_is_made_of_whole_numbers(wish: dict[str, Any]) -> None:
    with pytest.raises(tianxia.OptionError, match=f"{next(iter(wish))} should be a whole number"):
        Budget(**wish)
