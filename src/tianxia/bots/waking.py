"""What has to be compiled for the bots of a game, in steps that two processes share.

Answers of a game are compiled each by itself and kept on disk, so while one process compiles the
usual bot, the other one compiles what that bot needs last. `first_steps` are all that a bot's
first moves take, `later_steps` the other bots and the adviser; `positions_steps` are what
programs in Python need, which hold compiled positions where most servers interpret them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib import import_module

import numpy as np

from tianxia.bots.advice import weighed
from tianxia.bots.match import play
from tianxia.bots.nets import nets
from tianxia.bots.registry import COMMON, bots, rebuild
from tianxia.kernel import compiled, jit
from tianxia.kernel.game import Game, GameType
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import below, new_rng
from tianxia.kernel.state import State
from tianxia.search.levels import BEST, LEVELS, USUAL

OPEN_DECISIONS = 4
LONGEST = 400


@dataclass(frozen=True)
class Step:
    """Something to be compiled.

    Attributes
    ----------
    lane
        Which of two processes does it; within a lane the order matters.
    """

    name: str
    lane: int
    do: Callable[[], object]


def first_steps(kind: GameType) -> list[Step]:
    """Return what it takes until the usual bot has made its first moves.

    It thinks in compiled code about positions that are interpreted (`mode.BOTS`).
    """
    game = kind()
    parts = import_module(kind.parts).parts(game) if kind.parts else ()
    return [
        Step(USUAL, 0, partial(_play, game, USUAL, 1)),
        *(Step(part.__name__, 1, partial(jit.make, part, *given)) for part, given in parts),
    ]


def later_steps(kind: GameType) -> list[Step]:
    """Return what other bots, hints and searches take, those that people meet first first."""
    game = kind()
    nothing_to_compile = {*COMMON, *nets(game)}
    names = [name for name in reversed(bots(game)) if name not in nothing_to_compile]
    ordered = dict.fromkeys([*(name for name in reversed(list(LEVELS)) if name in names), *names])
    return [
        *(Step(name, 0, partial(_play, game, name, 2)) for name in ordered),
        Step("advice", 1, partial(_advise, game)),
        Step("search", 1, partial(_play, game, "search", 1)),
    ]


def positions_steps(kind: GameType) -> list[Step]:
    """Return what compiled positions and pictures of them take, which few servers need."""
    game = kind()
    pool, room = game.blank(), game.list_room()

    def way_in(name: str, *arguments: object) -> Step:
        return Step(name, 1, partial(jit.make, getattr(compiled, name), pool, *arguments))

    return [
        Step("ply", 0, game.prepare),
        way_in("legal_actions", 0, room),
        way_in("refusal", 0, 0),
        way_in("apply_action", 0, 0),
        way_in("seen", 0, 0, 0),
        way_in("sample", new_rng(0)),
        way_in("utilities", np.zeros(game.seats)),
        way_in("scores", np.zeros(game.seats)),
        Step("picture", 1, partial(_look, game)),
    ]


def _play(game: Game, name: str, seed: int) -> None:
    """Let a bot play the beginning of a game: what it does first, and a few open decisions."""
    longest = sum(1 for _ in _walk(game, OPEN_DECISIONS * game.seats))
    play(game, [name] * game.seats, seed, longest)


def _advise(game: Game) -> None:
    """Give hints about an open decision, by who has seen nothing but the present view."""
    for state in _walk(game, OPEN_DECISIONS):
        if len(state.acting) == 1:
            (seat,) = state.acting
            weighed(rebuild(BEST, state, seat, 1), state.view(seat))
            return


def _look(game: Game) -> None:
    """Draw an open position of a game as its players see it."""
    for state in _walk(game, 1):
        if len(state.acting) == 1:
            for seat in range(game.seats):
                state.view(seat)._repr_svg_()


def _walk(game: Game, decisions: int) -> Iterator[State]:
    """Yield the positions of a random game until so many decisions were made openly."""
    state, rng, open_ones = game.new(), new_rng(5), 0
    for _ in range(LONGEST):
        if state.over or open_ones >= decisions:
            return
        yield state
        if state.acting:
            seat, legal = state.acting[0], state.legal_actions(state.acting[0])
            open_ones += len(state.acting) == 1
            state.apply(legal[below(rng, len(legal))], seat)
        else:
            state.apply(state.draw_chance(rng), CHANCE)
