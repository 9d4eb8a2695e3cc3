"""Who knows what: views, sampled worlds, features, a guess of who is ahead."""

from __future__ import annotations

from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules.answers import pawns_placed, unit_refusal, units_placed
from tianxia.games.binfa.rules.losses import seat_supplies, seat_units
from tianxia.games.binfa.rules.piles import add, occupied
from tianxia.games.binfa.rules.state import PAWNS, PHASES, PLACING, STATE
from tianxia.kernel import functions as kernel
from tianxia.kernel.bits import lowest
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import rule
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import below
from tianxia.kernel.views import more_fields, open_fields

PLANES = 2 * c.MAX_PLAYERS + 4
RING = c.MAX_PLAYERS * c.CIRCLES
NUMBERS = 3 * c.MAX_PLAYERS + PHASES + 4
FEATURES = PLANES * c.TRIANGLES + RING + NUMBERS


@rule
def in_secret(state):
    """Say whether units or pawns are being set up that are not open yet."""
    return PLACING <= state.phase <= PAWNS


@answers(kernel.seen, STATE)
def seen(state, seat, action, viewer):
    secret = in_secret(state) and seat != CHANCE
    return -1 if secret and seat != viewer else action


see_open = open_fields(
    STATE,
    "phase turns active army rolled high low moves due origin way foe group exit step",
    "vacated escape refuges raid distance stocked alive contest reason winners totals",
    "terrain pools drawn owner supplies",
)
see_piles = more_fields(STATE, "strength held tall height top units")
see_pawns = more_fields(STATE, "pawns")


@answers(kernel.view, STATE)
def view(state, seat, out):
    see_open(state, seat, out)
    if state.phase == PLACING:
        see_own_units(state, seat, out)
    else:
        see_piles(state, out)
    if state.phase == PAWNS:
        see_own_pawns(state, seat, out)
    else:
        see_pawns(state, out)


@rule
def see_own_units(state, seat, out):
    """Write the units that the viewer has set up in secret."""
    for t in range(c.TRIANGLES):
        if state.owner[t // c.BASE] == seat + 1:
            for _ in range(int(state.height[t])):
                add(out, t, t // c.BASE)


@rule
def see_own_pawns(state, seat, out):
    """Write the pawns that the viewer has set up in secret."""
    for army in range(c.COLOURS):
        if state.owner[army] == seat + 1:
            out.pawns[army] = state.pawns[army]


# --- Sampled worlds ---


@answers(kernel.sample, STATE)
def sample(state, rng):
    viewer = int(state.viewer)
    if viewer != 0 and in_secret(state):
        for seat in range(int(state.seats)):
            if viewer != seat + 1 and int(state.acting) >> seat & 1 == 0:
                sample_seat(state, seat, rng)
    state.viewer = 0


@rule
def sample_seat(state, seat, rng):
    """Set up at random what a seat has finished in secret; all places are equally likely."""
    if state.phase == PLACING:
        while not units_placed(state, seat):
            t = below(rng, c.TRIANGLES)
            if unit_refusal(state, seat, t) == 0:
                add(state, t, t // c.BASE)
    else:
        while not pawns_placed(state, seat):
            army = below(rng, c.COLOURS)
            if state.owner[army] == seat + 1 and state.pawns[army] == 0:
                state.pawns[army] = c.SIDE * army + below(rng, c.SIDE) + 1


# --- Values ---


@answers(kernel.utilities, STATE)
def utilities(state, out):
    seats = int(state.seats)
    winners = 0
    for seat in range(seats):
        winners += int(state.winners) >> seat & 1
    for seat in range(seats):
        won = int(state.winners) >> seat & 1
        out[seat] = (seats * won / max(winners, 1) - 1) / (seats - 1)


@answers(kernel.scores, STATE)
def scores(state, out):
    for seat in range(int(state.seats)):
        out[seat] = seat_units(state, seat)


@answers(kernel.evaluate, STATE)
def evaluate(state, out):
    """Guess by units beyond those with which armies fall, and a little by supplies."""
    seats = int(state.seats)
    if state.over != 0:
        kernel.utilities(state, out)
        return
    total = 0.0
    for seat in range(seats):
        out[seat] = strength_of(state, seat)
        total += out[seat]
    for seat in range(seats):
        share = out[seat] / total if total > 0 else 1 / seats
        out[seat] = (seats * share - 1) / (seats - 1)


@rule
def strength_of(state, seat):
    """Return what a seat's armies are worth, more for each unit the more it has."""
    units = float(seat_units(state, seat))
    return units * units + float(min(seat_supplies(state, seat), 20))


# --- Features ---


@rule
def relative(state, seat):
    """Return a seat's number counted clockwise from the viewer (a spectator sees seat 0's side)."""
    first = max(int(state.viewer) - 1, 0)
    return seat - first + (int(state.seats) if seat < first else 0)


@answers(kernel.encode, STATE)
def encode(state, out):
    out[:FEATURES] = 0
    encode_field(state, out)
    encode_ring(state, out)
    encode_numbers(state, out)


@rule
def encode_field(state, out):
    """Planes of triangles: heights and units by seat; this turn's army; markers; what is due."""
    first = 0
    for half in range(2):
        fill_plane(int(state.terrain[half]), half, 2 * c.MAX_PLAYERS + 1, out)
        fill_plane(int(state.pools[half]), half, 2 * c.MAX_PLAYERS + 2, out)
        if state.army > 0:
            fill_plane(int(state.held[int(state.army) - 1, half]), half, 2 * c.MAX_PLAYERS, out)
        piles = occupied(state, half)
        while piles != 0:
            t = half * c.HALF + lowest(piles)
            piles &= piles - 1
            height = int(state.height[t])
            seat = relative(state, int(state.owner[int(state.top[t]) - 1]) - 1)
            out[seat * c.TRIANGLES + t] = height / c.ARMY
            for i in range(first, first + height):
                seat = relative(state, int(state.owner[int(state.units[i]) - 1]) - 1)
                out[(c.MAX_PLAYERS + seat) * c.TRIANGLES + t] += 1 / c.ARMY
            first += height
    for t in (int(state.origin) - 1, int(state.vacated) - 1):
        if t >= 0:
            out[(2 * c.MAX_PLAYERS + 3) * c.TRIANGLES + t] = 1


@rule
def fill_plane(triangles, half, plane, out):
    """Write ones into a plane for the triangles of a half."""
    while triangles != 0:
        out[plane * c.TRIANGLES + half * c.HALF + lowest(triangles)] = 1
        triangles &= triangles - 1


@rule
def encode_ring(state, out):
    for army in range(c.COLOURS):
        if state.pawns[army] != 0:
            seat = relative(state, int(state.owner[army]) - 1)
            out[PLANES * c.TRIANGLES + seat * c.CIRCLES + int(state.pawns[army]) - 1] = 1


@rule
def encode_numbers(state, out):
    first = PLANES * c.TRIANGLES + RING
    for seat in range(int(state.seats)):
        place = first + relative(state, seat)
        out[place] = seat_supplies(state, seat) / c.SUPPLIES
        out[place + c.MAX_PLAYERS] = seat_units(state, seat) / c.ARMY
        out[place + 2 * c.MAX_PLAYERS] = int(state.acting) >> seat & 1
    first += 3 * c.MAX_PLAYERS
    out[first + int(state.phase)] = 1
    first += PHASES
    out[first] = int(state.high) / 6
    out[first + 1] = int(state.low) / 6
    out[first + 2] = int(state.moves) / 5
    out[first + 3] = state.rolled


@answers(kernel.limits, STATE)
def limits(state):
    return c.NUM_ACTIONS, c.MAX_LEGAL, c.MAX_CHANCE, FEATURES
