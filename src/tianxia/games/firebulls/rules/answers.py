"""The rules of Fire Bulls: set-up, and the course of a turn through its phases.

What each phase does is told in `gathering`, `attack`, `powers`, `rows` and `ending`.
Refusals and reasons are named in `statements`.
"""

from __future__ import annotations

from tianxia.games.firebulls.rules import attack, cards, gathering
from tianxia.games.firebulls.rules import components as c
from tianxia.games.firebulls.rules import state as s
from tianxia.games.firebulls.rules import statements as because
from tianxia.games.firebulls.rules.ending import end_reason, penalise
from tianxia.games.firebulls.rules.powers import has_power, next_victim, steal, throw_away
from tianxia.games.firebulls.rules.rows import can_slide, next_gap, reveal, slide
from tianxia.kernel import functions as kernel
from tianxia.kernel.arrays import copy_into
from tianxia.kernel.decks import shuffle
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import rule
from tianxia.kernel.multisets import draw_outcomes, how_many
from tianxia.kernel.record import CHANCE

# --- The set-up, all of it by chance (FBL-12 to 17) ---


@answers(kernel.setup, s.STATE)
def setup(state):
    copy_into(state.deck, c.ATTACK_CARDS)
    state.fresh = state.deck
    state.deck_size = c.DECK
    copy_into(state.unseen, c.POINT_CARDS)
    state.piles[:] = c.PILE


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
        if state.hand_sizes[seat] < c.DEALT:
            return seat
    return -1


@rule
def drawer(state):
    """Return the seat whose hand gets the next card of the deck; −1 if it is the Reserve."""
    if state.phase == s.DEALING:
        return next_to_deal(state)
    return int(state.active) if state.phase == s.HAND_DRAW else -1


@rule
def deal(state, kind):
    seat = next_to_deal(state)
    if seat >= 0:
        cards.draw_to_hand(state, seat, kind)
    else:
        cards.draw_to_reserve(state, kind)
        if how_many(state.reserve) == c.DEALT:
            state.phase = s.BEGINNING


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
    if cards.must_shuffle(state):
        leave_to_chance(state, s.SHUFFLING)
    elif state.owed > 0 and state.deck_size > 0:
        leave_to_chance(state, s.HAND_DRAW)
    else:
        resume = int(state.resume)
        state.owed = 0
        state.resume = 0
        if resume == s.TO_STEP:
            ask(state, s.STEP)
        elif resume == s.TO_LINE and attack.may_go_on(state):
            ask(state, s.NEXT_CARD)
        elif resume == s.TO_LINE:
            end_attack(state)
        else:
            end_turn(state)


@rule
def after_capture(state, kind):
    """Offer the card's power, if it has one that can do anything."""
    if has_power(state, kind):
        ask(state, s.POWER)
    else:
        go_on_attacking(state)


@rule
def go_on_attacking(state):
    if attack.may_go_on(state):
        ask(state, s.NEXT_CARD)
    else:
        end_attack(state)


@rule
def end_attack(state):
    """Draw the bonus for each card beyond the first (FBL-37), then end the turn."""
    bonus = attack.cards_won(state) - 1
    if bonus > 0 and state.deck_size > 0:
        state.owed = bonus
        state.resume = s.TO_END
        leave_to_chance(state, s.HAND_DRAW)
    else:
        end_turn(state)


@rule
def use_power(state):
    kind = int(state.won[attack.cards_won(state) - 1]) - 1
    if kind == c.BO:
        draw_then(state, 1, s.TO_LINE)
    else:
        state.victim = next_victim(state, int(state.active)) + 1
        leave_to_chance(state, s.COLONELS if kind == c.COLONEL else s.THEFT)


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
    for i in range(c.DIRECT):
        count -= int(state.won[i]) == kind + 1
    return count


@rule
def end_turn(state):
    """Ask for the Warriors' fee, then for surplus cards, then see to the rows (FBL-38 to 40)."""
    if state.warriors > 0:
        for kind in range(c.KINDS):
            if earlier(state, kind) > 0:
                ask(state, s.FEE_DUE)
                return
    if state.hand_sizes[state.active] > c.HAND_LIMIT:
        ask(state, s.LIMIT)
    elif can_slide(state):
        leave_to_chance(state, s.SLIDING)
    else:
        refill(state)


@rule
def refill(state):
    if next_gap(state) >= 0:
        leave_to_chance(state, s.REFILLING)
    else:
        close_turn(state)


@rule
def close_turn(state):
    """Forget the turn; end the game or pass on, clockwise."""
    state.direction = 0
    state.warriors = 0
    state.won[:] = 0
    reason = end_reason(state)
    if reason == because.THIRD_EXHAUSTION:
        leave_to_chance(state, s.PENALISING)
    elif reason != 0:
        finish(state, reason)
    else:
        state.active = (int(state.active) + 1) % int(state.seats)
        ask(state, s.TURN)


@rule
def finish(state, reason):
    leave_to_chance(state, s.ENDED)
    state.over = 1
    state.reason = reason


# --- What is legal ---

DUE = c.ACTIONS.table(
    {
        "take draw": 1 << s.TURN,
        "stay left right": 1 << s.STEP,
        "stop": 1 << s.NEXT_CARD,
        "use decline": 1 << s.POWER,
        "fee": 1 << s.FEE_DUE,
        "drop": 1 << s.LIMIT,
        "attack": 1 << s.TURN | 1 << s.NEXT_CARD,
        "place": 1 << s.PLACING,
        "reveal": 1 << s.ROWS | 1 << s.REFILLING,
        "first": 1 << s.BEGINNING,
        "card": 1 << s.DEALING | 1 << s.HAND_DRAW | 1 << s.RESERVE_DRAW,
        "lose": 1 << s.COLONELS,
        "steal": 1 << s.THEFT,
        "shuffle": 1 << s.SHUFFLING,
        "slide": 1 << s.SLIDING,
        "penalty": 1 << s.PENALISING,
    }
)
"""The phases in which an action is due, as bits."""
WRONG_TIME = c.ACTIONS.table(
    {
        "take draw attack": because.ONE_THING,
        "stay left right": because.STEP_AFTER_DRAWING,
        "use decline lose steal": because.POWERS_OF_CARDS,
        "stop": because.ATTACK_LENGTH,
        "fee": because.FEE_FOR_WARRIORS,
        "drop": because.EIGHT_IN_HAND,
        "place": because.PAWNS_ARE_PLACED,
        "first": because.ACTIVE_PLAYER,
        "card": because.CARDS_ARE_DEALT,
        "reveal slide": because.ROWS_CLOSE_UP,
        "shuffle": because.THIRD_EXHAUSTION,
        "penalty": because.HIGHEST_IS_LOST,
    }
)
"""The statement that says when an action is due."""


@answers(kernel.refusal, s.STATE)
def refusal(state, seat, action):
    if state.over != 0:
        return int(state.reason)
    if seat == CHANCE:
        if action < c.PLACE or state.acting != 0:
            return because.ONE_THING
    elif int(state.acting) >> seat & 1 == 0 or action >= c.PLACE:
        return because.ACTIVE_PLAYER
    phase = int(state.phase)
    if DUE[action] >> phase & 1 == 0:
        taken = phase == s.TURN and c.STAY <= action <= c.RIGHT
        return because.NO_STEP_AFTER_TAKING if taken else int(WRONG_TIME[action])
    return due_refusal(state, seat, c.kind_of(action), c.argument(action, 0), c.argument(action, 1))


@rule
def due_refusal(state, seat, kind, one, two):
    """Return what forbids an action that is due, by its kind and arguments, else 0."""
    if kind == c.ATTACK:
        return attack.pay_refusal(state, seat, one, two)
    if kind == c.TAKE:
        return gathering.take_refusal(state, one)
    if kind in (c.LEFT, c.RIGHT):
        return gathering.step_refusal(state, seat, kind)
    if kind == c.FEE:
        return 0 if earlier(state, one) > 0 else because.FEE_FOR_WARRIORS
    if kind == c.DROP:
        return 0 if state.hands[seat, one] > 0 else because.EIGHT_IN_HAND
    if kind == c.PLACE:
        return because.ONE_PAWN_EACH if direction_taken(state, one) else 0
    if kind == c.REVEAL:
        return 0 if state.unseen[one] > 0 else because.BOX_IS_EMPTY
    if kind == c.FIRST:
        return 0 if one < state.seats else because.ACTIVE_PLAYER
    if kind == c.CARD:
        return 0 if state.deck[one] > 0 else because.DECK_IS_EMPTY
    if kind in (c.LOSE, c.STEAL):
        return 0 if state.hands[int(state.victim) - 1, one] > 0 else because.POWERS_OF_CARDS
    return 0


@answers(kernel.legal_actions, s.STATE)
def legal_actions(state, seat, out):
    if int(state.acting) >> seat & 1 == 0:
        return 0
    phase = int(state.phase)
    if phase == s.TURN:
        count = allowed(state, seat, c.TAKE, c.ATTACK_KINDS, out, 0)
        count = allowed(state, seat, c.DRAW, 1, out, count)
        return attack.legal_attacks(state, seat, out, count)
    if phase == s.NEXT_CARD:
        count = allowed(state, seat, c.STOP, 1, out, 0)
        return attack.legal_attacks(state, seat, out, count)
    if phase == s.FEE_DUE:
        return allowed(state, seat, c.FEE, c.KINDS, out, 0)
    if phase == s.LIMIT:
        return allowed(state, seat, c.DROP, c.ATTACK_KINDS, out, 0)
    if phase == s.POWER:
        count = allowed(state, seat, c.USE, 1, out, 0)
        return allowed(state, seat, c.DECLINE, 1, out, count)
    count = allowed(state, seat, c.STAY, 1, out, 0)
    count = allowed(state, seat, c.LEFT, 1, out, count)
    return allowed(state, seat, c.RIGHT, 1, out, count)


@rule
def allowed(state, seat, kind, number, out, count):
    """Write the actions of a kind that nothing forbids, of so many; return the new count."""
    for i in range(number):
        if due_refusal(state, seat, kind, i, 0) == 0:
            out[count] = kind + i
            count += 1
    return count


# --- Chance ---


@rule
def direction_taken(state, direction):
    for seat in range(int(state.seats)):
        if state.pawns[seat] == direction:
            return True
    return False


@answers(kernel.chance_outcomes, s.STATE)
def chance_outcomes(state, actions, weights):
    if state.acting != 0 or state.over != 0:
        return 0
    phase = int(state.phase)
    if phase in (s.ROWS, s.REFILLING):
        return draw_outcomes(state.unseen, c.KINDS, c.REVEAL, actions, weights)
    if phase in (s.DEALING, s.HAND_DRAW, s.RESERVE_DRAW):
        return draw_outcomes(state.deck, c.ATTACK_KINDS, c.CARD, actions, weights)
    if phase in (s.COLONELS, s.THEFT):
        hand = state.hands[int(state.victim) - 1]
        first = c.LOSE if phase == s.COLONELS else c.STEAL
        return draw_outcomes(hand, c.ATTACK_KINDS, first, actions, weights)
    count = 0
    if phase == s.PLACING:
        for direction in range(1, c.DIRECTIONS + 1):
            if not direction_taken(state, direction):
                actions[count] = c.PLACE + direction - 1
                weights[count] = 1
                count += 1
        return count
    if phase == s.BEGINNING:
        for seat in range(int(state.seats)):
            actions[seat] = c.FIRST + seat
            weights[seat] = 1
        return int(state.seats)
    actions[0] = (
        c.SHUFFLE if phase == s.SHUFFLING else (c.SLIDE if phase == s.SLIDING else c.PENALTY)
    )
    weights[0] = 1
    return 1


# --- What happens ---


@answers(kernel.apply_action, s.STATE)
def apply_action(state, seat, action):
    if seat == CHANCE:
        state.plies += 1
        state.sealed = state.plies  # nobody takes back what was drawn or shown
        apply_chance(state, action)
        return
    if state.phase == s.TURN:
        state.sealed = state.plies  # whoever has played before
    state.plies += 1
    kind, one = c.kind_of(action), c.argument(action, 0)
    if kind == c.TAKE:
        gathering.take_from_reserve(state, seat, one)
        leave_to_chance(state, s.RESERVE_DRAW)
    elif kind == c.DRAW:
        draw_then(state, 1, s.TO_STEP)
    elif kind in (c.STAY, c.LEFT, c.RIGHT):
        gathering.move_pawn(state, seat, action)
        end_turn(state)
    elif kind == c.STOP:
        end_attack(state)
    elif kind == c.USE:
        use_power(state)
    elif kind == c.DECLINE:
        go_on_attacking(state)
    elif kind == c.FEE:
        state.victory[seat, one] -= 1
        state.removed[one] += 1
        state.warriors -= 1
        end_turn(state)
    elif kind == c.DROP:
        cards.lose(state, seat, one)
        state.reserve[one] += 1
        cards.note_shown(state, seat, one, 1)
        state.sealed = state.plies
        end_turn(state)
    else:
        state.sealed = state.plies  # cards of a hand were shown
        after_capture(state, attack.capture(state, seat, one, c.argument(action, 1)))


@rule
def apply_chance(state, action):
    kind, one = c.kind_of(action), c.argument(action, 0)
    if kind == c.PLACE:
        state.pawns[next_to_place(state)] = one
        if next_to_place(state) < 0:
            state.phase = s.ROWS
    elif kind == c.REVEAL:
        reveal(state, one)
        if next_gap(state) < 0:
            if state.phase == s.ROWS:
                state.phase = s.DEALING
            else:
                close_turn(state)
    elif kind == c.FIRST:
        state.active = one
        ask(state, s.TURN)
    elif kind == c.CARD:
        draw(state, one)
    elif kind == c.LOSE:
        throw_away(state, int(state.victim) - 1, one)
        go_on_robbing(state)
    elif kind == c.STEAL:
        steal(state, int(state.victim) - 1, one)
        go_on_robbing(state)
    elif kind == c.SHUFFLE:
        shuffle(state)
        go_on_drawing(state)
    elif kind == c.SLIDE:
        slide(state)
        refill(state)
    else:
        penalise(state)
        finish(state, because.THIRD_EXHAUSTION)


@rule
def draw(state, kind):
    """Draw a card, to whom the phase says."""
    if state.phase == s.DEALING:
        deal(state, kind)
    elif state.phase == s.RESERVE_DRAW:
        cards.draw_to_reserve(state, kind)
        draw_then(state, 0, s.TO_END)
    else:
        cards.draw_to_hand(state, int(state.active), kind)
        state.owed -= 1
        go_on_drawing(state)
