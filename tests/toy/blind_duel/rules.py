"""The rules: a state record, and its answers to the functions of `tianxia.kernel`."""

from __future__ import annotations

from tianxia.kernel import functions as kernel
from tianxia.kernel.actions import Actions
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import rule
from tianxia.kernel.multisets import random_kind
from tianxia.kernel.record import CHANCE, record
from tianxia.kernel.results import share_win
from tianxia.kernel.rng import below
from tianxia.kernel.views import more_fields, open_fields, seat_fields

SEATS, RANKS, COPIES, HAND = 3, 3, 4, 2
NOT_OVER, ASKED, HELD, ENOUGH = 1, 2, 3, 4  # the statements, by number

# What can be asked for. Zero comes first: a new record is a game before its first draw.
DRAWING, LAYING, OPENING, ROLLING, BEATING = range(5)

# Actions. Those of chance are actions too: everything that happens is in the transcript.
ACTIONS = Actions()
LAY = ACTIONS.add("lay", RANKS)  # a card, face down
DONE = ACTIONS.add("done")
OPEN = ACTIONS.add("open")
ROLL = ACTIONS.add("roll", range(1, 4))
BEAT = ACTIONS.add("beat", RANKS)
PASS = ACTIONS.add("pass")
DRAW = ACTIONS.add("draw", RANKS)
NUM_ACTIONS = len(ACTIONS)
kind_of, argument = ACTIONS.rules()
DUE = ACTIONS.table(
    {
        "lay done": 1 << LAYING,
        "open": 1 << OPENING,
        "roll": 1 << ROLLING,
        "beat pass": 1 << BEATING,
        "draw": 1 << DRAWING,
    }
)
"""The phase in which an action is due, as a bit."""
WEIGHTS = (3, 2, 1)  # of the die's sides

STATE = record(
    options={"players": "i1", "rounds": "i1"},
    fields=[
        ("phase", "i1"),
        ("played", "i1"),  # rounds
        ("die", "i1"),
        ("points", "i1", (SEATS,)),
        ("unknown", "i1", (SEATS,)),  # in views: cards of a seat of which only the number is known
        ("hand", "i1", (SEATS, RANKS)),  # cards by rank; so are all zones: nobody knows an order
        ("laid", "i1", (SEATS, RANKS)),
        ("deck", "i1", (RANKS,)),
        ("discard", "i1", (RANKS,)),
    ],
)


@rule
def total(cards):
    """Return how many cards there are."""
    return int(cards[0]) + int(cards[1]) + int(cards[2])


@rule
def leader(state):
    """Return the seat with the highest sum of laid cards; the lowest of equals."""
    best, most = 0, -1
    for seat in range(int(state.seats)):
        strength = 0
        for rank in range(RANKS):
            strength += (rank + 1) * int(state.laid[seat, rank])
        if strength > most:
            best, most = seat, strength
    return best


@rule
def drawer(state):
    """Return the seat that draws next, or −1 when all have drawn."""
    for seat in range(int(state.seats)):
        if total(state.hand[seat]) < HAND and total(state.deck) > 0:
            return seat
    return -1


# --- What is legal ---


@answers(kernel.refusal, STATE)
def refusal(state, seat, action):
    if state.over != 0:
        return NOT_OVER
    kind, rank = kind_of(action), argument(action, 0)
    by_chance = kind in (OPEN, ROLL, DRAW)
    asked = seat != CHANCE and int(state.acting) >> seat & 1 != 0
    if by_chance != (seat == CHANCE) or not (by_chance or asked):
        return ASKED
    if DUE[action] >> int(state.phase) & 1 == 0:
        return ASKED
    if kind == DRAW:
        return 0 if state.deck[rank] > 0 else HELD
    if kind in (LAY, BEAT):
        return 0 if state.hand[seat, rank] > 0 else HELD
    if kind == DONE and total(state.laid[seat]) == 0 and total(state.hand[seat]) > 0:
        return ENOUGH
    return 0


@answers(kernel.legal_actions, STATE)
def legal_actions(state, seat, out):
    count = 0
    for action in range(NUM_ACTIONS):  # in so small a game, whatever nothing forbids
        if kernel.refusal(state, seat, action) == 0:
            out[count] = action
            count += 1
    return count


@answers(kernel.chance_outcomes, STATE)
def chance_outcomes(state, actions, weights):
    count = 0
    for action in range(NUM_ACTIONS):
        if state.acting == 0 and kernel.refusal(state, CHANCE, action) == 0:
            actions[count] = action
            weights[count] = 1
            if kind_of(action) == DRAW:
                weights[count] = state.deck[argument(action, 0)]
            elif kind_of(action) == ROLL:
                weights[count] = WEIGHTS[argument(action, 0) - 1]
            count += 1
    return count


# --- What happens ---


@answers(kernel.setup, STATE)
def setup(state):
    for rank in range(RANKS):
        state.deck[rank] = COPIES


@answers(kernel.apply_action, STATE)
def apply_action(state, seat, action):
    kind, one = kind_of(action), argument(action, 0)
    if kind == LAY:  # in secret: nothing but his own cards may change
        play(state, seat, one)
        return
    state.plies += 1
    if seat == CHANCE:
        state.sealed = state.plies  # nobody takes back what was drawn, rolled or shown
    if kind == DONE:
        state.acting = int(state.acting) & ~(1 << seat)
        if state.acting == 0:
            state.phase = OPENING
    elif kind == OPEN:
        state.phase = ROLLING
    elif kind == ROLL:
        state.die = one
        ask(state, (leader(state) + 1) % int(state.seats))
    elif kind in (BEAT, PASS):
        if kind == BEAT:
            play(state, seat, one)
        score(state)
    else:
        state.hand[drawer(state), one] += 1
        state.deck[one] -= 1
        begin_round(state)


@rule
def play(state, seat, rank):
    """Lay a card from a hand."""
    state.hand[seat, rank] -= 1
    state.laid[seat, rank] += 1


@rule
def ask(state, seat):
    """Let a seat beat the leader if it has a card; that it has one is known to all."""
    if total(state.hand[seat]) == 0:
        score(state)
    else:
        state.phase = BEATING
        state.acting = 1 << seat


@rule
def score(state):
    """Give the points to the leader; end the round."""
    state.points[leader(state)] += state.die
    state.die = 0
    state.acting = 0
    state.played += 1
    for seat in range(int(state.seats)):
        for rank in range(RANKS):
            state.discard[rank] += state.laid[seat, rank]
            state.laid[seat, rank] = 0
    begin_round(state)


@rule
def begin_round(state):
    """Let all draw, then lay; or end the game."""
    state.phase = DRAWING
    if state.played == state.options.rounds:
        state.over = 1
    elif drawer(state) < 0:
        state.phase = LAYING
        state.acting = (1 << int(state.seats)) - 1


@answers(kernel.scores, STATE)
def scores(state, out):
    for seat in range(int(state.seats)):
        out[seat] = state.points[seat]


@answers(kernel.utilities, STATE)
def utilities(state, out):
    for seat in range(int(state.seats)):
        out[seat] = state.points[seat]
    share_win(int(state.seats), out)


# --- Who knows what ---


@answers(kernel.seen, STATE)
def seen(state, seat, action, viewer):
    if state.over != 0 or seat == viewer:
        return action
    kind = kind_of(action)
    if kind == DRAW:
        return action if viewer == drawer(state) else -1
    return -1 if kind == LAY else action


see_open = open_fields(STATE, "phase played die points discard")
see_own = seat_fields(STATE, SEATS, "hand laid")
see_laid = more_fields(STATE, "laid")
see_at_end = more_fields(STATE, "hand laid deck")


@answers(kernel.view, STATE)
def view(state, seat, out):
    """Write what a seat may know; `out` is blank, so what is not written stays unknown."""
    see_open(state, seat, out)
    if state.over != 0:
        see_at_end(state, out)
        return
    see_own(state, seat, out)
    face_down = state.phase in (LAYING, OPENING)  # the laid cards
    if not face_down:
        see_laid(state, out)
    for owner in range(int(state.seats)):
        if owner != seat:
            out.unknown[owner] = total(state.hand[owner])
            if face_down:
                out.unknown[owner] += total(state.laid[owner])


@answers(kernel.sample, STATE)
def sample(state, rng):
    """Fill up a view: deal what it does not show to the other hands; the rest is the deck."""
    if state.over == 0:
        unseen(state)
        for owner in range(int(state.seats)):
            while state.unknown[owner] > 0:
                rank = chosen(state.deck, rng)
                state.deck[rank] -= 1
                state.hand[owner, rank] += 1
                state.unknown[owner] -= 1
                if state.phase in (LAYING, OPENING) and int(state.acting) >> owner & 1 == 0:
                    lay_some(state, owner, rng)
    state.viewer = 0


@rule
def lay_some(state, owner, rng):
    """Lay a card of a hand: the first in any case, others perhaps."""
    if total(state.laid[owner]) == 0 or below(rng, 2) == 0:
        play(state, owner, chosen(state.hand[owner], rng))


@rule
def unseen(state):
    """Put all cards that a view does not show into the deck."""
    for rank in range(RANKS):
        state.deck[rank] = COPIES - state.discard[rank]
        for owner in range(SEATS):
            state.deck[rank] -= state.hand[owner, rank] + state.laid[owner, rank]


@rule
def chosen(cards, rng):
    """Return the rank of a random card."""
    return random_kind(cards, total(cards), rng)


# --- For search and learning ---


@answers(kernel.evaluate, STATE)
def evaluate(state, out):
    seats, points = int(state.seats), total(state.points)
    for seat in range(seats):
        out[seat] = (seats * int(state.points[seat]) - points) / (15 * seats)


@answers(kernel.policy, STATE)
def policy(state, seat, actions, count, weights):
    """Rather lay one card than more, and beat with a high card rather than with a low one."""
    for i in range(count):
        weights[i] = 1
        if actions[i] == DONE:
            weights[i] += 3 * total(state.laid[seat])
        elif kind_of(actions[i]) == BEAT:
            weights[i] += argument(actions[i], 0)
    return True


@answers(kernel.encode, STATE)
def encode(state, out):
    """Write own hand, then points, unknown cards and laid cards by seat, own seat first."""
    own = max(int(state.viewer) - 1, 0)
    for rank in range(RANKS):
        out[rank] = state.hand[own, rank]
    for i in range(SEATS):
        owner = (own + i) % int(state.seats) if i < state.seats else i
        out[3 + i] = state.points[owner]
        out[6 + i] = state.unknown[owner]
        for rank in range(RANKS):
            out[9 + 3 * i + rank] = state.laid[owner, rank]


@answers(kernel.limits, STATE)
def limits(state):
    return NUM_ACTIONS, RANKS + 1, RANKS, 18
