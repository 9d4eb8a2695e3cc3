"""The rules of Stratego: set-up, moves, fights, ends.

Refusals and reasons are named in `statements`.
"""

from __future__ import annotations

from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules import repetition
from tianxia.games.stratego.rules import statements as because
from tianxia.games.stratego.rules.state import DRAW, MOVED, PLAY, RAN, SETUP, SHOWN, STATE
from tianxia.kernel import functions as kernel
from tianxia.kernel.arrays import copy_into
from tianxia.kernel.bits import lowest
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import rule
from tianxia.kernel.record import CHANCE

WIN, TIE, LOSS = 1, 0, -1

squares_of = rule(c.squares_of)


@answers(kernel.setup, STATE)
def setup(state):
    state.acting = 0b11
    fill_reserve(state, 0)
    fill_reserve(state, 1)


# --- Set-up: each player in secret, ranks for his squares in a fixed order ---


@rule
def piece_on_slot(seat, slot):
    return seat * c.SLOTS + slot


@rule
def slot_square(seat, slot):
    return slot if seat == c.RED else c.SQUARES - 1 - slot


@rule
def setup_refusal(state, seat, rank):
    if int(state.acting) >> seat & 1 == 0:
        return because.BOTH_SET_UP_FIRST
    if rank == 0:  # an empty square, as long as enough squares remain for the pieces
        return (
            0
            if c.SLOTS - int(state.placed[seat]) > int(state.reserve[seat, 0])
            else because.OWN_ROWS
        )
    if state.reserve[seat, rank] > 0:
        return 0
    return because.ARMIES[int(state.options.variant)]


@rule
def fill_reserve(state, seat):
    """Put a whole army beside the board."""
    copy_into(state.reserve[seat], c.COUNTS[int(state.options.variant)])
    state.reserve[seat, 0] = c.ARMY[int(state.options.variant)]


@rule
def place(state, seat, rank):
    """Put a piece of this rank, or none, on the seat's next square."""
    slot = int(state.placed[seat])
    state.placed[seat] = slot + 1
    if rank != 0:
        piece = piece_on_slot(seat, slot)
        state.rank[piece] = rank
        put(state, seat, piece, slot_square(seat, slot))
        state.reserve[seat, rank] -= 1
        state.reserve[seat, 0] -= 1
    if state.reserve[seat, 0] == 0:
        state.acting = int(state.acting) & ~(1 << seat)
        state.plies += 1


@rule
def open_setups(state):
    """Show both set-ups on the board; Red begins (STR-04)."""
    state.phase = PLAY
    state.plies += 1
    state.sealed = state.plies
    state.placed[0] = 0
    state.placed[1] = 0
    begin_turn(state, c.RED)


# --- The board ---


@rule
def put(state, seat, piece, square):
    """Put a piece on a free square."""
    half, bit = c.HALF_OF[square], c.BIT_OF[square]
    state.board[square] = piece + 1
    state.square[piece] = square + 1
    state.occupied[seat, half] |= bit
    rank = int(state.rank[piece])
    if rank < c.BOMB:
        state.movable[seat, half] |= bit
        if rank == c.SCOUT:
            state.scouts[seat, half] |= bit


@rule
def lift(state, seat, piece):
    """Take a piece off the board."""
    square = int(state.square[piece]) - 1
    half, others = c.HALF_OF[square], ~c.BIT_OF[square]
    state.board[square] = 0
    state.square[piece] = 0
    state.occupied[seat, half] &= others
    state.movable[seat, half] &= others
    state.scouts[seat, half] &= others


@rule
def shifted(low, high, direction):
    """Move a set of squares one step; what leaves the board is dropped."""
    if direction == c.EAST:
        return (low << 1) & c.NOT_A & c.LAND_LOW, (high << 1) & c.NOT_A & c.LAND_HIGH
    if direction == c.WEST:
        return (low >> 1) & c.NOT_J & c.LAND_LOW, (high >> 1) & c.NOT_J & c.LAND_HIGH
    if direction == c.NORTH:
        return (low << c.SIDE) & c.LAND_LOW, ((high << c.SIDE) | (low >> 40)) & c.LAND_HIGH
    return ((low >> c.SIDE) | (high << 40)) & c.LAND_LOW, (high >> c.SIDE) & c.LAND_HIGH


@rule
def remains(attacker, defender):
    """Return the outcome of a fight for the attacker: WIN, TIE or LOSS (STR-19 to 30)."""
    if defender == c.FLAG:
        return WIN
    if defender == c.BOMB:
        return WIN if attacker == c.MINER else LOSS
    if attacker == c.SPY and defender == c.MARSHAL:
        return WIN
    if attacker == defender:
        return TIE
    return WIN if attacker > defender else LOSS


# --- What is legal ---


@rule
def restricted(state, seat):
    """Say whether a repetition rule may forbid the seat anything at all."""
    moves = int(state.options.two_squares)
    return state.pacing_squares[seat, moves] != 0 or state.chase[seat] >= repetition.SHORTEST_CHASE


@rule
def repetition_refusal(state, seat, piece, origin, target):
    """Return the statement about repetition that forbids a move, else 0."""
    if repetition.breaks_two_squares(state, seat, piece, origin, target):
        far = abs(origin - target) not in (1, c.SIDE)
        return because.SCOUT_PACING if far else because.PACING
    if state.board[target] == 0 and repetition.breaks_chase(state, seat, piece, origin, target):
        return because.CHASE
    return 0


@rule
def step_of(origin, target):
    """Return the difference of square numbers for one step from origin towards target."""
    if repetition.along_row(origin, target):
        return 1 if target > origin else -1
    return c.SIDE if target > origin else -c.SIDE


@rule
def is_land(square):
    return ((c.LAND_HIGH if c.HALF_OF[square] else c.LAND_LOW) & c.BIT_OF[square]) != 0


@rule
def path_is_free(state, origin, target):
    """Say whether nothing and no lake lies between two squares of a line."""
    step = step_of(origin, target)
    square = origin + step
    while square != target:
        if state.board[square] != 0 or not is_land(square):
            return False
        square += step
    return True


@rule
def move_refusal(state, seat, origin, target):
    if int(state.acting) >> seat & 1 == 0:
        return because.ONE_MOVE
    piece = int(state.board[origin]) - 1
    if piece < 0 or piece // c.SLOTS != seat:
        return because.ONE_MOVE  # nothing of one's own to move there
    other = int(state.board[target]) - 1
    rank = int(state.rank[piece])
    if rank >= c.BOMB:
        attacks = other >= 0
        return because.BOMBS_AND_FLAG_DO_NOT_ATTACK if attacks else because.BOMBS_AND_FLAG_STAY
    if not is_land(target):
        return because.LAKES_ARE_CLOSED
    if other >= 0 and other // c.SLOTS == seat:
        return because.ONE_TO_A_SQUARE
    if abs(origin - target) not in (1, c.SIDE):
        if rank != c.SCOUT:
            return because.ATTACK_FROM_BESIDE if other >= 0 else because.ONE_STEP
        if not path_is_free(state, origin, target):
            return because.SCOUT_NEEDS_FREE_LINE
    return repetition_refusal(state, seat, piece, origin, target)


@answers(kernel.refusal, STATE)
def refusal(state, seat, action):
    if state.over != 0:
        return int(state.reason)
    kind = c.kind_of(action)
    if kind == c.OPEN or seat == CHANCE:
        opening = kind == c.OPEN and seat == CHANCE and state.acting == 0
        if opening:
            return 0
        return because.BOTH_SET_UP_FIRST if state.phase == SETUP else because.ONE_MOVE
    if kind == c.RANK:
        return setup_refusal(state, seat, action) if state.phase == SETUP else because.OWN_ROWS
    if state.phase == SETUP:
        return because.BOTH_SET_UP_FIRST
    origin, target = squares_of(action)
    return move_refusal(state, seat, origin, target)


@rule
def emit(out, count, low, high, direction, distance):
    """Write the moves that end on the given squares; return the new count."""
    while low != 0:
        out[count] = c.ARRIVAL[direction, distance, lowest(low)]
        low &= low - 1
        count += 1
    while high != 0:
        out[count] = c.ARRIVAL[direction, distance, lowest(high) + 50]
        high &= high - 1
        count += 1
    return count


@rule
def moves_towards(state, seat, direction, out, count):
    """Write the moves of all pieces in one direction, repetition rules aside."""
    free_low, free_high = ~state.occupied[seat, 0], ~state.occupied[seat, 1]
    low, high = shifted(state.movable[seat, 0], state.movable[seat, 1], direction)
    count = emit(out, count, low & free_low, high & free_high, direction, 1)
    other = 1 - seat
    open_low = free_low & ~state.occupied[other, 0]
    open_high = free_high & ~state.occupied[other, 1]
    low, high = shifted(state.scouts[seat, 0], state.scouts[seat, 1], direction)
    distance = 2
    while True:
        low, high = shifted(low & open_low, high & open_high, direction)
        if low | high == 0:
            return count
        count = emit(out, count, low & free_low, high & free_high, direction, distance)
        distance += 1


@rule
def legal_setups(state, seat, out):
    count = 0
    for rank in range(c.RANKS):
        if setup_refusal(state, seat, rank) == 0:
            out[count] = rank
            count += 1
    return count


@answers(kernel.legal_actions, STATE)
def legal_actions(state, seat, out):
    if int(state.acting) >> seat & 1 == 0:
        return 0
    if state.phase == SETUP:
        return legal_setups(state, seat, out)
    count = moves_towards(state, seat, c.EAST, out, 0)
    count = moves_towards(state, seat, c.WEST, out, count)
    count = moves_towards(state, seat, c.NORTH, out, count)
    count = moves_towards(state, seat, c.SOUTH, out, count)
    return without_repetitions(state, seat, out, count) if restricted(state, seat) else count


@rule
def without_repetitions(state, seat, out, count):
    """Drop the moves that a repetition rule forbids; return how many are left."""
    kept = 0
    for i in range(count):
        origin, target = squares_of(out[i])
        piece = int(state.board[origin]) - 1
        if repetition_refusal(state, seat, piece, origin, target) == 0:
            out[kept] = out[i]
            kept += 1
    return kept


@rule
def can_step(state, seat):
    """Say whether the seat could move any piece, repetition rules aside."""
    free_low, free_high = ~state.occupied[seat, 0], ~state.occupied[seat, 1]
    for direction in range(4):
        low, high = shifted(state.movable[seat, 0], state.movable[seat, 1], direction)
        if (low & free_low) | (high & free_high) != 0:
            return True
    return False


@rule
def has_move(state, seat):
    """Say whether the seat whose turn it is has a legal move, repetition rules and all."""
    if not restricted(state, seat):
        return can_step(state, seat)
    for piece in range(seat * c.SLOTS, seat * c.SLOTS + c.SLOTS):
        if state.square[piece] == 0:
            continue
        origin = int(state.square[piece]) - 1
        first = c.MOVE + origin * c.WAYS
        for action in range(first, first + c.WAYS):
            if move_refusal(state, seat, origin, int(c.TARGET[action])) == 0:
                return True
    return False


# --- What happens ---


@answers(kernel.apply_action, STATE)
def apply_action(state, seat, action):
    if action >= c.MOVE:  # the last kind: a comparison is quicker than the table
        origin, target = squares_of(action)
        move_piece(state, seat, origin, target)
    elif action == c.OPEN:
        open_setups(state)
    else:
        place(state, seat, action)


@rule
def move_piece(state, seat, origin, target):
    piece = int(state.board[origin]) - 1
    other = int(state.board[target]) - 1
    attack = other >= 0
    state.sealed = state.plies + (1 if attack else 0)
    state.plies += 1
    state.quiet = 0 if attack else state.quiet + 1
    ran = abs(origin - target) not in (1, c.SIDE)
    state.marks[piece] = int(state.marks[piece]) | (MOVED | RAN if ran else MOVED)
    remembers = state.options.two_squares != 0
    if remembers:
        repetition.note_pacing(state, seat, piece, origin, target)
    lift(state, seat, piece)
    captured = int(state.rank[other]) if attack else 0
    survives = fight(state, seat, piece, other) if attack else True
    if survives:
        put(state, seat, piece, target)
    if remembers:
        repetition.measure_chase(state, seat, origin, target, attack, survives)
        repetition.note_trail(state, piece, origin, target, attack)
    state.last_target = target + 1
    end_turn(state, seat, captured)


@rule
def fight(state, seat, piece, other):
    """Show both ranks and remove who loses; say whether the attacker goes on."""
    outcome = remains(int(state.rank[piece]), int(state.rank[other]))
    state.marks[piece] = int(state.marks[piece]) | SHOWN
    state.marks[other] = int(state.marks[other]) | SHOWN
    if outcome != LOSS:
        lift(state, 1 - seat, other)
        fall(state, 1 - seat, other)
    if outcome != WIN:
        fall(state, seat, piece)
    return outcome == WIN


@rule
def fall(state, seat, piece):
    """Forget of a piece that left the board all but its rank, which everybody saw."""
    state.marks[piece] = SHOWN
    if int(state.pacing[seat]) == piece + 1:
        repetition.forget_pacing(state, seat)


@rule
def end_turn(state, seat, captured):
    if captured == c.FLAG:
        finish(state, seat + 1, because.FLAG_TAKEN)
    elif state.options.draw_after != 0 and state.quiet >= state.options.draw_after:
        finish(state, DRAW, because.TOO_LONG_WITHOUT_ATTACK)
    else:
        begin_turn(state, 1 - seat)


@rule
def begin_turn(state, seat):
    """Give the turn to a seat, or end the game if it has no legal move."""
    state.acting = 1 << seat
    if not has_move(state, seat):
        if can_step(state, 1 - seat):
            finish(state, 2 - seat, because.NO_MOVE_LEFT)
        else:
            finish(state, DRAW, because.NOBODY_CAN_MOVE)


@rule
def finish(state, winner, reason):
    state.acting = 0
    state.over = 1
    state.winner = winner
    state.reason = reason


@answers(kernel.chance_outcomes, STATE)
def chance_outcomes(state, actions, weights):
    if state.acting != 0 or state.over != 0:
        return 0
    actions[0] = c.OPEN
    weights[0] = 1
    return 1


@answers(kernel.utilities, STATE)
def utilities(state, out):
    for seat in range(2):
        out[seat] = 0.0 if state.winner == DRAW else (1.0 if state.winner == seat + 1 else -1.0)


@answers(kernel.scores, STATE)
def scores(state, out):
    for seat in range(2):
        out[seat] = 0.5 if state.winner == DRAW else (1.0 if state.winner == seat + 1 else 0.0)
