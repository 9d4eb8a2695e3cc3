"""The course of a turn: whose it is, what a roll brings, when it is over."""

from __future__ import annotations

from tianxia.games.binfa.components import COLOURS, SIX
from tianxia.games.binfa.dislodging import (
    advance,
    can_split,
    first_occupation,
    first_retreat,
    follow_into_pool,
    lose_retreaters,
    next_group,
    occupy,
    retreat,
    stands_as_announced,
)
from tianxia.games.binfa.losses import (
    active_stands,
    capture,
    drown,
    finish_by_count,
    forget_roll,
)
from tianxia.games.binfa.moving import (
    can_divide,
    can_step,
    first_out,
    goal,
    only_count,
    step,
    transfer,
)
from tianxia.games.binfa.piles import contains, owners_of, pool, pool_count
from tianxia.games.binfa.state import (
    ATTACKING,
    CHOOSING,
    COUNTING,
    DIVIDING,
    FIRST,
    FORAGING,
    LEAVING,
    MOVING,
    OCCUPYING,
    PASSING,
    RAIDING,
    READY,
    RETREATING,
    SPLITTING,
    STEPPING,
    STORES,
)
from tianxia.games.binfa.supplies import can_go, draw_supplies, go, seat_has_supplies, store
from tianxia.kernel.bits import lowest
from tianxia.kernel.functions import rule


@rule
def ask(state, phase):
    """Let the active player decide."""
    state.phase = phase
    state.acting = 1 << int(state.active)


@rule
def leave_to_chance(state, phase):
    state.phase = phase
    state.acting = 0


@rule
def with_supplies(state):
    return state.options.level >= 3


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
    if state.stocked == state.options.armies * state.seats:
        state.stocked = 0
        contend(state, poorest(state))


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
    for seat in range(int(state.seats)):
        state.totals[seat] = 0
    if seats & (seats - 1) == 0:
        state.contest = 0
        begin_turn(state, lowest(seats))
    else:
        state.contest = seats
        leave_to_chance(state, FIRST)


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
        return
    least = 127
    seats = 0
    for seat in range(int(state.seats)):
        rolled = int(state.totals[seat])
        if rolled != 0 and rolled < least:
            least = rolled
            seats = 0
        if rolled == least:
            seats |= 1 << seat
    contend(state, seats)


@rule
def begin_play(state):
    """Go on after the set-up: supplies from level 3, else all roll for the first turn."""
    if with_supplies(state):
        leave_to_chance(state, STORES)
    else:
        contend(state, (1 << int(state.seats)) - 1)


# --- A turn ---


@rule
def begin_turn(state, seat):
    state.active = seat
    state.army = 0
    state.rolled = 0
    if not with_supplies(state):
        for army in range(COLOURS):
            if state.owner[army] == seat + 1:
                state.army = army + 1
        ask(state, READY)
    elif store(state) > 0 or seat_has_supplies(state, seat):
        ask(state, CHOOSING)
    else:
        leave_to_chance(state, PASSING)


@rule
def end_turn(state):
    """Pass the dice clockwise to the next player with an army, or end by length."""
    forget_roll(state)
    state.turns += 1
    if state.options.turns > 0 and state.turns >= state.options.turns:
        finish_by_count(state)
        return
    owners = owners_of(state, int(state.alive))
    seat = int(state.active)
    while True:
        seat = (seat + 1) % int(state.seats)
        if owners >> seat & 1 != 0:
            break
    begin_turn(state, seat)


@rule
def pay(state):
    """Pay for a roll (BIN-28a) and leave it to the dice."""
    if with_supplies(state):
        state.supplies[int(state.army) - 1] -= 1


@rule
def end_roll(state):
    """Lose what has not left the whirlpools; then the player may go on if he can pay."""
    drown(state, True)
    if state.over != 0:
        return
    forget_roll(state)
    if not active_stands(state):
        end_turn(state)
    elif with_supplies(state) and state.supplies[int(state.army) - 1] == 0:
        end_turn(state)
    else:
        ask(state, READY)


@rule
def go_on_moving(state):
    """Ask for the next displacement, or end the roll, or the turn of an army that fell."""
    if state.over != 0:
        return
    if not active_stands(state):
        end_turn(state)
    elif state.moves > 0 and can_step(state):
        ask(state, MOVING)
    else:
        end_roll(state)


@rule
def mark_due(state):
    """Note the army's piles in whirlpools: they have to leave on this roll (BIN-40a)."""
    state.due = 0
    for index in range(pool_count(state)):
        if state.top[pool(state, index)] == state.army:
            state.due |= 1 << index


@rule
def roll_to_move(state, high, low):
    state.rolled = 1
    if high == low:
        drown(state, False)
        if state.over == 0:
            end_turn(state)
        return
    state.high = high
    state.low = low
    state.moves = high - low
    mark_due(state)
    go_on_moving(state)


# --- A displacement ---


@rule
def displaced(state):
    """See to what follows a displacement."""
    state.origin = 0
    state.way = 0
    state.group = 0
    state.exit = 0
    state.moves -= 1
    capture(state)
    go_on_moving(state)


@rule
def choose_step(state, origin, way):
    """Take a displacement; ask how many units go along if there is a choice."""
    state.origin = origin + 1
    state.way = way + 1
    count = only_count(state)
    if count > 0:
        choose_count(state, count)
    else:
        ask(state, COUNTING)


@rule
def choose_count(state, count):
    if not contains(state.pools, goal(state)):
        step(state, count)
        displaced(state)
        return
    state.group = count
    only = first_out(state, -1)
    if first_out(state, only) < 0:
        state.exit = only + 1
        choose_division(state, count)
    else:
        ask(state, LEAVING)


@rule
def choose_out(state, index):
    state.exit = index + 1
    if can_divide(state):
        ask(state, DIVIDING)
    else:
        choose_division(state, int(state.group))


@rule
def choose_division(state, count):
    transfer(state, count)
    displaced(state)


# --- A dislodgement ---


@rule
def announce(state, origin, way):
    state.origin = origin + 1
    state.way = way + 1
    state.foe = state.top[goal(state)]
    pay(state)
    leave_to_chance(state, ATTACKING)


@rule
def roll_to_attack(state, high, low):
    state.rolled = 1
    if high == low:
        drown(state, False)
        if state.over != 0:
            return
        if high != SIX or not stands_as_announced(state):
            end_turn(state)
            return
    elif high != SIX:
        end_roll(state)  # nothing is due: units inside stay (BIN-46a)
        return
    else:
        mark_due(state)
    state.high = high
    state.low = low
    state.moves = high - low
    state.step = 1
    state.vacated = goal(state) + 1
    go_on_dislodging(state)


@rule
def go_on_dislodging(state):
    """Carry the dislodgement on as far as nobody has to decide."""
    while state.over == 0 and active_stands(state):
        if state.vacated != 0:
            way = first_retreat(state, -1)
            drowned = False
            if way < 0:
                drowned = lose_retreaters(state)
            elif first_retreat(state, way) >= 0:
                ask_retreaters(state, RETREATING)
                return
            else:
                retreat(state, way, int(state.height[int(state.vacated) - 1]))
            if state.step > 1 or state.over != 0 or not active_stands(state):
                continue
            advance(state)
            if state.moves == 0 and drowned:
                follow_into_pool(state)
                break
            continue
        if state.moves > 0 or not next_group(state):
            if state.moves == 0 and must_choose(state):
                return
            break
    end_dislodging(state)


@rule
def ask_retreaters(state, phase):
    """Let the owner of the attacked pile decide."""
    state.phase = phase
    owner = int(state.owner[int(state.top[int(state.vacated) - 1]) - 1])
    state.acting = 1 << (owner - 1)


@rule
def must_choose(state):
    """Let the attackers take a vacated triangle; say whether their player has to choose it."""
    way = first_occupation(state, -1)
    if way < 0:
        return False
    if first_occupation(state, way) >= 0:
        ask(state, OCCUPYING)
        return True
    occupy(state, way)
    return False


@rule
def end_dislodging(state):
    """Test for captures once, then move what the dice give; a double 6 ends the turn."""
    if state.over != 0:
        return
    if active_stands(state):
        capture(state)
        if state.over != 0:
            return
    if state.moves == 0:
        end_turn(state)
        return
    state.origin = 0
    state.way = 0
    state.foe = 0
    state.step = 0
    go_on_moving(state)


@rule
def choose_retreat(state, way):
    if can_split(state):
        state.escape = way + 1
        ask_retreaters(state, SPLITTING)
    else:
        choose_split(state, way, int(state.height[int(state.vacated) - 1]))


@rule
def choose_split(state, way, count):
    """Carry out a retreat, and what follows of it."""
    first_step = state.step == 1
    retreat(state, way, count)
    if first_step:
        advance(state)
    go_on_dislodging(state)


@rule
def choose_occupation(state, way):
    occupy(state, way)
    end_dislodging(state)


# --- Resupply ---


@rule
def roll_to_forage(state, high, low):
    state.high = high
    state.low = low
    if can_go(state):
        ask(state, STEPPING)
    else:
        end_foraging(state)


@rule
def end_foraging(state):
    """Roll again after a double (BIN-27), else end the turn."""
    again = state.high == state.low
    forget_roll(state)
    if again:
        leave_to_chance(state, FORAGING)
    else:
        end_turn(state)


@rule
def choose_distance(state, distance):
    if go(state, distance):
        ask(state, RAIDING)
    else:
        end_foraging(state)

