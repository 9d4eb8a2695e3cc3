"""The Strategist: better than chance, never to be read, from views alone."""

from __future__ import annotations

import time

import pytest

import tianxia
from tests.games.suntzu.war import BLUE, RED, begin, lay
from tianxia.bots import make, play
from tianxia.games.suntzu.rules.components import REINFORCE
from tianxia.games.suntzu.rules.state import LAYING


def order(state: tianxia.State, seat: int, seed: int) -> list[int]:
    """Return the cards that the bot lays."""
    bot, state = make("strategist", state.game, seat, seed), state.clone()
    while seat in state.acting and state.fields["phase"] == LAYING:
        state.apply(bot.choose(state.view(seat)), seat)
    return [int(card) for card in state.fields["laid"][seat]]


def test_its_orders_are_mixed() -> None:
    state = begin(3)
    orders = {tuple(order(state, RED, seed)) for seed in range(12)}
    assert len(orders) > 3


def test_its_order_does_not_depend_on_what_the_other_has_laid() -> None:
    state = begin(3)
    other = lay(state.clone(), BLUE, "1", "2", "3", "4", "5")
    last = lay(state.clone(), BLUE, "5", "4", "3", "2", "6")
    assert order(state, RED, 1) == order(other, RED, 1) == order(last, RED, 1)


def test_it_lays_what_it_has_where_others_have_laid_its_cards_elsewhere() -> None:
    """Somebody else, such as a level's blunder, may have used a card of the plan."""
    state = begin(3)
    for seed in range(4):
        for planned in order(state, RED, seed):
            upset = state.clone()
            wu = next(
                action
                for action in state.legal_actions(RED)
                if action < REINFORCE and action % 5 == 4 and action // 5 == planned - 1
            )
            upset.apply(wu, RED)
            bot = make("strategist", state.game, RED, seed)
            while RED in upset.acting:
                upset.apply(bot.choose(upset.view(RED)), RED)


def test_it_decides_quickly() -> None:
    state = begin(4)
    bot = make("strategist", state.game, BLUE, 1)
    view = state.view(BLUE)
    bot.choose(view)
    times = []
    for _ in range(7):
        clock = time.perf_counter()
        bot.choose(view)
        times.append(time.perf_counter() - clock)
    assert min(times) < 0.2


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [{}, {"events": True}, {"deck": "beginner", "strategies": False}], ids=str
)
def test_it_beats_random(options: dict[str, object]) -> None:
    game = tianxia.game("suntzu", **options)
    won = 0
    for seed in range(6):
        seats = ["strategist", "random"] if seed % 2 else ["random", "strategist"]
        won += play(game, seats, seed).utilities()[seats.index("strategist")] > 0
    assert won >= 5
