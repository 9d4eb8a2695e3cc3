"""The end of a game: when it comes, the penalty, points, winners (FBL-45 to 51)."""

from __future__ import annotations

from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules import statements as because
from tianxia.games.firebulls.rules.state import STATE, WON
from tianxia.kernel import functions as kernel
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import rule
from tianxia.kernel.results import share_win


@rule
def end_reason(state):
    """Return the statement that ends the game after a turn, or 0 (FBL-45, FBL-46)."""
    if state.exhausted >= c.LAST_EXHAUSTION:
        return because.THIRD_EXHAUSTION
    empty = 0
    for pile in range(c.PILES):
        empty += state.piles[pile] == 0
    return because.TWO_EMPTY_PILES if empty >= 2 and state.general == WON else 0


@rule
def colour_of(state, seat):
    """Return the colour of a seat's pawns: its own number unless it was chosen."""
    return (seat + int(state.options.chosen[seat])) % c.COLOURS


@rule
def highest_card(state, seat):
    """Return the kind of highest value in a Victory pile, or −1.

    Of equal values one without its owner's colour comes first, then the first in card order.
    """
    best, most, colour = -1, -1, colour_of(state, seat)
    for kind in range(c.KINDS):
        order = 2 * int(c.VALUE[kind]) + 1 - int(c.HAS_COLOUR[kind, colour])
        if state.victory[seat, kind] > 0 and order > most:
            best, most = kind, order
    return best


@rule
def penalise(state):
    """Take the highest card from every Victory pile (FBL-47)."""
    for seat in range(int(state.seats)):
        kind = highest_card(state, seat)
        if kind >= 0:
            state.victory[seat, kind] -= 1
            state.removed[kind] += 1


@rule
def points(state, seat):
    """Return the points of a Victory pile: values, and one for each card of one's colour."""
    total, colour = 0, colour_of(state, seat)
    for kind in range(c.KINDS):
        worth = int(c.VALUE[kind]) + int(c.HAS_COLOUR[kind, colour])
        total += int(state.victory[seat, kind]) * worth
    return total


@rule
def standing(state, seat):
    """Return a number by which seats are ranked: points, then the highest card (FBL-51)."""
    kind = highest_card(state, seat)
    return points(state, seat) * 16 + (0 if kind < 0 else int(c.VALUE[kind]) + 1)


@answers(kernel.scores, STATE)
def scores(state, out):
    for seat in range(int(state.seats)):
        out[seat] = points(state, seat)


@answers(kernel.utilities, STATE)
def utilities(state, out):
    for seat in range(int(state.seats)):
        out[seat] = standing(state, seat)
    share_win(int(state.seats), out)
