"""Looking ahead: plans for a turn, tried in sampled worlds, everybody else by habit.

A plan is what a player begins now: a piece or two with the cards that pay for them, an
exchange, a card to take. First all plans are listed and valued by what they change at
once, and the best are kept. Then each of these is carried out in many worlds that agree
with what the player knows, the rest of the turn and the turns after it are played by
`habit`, and the chances to win are read off (`worth.chances`). All plans meet the same
worlds and the same luck, so that their differences are measured and not the worlds'.
"""

from __future__ import annotations

import numpy as np

from tianxia.games.china.bot.habit import habit, hand_worth, province_of, survey
from tianxia.games.china.bot.worth import OF_CARD, appraise, chances, read_board
from tianxia.games.china.rules import components as c
from tianxia.games.china.rules.state import MORE, TURN
from tianxia.kernel import functions as kernel
from tianxia.kernel.arrays import copy_into
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import entry, rule
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import seed_rng

LUCK = 1 << 32
"""Keeps the numbers of what happens in a world apart from those that made it."""
TOTAL, SQUARES, STATIC = range(3)
"""Columns of `sums`: values added up, their squares, and what a plan changes at once."""


@entry
def ponder(view, pools, desks, seat, plans, alive, sums, worlds, turns):
    """List a seat's plans where there are no worlds, else try them: see `propose` and `compare`.

    One compiled function for both: they have the rules and most of their code in common.
    """
    if worlds.last == 0:
        return propose(view, pools, desks, seat, plans, sums, worlds.seed)
    compare(view, pools, desks, seat, plans, alive, sums, worlds, turns)
    return len(alive)


@rule
def propose(view, pools, desks, seat, plans, sums, seed):
    """List a seat's plans, the best by what they change at once first.

    Parameters
    ----------
    view
        Pool of one record: what the seat may know; it may act.
    pools, desks
        Two records of room for worlds; one of `worth.DESK`.
    plans
        Array (most plans, 2) for a first action and a second one, −1 for none.
    sums
        Array (most plans, 3); the last column becomes the plans' values at once.

    Returns
    -------
    int
        How many plans there are, as many as there is room for at most.
    """
    world, after, desk = pools[:1], pools[1:2], desks[0]
    rng = desk.numbers[:]
    seed_rng(rng, seed, 0)
    begin(world, view[0])
    kernel.sample(world[0], rng)
    actions, seconds = desk.actions[:], desk.seconds[:]
    count = kernel.legal_actions(world[0], seat, actions)
    found = 0
    desk.surveyor = 0
    spare = spare_hand_worth(world[0], desk, seat)
    for i in range(count):
        action = np.int64(actions[i])
        begin(after, world[0])
        if action >= c.SWAP:
            if c.argument(action, 0) == c.argument(action, 1):
                continue  # a card for another of its kind
            swap = exchanged_worth(after[0], desk, seat, action) - spare
            found = enter(plans, sums, found, action, -1, swap)
            continue
        if action >= c.PASS and int(world[0].phase) == TURN:
            found = enter(plans, sums, found, action, -1, 0.0)
            continue
        kernel.apply_action(after[0], seat, action)
        settle(after[0], desk, rng)
        own = after[0].over == 0 and int(after[0].acting) == 1 << seat
        if action >= c.OPEN or not own or int(after[0].phase) != MORE:
            found = enter(plans, sums, found, action, -1, at_once(after[0], desk, seat, view[0]))
            continue
        more = kernel.legal_actions(after[0], seat, seconds)
        for j in range(more):
            second = np.int64(seconds[j])
            if is_listed(action, second, world[0], seat):
                continue
            begin(after, world[0])
            kernel.apply_action(after[0], seat, action)
            settle(after[0], desk, rng)
            kernel.apply_action(after[0], seat, second)
            value = at_once(after[0], desk, seat, view[0])
            found = enter(plans, sums, found, action, second, value)
    return found


@rule
def begin(worlds, state):
    """Begin a world: all do so here, since Numba copies a record byte by byte, in much code."""
    worlds[0] = state


@rule
def spare_hand_worth(state, desk, seat):
    """Return what the hand may do, where cards can be exchanged by a special card."""
    if state.seats != 2 or state.phase != TURN:
        return 0.0
    survey(state, desk, seat, seat)
    return hand_worth(state, desk, state.hands[seat])


@rule
def exchanged_worth(state, desk, seat, action):
    """Return what the hand may do after an exchange by the special card."""
    state.hands[seat, c.argument(action, 0)] -= 1
    state.hands[seat, c.argument(action, 1)] += 1
    return hand_worth(state, desk, state.hands[seat])


@rule
def is_listed(first, second, state, seat):
    """Say whether two pieces are listed in another order, or with their payments exchanged.

    Of two palaces that on the lower space is listed first, and a palace before an emissary; in
    one province the first is paid with the lower colour.
    """
    if first >= c.POST or second >= c.POST or is_fort(first) or is_fort(second):
        return False
    land = c.row_of(state)
    if province_of(land, first) != province_of(land, second):
        return second < first and kernel.refusal(state, seat, second) == 0
    before = first - first % c.COLOURS
    if first >= c.EMISSARY or second < c.FORT:
        before = min(before, second - second % c.COLOURS)
    before += min(first % c.COLOURS, second % c.COLOURS)
    return before != first and kernel.refusal(state, seat, before) == 0


@rule
def is_fort(action):
    return c.kind_of(action) == c.FORT


@rule
def settle(state, desk, rng):
    """Let chance act until a seat may decide."""
    while state.over == 0 and state.acting == 0:
        take_chance(state, desk, rng)


@rule
def take_chance(state, desk, rng):
    outcomes, weights = desk.outcomes[:], desk.chances[:]
    kernel.apply_action(state, CHANCE, kernel.random_outcome(state, outcomes, weights, rng))


@rule
def at_once(state, desk, seat, before):
    """Return what a plan has changed: one's own worth less the others', and the cards."""
    read_board(state, desk)
    appraise(state, desk, desk.worths)
    seats = int(state.seats)
    value = 0.0
    for other in range(seats):
        value += desk.worths[other] * (1.0 if other == seat else -1.0 / (seats - 1))
    return value + desk.now[OF_CARD] * int(state.hand_sizes[seat])


@rule
def enter(plans, sums, found, first, second, value):
    """Put a plan into the list in its order; the worst falls out where it is full.

    Exchanges and special cards change nothing at once; they always have a place.
    """
    if first >= c.PASS:
        value += 1000.0
    room = len(plans)
    if found == room and value <= sums[room - 1, STATIC]:
        return found
    place = min(found, room - 1)
    while place > 0 and sums[place - 1, STATIC] < value:
        copy_into(plans[place], plans[place - 1])
        copy_into(sums[place], sums[place - 1])
        place -= 1
    plans[place, 0], plans[place, 1] = first, second
    sums[place, STATIC] = value
    return min(found + 1, room)


@rule
def compare(view, pools, desks, seat, plans, alive, sums, worlds, turns):
    """Try plans in the same worlds: same world and same plan, same value.

    Parameters
    ----------
    alive
        The numbers of the plans to try.
    sums
        Array (plans, 3): the chances to win are added to the first column, their
        squares to the second.
    worlds
        `search.halving.Worlds`.
    turns
        How many turns are played, the present one included. The chances are read at the end of
        each of the last, once around the table at most.
    """
    world, trial, desk = pools[:1], pools[1:2], desks[0]
    rng, seed = desk.numbers[:], worlds.seed
    reads = min(turns, int(view[0].seats))
    for number in range(worlds.first, worlds.last):
        begin(world, view[0])
        seed_rng(rng, seed, number)
        kernel.sample(world[0], rng)
        for plan in alive:
            begin(trial, world[0])
            seed_rng(rng, seed, LUCK + number)
            carry_out(trial[0], desk, seat, plans[plan], rng)
            chance = outlook(trial[0], desk, seat, turns, reads, rng)
            sums[plan, TOTAL] += chance
            sums[plan, SQUARES] += chance * chance


@rule
def outlook(state, desk, seat, turns, reads, rng):
    """Play some turns by habit; return the mean chance to win at the ends of the last ones.

    Whoever has just moved looks too good: what the next turn takes away is still there. The
    mean of a whole round favours nobody. A game that is over needs no guess.
    """
    total = 0.0
    play_on(state, desk, turns - reads, rng)
    for _ in range(reads):
        play_on(state, desk, 1, rng)
        chances(state, desk, desk.worths)
        if state.over != 0:
            return desk.worths[seat]
        total += desk.worths[seat]
    return total / reads


@rule
def carry_out(state, desk, seat, plan, rng):
    """Take a plan's actions; the second one falls away where luck has made it impossible."""
    kernel.apply_action(state, seat, int(plan[0]))
    settle(state, desk, rng)
    if plan[1] >= 0 and state.over == 0 and kernel.refusal(state, seat, int(plan[1])) == 0:
        kernel.apply_action(state, seat, int(plan[1]))


@rule
def play_on(state, desk, turns, rng):
    """Play some turns by habit, the present one included."""
    desk.surveyor = 0
    active = int(state.active)
    while state.over == 0 and turns > 0:
        if state.acting == 0:
            take_chance(state, desk, rng)
        else:
            seat = lowest(int(state.acting))
            kernel.apply_action(state, seat, habit(state, desk, seat))
        if state.active != active:
            active = int(state.active)
            turns -= 1
