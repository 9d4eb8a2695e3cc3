"""The rules of China: set-up, and the course of a turn through its phases.

What each phase does is told in `placing`, `pieces`, `cards`, `court`, `scoring`, `roads`
and `ending`. Refusals and reasons are the numbers of the statements (25 is CHI-25).
"""

from __future__ import annotations

from tianxia.games.china.rules import cards, placing
from tianxia.games.china.rules import components as c
from tianxia.games.china.rules import state as s
from tianxia.games.china.rules import statements as because
from tianxia.games.china.rules.boards import PROVINCES
from tianxia.games.china.rules.court import keep, keep_without_asking
from tianxia.games.china.rules.ending import begin_final, go_to_step, score, step_refusal
from tianxia.games.china.rules.pieces import anything_to_place, face_down, next_to_turn, occupied
from tianxia.games.china.rules.scoring import next_complete
from tianxia.kernel import functions as kernel
from tianxia.kernel.actions import write_actions
from tianxia.kernel.arrays import copy_into
from tianxia.kernel.bits import lowest
from tianxia.kernel.decks import draw, leave_deck, shuffle
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import rule
from tianxia.kernel.multisets import draw_outcomes, how_many, nonzero, pour
from tianxia.kernel.record import CHANCE

# --- The set-up, all of it by chance (CHI-04 to 08; ruling R52) ---


@answers(kernel.setup, s.STATE)
def setup(state):
    seats = int(state.seats)
    state.land = state.options.own
    if state.land == 0:
        state.land = c.BOARD_OF[int(state.options.board), seats]
    copy_into(state.deck, c.CARDS[seats])
    state.fresh = state.deck
    state.deck_size = how_many(state.deck)
    if seats == 2:
        state.special[:] = s.ALL_SPECIAL
    if state.options.fortifications != 0:
        state.forts_left[:seats] = 1
    state.phase = s.BEGINNING
    if state.options.tiles != 0:
        state.phase = s.TILING
        state.tiles_down[:] = c.TILES_OF_COLOUR


@rule
def next_to_tile(state):
    """Return the first province that lacks tiles, or −1."""
    for province in range(PROVINCES):
        if state.tile_space[province, c.TILES_IN_PROVINCE - 1] == 0:
            return province
    return -1


@rule
def tile_places(state):
    """Return where the next tile may lie."""
    province = next_to_tile(state)
    places = c.TILED[c.row_of(state), province]
    if state.tile_space[province, 0] != 0:
        places &= ~(1 << (int(state.tile_space[province, 0]) - 1))
    return places


@rule
def lay_tile(state, space):
    """Lay a tile face down; those of a province are kept in the order of their spaces."""
    province = next_to_tile(state)
    before = int(state.tile_space[province, 0])
    if before == 0:
        state.tile_space[province, 0] = space + 1
    else:
        state.tile_space[province, 0] = min(before, space + 1)
        state.tile_space[province, 1] = max(before, space + 1)
    if next_to_tile(state) < 0:
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


# What follows an action. Each step of a turn returns what comes next, and `go_on` calls
# them in their order: so each is called at one place, which compiles much faster, and none
# calls another in a circle. From 48 on it is the statement that ends the game.
NOTHING, PIECE, PLACED, REFILL, FILL, STEP = range(6)


@rule
def go_on(state, follows):
    """Do what follows an action, until somebody may decide or chance has to act."""
    if follows == PIECE:
        follows = after_piece(state)
    if follows == PLACED:
        follows = end_placing(state)
    if follows == REFILL:
        state.owed = c.HAND - int(state.hand_sizes[int(state.active)])
        follows = FILL
    if follows == FILL:
        follows = fill_up(state)
    if follows > STEP:
        begin_final(state, follows)
        follows = STEP
    if follows == STEP:
        go_to_step(state)


@rule
def after_piece(state):
    """See what a piece, or the scoring that it has brought, leads to (ruling R53)."""
    if next_complete(state) >= 0:
        leave_to_chance(state, s.SCORING)
        return NOTHING
    if not anything_to_place(state):
        return because.NOTHING_CAN_BE_PLACED
    if c.DISPUTED[c.row_of(state)] != 0 and next_to_turn(state) >= 0:
        state.target = next_to_turn(state) + 1
        leave_to_chance(state, s.TURNING)
        return NOTHING
    if int(state.course) & s.EMPERORS != 0:
        return FILL
    # A second piece is asked for unless public facts forbid it (CHI-15 to 19).
    alone = int(state.course) & s.SINGLE != 0 and not placing.may_roam(state)
    if state.placed == 1 and state.hand_sizes[int(state.active)] > 0 and not alone:
        ask(state, s.MORE)
        return NOTHING
    return PLACED


@rule
def end_placing(state):
    """See which of the cards played is kept (CHI-69), before the hand is filled up (CHI-12)."""
    if cards.keeps_cards(state) and not keep_without_asking(state):
        ask(state, s.KEEPING)
        return NOTHING
    return REFILL


@rule
def fill_up(state):
    """Draw what is still owed: to the hand, to the display, and to the Emperor.

    The Emperor's piece follows the display, his cards follow his piece (ruling R38).
    """
    if cards.must_shuffle(state):
        leave_to_chance(state, s.SHUFFLING)
        return NOTHING
    if int(state.course) & s.EMPERORS == 0:
        if state.owed > 0 and (state.deck_size > 0 or how_many(state.display) > 0):
            ask(state, s.TAKING)
            return NOTHING
        state.owed = 0
        if cards.display_lacks(state) and state.deck_size > 0:
            leave_to_chance(state, s.DISPLAYING)
            return NOTHING
        if state.seats != 2 or int(state.course) & s.PLAYED_FIRST != 0:
            return end_turn(state)
        state.course |= s.EMPERORS
        if placing.emperor_can_place(state):
            ask(state, s.EMPEROR_TURN)
            return NOTHING
    if cards.emperor_lacks(state) and state.deck_size > 0:
        leave_to_chance(state, s.EMPEROR_DRAW)
        return NOTHING
    if int(state.course) & s.PLAYED_FIRST != 0:  # the turn itself comes now (CHI-77)
        state.course &= ~s.EMPERORS
        ask(state, s.TURN)
        return NOTHING
    return end_turn(state)


@rule
def end_turn(state):
    """Forget the turn; pass on, clockwise, or end the game after the last round (CHI-48)."""
    following = (int(state.active) + 1) % int(state.seats)
    if state.exhausted >= c.LAST_EXHAUSTION and following == state.first:
        return because.DECK_OUT_TWICE
    state.course = 0
    state.placed = 0
    state.province = 0
    state.active = following
    ask(state, s.TURN)
    return NOTHING


# --- What is legal ---


DUE = c.ACTIONS.table(
    {
        "palace": 1 << s.TURN | 1 << s.MORE | 1 << s.SPACE | 1 << s.EMPEROR_TURN,
        "post": 1 << s.TURN | 1 << s.MORE | 1 << s.SPACE,
        "fort": 1 << s.TURN | 1 << s.MORE,
        "emissary open": 1 << s.TURN | 1 << s.MORE | 1 << s.EMPEROR_TURN,
        "stop": 1 << s.MORE,
        "pass exchange emperor swap": 1 << s.TURN,
        "take deck": 1 << s.TAKING,
        "keep": 1 << s.KEEPING,
        "decline": 1 << s.EMPEROR_TURN,
    }
)
"""The phases in which a player's action is due, as bits."""
WRONG_TIME = c.ACTIONS.table(
    {
        "palace fort emissary post open stop pass": because.NO_FREE_PASS,
        "exchange": because.PLACE_OR_EXCHANGE,
        "take deck": because.WHERE_CARDS_COME_FROM,
        "keep": because.PLAYED_CARD_IS_KEPT,
        "decline": because.EMPEROR_IS_PLACED,
        "emperor swap": because.SPECIAL_CARDS,
    }
)
"""The statement that says when a player's action is due."""


@rule
def wrong_time(state, action):
    """Return the statement that says what is due now, or when this action would be."""
    phase = int(state.phase)
    if phase == s.TAKING:
        return because.REFILL_TO_THREE if state.placed > 0 else because.EXCHANGE_A_CARD
    if phase == s.KEEPING:
        return because.PLAYED_CARD_IS_KEPT
    if phase == s.SPACE:
        return because.TILES_TURNED_FIRST
    return because.EMPEROR_IS_PLACED if phase == s.EMPEROR_TURN else int(WRONG_TIME[action])


@answers(kernel.refusal, s.STATE)
def refusal(state, seat, action):
    if state.over != 0:
        return int(state.reason)
    if seat == CHANCE:
        return chance_refusal(state, action)
    if int(state.acting) >> seat & 1 == 0 or action >= c.TILE:
        return because.PLACE_OR_EXCHANGE
    if DUE[action] >> int(state.phase) & 1 == 0:
        return wrong_time(state, action)
    kind, one = c.kind_of(action), c.argument(action, 0)
    if kind <= c.OPEN:
        return placing.placing_refusal(state, action)
    if kind == c.SWAP:
        return swap_refusal(state, seat, one, c.argument(action, 1))
    return card_refusal(state, seat, kind, one)


@rule
def card_refusal(state, seat, kind, one):
    """Return what forbids an action about cards, or to do no more; it is due."""
    if kind == c.PASS:
        return because.NO_FREE_PASS if cards.can_exchange(state, seat) else 0
    if kind == c.EXCHANGE:
        held = nonzero(state.hands[seat]) >> one & 1 != 0
        return 0 if held and cards.can_exchange(state, seat) else because.EXCHANGE_A_CARD
    if kind in (c.TAKE, c.DECK):
        if cards.takeable(state) >> (one if kind == c.TAKE else c.COLOURS) & 1 != 0:
            return 0
        return because.WHERE_CARDS_COME_FROM if state.placed > 0 else because.EXCHANGE_A_CARD
    if kind == c.KEEP:
        return 0 if nonzero(state.played) >> one & 1 != 0 else because.PLAYED_CARD_IS_KEPT
    if kind == c.DECLINE:
        return because.SPECIAL_CARDS if int(state.course) & s.PLAYED_FIRST != 0 else 0
    return emperor_first_refusal(state, seat) if kind == c.EMPEROR_FIRST else 0  # or to stop


@rule
def has_special(state, seat, card):
    return state.seats == 2 and int(state.special[seat]) & card != 0


@rule
def emperor_first_refusal(state, seat):
    able = has_special(state, seat, s.EMPEROR_CARD) and placing.emperor_can_place(state)
    return 0 if able else because.SPECIAL_CARDS


@rule
def swap_refusal(state, seat, given, taken):
    """Return what forbids an exchange with a card of the display (CHI-77)."""
    able = state.hands[seat, given] > 0 and state.display[taken] > 0
    return 0 if able and has_special(state, seat, s.SWAP_CARD) else because.SPECIAL_CARDS


@answers(kernel.legal_actions, s.STATE)
def legal_actions(state, seat, out):
    if int(state.acting) >> seat & 1 == 0:
        return 0
    phase = int(state.phase)
    if phase == s.TAKING:
        return write_actions(cards.takeable(state), c.TAKE, out, 0)
    if phase == s.KEEPING:
        return write_actions(nonzero(state.played), c.KEEP, out, 0)
    return legal_others(state, seat, out, placing.legal_pieces(state, out))


@rule
def legal_others(state, seat, out, count):
    """Write what can be done instead of placing a piece; return the new count."""
    phase = int(state.phase)
    if phase == s.EMPEROR_TURN and card_refusal(state, seat, c.DECLINE, 0) == 0:
        out[count] = c.DECLINE
        return count + 1
    if phase == s.MORE:
        out[count] = c.STOP
        return count + 1
    if phase == s.TURN:
        if cards.can_exchange(state, seat):
            count = write_actions(nonzero(state.hands[seat]), c.EXCHANGE, out, count)
        else:
            out[count] = c.PASS
            count += 1
        if state.seats == 2:
            count = legal_special(state, seat, out, count)
    return count


@rule
def legal_special(state, seat, out, count):
    if emperor_first_refusal(state, seat) == 0:
        out[count] = c.EMPEROR_FIRST
        count += 1
    for given in range(c.COLOURS):
        for taken in range(c.COLOURS):
            if swap_refusal(state, seat, given, taken) == 0:
                out[count] = c.swap(given, taken)
                count += 1
    return count


# --- Chance ---


@rule
def drawn_to_hand(state):
    """Say whether the next card of the deck goes to a hand, unseen by others."""
    return state.phase == s.DRAWING or (state.phase == s.DEALING and cards.next_to_deal(state) >= 0)


@rule
def may_begin(state, seat):
    """Say whether a seat can be the first player: any, or the one of the colour that was chosen."""
    colour = (seat + int(state.options.chosen[seat])) % c.MAX_PLAYERS
    return int(state.options.first) in (s.RANDOM_FIRST, colour + 1)


@rule
def chance_refusal(state, action):
    """Return 0 for what chance can do now, else the statement that it would break."""
    phase = int(state.phase)
    if action < c.TILE or state.acting != 0:
        return because.PLACE_OR_EXCHANGE
    kind, one = c.kind_of(action), c.argument(action, 0)
    if kind == c.TILE:
        able = phase == s.TILING and tile_places(state) >> one & 1 != 0
        return 0 if able else because.TILES_LAID
    if kind == c.TURN_TILE:
        return 0 if phase == s.TURNING and state.tiles_down[one] > 0 else because.TILES_TURNED_FIRST
    if kind == c.FIRST:
        able = phase == s.BEGINNING and one < state.seats
        able = able and may_begin(state, one)
        return 0 if able else because.FIRST_PLAYER
    if kind in (c.CARD, c.SHOW):
        drawing = phase == s.DEALING or s.DRAWING <= phase <= s.EMPEROR_DRAW
        due = drawing and drawn_to_hand(state) == (kind == c.CARD)
        return 0 if due and state.deck[one] > 0 else because.HANDS_AND_DISPLAY
    if kind == c.SHUFFLE:
        return 0 if phase == s.SHUFFLING else because.RESHUFFLE
    if phase == s.SCORING:
        return 0 if action == c.SCORE + next_complete(state) else step_refusal(action)
    return 0 if phase == s.FINAL and action == c.SCORE + int(state.step) else step_refusal(action)


@answers(kernel.chance_outcomes, s.STATE)
def chance_outcomes(state, actions, weights):
    if state.acting != 0 or state.over != 0:
        return 0
    phase = int(state.phase)
    if phase == s.TURNING:
        return draw_outcomes(state.tiles_down, c.TILE_COLOURS, c.TURN_TILE, actions, weights)
    if phase == s.DEALING or s.DRAWING <= phase <= s.EMPEROR_DRAW:
        first = c.CARD if drawn_to_hand(state) else c.SHOW
        return draw_outcomes(state.deck, c.COLOURS, first, actions, weights)
    if phase == s.TILING:
        return tile_outcomes(state, actions, weights)
    weights[0] = 1
    if phase == s.BEGINNING:
        count = 0
        for seat in range(int(state.seats)):
            if may_begin(state, seat):
                actions[count] = c.FIRST + seat
                weights[count] = 1
                count += 1
        return count
    if phase == s.SHUFFLING:
        actions[0] = c.SHUFFLE
    else:
        actions[0] = c.SCORE + (next_complete(state) if phase == s.SCORING else int(state.step))
    return 1


@rule
def tile_outcomes(state, actions, weights):
    places, count = tile_places(state), 0
    while places != 0:
        actions[count] = c.TILE + lowest(places)
        weights[count] = 1
        places &= places - 1
        count += 1
    return count


# --- What happens ---


@answers(kernel.apply_action, s.STATE)
def apply_action(state, seat, action):
    if seat == CHANCE:
        state.plies += 1
        if action <= c.SHUFFLE:
            state.sealed = state.plies  # nobody takes back what was drawn or turned up
        go_on(state, apply_chance(state, action))
        return
    if int(state.course) & s.BEGUN == 0:
        state.sealed = state.plies  # whoever has played before
    state.plies += 1
    state.course |= s.BEGUN
    go_on(state, apply_choice(state, seat, action))


@rule
def apply_choice(state, seat, action):
    """Do what a player has decided; return what follows."""
    kind, one = c.kind_of(action), c.argument(action, 0)
    if kind < c.OPEN:
        placing.place(state, action)
        return PIECE
    if kind == c.OPEN:
        state.target = one + 1
        leave_to_chance(state, s.TURNING)
        return NOTHING
    if kind == c.STOP:
        return PLACED
    if kind in (c.PASS, c.DECLINE):
        return FILL
    if kind == c.EXCHANGE:
        cards.exchange(state, seat, one)
        state.owed = 1
        return FILL
    if kind == c.TAKE:
        cards.take(state, seat, one)
        state.owed -= 1
        return FILL
    if kind == c.DECK:
        leave_to_chance(state, s.DRAWING)
        return NOTHING
    if kind == c.KEEP:
        keep(state, one)
        pour(state.played, state.discard)
        return REFILL
    if kind == c.EMPEROR_FIRST:
        state.special[seat] &= ~s.EMPEROR_CARD
        state.course |= s.EMPERORS | s.PLAYED_FIRST
        ask(state, s.EMPEROR_TURN)
        return NOTHING
    state.special[seat] &= ~s.SWAP_CARD
    cards.swap_cards(state, seat, one, c.argument(action, 1))
    return NOTHING


@rule
def apply_chance(state, action):
    """Do what chance does; return what follows."""
    kind, one = c.kind_of(action), c.argument(action, 0)
    if kind == c.TILE:
        lay_tile(state, one)
        return NOTHING
    if kind == c.TURN_TILE:
        return turn_tile(state, one)
    if kind == c.FIRST:
        state.first = one
        state.active = one
        state.phase = s.DEALING
        return NOTHING
    if kind in (c.CARD, c.SHOW):
        return draw_card(state, one)
    if kind == c.SHUFFLE:
        shuffle(state)
        return FILL
    score(state, action - c.SCORE)
    if state.phase == s.SCORING:
        return PIECE
    state.step += 1
    return STEP


@rule
def draw_card(state, colour):
    """Draw a card, to where the phase says."""
    leave_deck(state, colour, c.LAST_EXHAUSTION)
    phase = int(state.phase)
    if drawn_to_hand(state):
        if phase == s.DRAWING:
            state.owed -= 1
        draw(state, cards.drawer(state), colour)
        return FILL if phase == s.DRAWING else NOTHING
    state.fresh[colour] -= 1
    if phase == s.EMPEROR_DRAW or (phase == s.DEALING and cards.emperor_lacks(state)):
        state.imperial[colour] += 1
    else:
        state.display[colour] += 1
    if phase == s.DEALING:
        if not cards.display_lacks(state):
            ask(state, s.TURN)
        return NOTHING
    return FILL


@rule
def turn_tile(state, colour):
    """Turn up the next tile of a province (CHI-80)."""
    province = int(state.target) - 1
    slot = 0 if state.tile_colour[province, 0] == 0 else 1
    state.tile_colour[province, slot] = colour + 1
    state.tiles_down[colour] -= 1
    if face_down(state, province):
        return NOTHING
    if occupied(state) & c.WITHIN[c.row_of(state), province] != 0:  # by a border post
        state.target = 0
        return PIECE
    ask(state, s.SPACE)
    return NOTHING
