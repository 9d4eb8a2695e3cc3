"""The rules of Fire Bulls: set-up, and the course of a turn through its phases.

What each phase does is told in `gathering`, `attack`, `powers`, `rows` and `ending`.
Refusals and reasons are the numbers of the statements (25 is FBL-25).
"""

from __future__ import annotations

from tianxia.games.firebulls.rules.attack import (
    attack_refusal,
    capture,
    cards_won,
    legal_attacks,
    legal_payments,
    may_go_on,
    pay_refusal,
)
from tianxia.games.firebulls.rules.cards import (
    draw_to_hand,
    draw_to_reserve,
    lose,
    must_shuffle,
    note_shown,
    shuffle,
)
from tianxia.games.firebulls.rules.components import (
    AT_GENERAL,
    ATTACK,
    ATTACK_CARDS,
    ATTACK_KINDS,
    BO,
    CARD,
    COLONEL,
    DEALT,
    DECK,
    DECLINE,
    DIRECT,
    DIRECTIONS,
    DRAW,
    DROP,
    FEE,
    FIRST,
    HAND_LIMIT,
    KINDS,
    LOSE,
    NUM_PAYMENTS,
    PENALTY,
    PILE,
    PILES,
    PLACE,
    POINT_CARDS,
    REVEAL,
    RIGHT,
    SHUFFLE,
    SLIDE,
    STAY,
    STEAL,
    STOP,
    TAKE,
    USE,
)
from tianxia.games.firebulls.rules.ending import end_reason, penalise
from tianxia.games.firebulls.rules.gathering import (
    legal_gathering,
    move_pawn,
    step_refusal,
    take_from_reserve,
    take_refusal,
)
from tianxia.games.firebulls.rules.powers import has_power, next_victim, steal, throw_away
from tianxia.games.firebulls.rules.rows import can_slide, next_gap, reveal, slide
from tianxia.games.firebulls.rules.state import (
    BEGINNING,
    COLONELS,
    DEALING,
    ENDED,
    FEE_DUE,
    HAND_DRAW,
    LIMIT,
    NEXT_CARD,
    PENALISING,
    PLACING,
    POWER,
    REFILLING,
    RESERVE_DRAW,
    ROWS,
    SHUFFLING,
    SLIDING,
    STATE,
    STEP,
    THEFT,
    TO_END,
    TO_LINE,
    TO_STEP,
    TURN,
)
from tianxia.kernel import functions as kernel
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import rule
from tianxia.kernel.multisets import draw_outcomes
from tianxia.kernel.record import CHANCE

# --- The set-up, all of it by chance (FBL-12 to 17) ---


@answers(kernel.setup, STATE)
def setup(state):
    for kind in range(ATTACK_KINDS):
        state.deck[kind] = ATTACK_CARDS[kind]
        state.fresh[kind] = ATTACK_CARDS[kind]
    state.deck_size = DECK
    for kind in range(KINDS):
        state.unseen[kind] = POINT_CARDS[kind]
    for pile in range(PILES):
        state.piles[pile] = PILE


@rule
def next_to_place(state):
    """Return the first seat whose pawn has no direction yet, or −1."""
    for seat in range(int(state.seats)):
        if state.pawns[seat] == 0:
            return seat
    return -1


@rule
def next_to_deal(state):
    """Return the first seat that has not got its first cards, or −1: the Reserve."""
    for seat in range(int(state.seats)):
        if state.hand_sizes[seat] < DEALT:
            return seat
    return -1


@rule
def reserve_size(state):
    total = 0
    for kind in range(ATTACK_KINDS):
        total += int(state.reserve[kind])
    return total


@rule
def drawer(state):
    """Return the seat whose hand gets the next card of the deck; −1 if it is the Reserve."""
    if state.phase == DEALING:
        return next_to_deal(state)
    return int(state.active) if state.phase == HAND_DRAW else -1


@rule
def deal(state, kind):
    seat = next_to_deal(state)
    if seat >= 0:
        draw_to_hand(state, seat, kind)
    else:
        draw_to_reserve(state, kind)
        if reserve_size(state) == DEALT:
            state.phase = BEGINNING


# --- The course of a turn ---


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
def draw_then(state, count, resume):
    """Let the active player draw; then the turn goes on as `resume` says."""
    state.owed = count
    state.resume = resume
    go_on_drawing(state)


@rule
def go_on_drawing(state):
    """Shuffle, draw what is owed, or go on; with no deck left the draws are lost."""
    if must_shuffle(state):
        leave_to_chance(state, SHUFFLING)
    elif state.owed > 0 and state.deck_size > 0:
        leave_to_chance(state, HAND_DRAW)
    else:
        resume = int(state.resume)
        state.owed = 0
        state.resume = 0
        if resume == TO_STEP:
            ask(state, STEP)
        elif resume == TO_LINE and may_go_on(state):
            ask(state, NEXT_CARD)
        elif resume == TO_LINE:
            end_attack(state)
        else:
            end_turn(state)


@rule
def after_capture(state, kind):
    """Offer the card's power, if it has one that can do anything."""
    if has_power(state, kind):
        ask(state, POWER)
    else:
        go_on_attacking(state)


@rule
def go_on_attacking(state):
    if may_go_on(state):
        ask(state, NEXT_CARD)
    else:
        end_attack(state)


@rule
def end_attack(state):
    """Draw the bonus for each card beyond the first (FBL-37), then end the turn."""
    bonus = cards_won(state) - 1
    if bonus > 0 and state.deck_size > 0:
        state.owed = bonus
        state.resume = TO_END
        leave_to_chance(state, HAND_DRAW)
    else:
        end_turn(state)


@rule
def use_power(state):
    kind = int(state.won[cards_won(state) - 1]) - 1
    if kind == BO:
        draw_then(state, 1, TO_LINE)
    else:
        state.victim = next_victim(state, int(state.active)) + 1
        leave_to_chance(state, COLONELS if kind == COLONEL else THEFT)


@rule
def go_on_robbing(state):
    """Pass to the next opponent with a card, clockwise; after the last go on attacking."""
    state.victim = next_victim(state, int(state.victim) - 1) + 1
    if state.victim == 0:
        go_on_attacking(state)


@rule
def earlier(state, kind):
    """Return how many cards of a kind the active player won before this turn."""
    count = int(state.victory[state.active, kind])
    for i in range(DIRECT):
        count -= int(state.won[i]) == kind + 1
    return count


@rule
def end_turn(state):
    """Ask for the Warriors' fee, then for surplus cards, then see to the rows (FBL-38 to 40)."""
    if state.warriors > 0:
        for kind in range(KINDS):
            if earlier(state, kind) > 0:
                ask(state, FEE_DUE)
                return
    if state.hand_sizes[state.active] > HAND_LIMIT:
        ask(state, LIMIT)
    elif can_slide(state):
        leave_to_chance(state, SLIDING)
    else:
        refill(state)


@rule
def refill(state):
    if next_gap(state) >= 0:
        leave_to_chance(state, REFILLING)
    else:
        close_turn(state)


@rule
def close_turn(state):
    """Forget the turn; end the game or pass on, clockwise."""
    state.direction = 0
    state.warriors = 0
    for i in range(DIRECT):
        state.won[i] = 0
    reason = end_reason(state)
    if reason == 46:
        leave_to_chance(state, PENALISING)
    elif reason != 0:
        finish(state, reason)
    else:
        state.active = (int(state.active) + 1) % int(state.seats)
        ask(state, TURN)


@rule
def finish(state, reason):
    leave_to_chance(state, ENDED)
    state.over = 1
    state.reason = reason


# --- What is legal ---


@rule
def phase_of(action):
    """Return the first phase in which players or chance may take an action."""
    if action < STAY:
        return TURN
    if action <= RIGHT:
        return STEP
    if action == STOP:
        return NEXT_CARD
    if action <= DECLINE:
        return POWER
    if action < DROP:
        return FEE_DUE
    if action < ATTACK:
        return LIMIT
    if action < PLACE:
        return TURN
    if action < REVEAL:
        return PLACING
    if action < FIRST:
        return ROWS
    if action < CARD:
        return BEGINNING
    if action < LOSE:
        return DEALING
    if action < STEAL:
        return COLONELS
    if action < SHUFFLE:
        return THEFT
    if action == SHUFFLE:
        return SHUFFLING
    return SLIDING if action == SLIDE else PENALISING


@rule
def wrong_time(state, action):
    """Return the statement that says when an action is due, where it is not due now."""
    phase = int(state.phase)
    if action <= DRAW:
        return 18
    if action <= RIGHT:
        return 23 if phase == TURN else 20
    if action == STOP:
        return 30
    if action <= DECLINE:
        return 10
    if action < DROP:
        return 38
    return 39 if action < ATTACK else 18


@rule
def direction_of(action):
    return (action - ATTACK) // NUM_PAYMENTS + 1


@rule
def payment_of(action):
    return (action - ATTACK) % NUM_PAYMENTS


@rule
def next_card_refusal(state, seat, action):
    """Say what forbids to go on with an attack so; it goes straight on (FBL-24)."""
    direction = direction_of(action)
    if direction != state.direction:
        return 44 if direction == AT_GENERAL else 24
    return pay_refusal(state, seat, direction, payment_of(action))


@answers(kernel.refusal, STATE)
def refusal(state, seat, action):
    if state.over != 0:
        return int(state.reason)
    if seat == CHANCE:
        return chance_refusal(state, action)
    if int(state.acting) >> seat & 1 == 0 or action >= PLACE:
        return 17
    phase = int(state.phase)
    due = phase_of(action)
    if action >= ATTACK and phase == NEXT_CARD:
        return next_card_refusal(state, seat, action)
    if due != phase:
        return wrong_time(state, action)
    if action < DRAW:
        return take_refusal(state, action - TAKE)
    if STAY < action <= RIGHT:
        return step_refusal(state, seat, action)
    if FEE <= action < DROP:
        return 0 if earlier(state, action - FEE) > 0 else 38
    if DROP <= action < ATTACK:
        return 0 if state.hands[seat, action - DROP] > 0 else 39
    if action < ATTACK:
        return 0
    direction = direction_of(action)
    code = attack_refusal(state, seat, direction)
    return code if code != 0 else pay_refusal(state, seat, direction, payment_of(action))


@answers(kernel.legal_actions, STATE)
def legal_actions(state, seat, out):
    if int(state.acting) >> seat & 1 == 0:
        return 0
    phase = int(state.phase)
    if phase == TURN:
        count = legal_gathering(state, out, 0)
        out[count] = DRAW
        return legal_attacks(state, seat, out, count + 1)
    if phase == NEXT_CARD:
        out[0] = STOP
        return legal_payments(state, seat, int(state.direction), out, 1)
    if phase == POWER:
        out[0] = USE
        out[1] = DECLINE
        return 2
    count = 0
    if phase == STEP:
        for action in range(STAY, RIGHT + 1):
            if step_refusal(state, seat, action) == 0:
                out[count] = action
                count += 1
    elif phase == FEE_DUE:
        for kind in range(KINDS):
            if earlier(state, kind) > 0:
                out[count] = FEE + kind
                count += 1
    else:
        for kind in range(ATTACK_KINDS):
            if state.hands[seat, kind] > 0:
                out[count] = DROP + kind
                count += 1
    return count


# --- Chance ---


@rule
def direction_taken(state, direction):
    for seat in range(int(state.seats)):
        if state.pawns[seat] == direction:
            return True
    return False


@rule
def chance_refusal(state, action):
    """Return 0 for what chance can do now, else the statement that it would break."""
    if action < PLACE or state.acting != 0:
        return 18
    phase = int(state.phase)
    if action < REVEAL:
        if phase != PLACING:
            return 15
        return 54 if direction_taken(state, action - PLACE + 1) else 0
    if action < FIRST:
        if phase not in (ROWS, REFILLING):
            return 40
        return 0 if state.unseen[action - REVEAL] > 0 else 5
    if action < CARD:
        return 0 if phase == BEGINNING and action - FIRST < state.seats else 17
    if action < LOSE:
        if phase not in (DEALING, HAND_DRAW, RESERVE_DRAW):
            return 16
        return 0 if state.deck[action - CARD] > 0 else 2
    if action < SHUFFLE:
        kind = action - (LOSE if action < STEAL else STEAL)
        if phase != (COLONELS if action < STEAL else THEFT):
            return 10
        return 0 if state.hands[int(state.victim) - 1, kind] > 0 else 10
    if action == SHUFFLE:
        return 0 if phase == SHUFFLING else 46
    if action == SLIDE:
        return 0 if phase == SLIDING else 40
    return 0 if phase == PENALISING else 47


@answers(kernel.chance_outcomes, STATE)
def chance_outcomes(state, actions, weights):
    if state.acting != 0 or state.over != 0:
        return 0
    phase = int(state.phase)
    if phase in (ROWS, REFILLING):
        return draw_outcomes(state.unseen, KINDS, REVEAL, actions, weights)
    if phase in (DEALING, HAND_DRAW, RESERVE_DRAW):
        return draw_outcomes(state.deck, ATTACK_KINDS, CARD, actions, weights)
    if phase in (COLONELS, THEFT):
        hand = state.hands[int(state.victim) - 1]
        first = LOSE if phase == COLONELS else STEAL
        return draw_outcomes(hand, ATTACK_KINDS, first, actions, weights)
    count = 0
    if phase == PLACING:
        for direction in range(1, DIRECTIONS + 1):
            if not direction_taken(state, direction):
                actions[count] = PLACE + direction - 1
                weights[count] = 1
                count += 1
        return count
    if phase == BEGINNING:
        for seat in range(int(state.seats)):
            actions[seat] = FIRST + seat
            weights[seat] = 1
        return int(state.seats)
    actions[0] = SHUFFLE if phase == SHUFFLING else (SLIDE if phase == SLIDING else PENALTY)
    weights[0] = 1
    return 1


# --- What happens ---


@answers(kernel.apply_action, STATE)
def apply_action(state, seat, action):
    if seat == CHANCE:
        state.plies += 1
        state.sealed = state.plies  # nobody takes back what was drawn or shown
        apply_chance(state, action)
        return
    if state.phase == TURN:
        state.sealed = state.plies  # whoever has played before
    state.plies += 1
    if action < DRAW:
        take_from_reserve(state, seat, action - TAKE)
        leave_to_chance(state, RESERVE_DRAW)
    elif action == DRAW:
        draw_then(state, 1, TO_STEP)
    elif action <= RIGHT:
        move_pawn(state, seat, action)
        end_turn(state)
    elif action == STOP:
        end_attack(state)
    elif action == USE:
        use_power(state)
    elif action == DECLINE:
        go_on_attacking(state)
    elif action < DROP:
        state.victory[seat, action - FEE] -= 1
        state.removed[action - FEE] += 1
        state.warriors -= 1
        end_turn(state)
    elif action < ATTACK:
        lose(state, seat, action - DROP)
        state.reserve[action - DROP] += 1
        note_shown(state, seat, action - DROP, 1)
        state.sealed = state.plies
        end_turn(state)
    else:
        state.sealed = state.plies  # cards of a hand were shown
        kind = capture(state, seat, direction_of(action), payment_of(action))
        after_capture(state, kind)


@rule
def apply_chance(state, action):
    if action < REVEAL:
        state.pawns[next_to_place(state)] = action - PLACE + 1
        if next_to_place(state) < 0:
            state.phase = ROWS
    elif action < FIRST:
        reveal(state, action - REVEAL)
        if next_gap(state) < 0:
            if state.phase == ROWS:
                state.phase = DEALING
            else:
                close_turn(state)
    elif action < CARD:
        state.active = action - FIRST
        ask(state, TURN)
    elif action < LOSE:
        draw(state, action - CARD)
    elif action < STEAL:
        throw_away(state, int(state.victim) - 1, action - LOSE)
        go_on_robbing(state)
    elif action < SHUFFLE:
        steal(state, int(state.victim) - 1, action - STEAL)
        go_on_robbing(state)
    elif action == SHUFFLE:
        shuffle(state)
        go_on_drawing(state)
    elif action == SLIDE:
        slide(state)
        refill(state)
    else:
        penalise(state)
        finish(state, 46)


@rule
def draw(state, kind):
    """Draw a card, to whom the phase says."""
    if state.phase == DEALING:
        deal(state, kind)
    elif state.phase == RESERVE_DRAW:
        draw_to_reserve(state, kind)
        draw_then(state, 0, TO_END)
    else:
        draw_to_hand(state, int(state.active), kind)
        state.owed -= 1
        go_on_drawing(state)
