"""The rules of Bin'Fa: the set-up, what is legal in each phase, and what actions do.

What happens in a turn is told in `turns`, and its parts in `moving`, `dislodging`, `losses`
and `supplies`. Refusals and reasons are codes of statements (`statements`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules import dislodging, moving, supplies, terrain, turns
from tianxia.games.binfa.rules import state as s
from tianxia.games.binfa.rules import statements as because
from tianxia.games.binfa.rules.maps import NAMED_POOLS, NAMED_TERRAIN
from tianxia.games.binfa.rules.piles import add, contains, pool_count
from tianxia.kernel import functions as kernel
from tianxia.kernel.arrays import copy_into
from tianxia.kernel.bits import lowest
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import rule
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import below, drawn

# --- The set-up ---


@answers(kernel.setup, s.STATE)
def setup(state):
    named = int(state.options.map) - s.NAMED
    if named >= len(NAMED_TERRAIN):
        copy_into(state.terrain, state.options.chart[:2])
        copy_into(state.pools, state.options.chart[2:])
    elif named >= 0:
        copy_into(state.terrain, NAMED_TERRAIN[named])
        if state.options.level == 4:
            copy_into(state.pools, NAMED_POOLS[named])
    go_on_mapping(state)


@rule
def go_on_mapping(state):
    """Ask for the next marker, or go on to the colours."""
    state.acting = 0
    if state.options.level == 1 or state.options.map >= s.NAMED or terrain.map_complete(state):
        state.phase = s.COLOURING
    elif state.options.map == s.PLACED:
        markers = terrain.terrain_count(state) + pool_count(state)
        state.acting = 1 << markers % int(state.seats)
    return turns.ASKED


@rule
def drawn_count(state):
    count = 0
    while count < c.COLOURS and state.drawn[count] != 0:
        count += 1
    return count


@rule
def colour_refusal(state, colour):
    """Say whether a colour can be drawn next: any that is left, or the only one that is due."""
    count, seats = drawn_count(state), int(state.seats)
    if state.options.bases != 0 and count > 0:
        ahead = count % seats * (c.COLOURS // seats) + count // seats
        due = (int(state.drawn[0]) - 1 + ahead) % c.COLOURS
        return 0 if due == colour else because.COLOURS_ARE_DRAWN
    chosen = int(state.options.chosen[count]) if count < seats else 0
    if chosen != 0:
        return 0 if chosen == colour + 1 else because.COLOURS_ARE_DRAWN
    taken = int(state.owner[colour] != 0)
    for seat in range(seats):
        taken += int(state.options.chosen[seat] == colour + 1)
    return 0 if taken == 0 else because.COLOURS_ARE_DRAWN


@rule
def draw_colour(state, colour):
    count = drawn_count(state)
    seats = int(state.seats)
    state.drawn[count] = colour + 1
    state.owner[colour] = count % seats + 1
    if count + 1 == seats * state.options.armies:
        state.phase = s.PLACING
        state.acting = (1 << seats) - 1
    return turns.ASKED


@rule
def unit_refusal(state, seat, t):
    """Say what forbids a seat to set a unit up on a triangle."""
    army = c.SECTOR[t]
    if state.owner[army] != seat + 1:
        return because.SET_UP_IN_ITS_BASE
    if contains(state.terrain, t):
        return because.TERRAIN_IS_CLOSED
    if contains(state.pools, t):
        return because.INTO_A_POOL
    return 0 if state.strength[army] < c.ARMY else because.TWELVE_UNITS


@rule
def pawn_refusal(state, seat, circle):
    army = circle // c.SIDE
    return (
        0 if state.owner[army] == seat + 1 and state.pawns[army] == 0 else because.PAWN_ON_ITS_BASE
    )


@rule
def units_placed(state, seat):
    for army in range(c.COLOURS):
        if state.owner[army] == seat + 1 and state.strength[army] < c.ARMY:
            return False
    return True


@rule
def pawns_placed(state, seat):
    for army in range(c.COLOURS):
        if state.owner[army] == seat + 1 and state.pawns[army] == 0:
            return False
    return True


@rule
def seat_done(state, seat):
    """Note that a seat has finished what it does in secret; after the last one chance opens."""
    state.plies += 1
    state.acting = int(state.acting) & ~(1 << seat)


@rule
def open_units(state):
    for army in range(c.COLOURS):
        if state.owner[army] != 0:
            state.alive |= 1 << army
    if turns.with_supplies(state):
        state.phase = s.PAWNS
        state.acting = (1 << int(state.seats)) - 1
        return turns.ASKED
    return turns.begin_play(state)


# --- What is legal ---


DUE = c.ACTIONS.table(
    {
        "spot": 1 << s.MAPPING | 1 << s.PLACING,
        "circle": 1 << s.PAWNS,
        "move supply": 1 << s.CHOOSING,
        "roll stop attack": 1 << s.READY,
        "go": 1 << s.MOVING | 1 << s.RETREATING | 1 << s.OCCUPYING,
        "count": 1 << s.COUNTING | 1 << s.DIVIDING | 1 << s.SPLITTING,
        "out": 1 << s.LEAVING,
        "pawn": 1 << s.STEPPING,
        "take bank leave": 1 << s.RAIDING,
    }
)
"""The phases in which a player's action is due, as bits."""


_DUE_BY = {
    s.MAPPING: because.TERRAIN_IS_LAID,
    s.COLOURING: because.COLOURS_ARE_DRAWN,
    s.PLACING: because.SET_UP_IN_ITS_BASE,
    s.PAWNS: because.PAWN_ON_ITS_BASE,
    s.STORES: because.FIRST_SUPPLIES,
    s.FIRST: because.LOWEST_BEGINS,
    s.CHOOSING: because.MOVE_OR_RESUPPLY,
    s.PASSING: because.TURN_PASSED_OVER,
    s.MOVING: because.ALL_MOVES_ARE_MADE,
    s.COUNTING: because.ACROSS_A_SIDE,
    s.LEAVING: because.INTO_A_POOL,
    s.DIVIDING: because.INTO_A_POOL,
    s.RETREATING: because.TARGET_RETREATS,
    s.SPLITTING: because.TARGET_RETREATS,
    s.OCCUPYING: because.TWO_TRIANGLES_AWAY,
    s.FORAGING: because.BY_A_DIE_OR_BOTH,
    s.STEPPING: because.BY_A_DIE_OR_BOTH,
    s.RAIDING: because.FROM_ANOTHER_ARMY,
}
DUE_BY: NDArray[np.int64] = np.array(
    [_DUE_BY.get(phase, because.DICE_GIVE_MOVES) for phase in range(s.PHASES)]
)
"""The statement of the decision that is due in each phase."""


@rule
def due_statement(state):
    """Return the statement of the decision that is due."""
    if state.phase == s.MAPPING and terrain.next_is_pool(state):
        return because.POOLS_ARE_LAID
    return int(DUE_BY[state.phase])


@rule
def out_of_place(state, action):
    """Return why an action of another phase is refused.

    Army and use of a turn are named once, before its first roll: it is too late for another.
    """
    phase = int(state.phase)
    retreats = phase in (s.RETREATING, s.SPLITTING)
    names_army = c.kind_of(action) in (c.MOVE_ARMY, c.SUPPLY_ARMY)
    if phase > s.CHOOSING and turns.with_supplies(state) and names_army and not retreats:
        return (
            because.MOVE_OR_RESUPPLY
            if c.argument(action, 0) + 1 == state.army
            else because.ONE_ARMY_A_TURN
        )
    return due_statement(state)


@rule
def not_asked(state):
    """Return the statement by which a seat is refused that may not act."""
    if state.phase == s.PLACING:
        return because.TWELVE_UNITS
    return because.ROUND_THE_TABLE if state.phase >= s.CHOOSING else due_statement(state)


@rule
def army_refusal(state, seat, action):
    """Say what forbids to choose an army for this turn, to move or to resupply."""
    army = c.argument(action, 0)
    if int(state.alive) >> army & 1 == 0 or state.owner[army] != seat + 1:
        return because.ONE_ARMY_A_TURN
    if c.kind_of(action) == c.SUPPLY_ARMY:
        return 0 if supplies.store(state) > 0 else because.STORE_IS_EMPTY
    return 0 if state.supplies[army] > 0 else because.A_ROLL_IS_PAID_FOR


@rule
def raid_refusal(state, action):
    """Say what forbids to take from the store, or nothing, instead of from the other army."""
    if action == c.TAKE:
        return 0
    stands = supplies.stands_in(state, int(state.army) - 1, int(state.raid) - 1)
    if action == c.BANK:
        return 0 if stands else because.NOTHING_WITHOUT_A_PILE
    return because.FROM_THE_STORE if stands else 0


@rule
def ready_refusal(state, action):
    """Say what forbids to roll, to stop or to attack."""
    if action == c.STOP:
        return 0 if state.rolled != 0 else because.STOP_AFTER_A_ROLL
    if action == c.ROLL:
        return 0
    return dislodging.attack_refusal(state, c.argument(action, 0), c.argument(action, 1))


@answers(kernel.refusal, s.STATE)
def refusal(state, seat, action):
    if state.over != 0:
        return int(state.reason)
    if seat == CHANCE:
        return chance_refusal(state, action)
    if int(state.acting) >> seat & 1 == 0:
        return not_asked(state)
    phase = int(state.phase)
    if action >= c.COLOUR:
        return because.ROUND_THE_TABLE if phase >= s.CHOOSING else due_statement(state)
    if DUE[action] >> phase & 1 == 0:
        return out_of_place(state, action)
    return decision_refusal(state, seat, action)


@rule
def setup_refusal(state, seat, one):
    """Say what forbids a choice of the set-up."""
    if state.phase == s.PLACING:
        return unit_refusal(state, seat, one)
    if state.phase == s.PAWNS:
        return pawn_refusal(state, seat, one)
    return terrain.marker_refusal(state, one)


@rule
def decision_refusal(state, seat, action):
    """Say what forbids an action of the kind that is due."""
    phase = int(state.phase)
    one, way = c.argument(action, 0), c.argument(action, 1)
    if phase == s.MOVING:
        return moving.step_refusal(state, one, way)
    if phase == s.COUNTING:
        return moving.count_refusal(state, one)
    if phase == s.READY:
        return ready_refusal(state, action)
    if phase == s.CHOOSING:
        return army_refusal(state, seat, action)
    if phase == s.RETREATING:
        here = one + 1 == state.vacated
        return dislodging.retreat_refusal(state, way) if here else because.TARGET_RETREATS
    if phase == s.SPLITTING:
        return dislodging.split_refusal(state, one)
    if phase == s.OCCUPYING:
        return (
            dislodging.occupation_refusal(state, way)
            if one == moving.goal(state)
            else because.TWO_TRIANGLES_AWAY
        )
    if phase == s.STEPPING:
        return supplies.distance_refusal(state, one)
    if phase == s.RAIDING:
        return raid_refusal(state, action)
    if phase == s.LEAVING:
        return moving.out_refusal(state, one)
    if phase == s.DIVIDING:
        return moving.divide_refusal(state, one)
    return setup_refusal(state, seat, one)


@rule
def legal_ready(state, out):
    count = 0
    for action in (c.ROLL, c.STOP):
        if ready_refusal(state, action) == 0:
            out[count] = action
            count += 1
    return dislodging.legal_attacks(state, out, count)


@rule
def legal_armies(state, seat, out):
    count = 0
    for action in range(c.MOVE_ARMY, c.ROLL):
        if army_refusal(state, seat, action) == 0:
            out[count] = action
            count += 1
    return count


@rule
def legal_spots(state, seat, out):
    """Write where a seat may set a unit up: what is free in the bases of its armies."""
    count = 0
    for army in range(c.COLOURS):
        if state.owner[army] != seat + 1 or state.strength[army] >= c.ARMY:
            continue
        first = c.BASE * army
        half = c.HALF_OF[first]
        taken = int(state.terrain[half]) | int(state.pools[half])
        free = c.BASE_HALF * c.BIT_OF[first] & ~taken
        while free != 0:
            out[count] = c.SPOT + half * c.HALF + lowest(free)
            free &= free - 1
            count += 1
    return count


@answers(kernel.legal_actions, s.STATE)
def legal_actions(state, seat, out):
    if int(state.acting) >> seat & 1 == 0:
        return 0
    phase = int(state.phase)
    if phase == s.MOVING:
        return moving.legal_steps(state, out)
    if phase == s.READY:
        return legal_ready(state, out)
    if phase == s.CHOOSING:
        return legal_armies(state, seat, out)
    if phase == s.STEPPING:
        return supplies.legal_distances(state, out)
    if phase == s.PLACING:
        return legal_spots(state, seat, out)
    first, end = due_actions(state, phase)
    count = 0
    for action in range(first, end):
        if decision_refusal(state, seat, action) == 0:
            out[count] = action
            count += 1
    return count


@rule
def due_actions(state, phase):
    """Return the first action that can be due in a phase, and one more than the last."""
    if phase in (s.COUNTING, s.DIVIDING):
        return c.COUNT, c.COUNT + int(state.height[int(state.origin) - 1])
    if phase == s.SPLITTING:
        return c.COUNT, c.COUNT + int(state.height[int(state.vacated) - 1])
    if phase == s.RETREATING:
        return c.go_along(int(state.vacated) - 1, 0), c.go_along(int(state.vacated), 0)
    if phase == s.OCCUPYING:
        return c.go_along(moving.goal(state), 0), c.go_along(moving.goal(state) + 1, 0)
    if phase == s.LEAVING:
        return c.OUT, c.PAWN
    if phase == s.RAIDING:
        return c.TAKE, c.LEAVE + 1
    return (c.CIRCLE, c.MOVE_ARMY) if phase == s.PAWNS else (c.SPOT, c.CIRCLE)


# --- Chance ---


@rule
def rolls_dice(phase):
    return phase in (s.STORES, s.FIRST, s.ROLLING, s.ATTACKING, s.FORAGING)


@rule
def chance_refusal(state, action):
    """Return 0 for what chance can do now, else the statement that it would break."""
    phase = int(state.phase)
    if state.acting == 0:
        kind, one = c.kind_of(action), c.argument(action, 0)
        if kind == c.SPOT and phase == s.MAPPING:
            return terrain.marker_refusal(state, one)
        if kind == c.COLOUR and phase == s.COLOURING:
            return colour_refusal(state, one)
        if kind == c.OPEN and phase in (s.PLACING, s.PAWNS):
            return 0
        if kind == c.ROLLED and rolls_dice(phase):
            return 0
        if kind == c.PASS and phase == s.PASSING:
            return 0
    return because.ROUND_THE_TABLE if phase >= s.CHOOSING else due_statement(state)


@answers(kernel.chance_outcomes, s.STATE)
def chance_outcomes(state, actions, weights):
    if state.acting != 0 or state.over != 0:
        return 0
    phase = int(state.phase)
    if rolls_dice(phase):
        for i in range(c.ROLLS):
            actions[i] = c.ROLLED + i
            weights[i] = c.ROLL_WEIGHTS[i]
        return c.ROLLS
    if phase == s.MAPPING:
        return terrain.chance_markers(state, actions, weights)
    count = 0
    if phase == s.COLOURING:
        for colour in range(c.COLOURS):
            if colour_refusal(state, colour) == 0:
                actions[count] = c.COLOUR + colour
                weights[count] = 1
                count += 1
        return count
    actions[0] = c.PASS if phase == s.PASSING else c.OPEN
    weights[0] = 1
    return 1


@answers(kernel.random_outcome, s.STATE)
def random_outcome(state, actions, weights, rng):
    if rolls_dice(int(state.phase)):
        return c.ROLLED + c.TICKETS[below(rng, c.SIX * c.SIX)]
    return drawn(actions, weights, kernel.chance_outcomes(state, actions, weights), rng)


# --- What happens ---


@answers(kernel.apply_action, s.STATE)
def apply_action(state, seat, action):
    phase = int(state.phase)
    if phase == s.PLACING and seat != CHANCE:
        spot = c.argument(action, 0)
        add(state, spot, c.SECTOR[spot])
        if units_placed(state, seat):
            seat_done(state, seat)
        return
    if phase == s.PAWNS and seat != CHANCE:
        circle = c.argument(action, 0)
        state.pawns[circle // c.SIDE] = circle + 1
        if pawns_placed(state, seat):
            seat_done(state, seat)
        return
    if begins(state):
        state.sealed = state.plies  # whoever has acted before
    state.plies += 1
    then = happen(state, action) if seat == CHANCE else decide(state, phase, action)
    if seat == CHANCE or (phase in (s.RETREATING, s.SPLITTING) and then != turns.ASKED):
        # Nobody takes back what was drawn or shown, nor a retreat when the attackers follow.
        state.sealed = state.plies
    turns.go_on(state, then)


@rule
def begins(state):
    """Say whether what the acting seat does now is the first after others have acted."""
    first = state.phase == s.READY and state.rolled == 0 and not turns.with_supplies(state)
    return first or int(state.phase) in (s.MAPPING, s.CHOOSING)


@rule
def decide(state, phase, action):
    """Carry a decision out that everybody sees; return what comes next."""
    one, way = c.argument(action, 0), c.argument(action, 1)
    if phase in (s.MOVING, s.COUNTING):
        count = turns.choose_step(state, one, way) if phase == s.MOVING else one
        return turns.choose_count(state, count) if count > 0 else turns.ask(state, s.COUNTING)
    if phase == s.READY:
        return decide_ready(state, action)
    if phase == s.CHOOSING:
        return choose_army(state, action)
    if phase == s.RETREATING:
        return turns.choose_retreat(state, way, 0)
    if phase == s.SPLITTING:
        return turns.choose_retreat(state, int(state.escape) - 1, one)
    if phase == s.OCCUPYING:
        return turns.choose_occupation(state, way)
    if phase == s.STEPPING:
        return turns.choose_distance(state, one)
    if phase == s.RAIDING:
        return choose_raid(state, action)
    if phase == s.LEAVING:
        state.exit = one + 1
        return turns.choose_division(state, 0)
    if phase == s.DIVIDING:
        return turns.choose_division(state, one)
    terrain.put_marker(state, one)
    return go_on_mapping(state)


@rule
def decide_ready(state, action):
    if action == c.STOP:
        return turns.END_TURN
    if action == c.ROLL:
        return turns.pay(state, s.ROLLING)
    return turns.announce(state, c.argument(action, 0), c.argument(action, 1))


@rule
def choose_army(state, action):
    state.army = c.argument(action, 0) + 1
    if c.kind_of(action) == c.MOVE_ARMY:
        return turns.ask(state, s.READY)
    return turns.leave_to_chance(state, s.FORAGING)


@rule
def choose_raid(state, action):
    if action == c.TAKE:
        supplies.raid(state)
    elif action == c.BANK:
        supplies.draw_supplies(state, int(state.army) - 1, int(state.distance))
    return turns.FORAGED


@rule
def happen(state, action):
    """Carry out what chance brings; return what comes next."""
    phase, one = int(state.phase), c.argument(action, 0)
    if phase == s.MAPPING:
        terrain.put_marker(state, one)
        return go_on_mapping(state)
    if phase == s.COLOURING:
        return draw_colour(state, one)
    if phase == s.PLACING:
        return open_units(state)
    if phase == s.PAWNS:
        return turns.begin_play(state)
    if phase == s.PASSING:
        return turns.END_TURN
    high, low = c.DICE[one, 0], c.DICE[one, 1]
    if phase == s.STORES:
        return turns.stock(state, high + low)
    if phase == s.FIRST:
        return turns.roll_for_first(state, high + low)
    if phase == s.FORAGING:
        return turns.roll_to_forage(state, high, low)
    return turns.roll_for_units(state, high, low)
