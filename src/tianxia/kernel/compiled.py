"""The compiled ways in from Python, each made once per game and kept in the cache.

Every function takes pools (plain structured arrays) and is compiled for a game when it
is first called with that game's record type.
"""

from __future__ import annotations

from typing import NamedTuple

from tianxia.kernel import functions as f
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import entry, rule, way_in
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import drawn, seed_rng

view_of = f.view  # Numba takes a call of anything named view for an array's
OVER_BIT = 24
ACTING_BIT = 16
LEGAL_MASK = 0xFFFF
START, LOOK = -1, -2


@rule
def sort(numbers, count):
    """Sort the first `count` numbers in place; they are few and nearly sorted."""
    for i in range(1, count):
        number = numbers[i]
        j = i
        while j > 0 and numbers[j - 1] > number:
            numbers[j] = numbers[j - 1]
            j -= 1
        numbers[j] = number


@rule
def sort_weighed(numbers, weights, count):
    """Sort the first `count` numbers in place, each with its weight."""
    for i in range(1, count):
        number, weight = numbers[i], weights[i]
        j = i
        while j > 0 and numbers[j - 1] > number:
            numbers[j], weights[j] = numbers[j - 1], weights[j - 1]
            j -= 1
        numbers[j], weights[j] = number, weight


@rule
def status_of(state, legal):
    """Pack what the Python face wants after every ply: over, acting, legal actions.

    These are written, sorted, only where exactly one seat may act, or chance; chance's
    weights stand in the second half of the list. What chance can do is not asked of a view.
    """
    acting = int(state.acting)
    count = 0
    if acting != 0 and acting & (acting - 1) == 0:
        count = f.legal_actions(state, lowest(acting), legal)
        sort(legal, count)
    elif acting == 0 and state.over == 0 and state.viewer == 0:
        weights = legal[len(legal) // 2 :]
        count = f.chance_outcomes(state, legal, weights)
        sort_weighed(legal, weights, count)
    return count | (acting << ACTING_BIT) | (int(state.over) << OVER_BIT)


@way_in
def ply(pool, seat, action, legal):
    """Apply an action if it is legal: packed status, or minus the code of the refusal.

    START sets the game up instead, LOOK only asks for the status: one compiled function
    for all three, since each costs seconds to compile.
    """
    state = pool[0]
    if action == START:
        f.setup(state)
    elif action != LOOK:
        code = f.refusal(state, seat, action)
        if code != 0:
            return -code
        f.apply_action(state, seat, action)
    return status_of(state, legal)


@way_in
def look_as(pool, seat, out, legal):
    """Write a seat's view into the blank `out`; return its packed status, as `ply` does."""
    view_of(pool[0], seat, out[0])
    return status_of(out[0], legal)


@way_in
def legal_actions(state, seat, out):
    return f.legal_actions(state[0], seat, out)


@way_in
def refusal(state, seat, action):
    return f.refusal(state[0], seat, action)


@way_in
def apply_action(state, seat, action):
    f.apply_action(state[0], seat, action)


@way_in
def setup(state):
    f.setup(state[0])


@way_in
def chance_outcomes(state, actions, weights):
    return f.chance_outcomes(state[0], actions, weights)


@way_in
def seen(state, seat, action, viewer):
    return f.seen(state[0], seat, action, viewer)


@way_in
def view(state, seat, out):
    view_of(state[0], seat, out[0])


@way_in
def sample(state, rng):
    f.sample(state[0], rng)


@way_in
def utilities(state, out):
    f.utilities(state[0], out)


@way_in
def scores(state, out):
    f.scores(state[0], out)


@way_in
def evaluate(state, out):
    f.evaluate(state[0], out)


@way_in
def policy(state, seat, actions, count, weights):
    return f.policy(state[0], seat, actions, count, weights)


@way_in
def random_outcome(state, actions, weights, rng):
    return f.random_outcome(state[0], actions, weights, rng)


@way_in
def random_action(state, seat, actions, rng):
    return f.random_action(state[0], seat, actions, rng)


@way_in
def encode(state, out):
    f.encode(state[0], out)


@entry
def samples(view, out, rng):
    """Fill `out` with worlds sampled from the view."""
    for i in range(len(out)):
        out[i] = view[0]
        f.sample(out[i], rng)


@entry
def draw_listed(listed, count, rng):
    """Return one of the outcomes of chance as `status_of` lists them."""
    return drawn(listed, listed[len(listed) // 2 :], count, rng)


@rule
def random_ply(state, actions, weights, rng):
    """Let one seat that may act, or chance, take a random action."""
    acting = int(state.acting)
    if acting == 0:
        f.apply_action(state, CHANCE, f.random_outcome(state, actions, weights, rng))
        return
    seat = lowest(acting)
    f.apply_action(state, seat, f.random_action(state, seat, actions, rng))


class Games(NamedTuple):
    """Random games that are asked for: those of a seed from `first` to `last` − 1."""

    first: int
    last: int
    seed: int
    max_plies: int


@entry
def playouts(pool, begin, games, actions, weights, gains, totals):
    """Play `Games` in `pool[0]`, each from `begin[0]`.

    Game i uses stream i of the seed, so threads share work without changing it.
    `gains` collects utilities; `totals` counts actions and games that were cut.
    """
    rng = totals[2:]
    utility = gains[1]
    for game in range(games.first, games.last):
        seed_rng(rng, games.seed, game)
        pool[0] = begin[0]
        state = pool[0]
        taken = 0
        while state.over == 0 and taken < games.max_plies:
            random_ply(state, actions, weights, rng)
            taken += 1
        totals[0] += taken
        if state.over == 0:
            totals[1] += 1
            continue
        f.utilities(state, utility)
        for seat in range(int(state.seats)):
            gains[0, seat] += utility[seat]
