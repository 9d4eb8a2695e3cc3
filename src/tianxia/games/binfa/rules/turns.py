"""The course of a turn: whose it is, what a roll brings, when it is over.

Every function here does one thing and returns what comes next, which `go_on` then does,
until somebody is asked or chance is due. Functions that called one another instead would
be compiled into one another, over and over.
"""

from __future__ import annotations

from tianxia.games.binfa.rules import dislodging, losses, moving
from tianxia.games.binfa.rules import state as s
from tianxia.games.binfa.rules.components import COLOURS, SIX, SUPPLIED
from tianxia.games.binfa.rules.piles import contains, owners_of, pool, pool_count
from tianxia.games.binfa.rules.supplies import can_go, draw_supplies, go, seat_has_supplies, store
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import rule

# --- What comes next ---

ASKED = 0  # somebody decides, chance acts, or the game is over
BEGIN_TURN, END_TURN, MOVE_ON, END_ROLL = range(1, 5)
DISPLACED, RETREATS, DISLODGED, FORAGED = range(5, 9)


@rule
def go_on(state, then):
    """Do what comes next, until somebody is asked."""
    while then != ASKED and state.over == 0:
        if then == DISPLACED:
            then = displaced(state)
        elif then == MOVE_ON:
            then = move_on(state)
        elif then == END_ROLL:
            then = end_roll(state)
        elif then == END_TURN:
            then = end_turn(state)
        elif then == BEGIN_TURN:
            then = begin_turn(state)
        elif then == RETREATS:
            then = dislodge(state)
        elif then == DISLODGED:
            then = end_dislodging(state)
        else:
            then = end_foraging(state)


@rule
def ask(state, phase):
    """Let the active player decide."""
    state.phase = phase
    state.acting = 1 << int(state.active)
    return ASKED


@rule
def leave_to_chance(state, phase):
    state.phase = phase
    state.acting = 0
    return ASKED


@rule
def with_supplies(state):
    return state.options.level >= SUPPLIED


# --- The first supplies, and who begins ---


@rule
def next_stocked(state):
    """Return the army that rolls next for supplies: seat by seat, in the order of drawing."""
    each = int(state.options.armies)
    seat = int(state.stocked) // each
    return int(state.drawn[int(state.stocked) % each * int(state.seats) + seat]) - 1


@rule
def stock(state, total):
    """Give an army its first supplies; after the last one find who has the fewest."""
    draw_supplies(state, next_stocked(state), total)
    state.stocked += 1
    if state.stocked < state.options.armies * state.seats:
        return ASKED
    state.stocked = 0
    return contend(state, poorest(state))


@rule
def poorest(state):
    """Return the seats, as bits, that have an army with the fewest supplies (BIN-25b)."""
    least = 127
    seats = 0
    for army in range(COLOURS):
        if state.owner[army] != 0:
            supplies = int(state.supplies[army])
            if supplies < least:
                least = supplies
                seats = 0
            if supplies == least:
                seats |= 1 << (int(state.owner[army]) - 1)
    return seats


@rule
def contend(state, seats):
    """Let these seats roll for the first turn; one alone begins."""
    state.totals[:] = 0
    if seats & (seats - 1) == 0:
        state.contest = 0
        state.active = lowest(seats)
        return BEGIN_TURN
    state.contest = seats
    return leave_to_chance(state, s.FIRST)


@rule
def next_contender(state):
    """Return the first seat that has still to roll for the first turn, or −1."""
    for seat in range(int(state.seats)):
        if int(state.contest) >> seat & 1 != 0 and state.totals[seat] == 0:
            return seat
    return -1


@rule
def roll_for_first(state, total):
    """Note a roll; after the last one the lowest total begins, ties roll again (BIN-02a)."""
    state.totals[next_contender(state)] = total
    if next_contender(state) >= 0:
        return ASKED
    least = 127
    seats = 0
    for seat in range(int(state.seats)):
        rolled = int(state.totals[seat])
        if rolled != 0 and rolled < least:
            least = rolled
            seats = 0
        if rolled == least:
            seats |= 1 << seat
    return contend(state, seats)


@rule
def begin_play(state):
    """Go on after the set-up: supplies from level 3, else all roll for the first turn."""
    if with_supplies(state):
        return leave_to_chance(state, s.STORES)
    return contend(state, (1 << int(state.seats)) - 1)


# --- A turn ---


@rule
def begin_turn(state):
    """Ask the active player what he does, as far as there is a choice."""
    state.army = 0
    state.rolled = 0
    seat = int(state.active)
    if not with_supplies(state):
        for army in range(COLOURS):
            if state.owner[army] == seat + 1:
                state.army = army + 1
        return ask(state, s.READY)
    if store(state) > 0 or seat_has_supplies(state, seat):
        return ask(state, s.CHOOSING)
    return leave_to_chance(state, s.PASSING)


@rule
def end_turn(state):
    """Pass the dice clockwise to the next player with an army, or end by length."""
    losses.forget_roll(state)
    state.turns += 1
    if state.options.turns > 0 and state.turns >= state.options.turns:
        losses.finish_by_count(state)
        return ASKED
    owners = owners_of(state, int(state.alive))
    seat = (int(state.active) + 1) % int(state.seats)
    while owners >> seat & 1 == 0:
        seat = (seat + 1) % int(state.seats)
    state.active = seat
    return BEGIN_TURN


@rule
def pay(state, phase):
    """Pay for a roll (BIN-28a) and leave it to the dice."""
    if with_supplies(state):
        state.supplies[int(state.army) - 1] -= 1
    return leave_to_chance(state, phase)


@rule
def roll_for_units(state, high, low):
    """Carry out the dice of a roll to move, or of an attack."""
    attacking = state.phase == s.ATTACKING
    state.rolled = 1
    if high == low:
        losses.drown(state, False)
        if (
            state.over != 0
            or not attacking
            or high != SIX
            or not dislodging.stands_as_announced(state)
        ):
            return END_TURN
    elif attacking and high != SIX:
        return END_ROLL  # nothing is due: units inside stay (BIN-46a)
    else:
        mark_due(state)
    state.high = high
    state.low = low
    state.moves = high - low
    if not attacking:
        return MOVE_ON
    state.step = 1
    state.vacated = moving.goal(state) + 1
    return RETREATS


@rule
def mark_due(state):
    """Note the army's piles in whirlpools: they have to leave on this roll (BIN-40a)."""
    state.due = 0
    for index in range(pool_count(state)):
        if state.top[pool(state, index)] == state.army:
            state.due |= 1 << index


@rule
def move_on(state):
    """Ask for the next displacement, or end the roll, or the turn of an army that fell."""
    if not losses.active_stands(state):
        return END_TURN
    if state.moves > 0 and moving.can_step(state):
        return ask(state, s.MOVING)
    return END_ROLL


@rule
def end_roll(state):
    """Lose what has not left the whirlpools; then the player may go on if he can pay."""
    losses.drown(state, True)
    if state.over != 0:
        return ASKED
    losses.forget_roll(state)
    if not losses.active_stands(state):
        return END_TURN
    if with_supplies(state) and state.supplies[int(state.army) - 1] == 0:
        return END_TURN
    return ask(state, s.READY)


# --- A displacement ---


@rule
def displaced(state):
    """See to what follows a displacement."""
    state.origin = 0
    state.way = 0
    state.group = 0
    state.exit = 0
    state.moves -= 1
    losses.capture(state)
    return MOVE_ON


@rule
def choose_step(state, origin, way):
    """Take a displacement; return how many units must go along, 0 if there is a choice."""
    state.origin = origin + 1
    state.way = way + 1
    return moving.only_count(state)


@rule
def choose_count(state, count):
    """Move so many units, or ask where they come out of a whirlpool if there is a choice."""
    if not contains(state.pools, moving.goal(state)):
        moving.step(state, count)
        return DISPLACED
    state.group = count
    only = moving.first_out(state, -1)
    if moving.first_out(state, only) >= 0:
        return ask(state, s.LEAVING)
    state.exit = only + 1
    moving.transfer(state, count)
    return DISPLACED


@rule
def choose_division(state, count):
    """Bring the units out, the top `count` where it was chosen; all of them if 0."""
    if count == 0 and moving.can_divide(state):
        return ask(state, s.DIVIDING)
    moving.transfer(state, count if count > 0 else int(state.group))
    return DISPLACED


# --- A dislodgement ---


@rule
def announce(state, origin, way):
    state.origin = origin + 1
    state.way = way + 1
    state.foe = state.top[moving.goal(state)]
    return pay(state, s.ATTACKING)


@rule
def dislodge(state):
    """Carry the dislodgement on as far as nobody has to decide."""
    if not losses.active_stands(state):
        return DISLODGED
    if state.vacated != 0:
        way = dislodging.first_retreat(state, -1)
        if way < 0:
            return after_loss(state)
        if dislodging.first_retreat(state, way) >= 0:
            return ask_retreaters(state, s.RETREATING)
        dislodging.retreat(state, way, int(state.height[int(state.vacated) - 1]))
        return RETREATS
    if state.step == 1 and state.height[moving.goal(state)] == 0:
        dislodging.advance(state)
    if state.moves > 0:
        return DISLODGED
    if dislodging.next_group(state):
        return RETREATS
    return follow(state)


@rule
def after_loss(state):
    """Go on where the attacked could not retreat; into the whirlpool, if one took them."""
    drowned = dislodging.lose_retreaters(state)
    if state.over != 0 or not losses.active_stands(state):
        return DISLODGED
    if drowned and state.step == 1 and state.moves == 0:
        dislodging.advance(state)
        dislodging.follow_into_pool(state)
        return DISLODGED
    return RETREATS


@rule
def ask_retreaters(state, phase):
    """Let the owner of the attacked pile decide."""
    state.phase = phase
    owner = int(state.owner[int(state.top[int(state.vacated) - 1]) - 1])
    state.acting = 1 << (owner - 1)
    return ASKED


@rule
def follow(state):
    """Let the attackers take a vacated triangle, which their player chooses of two."""
    way = dislodging.first_occupation(state, -1)
    if way < 0:
        return DISLODGED
    if dislodging.first_occupation(state, way) >= 0:
        return ask(state, s.OCCUPYING)
    dislodging.occupy(state, way)
    return DISLODGED


@rule
def end_dislodging(state):
    """Test for captures once, then move what the dice give; a double 6 ends the turn."""
    if losses.active_stands(state):
        losses.capture(state)
    if state.moves == 0:
        return END_TURN
    state.origin = 0
    state.way = 0
    state.foe = 0
    state.step = 0
    state.vacated = 0
    return MOVE_ON


@rule
def choose_retreat(state, way, count):
    """Retreat along a way, the top `count` units; 0 asks how many if there is a choice."""
    if count == 0 and dislodging.can_split(state):
        state.escape = way + 1
        return ask_retreaters(state, s.SPLITTING)
    here = int(state.vacated) - 1
    dislodging.retreat(state, way, count if count > 0 else int(state.height[here]))
    return RETREATS


@rule
def choose_occupation(state, way):
    dislodging.occupy(state, way)
    return DISLODGED


# --- Resupply ---


@rule
def roll_to_forage(state, high, low):
    state.high = high
    state.low = low
    return ask(state, s.STEPPING) if can_go(state) else FORAGED


@rule
def end_foraging(state):
    """Roll again after a double (BIN-27), else end the turn."""
    again = state.high == state.low
    losses.forget_roll(state)
    return leave_to_chance(state, s.FORAGING) if again else END_TURN


@rule
def choose_distance(state, distance):
    return ask(state, s.RAIDING) if go(state, distance) else FORAGED
