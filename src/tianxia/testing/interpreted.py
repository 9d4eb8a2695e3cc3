"""Compiled rules against the source that they are compiled from, in one process.

Web pages run the rules interpreted, bots and searches compiled: both must be one game.
`tianxia.testing.equality` compares many games.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tianxia.kernel import compiled
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE, with_attributes
from tianxia.kernel.rng import new_rng
from tianxia.testing.walk import GUARD, Walk, check, differing_fields, raw_legal

REFUSALS = 8
"""For how many actions, drawn at random, a seat is told why not, at a ply that is looked at."""


@check
def check_equality(walk: Walk) -> None:
    """Compiled rules answer and write, to the byte, what their source does in Python.

    At every ply: the position after it, who may act, and what is legal or what chance can do;
    at some plies also refusals, what is seen, the views of all viewers, worlds sampled from
    them, features, weights and values.
    """
    game = walk.game
    compare(walk, compiled.ply, game.blank(), 0, compiled.START, _list(game))
    for seat, action in walk:
        pool = walk.state.record
        compare(walk, compiled.ply, pool, seat, action, _list(game))
        if seat == CHANCE:
            actions, weights = game.buffers()
            actions[:], weights[:] = GUARD, GUARD
            compare(walk, compiled.chance_outcomes, pool, actions, weights)
            compare(walk, compiled.random_outcome, pool, *game.buffers(), new_rng(walk.seed))
        if walk.worth_a_look:
            _compare_all(walk, pool, seat, action)
    _compare_values(walk, walk.state.record)


def _compare_all(walk: Walk, pool: Any, seat: int, action: int) -> None:
    game = walk.game
    for actor in (*range(game.seats), CHANCE):
        for number in walk.rng.sample(range(game.num_actions), min(REFUSALS, game.num_actions)):
            compare(walk, compiled.refusal, pool, actor, number)
    for viewer in walk.viewers:
        compare(walk, compiled.seen, pool, seat, action, viewer)
        view = walk.state.view(viewer).record
        blank = game.blank(int(view["viewer"][0]))
        compare(walk, compiled.look_as, pool, viewer, blank, _list(game))
        compare(walk, compiled.sample, view, new_rng(walk.seed, walk.number))
        compare(walk, compiled.encode, view, np.full(game.features, GUARD, np.float32))
    for actor in walk.state.acting:
        compare(walk, compiled.legal_actions, pool, actor, _list(game))
        legal = np.array(raw_legal(game, pool, actor), np.int64)
        weights = np.full(len(legal), GUARD, np.int64)
        compare(walk, compiled.policy, pool, actor, legal, len(legal), weights)
        compare(walk, compiled.random_action, pool, actor, _list(game), new_rng(walk.seed))
    _compare_values(walk, pool)


def _compare_values(walk: Walk, pool: Any) -> None:
    for function in (compiled.scores, compiled.evaluate, compiled.utilities):
        compare(walk, function, pool, np.zeros(walk.game.seats))


def _list(game: Game) -> Any:
    out = game.list_room()
    out[:] = GUARD
    return out


def compare(walk: Walk, function: Callable[..., Any], *arguments: Any) -> None:
    """Fail unless a compiled function and its source give the same answer and the same arrays."""
    ours, theirs = _copies(arguments), _copies(arguments)
    answer = function(*ours)
    source = getattr(function, "py_func", function)
    other = source(*map(_readable, theirs))
    what = f"{function.__name__}({', '.join(map(_told, arguments))})"
    walk.demand(answer == other, f"{what} is {answer} compiled and {other} interpreted")
    for one, two in zip(ours, theirs, strict=True):
        if isinstance(one, np.ndarray) and one.tobytes() != two.tobytes():
            walk.fail(f"{what}, compiled and interpreted, writes {_difference(one, two)}")


def _copies(arguments: Sequence[Any]) -> list[Any]:
    return [part.copy() if isinstance(part, np.ndarray) else part for part in arguments]


def _readable(argument: Any) -> Any:
    """Return records as Python's rules take them, and all else as it is."""
    if isinstance(argument, np.ndarray) and argument.dtype.fields:
        return argument.view(with_attributes(argument.dtype))
    return argument


def _told(argument: Any) -> str:
    return "…" if isinstance(argument, np.ndarray) else repr(argument)


def _difference(one: Any, two: Any) -> str:
    if one.dtype.fields is None:
        return f"{one.tolist()} and {two.tolist()}"
    fields = (f"{name}: {one[name][0]} and {two[name][0]}" for name in differing_fields(one, two))
    return "; ".join(fields)
