"""A bot that is made again in the middle of a game goes on as if it had never stopped."""

from __future__ import annotations

import tianxia
from tianxia.bots import make, rebuild, tell
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE


def check_rebuilt(name: str, game: Game, plies: int, every: int) -> None:
    """Let a bot play all seats; ask it and one that is made again, at every so many plies."""
    state = game.new()
    ready = [(seat, make(name, game, seat, 90 + seat)) for seat in range(game.seats)]
    rng = tianxia.new_rng(1)
    for number in range(plies):
        if state.over:
            break
        actor = min(state.acting, default=CHANCE)
        if actor == CHANCE:
            action = state.draw_chance(rng)
        else:
            view = state.view(actor)
            action = ready[actor][1].choose(view)
            assert ready[actor][1].choose(view) == action  # choosing leaves it as it was
            if number % every == 0:
                assert rebuild(name, state, actor, 90 + actor).choose(view) == action
        tell(state, action, actor, ready)
