"""What a position of Bin'Fa is worth to each seat: a compiled estimate with few terms.

Every army has a *worth* in units: those beyond the three with which it falls, something
for being alive, and something for its supplies. Then the seats strike in the order of
their turns, each at the pile whose loss, times how likely its turn is to bring that about,
is greatest; so much worth the victims lose. A seat's value is its share of all worth.

How much each term weighs was tuned by letting the bot play itself, with supplies and without
(docs/strength.md, `bench/tune_binfa.py`).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tianxia.games.binfa.bot import siege
from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules.losses import enemies_around
from tianxia.games.binfa.rules.turns import with_supplies
from tianxia.kernel import functions as kernel
from tianxia.kernel.bits import lowest
from tianxia.kernel.game import Game
from tianxia.kernel.jit import rule

WEIGHT_NAMES = (
    *("alive", "supplies", "fading", "now", "next", "later"),
    *("second", "driving", "covered", "inside", "heaped", "reach", "eager"),
)
ALIVE, OF_SUPPLIES, FADING, NOW, NEXT, LATER = range(6)
TO_THE_SECOND, DRIVING, COVERED, INSIDE, HEAPED, REACH, EAGER = range(6, 13)
"""Weights, by place:

alive     what an army is worth besides its units
supplies  what plenty of supplies is worth
fading    how much of that is still missing after each supply
now       how much the strike of the seat on turn counts
next      and that of the seat after it
later     and those of all others
second    how much the second best strike of a seat counts
driving   what part of a pile is won by driving it away from its neighbour
covered   what part of a unit is lost when another colour covers it
inside    what part of a pile is lost by waiting in a whirlpool
heaped    what each unit beyond `SAFE_HEIGHT` costs: one siege would take the whole pile
reach     what an army is worth more that can strike at once than one a long siege away:
          without it, whom nobody can reach within two turns has nothing to go for
eager     how much more, in utility, another roll has to promise than to stop
"""
_SETS = json.loads(Path(__file__).with_name("weights.json").read_text())
_FREE, _PAID = (np.array([_SETS[kind][name] for name in WEIGHT_NAMES]) for kind in ("free", "paid"))


def weights_for(game: Game) -> NDArray[np.float64]:
    """Return what weighs how much in a game: where rolls are free, or paid with supplies."""
    return _PAID if int(game.options["level"]) >= c.SUPPLIED else _FREE


SAFE_HEIGHT = 3
"""Units of a pile that are no heap."""


SHEET = np.dtype(
    [
        ("weights", "f8", (len(WEIGHT_NAMES),)),
        ("camp", "i8", (siege.MOST_PILES,)),  # where the piles of an army stand
        ("ways", "i8", (c.TRIANGLES, c.TRIANGLES)),  # distances, see `siege.muster`
        ("open_", "i8", (c.TRIANGLES, 2)),  # the open triangles for which they were found
        ("spare", "i8", (siege.MOST_PILES,)),
        ("foreign", "i8", (c.TRIANGLES,)),  # units that are not of the top one's colour
        ("covered", "i8", (c.COLOURS,)),  # units that another colour covers
        ("heaped", "i8", (c.COLOURS,)),  # units beyond `SAFE_HEIGHT`
        ("worth", "f8", (c.COLOURS,)),
        ("full", "f8", (c.COLOURS,)),  # worth before anybody strikes
        ("utility", "f8", (c.COLOURS,)),  # by seat
    ]
)
"""Room for an appraisal.

A record and no tuple of arrays: each of these would be an argument of its own of every
function that takes the tuple, which cost more than half of all compiling.
"""


def make_sheet(weights: NDArray[np.float64]) -> np.record:
    """Return room for appraisals with these weights."""
    sheet = room(SHEET)
    set_weights(sheet, weights)
    return sheet


def room(dtype: np.dtype[np.void]) -> np.record:
    """Return a record of zeros whose fields are attributes."""
    made: np.record = np.zeros(1, np.dtype((np.record, dtype)))[0]
    return made


def set_weights(sheet: np.record, weights: NDArray[np.float64]) -> None:
    """Begin a sheet: it knows its weights and no distances."""
    sheet.weights[:] = weights
    sheet.open_[:] = -1


@rule
def appraise(state, sheet, seat):
    """Return what a position is worth to a seat, from −1 to 1."""
    if state.over != 0:
        kernel.utilities(state, sheet.utility)
        return sheet.utility[seat]
    look_into_piles(state, sheet)
    for army in range(c.COLOURS):
        alive = int(state.alive) >> army & 1 != 0
        sheet.full[army] = army_worth(state, sheet, army) if alive else 0.0
        sheet.worth[army] = sheet.full[army]
    weights = sheet.weights
    seats = int(state.seats)
    for i in range(seats):
        striker = (int(state.active) + i) % seats
        strike(state, sheet, striker, weights[min(NOW + i, LATER)])
    return share(state, sheet, seat)


@rule
def share(state, sheet, seat):
    """Return a seat's share of all worth, as a utility."""
    total = 0.0
    own = 0.0
    for army in range(c.COLOURS):
        if state.owner[army] != 0:
            worth = max(sheet.worth[army], 0.05 * sheet.full[army])
            total += worth
            if state.owner[army] == seat + 1:
                own += worth
    seats = int(state.seats)
    part = own / total if total > 0 else 1 / seats
    return (seats * part - 1) / (seats - 1)


@rule
def look_into_piles(state, sheet):
    """Count the units under another colour, by triangle and by army."""
    for army in range(c.COLOURS):
        sheet.covered[army] = 0
        sheet.heaped[army] = 0
    first = 0
    for t in range(c.TRIANGLES):
        height = int(state.height[t])
        sheet.foreign[t] = 0
        if height > SAFE_HEIGHT:
            sheet.heaped[int(state.top[t]) - 1] += height - SAFE_HEIGHT
        for i in range(first, first + height):
            if state.units[i] != state.top[t]:
                sheet.foreign[t] += 1
                sheet.covered[int(state.units[i]) - 1] += 1
        first += height


@rule
def rolls_of(state, army):
    """Return how many rolls an army can pay for."""
    if not with_supplies(state):
        return siege.MOST_ROLLS
    return min(int(state.supplies[army]), siege.MOST_ROLLS)


@rule
def army_worth(state, sheet, army):
    """Return what an army is worth as it stands."""
    weights = sheet.weights
    worth = weights[ALIVE] + int(state.strength[army]) - c.FALLS_AT
    worth -= weights[COVERED] * sheet.covered[army] + weights[HEAPED] * sheet.heaped[army]
    if with_supplies(state):
        worth += weights[OF_SUPPLIES] * (1 - weights[FADING] ** int(state.supplies[army]))
    for half in range(2):
        inside = int(state.held[army, half]) & int(state.pools[half])
        while inside != 0:
            worth -= weights[INSIDE] * int(state.height[half * c.HALF + lowest(inside)])
            inside &= inside - 1
    return worth


@rule
def strike(state, sheet, seat, weight):
    """Take off what a seat's best strikes are likely to cost others."""
    best, second = 0.0, 0.0
    victim, other = -1, -1
    for army in range(c.COLOURS):
        if state.owner[army] != seat + 1 or int(state.alive) >> army & 1 == 0:
            continue
        rolls = rolls_of(state, army)
        if rolls == 0:
            continue
        count = siege.muster(state, army, sheet.camp, sheet.ways, sheet.open_)
        highest = siege.tallest(state, count, sheet.camp)
        cheapest = siege.DEAREST
        for half in range(2):
            piles = foes(state, seat, half)
            while piles != 0:
                t = half * c.HALF + lowest(piles)
                piles &= piles - 1
                gain, cost = prospect(state, sheet, t, count, highest, rolls)
                cheapest = min(cheapest, cost)
                if gain > best:
                    second, other = best, victim
                    best, victim = gain, int(state.top[t]) - 1
                elif gain > second:
                    second, other = gain, int(state.top[t]) - 1
        sheet.worth[army] += sheet.weights[REACH] * (1 - cheapest / siege.DEAREST)
    if victim >= 0:
        sheet.worth[victim] -= weight * best
    if other >= 0:
        sheet.worth[other] -= weight * sheet.weights[TO_THE_SECOND] * second


@rule
def foes(state, seat, half):
    """Return the triangles of the field with piles of other seats."""
    piles = 0
    for army in range(c.COLOURS):
        if state.owner[army] != 0 and state.owner[army] != seat + 1:
            piles |= int(state.held[army, half])
    return piles & ~int(state.pools[half])


@rule
def prospect(state, sheet, t, count, highest, rolls):
    """Return what an army can expect to win at a pile in a turn of so many rolls, and at what cost.

    The cost is in displacements, `LONGEST` at most.
    """
    kind = siege.way_to_take(state, t)
    if kind != siege.ENCIRCLE and highest <= state.height[t]:
        return 0.0, siege.DEAREST
    if kind == siege.DRIVE:
        cost = siege.drive_cost(state, t, count, sheet.camp, sheet.ways)
    else:
        cost = siege.siege_cost(state, t, count, sheet.camp, sheet.ways, sheet.spare)
    if cost > siege.DEAREST:
        return 0.0, siege.DEAREST
    odds = siege.ODDS[rolls, cost] * (1.0 if kind == siege.ENCIRCLE else siege.HITS[rolls])
    if kind == siege.DRIVE:
        won = max(sheet.weights[DRIVING] * int(state.height[t]), laid_bare(state, sheet, t))
        return odds * won, cost
    return odds * loss(state, sheet, t), cost


@rule
def laid_bare(state, sheet, t):
    """Return what falls beside a pile once somebody else stands in its place."""
    fallen = 0.0
    for way in range(c.WAYS):
        near = c.NEIGHBOURS[t, way]
        if near >= 0 and siege.is_tall(state, near) and state.top[near] == state.top[t]:
            if enemies_around(state, near, t) >= 0:
                fallen += loss(state, sheet, near)
    return fallen


@rule
def loss(state, sheet, t):
    """Return what the capture of a pile costs its army."""
    army = int(state.top[t]) - 1
    own = int(state.height[t]) - sheet.foreign[t]
    if int(state.strength[army]) - own <= c.FALLS_AT:
        return sheet.full[army]
    return float(own)
