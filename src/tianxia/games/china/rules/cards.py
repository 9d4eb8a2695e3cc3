"""The province cards: deck, display, discard and hands, and what everybody remembers of them."""

from __future__ import annotations

from tianxia.games.china.rules.components import COLOURS, DISPLAY, HAND, LAST_EXHAUSTION
from tianxia.games.china.rules.state import DEALING, EMPERORS
from tianxia.kernel.decks import gain
from tianxia.kernel.jit import rule
from tianxia.kernel.multisets import how_many, nonzero


@rule
def held(state, colour):
    """Return how many cards of a colour can pay now: the Emperor's, or the active player's."""
    if int(state.course) & EMPERORS != 0:
        return int(state.imperial[colour])
    return int(state.hands[int(state.active), colour])


@rule
def lose(state, seat, colour, count):
    """Take cards out of a hand openly; they may be the ones that all know of."""
    state.hands[seat, colour] -= count
    state.hand_sizes[seat] -= count
    left = int(state.known[seat, colour]) - count
    state.known[seat, colour] = left if left > 0 else 0


@rule
def keeps_cards(state):
    """Say whether cards played stay before their players, for influence (CHI-69, CHI-78)."""
    return state.seats == 2 and state.options.light == 0


@rule
def pay(state, colour, count):
    """Lay cards for a piece: to the discard (CHI-20), or aside until one is kept (CHI-69)."""
    if int(state.course) & EMPERORS != 0:
        state.imperial[colour] -= count
        state.discard[colour] += count
        return
    lose(state, int(state.active), colour, count)
    if keeps_cards(state):
        state.played[colour] += count
    else:
        state.discard[colour] += count


@rule
def exchange(state, seat, colour):
    """Discard the card for which another is taken (CHI-46)."""
    lose(state, seat, colour, 1)
    state.discard[colour] += 1


@rule
def take(state, seat, colour):
    """Take a card of the display, which all see and remember."""
    state.display[colour] -= 1
    gain(state, seat, colour)
    state.known[seat, colour] += 1


@rule
def swap_cards(state, seat, given, taken):
    """Exchange a card of the hand with one of the display (CHI-77)."""
    lose(state, seat, given, 1)
    state.display[given] += 1
    take(state, seat, taken)


# --- The deck ---


@rule
def must_shuffle(state):
    return state.deck_size == 0 and state.exhausted < LAST_EXHAUSTION


@rule
def next_to_deal(state):
    """Return the first seat that lacks cards of the set-up, or −1."""
    for seat in range(int(state.seats)):
        if state.hand_sizes[seat] < HAND:
            return seat
    return -1


@rule
def drawer(state):
    """Return the seat whose hand gets the next card of the deck."""
    return next_to_deal(state) if state.phase == DEALING else int(state.active)


@rule
def emperor_lacks(state):
    """Say whether the Emperor's cards are to be filled up (CHI-68, CHI-72)."""
    return state.seats == 2 and how_many(state.imperial) < HAND


@rule
def display_lacks(state):
    return how_many(state.display) < DISPLAY


@rule
def can_exchange(state, seat):
    """Say whether there is a card to give and one to take (CHI-46; ruling R08)."""
    return state.hand_sizes[seat] > 0 and (state.deck_size > 0 or how_many(state.display) > 0)


@rule
def takeable(state):
    """Return what can be taken, as bits: cards of the display by colour, then the deck (CHI-41)."""
    return nonzero(state.display) | int(state.deck_size > 0) << COLOURS
