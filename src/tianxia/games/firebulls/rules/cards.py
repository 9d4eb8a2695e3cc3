"""The attack cards: deck, Reserve, discard and hands, and what everybody remembers of them."""

from __future__ import annotations

from tianxia.games.firebulls.rules.components import ATTACK_KINDS, LAST_EXHAUSTION, PAYMENT, WARRIOR
from tianxia.games.firebulls.rules.state import PUBLIC
from tianxia.kernel.decks import draw, leave_deck
from tianxia.kernel.jit import rule


@rule
def lose(state, seat, kind):
    state.hands[seat, kind] -= 1
    state.hand_sizes[seat] -= 1


@rule
def opponents_hold_cards(state):
    """Say whether any opponent of the active player has a card in hand."""
    for seat in range(int(state.seats)):
        if seat != state.active and state.hand_sizes[seat] > 0:
            return True
    return False


@rule
def holds(state, seat, payment):
    """Say whether a hand has all the cards of a payment."""
    for kind in range(ATTACK_KINDS):
        if int(state.hands[seat, kind]) < PAYMENT[payment, kind]:
            return False
    return True


@rule
def lay(state, seat, payment):
    """Discard a payment from a hand (FBL-25); its Warriors will cost a fee (FBL-04)."""
    for kind in range(ATTACK_KINDS):
        count = int(PAYMENT[payment, kind])
        if count > 0:
            state.hands[seat, kind] -= count
            state.hand_sizes[seat] -= count
            state.discard[kind] += count
            note_shown(state, seat, kind, count)
    state.warriors += int(PAYMENT[payment, WARRIOR])


# --- The deck ---


@rule
def draw_to_hand(state, seat, kind):
    leave_deck(state, kind, LAST_EXHAUSTION)
    draw(state, seat, kind)


@rule
def draw_to_reserve(state, kind):
    leave_deck(state, kind, LAST_EXHAUSTION)
    state.reserve[kind] += 1
    state.fresh[kind] -= 1


@rule
def must_shuffle(state):
    return state.deck_size == 0 and state.exhausted < LAST_EXHAUSTION


# --- Lower bounds of hands ---


@rule
def forget(state, row, seat, kind, count):
    """Lower what is surely held; the cards that went may have been others of that kind."""
    left = int(state.known[row, seat, kind]) - count
    state.known[row, seat, kind] = left if left > 0 else 0


@rule
def note_taken(state, seat, kind):
    """Remember that a hand got a card openly."""
    for row in range(int(state.seats)):
        state.known[row, seat, kind] += 1
    state.known[PUBLIC, seat, kind] += 1


@rule
def note_shown(state, seat, kind, count):
    """Remember that cards left a hand openly."""
    for row in range(int(state.seats)):
        forget(state, row, seat, kind, count)
    forget(state, PUBLIC, seat, kind, count)


@rule
def note_theft(state, victim, thief, kind):
    """Remember a theft: the two of them know the card, to all others it may be any."""
    for row in range(PUBLIC + 1):
        told = int(row == victim) + int(row == thief)
        if told > 0:
            forget(state, row, victim, kind, 1)
            state.known[row, thief, kind] += 1
        elif row < state.seats or row == PUBLIC:
            for other in range(ATTACK_KINDS):
                forget(state, row, victim, other, 1)
