"""Many positions at once: functions over pools, compiled for each game, on several threads.

A pool is a structured array of a game's records, as `reset` makes it. Every function takes
its results' array as `out` (made where it is None), looks at all that it is given before it
changes anything, and may be given `threads`, which change no result::

    game = tianxia.game("stratego")
    pool, rngs = batches.reset(game, 1000), batches.streams(1000, seed=1)
    seats = batches.step(game, pool, rngs=rngs)  # chance alone, until somebody may act
    views = batches.observe(game, pool, seats)
    masks = batches.mask(game, views, seats)

For Numba's code of one's own there are the rules themselves, `act`, `settle`, `observe_one`
and `actor`, beside the generic functions of `tianxia.kernel.functions`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cache
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike, NDArray

from tianxia.kernel import functions as f
from tianxia.kernel import given
from tianxia.kernel.bits import lowest
from tianxia.kernel.errors import (
    IllegalAction,
    NotationError,
    OptionError,
    SeatError,
    TianxiaError,
    ViewError,
)
from tianxia.kernel.game import Game
from tianxia.kernel.jit import entry, rule
from tianxia.kernel.record import CHANCE, SPECTATOR, SPECTATOR_VIEW, Pool, blank, room
from tianxia.kernel.rng import LONG, seed_rng

NOBODY = -3
"""Who acts in a game that is over."""
NO_ACTION = -1
"""The action that leaves a position as it is."""
BITS = 8
LARGEST = np.uint64(np.iinfo(np.int64).max)

observe_one = f.view
"""`view` by a name that Numba does not take for an array's."""

Room = TypeVar("Room")


# --- For one position; for compiled code ---


@rule
def actor(state):
    """Return who acts next: the first seat that may, CHANCE, or NOBODY."""
    if state.over != 0:
        return NOBODY
    acting = int(state.acting)
    return CHANCE if acting == 0 else lowest(acting)


@rule
def settle(state, rng, actions, weights):
    """Let chance act until a seat may, or the game is over."""
    while state.acting == 0 and state.over == 0:
        f.apply_action(state, CHANCE, f.random_outcome(state, actions, weights, rng))


@rule
def act(state, seat, action, rng, actions, weights):
    """Take a legal action, and let chance act until a seat may, or the game is over."""
    f.apply_action(state, seat, action)
    settle(state, rng, actions, weights)


# --- For a part of a pool ---


@entry
def _seed(rngs, seed, first, last):
    for i in range(first, last):
        seed_rng(rngs[i], seed, i)


@entry
def _refusals(pool, seats, actions, out, first, last):
    for i in range(first, last):
        out[i] = 0
        if actions[i] >= 0:
            seat = actor(pool[i]) if seats[i] == NOBODY else seats[i]
            out[i] = 1 if seat == NOBODY else f.refusal(pool[i], seat, actions[i])


@entry
def _step(pool, seats, actions, rngs, listed, weights, out, first, last):
    for i in range(first, last):
        state = pool[i]
        if actions[i] >= 0:
            seat = actor(state) if seats[i] == NOBODY else seats[i]
            f.apply_action(state, seat, actions[i])
        if len(rngs) != 0:
            settle(state, rngs[i], listed, weights)
        out[i] = actor(state)


@entry
def _observe(pool, seats, out, first, last):
    for i in range(first, last):
        observe_one(pool[i], seats[i], out[i])


@entry
def _encode(views, out, first, last):
    for i in range(first, last):
        f.encode(views[i], out[i])


@rule
def write_mask(state, seat, listed, out):
    """Write a one for each legal action of a seat, and zeros."""
    out[:] = 0
    count = f.legal_actions(state, seat, listed) if seat >= 0 else 0
    for k in range(count):
        out[listed[k]] = 1


@entry
def _mask(pool, seats, listed, packed, out, first, last):
    for i in range(first, last):
        row = out[i]
        if not packed:
            write_mask(pool[i], seats[i], listed, row)
            continue
        row[:] = 0
        count = f.legal_actions(pool[i], seats[i], listed) if seats[i] >= 0 else 0
        for k in range(count):
            action = int(listed[k])
            row[action >> 3] |= 1 << (action & 7)


@entry
def _chance(pool, actions, weights, counts, first, last):
    for i in range(first, last):
        counts[i] = 0
        if actor(pool[i]) == CHANCE:
            counts[i] = f.chance_outcomes(pool[i], actions[i], weights[i])


@entry
def _utilities(pool, out, first, last):
    for i in range(first, last):
        out[i, :] = 0.0
        if pool[i].over != 0:
            f.utilities(pool[i], out[i])


@entry
def _evaluate(pool, out, first, last):
    for i in range(first, last):
        f.evaluate(pool[i], out[i])


# --- For NumPy ---


@cache
def _workers(threads: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(threads, "batches")


if hasattr(os, "register_at_fork"):  # a child has none of its parent's threads, and would wait
    os.register_at_fork(after_in_child=_workers.cache_clear)


def shared(threads: int, count: int, part: Callable[[int, int, int], Any]) -> None:
    """Call ``part(thread, first, last)`` for parts of `count` things, each in a thread.

    The first part stays in this thread, so that one fewer has to be handed over.
    """
    threads = max(min(given.whole("threads", threads, 1), count), 1)
    ends = list(pairwise(count * i // threads for i in range(threads + 1)))
    jobs = [_workers(threads).submit(part, i, *ends[i]) for i in range(1, threads)]
    try:
        part(0, *ends[0])
    finally:
        wait(jobs)
    for job in jobs:
        job.result()


def _for_each(threads: int, make: Callable[[], Room]) -> list[Room]:
    return [make() for _ in range(given.whole("threads", threads, 1))]


def reset(game: Game, n: int, out: Pool | None = None) -> Pool:
    """Return `n` games at their start; where chance begins it has yet to act."""
    _demand_game(game)
    n, start = given.whole("n", n, 1), game.new().record
    pool = room(game.kind.dtype, n) if out is None else _pool(game, out, n, "out")
    _as_bytes(pool)[:] = start.view(np.uint8)
    return pool


def streams(n: int, seed: int = 0) -> NDArray[np.int64]:
    """Return a random generator for each of `n` positions: stream i of the seed; shape (n, 4)."""
    rngs = np.empty((given.whole("n", n, 0), 4), np.int64)
    _seed(rngs, given.number("seed", seed) & LONG, 0, len(rngs))
    return rngs


def step(
    game: Game,
    pool: Pool,
    actions: NDArray[Any] | None = None,
    seats: NDArray[Any] | None = None,
    rngs: NDArray[np.int64] | None = None,
    out: NDArray[np.int8] | None = None,
    threads: int = 1,
) -> NDArray[np.int8]:
    """Take an action in each position, chance's too; return who acts next in each.

    Parameters
    ----------
    pool
        The positions; they are changed.
    actions
        An action each; `NO_ACTION` (or None for all) leaves a position as it is.
    seats
        Who takes it, CHANCE included; None: who acts next (of several seats the first).
    rngs
        Generators (see `streams`) with which chance is resolved afterwards; None: it is not,
        and its actions are given like anybody's.

    Returns
    -------
    NDArray[np.int8]
        A seat, CHANCE or `NOBODY`, shape (n,).

    Raises
    ------
    IllegalAction
        Naming the first position where an action is not legal; none is changed.
    ViewError
        For views, on which nobody plays.
    """
    n = len(_known(game, pool))
    if actions is not None or rngs is not None:
        _full(pool, "step")
        _writable("pool", pool)
    actions = _numbers("actions", actions, n, NO_ACTION)
    seats = _numbers("seats", seats, n, NOBODY)
    if rngs is not None:
        _shaped("rngs", rngs, np.int64, (n, 4))
    rngs = np.empty((0, 4), np.int64) if rngs is None else rngs
    out = _out("out", out, np.int8, (n,))
    _check(game, pool, seats, actions, threads)
    lists = _for_each(threads, game.buffers)
    shared(threads, n, lambda i, a, b: _step(pool, seats, actions, rngs, *lists[i], out, a, b))
    return out


def actors(game: Game, pool: Pool, out: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
    """Return who acts next in each position: a seat, CHANCE or `NOBODY`, shape (n,)."""
    return step(game, pool, out=out)


def observe(
    game: Game, pool: Pool, seats: NDArray[Any], out: Pool | None = None, threads: int = 1
) -> Pool:
    """Return what a seat (or SPECTATOR) may know of each position, as a pool of views.

    Where `seats` names neither, as `step` does of games that are over, it is a spectator.

    Raises
    ------
    ViewError
        For views, of which there are no further ones.
    TianxiaError
        Where `out` is the pool itself.
    """
    n, threads = len(_known(game, pool)), given.whole("threads", threads, 1)
    _full(pool, "observe")
    seats = np.maximum(_numbers("seats", seats, n, SPECTATOR), SPECTATOR)
    _below(game, seats)
    views = room(game.kind.dtype, n) if out is None else _pool(game, out, n, "out")
    if np.may_share_memory(views, pool):
        raise TianxiaError("out is the pool itself, which views would overwrite: give another")
    _as_bytes(views)[:] = game.blank().view(np.uint8)
    views["viewer"] = np.where(seats == SPECTATOR, SPECTATOR_VIEW, seats + 1)
    shared(threads, n, lambda _, a, b: _observe(pool, seats, views, a, b))
    return views


def encode(
    game: Game, views: Pool, out: NDArray[np.float32] | None = None, threads: int = 1
) -> NDArray[np.float32]:
    """Return the features of views; shape (n, features)."""
    n = len(_known(game, views))
    if n and not views["viewer"].all():
        raise ViewError("features are those of views: observe the full states first")
    out = _out("out", out, np.float32, (n, game.features))
    shared(threads, n, lambda _, a, b: _encode(views, out, a, b))
    return out


def mask(
    game: Game,
    pool: Pool,
    seats: NDArray[Any],
    out: NDArray[np.uint8] | None = None,
    packed: bool = False,
    threads: int = 1,
) -> NDArray[np.uint8]:
    """Return what a seat may do in each position, or its view: a byte an action, or a bit.

    Bits are packed as ``numpy.unpackbits(…, bitorder="little")`` reads them. Zeros stand
    where `seats` names none.

    Raises
    ------
    ViewError
        For a view that is of another seat.
    """
    n = len(_known(game, pool))
    seats = _numbers("seats", seats, n, NOBODY)
    _below(game, seats)
    viewers = pool["viewer"]
    if len(others := np.flatnonzero((viewers != 0) & (seats >= 0) & (viewers != seats + 1))):
        raise ViewError(f"position {others[0]} is not the view of seat {seats[others[0]]}")
    width = -(-game.num_actions // BITS) if packed else game.num_actions
    out = _out("out", out, np.uint8, (n, width))
    lists = _for_each(threads, game.list_room)
    shared(threads, n, lambda i, a, b: _mask(pool, seats, lists[i], packed, out, a, b))
    return out


def chance(
    game: Game, pool: Pool, threads: int = 1
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Return what chance can do in each position: actions, integer weights, how many.

    Shapes are (n, longest list), the same, and (n,). Nothing is written beyond how many.

    Raises
    ------
    ViewError
        For views: what chance can do depends on hidden facts.
    """
    n = len(_known(game, pool))
    _full(pool, "ask")
    listed = np.zeros((n, game.max_chance), np.int32)
    weights, counts = np.zeros_like(listed), np.zeros(n, np.int32)
    shared(threads, n, lambda _, a, b: _chance(pool, listed, weights, counts, a, b))
    return listed, weights, counts


def utilities(
    game: Game, pool: Pool, out: NDArray[np.float64] | None = None, threads: int = 1
) -> NDArray[np.float64]:
    """Return each seat's utility, zeros in games that go on; shape (n, seats)."""
    n = len(_known(game, pool))
    out = _out("out", out, np.float64, (n, game.seats))
    shared(threads, n, lambda _, a, b: _utilities(pool, out, a, b))
    return out


def evaluate(
    game: Game, pool: Pool, out: NDArray[np.float64] | None = None, threads: int = 1
) -> NDArray[np.float64]:
    """Return the game's own rough guess of each seat's utility; shape (n, seats).

    Raises
    ------
    ViewError
        For views: the guess needs what is hidden.
    """
    n = len(_known(game, pool))
    _full(pool, "judge")
    out = _out("out", out, np.float64, (n, game.seats))
    shared(threads, n, lambda _, a, b: _evaluate(pool, out, a, b))
    return out


# --- What compiled code trusts ---


def _demand_game(game: Any) -> None:
    if not isinstance(game, Game):
        raise TianxiaError(f"a game is needed here, such as tianxia.game({str(game)!r})")


def _pool(game: Game, pool: Any, n: int | None = None, written: str = "") -> Pool:
    """Return a pool of a game; `written` is the name of one that is to be filled."""
    wanted = blank(game.kind.dtype, 0).dtype
    if not isinstance(pool, np.ndarray) or pool.dtype != wanted or pool.ndim != 1:
        raise NotationError(f"a pool of {game.name} is an array of its records, of one dimension")
    if n is not None and len(pool) != n:
        raise NotationError(f"a pool of {n} records is expected here, not of {len(pool)}")
    if not pool.flags.c_contiguous:
        raise NotationError("a pool lies in one piece: copy it first")
    if written:
        _writable(written, pool)
    return pool


def _as_bytes(pool: Pool) -> NDArray[np.uint8]:
    return pool.view(np.uint8).reshape(len(pool), pool.itemsize)


def _writable(name: str, array: NDArray[Any]) -> None:
    if not array.flags.writeable:
        raise TianxiaError(f"{name} cannot be written to: give a copy")


def _full(pool: Pool, what: str) -> None:
    """See that these are full states; `what` is done with them."""
    views = np.flatnonzero(pool["viewer"])
    if len(views):
        raise ViewError(f"position {views[0]} is a view: {what} the full states")


def _known(game: Game, pool: Any) -> Pool:
    """Return positions of a game, once all of them have its options."""
    _demand_game(game)
    own, records = game.blank().view(np.uint8), _pool(game, pool)
    fields = game.kind.dtype.fields
    if fields and "options" in fields:
        kind, first = fields["options"][:2]
        part = slice(first, first + kind.itemsize)
        if (_as_bytes(records)[:, part] != own[part]).any():
            text = "these are positions of {name} with other options than {spec}"
            raise OptionError(text, name=game.name, spec=game.spec)
    return records


def _shaped(name: str, array: Any, kind: DTypeLike, shape: tuple[int, ...]) -> Any:
    right = isinstance(array, np.ndarray) and array.dtype == kind and array.shape == shape
    if not right or not array.flags.c_contiguous:
        raise TianxiaError(
            f"{name} should be an array of {np.dtype(kind).name} of the shape {shape}, in one piece"
        )
    _writable(name, array)
    return array


def _out(name: str, array: Any, kind: DTypeLike, shape: tuple[int, ...]) -> Any:
    return np.empty(shape, kind) if array is None else _shaped(name, array, kind, shape)


def _numbers(name: str, numbers: Any, n: int, usual: int) -> NDArray[np.int64]:
    return np.full(n, usual, np.int64) if numbers is None else whole_numbers(name, numbers, n)


def whole_numbers(name: str, numbers: Any, n: int) -> NDArray[np.int64]:
    """Return `n` whole numbers as an array in one piece; raise TianxiaError for anything else."""
    with suppress(ValueError):  # lists of different lengths are no array
        array = np.asarray(numbers)
        if array.shape == (n,) and array.dtype.kind in "iu":
            if array.dtype.kind == "u":  # the largest would come out negative, as no action
                array = np.minimum(array, LARGEST)
            return np.ascontiguousarray(array, np.int64)
    raise TianxiaError(f"{name} should be whole numbers of the shape ({n},)")


def _below(game: Game, seats: NDArray[np.int64]) -> None:
    if len(seats) and seats.max() >= game.seats:
        raise SeatError(f"{seats.max()} is not a seat here; there are 0 to {game.seats - 1}")


def _check(
    game: Game, pool: Pool, seats: NDArray[np.int64], actions: NDArray[np.int64], threads: int
) -> None:
    """Raise IllegalAction for the first action that is not legal."""
    _below(game, seats)
    refused = np.empty(len(pool), np.int64)
    strange = (actions >= game.num_actions) | (actions < NO_ACTION)
    wrong = strange | (seats < NOBODY) | (seats == SPECTATOR)
    if not wrong.any():
        shared(threads, len(pool), lambda _, a, b: _refusals(pool, seats, actions, refused, a, b))
        wrong = refused != 0
    if wrong.any():
        place = int(np.argmax(wrong))
        action, seat = int(actions[place]), int(seats[place])
        why = "is not legal there"
        if pool[place]["over"]:
            why = "comes too late, the game is over: give NO_ACTION"
        raise IllegalAction(
            f"position {place}: action {action} {why}; nothing was changed",
            action,
            seat,
            "no-action" if strange[place] else "",
        )


__all__ = [
    "CHANCE",
    "NOBODY",
    "NO_ACTION",
    "act",
    "actor",
    "actors",
    "chance",
    "encode",
    "evaluate",
    "mask",
    "observe",
    "observe_one",
    "reset",
    "settle",
    "step",
    "streams",
    "utilities",
    "write_mask",
]
