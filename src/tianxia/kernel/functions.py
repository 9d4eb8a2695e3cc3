"""The functions that every game answers.

Each is a generic function, dispatched on the state's record type: from compiled code it
resolves while compiling and costs nothing; from Python it takes a one-element pool (the
plain structured array, not a record scalar, which is slow to hand to compiled code).
A game answers with the decorator::

    @answers(legal_actions, STATE)
    def _(state, seat, out): ...

`state` is one record there. Rules allocate nothing, raise nothing and use no strings.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from tianxia.kernel.jit import dispatched, record_types
from tianxia.kernel.record import with_attributes
from tianxia.kernel.rng import below, drawn

Answer = Callable[..., Any]

_answers: dict[Answer, dict[Any, Answer]] = {}
_required: list[Answer] = []


def _entry(function: Answer) -> Answer:
    """Return the compiled way in from Python: the same function for a pool's first record.

    Its code is made from the generic function's own signature; a file name that does not
    exist would keep Numba from caching it, so it lives in `tianxia.kernel.compiled`.
    """
    from tianxia.kernel import compiled

    return getattr(compiled, function.__name__)


def generic(function: Answer, usual: Answer | None = None) -> Answer:
    """Make a documented stub the generic function of that name and signature.

    `usual` answers for the games that give no answer of their own.
    """
    known: dict[Any, Answer] = {}

    def call(state: Any, *args: Any) -> Any:
        if isinstance(state, np.ndarray):
            return _entry(call)(state, *args)
        answer = known[state.dtype] if usual is None else known.get(state.dtype, usual)
        return answer(state, *args)

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = function.__doc__
    call.__module__ = function.__module__
    call.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    dispatched(call, known, usual)
    _answers[call] = known
    if usual is None:
        _required.append(call)
    return call


def optional(function: Answer) -> Answer:
    """Make a function generic that games need not answer: its own body is the usual answer."""
    return generic(function, function)


def answers(function: Answer, dtype: np.dtype[np.void]) -> Callable[[Answer], Answer]:
    """Register the decorated function as the answer of the games with that record type.

    Raises
    ------
    ValueError
        Where another game has the very same layout: nothing could tell them apart.
    """

    def register(answer: Answer) -> Answer:
        known = _answers[function]
        names = record_types(dtype, answer.__module__)
        kinds = (dtype, *names)
        if any(kind in known and known[kind].__module__ != answer.__module__ for kind in kinds):
            raise ValueError(f"a second answer to {function.__name__} for the same state record")
        wanted, got = (list(inspect.signature(f).parameters) for f in (function, answer))
        if wanted != got:
            raise ValueError(f"{function.__name__} takes {wanted}, the answer takes {got}")
        known.update(dict.fromkeys(kinds, answer))
        if function is policy:
            _answers[has_policy].update(dict.fromkeys(kinds, _yes))
        return answer

    return register


def _yes(state):
    return True


def unanswered(dtype: np.dtype[np.void]) -> list[str]:
    """Return the names of the functions that a game with that record type has yet to answer."""
    return [call.__name__ for call in _required if dtype not in _answers[call]]


def interpreted(function: Answer, pool: Any, *arguments: Any) -> Any:
    """Ask a function that needs one record, without compiling it first."""
    record = pool.view(with_attributes(pool.dtype))[0]
    return _answers[function][pool.dtype](record, *arguments)


@generic
def setup(state):
    """Turn a record with `seats` and `options` filled in into the start of a game."""


@generic
def legal_actions(state, seat, out):
    """Write what `seat` may do into `out`; return how many.

    No duplicates; the same order from a state and from the seat's view of it; nothing
    for a seat that may not act.
    """


@generic
def refusal(state, seat, action):
    """Return 0 if `seat` (or CHANCE) may take `action`, else the code of a statement."""


@generic
def apply_action(state, seat, action):
    """Change the state by a legal action. An illegal one gives an undefined state."""


@generic
def chance_outcomes(state, actions, weights):
    """Write what chance can do now, and integer weights; return how many."""


@generic
def seen(state, seat, action, viewer):
    """Return `action` of `seat` as `viewer` may know it, else −1. Ask before applying."""


@generic
def view(state, seat, out):
    """Write into the blank record `out` what `seat` (or SPECTATOR) may know."""


@generic
def sample(state, rng):
    """Fill up a view in place: a full state that agrees with all the viewer may know."""


@generic
def utilities(state, out):
    """Write each seat's utility: (n·share − 1)/(n − 1), share 1/k for k joint winners."""


@generic
def scores(state, out):
    """Write each seat's points as on a score track."""


@generic
def evaluate(state, out):
    """Write a guess of each seat's utility, for search."""


@optional
def policy(state, seat, actions, count, weights):
    """Write how likely each of `count` legal actions is to be a good one; say whether it was done.

    For search: weights are integers, at least 0, with a sum of 1 to 2³⁰, in the order of
    `actions`. They depend on nothing that `seat` may not know. False, as where a game gives
    no answer, stands for all alike; a game may give it for some of its decisions.
    """
    return False


@optional
def random_action(state, seat, actions, rng):
    """Return one of the legal actions of a seat that has some, all alike; for random play.

    It is what follows here, to the action and the state of `rng`; a game may find it without
    writing the list. `actions` is room for one.
    """
    return actions[below(rng, legal_actions(state, seat, actions))]


@optional
def random_outcome(state, actions, weights, rng):
    """Return one of the things that chance can do, each as likely as its weight says.

    It is what follows here, to the action and the state of `rng`; a game may find it without
    writing the lists. Both arrays are room for them.
    """
    return drawn(actions, weights, chance_outcomes(state, actions, weights), rng)


@optional
def has_policy(state):
    """Say whether the game answers `policy` at all; games do not answer this themselves."""
    return False


@generic
def encode(state, out):
    """Write the features of a view as its viewer sees them, for learning."""


@generic
def limits(state):
    """Return number of actions, longest legal list, longest chance list, features."""
