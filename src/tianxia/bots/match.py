"""A whole game between bots, in plain Python: for tests, the command line and trials."""

from __future__ import annotations

from collections.abc import Sequence

from tianxia.bots.registry import maker
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE
from tianxia.kernel.registry import game as game_of
from tianxia.kernel.rng import new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import Maker, tell

CHANCE_STREAM = 1 << 32
"""Keeps chance's numbers apart from those that bots draw from a seed."""


def play(
    game: Game | str, makers: Sequence[str | Maker], seed: int = 0, longest: int | None = None
) -> State:
    """Play a game between bots; return its last position, whose history is the game.

    Parameters
    ----------
    game
        A game or its description.
    makers
        One for each seat: the name of a bot, or what makes it.
    seed
        For chance and for the bots: bot s of n gets ``n · seed + s``, so that no two
        bots of two games draw alike.
    longest
        Where the game is broken off, in actions; None plays it to its end.

    Raises
    ------
    IllegalAction
        Where a bot chooses what the rules forbid.
    """
    game = game_of(game)
    if len(makers) != game.seats:
        raise TianxiaError(f"{game.spec} needs {game.seats} bots, not {len(makers)}")
    ready = [maker(one, game) for one in makers]
    bots = [one(game, seat, game.seats * seed + seat) for seat, one in enumerate(ready)]
    state, rng = game.new(), new_rng(seed, CHANCE_STREAM)
    taken = 0
    while not state.over and (longest is None or taken < longest):
        actor = min(state.acting, default=CHANCE)
        if actor == CHANCE:
            action = state.draw_chance(rng)
        else:
            action = bots[actor].choose(state.view(actor))
        tell(state, action, actor, enumerate(bots))
        taken += 1
    return state
