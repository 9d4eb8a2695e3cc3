"""Attacks: directions, which card is next, and what takes it (FBL-24 to 37)."""

from __future__ import annotations

from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules import statements as because
from tianxia.games.firebulls.rules.cards import holds, lay
from tianxia.games.firebulls.rules.components import attack
from tianxia.games.firebulls.rules.state import ASIDE, NEXT_CARD, WON
from tianxia.kernel.jit import rule

# --- Directions ---


@rule
def nearest_place(state, direction):
    """Return the place of the nearest card of a direction, or −1; gaps are skipped."""
    for i in range(3):
        place = int(c.LINE[direction, i])
        if state.rows[place] != 0:
            return place
    return -1


@rule
def target_kind(state, direction):
    """Return the kind that an attack on a direction (or the General) meets next, or −1."""
    if direction == c.AT_GENERAL:
        return c.GENERAL if state.general == ASIDE else -1
    place = nearest_place(state, direction)
    return -1 if place < 0 else int(state.rows[place]) - 1


@rule
def attack_refusal(state, seat, direction):
    """Return what forbids to attack along a direction, whatever is paid, else 0."""
    if state.phase == NEXT_CARD:  # an attack goes straight on (FBL-24)
        if direction != state.direction:
            general = direction == c.AT_GENERAL
            return because.GENERAL_ASIDE if general else because.STRAIGHT_ON
        return 0
    if direction == c.AT_GENERAL:
        if state.general != ASIDE:
            return because.GENERAL_ASIDE
    else:
        pawn = int(state.pawns[seat])
        if abs(direction - pawn) > 1:
            corner = pawn in (1, c.DIRECTIONS)
            return because.CORNER_DEVIATION if corner else because.DEVIATION
    return because.ATTACK_LENGTH if target_kind(state, direction) < 0 else 0


@rule
def cards_won(state):
    """Return how many point cards the attack has won."""
    return int(state.won[0] != 0) + int(state.won[1] != 0) + int(state.won[2] != 0)


@rule
def may_go_on(state):
    """Say whether line and limit leave a card: public facts, unlike who can pay."""
    direction = int(state.direction)
    if direction == c.AT_GENERAL:
        return False
    limit = c.DIRECT if state.pawns[state.active] == direction else c.DEVIATED
    return cards_won(state) < limit and nearest_place(state, direction) >= 0


# --- Payments ---


@rule
def can_pay(state, seat, kind):
    """Say whether a hand can take a kind, without looking at every payment."""
    warriors = int(state.hands[seat, c.WARRIOR])
    if kind < c.WHITE_WU:
        if kind < c.WU:
            return int(state.hands[seat, kind]) + warriors >= 1
        return int(state.hands[seat, kind - c.WU]) + warriors >= 2
    most, second, colours = 0, 0, 0
    for colour in range(c.COLOURS):
        count = int(state.hands[seat, colour])
        colours += count > 0
        if count > most:
            most, second = count, most
        elif count > second:
            second = count
    if kind == c.BO:
        return colours + warriors >= c.COLOURS
    if kind == c.COLONEL:
        return most + warriors >= 5 or min(most, 3) + min(second, 3) + warriors >= 6
    if kind == c.GENERAL:
        return most + warriors >= 7 or min(most, 4) + min(second, 3) + warriors >= 7
    needed = 1 if kind == c.FORTIFICATION else (2 if kind == c.WHITE_WU else 3)
    return most + warriors >= needed


@rule
def pay_refusal(state, seat, direction, payment):
    """Return what forbids an attack on the next card of a direction with a payment, else 0."""
    code = attack_refusal(state, seat, direction)
    if code != 0:
        return code
    kind = target_kind(state, direction)
    if c.ACCEPTS[kind, payment] == 0:
        size = int(c.PAYMENT_SIZE[payment])
        if size != c.SYMBOLS_SHOWN[kind] and not (kind == c.COLONEL and size == 5):
            return because.EXACT_PAYMENT
        return int(c.TAKEN_WITH[kind])
    return 0 if holds(state, seat, payment) else because.EXACT_PAYMENT


@rule
def legal_payments(state, seat, direction, out, count):
    """Write all ways to pay for the next card of a direction; return the new count."""
    kind = target_kind(state, direction)
    if not can_pay(state, seat, kind):
        return count
    for i in range(int(c.WAY_COUNT[kind])):
        payment = int(c.WAYS[kind, i])
        if holds(state, seat, payment):
            out[count] = attack(direction, payment)
            count += 1
    return count


@rule
def legal_attacks(state, seat, out, count):
    """Write the attacks on the next card of each direction in reach, and on the General."""
    for direction in range(1, c.AT_GENERAL + 1):
        if attack_refusal(state, seat, direction) == 0:
            count = legal_payments(state, seat, direction, out, count)
    return count


@rule
def capture(state, seat, direction, payment):
    """Pay for the next card of a direction and win it; return its kind (FBL-25, FBL-36)."""
    lay(state, seat, payment)
    state.direction = direction
    kind = target_kind(state, direction)
    if direction == c.AT_GENERAL:
        state.general = WON
    else:
        state.rows[nearest_place(state, direction)] = 0
    state.won[cards_won(state)] = kind + 1
    state.victory[seat, kind] += 1
    return kind
