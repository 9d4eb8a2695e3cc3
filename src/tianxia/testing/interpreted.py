"""Rules that Python runs: first by themselves, then beside those compiled from them.

Web pages run the rules interpreted, bots and searches compiled: both must be one game.
`tianxia.testing.equality` compares many games.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tianxia.kernel import compiled, functions
from tianxia.kernel.functions import interpreted
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE, SPECTATOR, Pool, viewer_code, with_attributes
from tianxia.kernel.rng import new_rng
from tianxia.testing.walk import (
    GUARD,
    MAX_PLIES,
    CheckFailed,
    Walk,
    check,
    differing_fields,
    known_game,
    raw_legal,
)

REFUSALS = 8
"""For how many actions, drawn at random, a seat is told why not, at a ply that is looked at."""

ALONE = 150
"""How many actions of a game are played by Python alone."""
NUMBERS = (
    functions.legal_actions,
    functions.refusal,
    functions.chance_outcomes,
    functions.seen,
)
HOUSE = {Path(functions.__file__).parent, Path(__file__).parent}
"""Where no game is."""


class _Alone:
    """A game whose rules Python runs, and what was asked last."""

    def __init__(self, game: Game) -> None:
        self.game, self.pool, self.number, self.asked = game, game.blank(), 0, functions.setup
        self.record = _readable(self.pool)[0]

    def ask(self, function: Any, pool: Pool, *arguments: Any) -> Any:
        """Return a game's own answer."""
        self.asked = function
        answer = interpreted(function, pool, *arguments)
        if function in NUMBERS and not isinstance(answer, int | np.integer | np.bool_):
            raise TypeError(f"it answers {answer!r}, and not with a whole number")
        return answer

    def play(self, seed: int, max_plies: int) -> None:
        """Play a random game; ask all that a game answers on the way."""
        game, dice = self.game, random.Random(seed)  # noqa: S311  (no secrets here)
        self.ask(functions.setup, self.pool)
        while not self.record.over and self.number < max_plies:
            seats = [seat for seat in range(game.seats) if self.record.acting >> seat & 1]
            seat = dice.choice(seats) if seats else CHANCE
            found = np.empty(game.max_legal if seats else game.max_chance, np.int32)
            if seats:
                count = self.ask(functions.legal_actions, self.pool, seat, found)
            else:
                weights = np.empty_like(found)
                count = self.ask(functions.chance_outcomes, self.pool, found, weights)
            if not count:
                return  # `check_play` says so
            action = int(dice.choice(found[:count]))
            if self.number < 20 or self.number % 9 == 0:
                self.ask_all(seat, action)
            self.ask(functions.apply_action, self.pool, seat, action)
            self.number += 1
        self.ask_all(None, 0)

    def ask_all(self, actor: int | None, action: int) -> None:
        """Ask who knows what and what it is worth, of a position and of an action in it."""
        game = self.game
        for viewer in (*range(game.seats), SPECTATOR):
            if actor is not None:
                self.ask(functions.refusal, self.pool, actor, action)
                self.ask(functions.seen, self.pool, actor, action, viewer)
            view = game.blank(viewer_code(viewer))
            self.ask(functions.view, self.pool, viewer, _readable(view)[0])
            self.ask(functions.encode, view, np.empty(game.features, np.float32))
            self.ask(functions.sample, view, new_rng(viewer_code(viewer) + 1))
        asked = [functions.scores, functions.evaluate]
        for function in [*asked, functions.utilities] if self.record.over else asked:
            self.ask(function, self.pool, np.zeros(game.seats))


def check_in_python(game: Game | str, seed: int = 0, max_plies: int = MAX_PLIES) -> None:
    """Play with rules that Python alone runs: what is wrong with a line is told with the line.

    A name that there is not would be a page of the compiler, an index out of range other memory
    overwritten. Lists are as long as `limits` promises.
    """
    alone = _Alone(known_game(game))
    try:
        alone.play(seed, min(max_plies, ALONE))
    except Exception as error:
        where = f"{alone.game.spec}, seed {seed}, before action {alone.number}"
        raise CheckFailed(f"{where}: {alone.asked.__name__} fails, {_at(error)}") from error


def _at(error: Exception) -> str:
    """Return an error with the line of the game in which it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if Path(frame.filename).parent not in HOUSE]
    what = f"{type(error).__name__}: {error}"
    if not ours:
        return what
    last = ours[-1]
    return f"{what}\n  {Path(last.filename).name}, line {last.lineno}, {last.name}: {last.line}"


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
