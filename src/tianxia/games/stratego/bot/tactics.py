"""Alpha-beta in one world: a small board of its own, where every piece has a rank.

The world is a guess, so the search must not use what its seat cannot know. From its second
move on an attack on a piece that is hidden in truth counts as what it is expected to gain,
whatever that piece is in this world (`attempt`). The opponent does not know our ranks either:
attacking a hidden piece of ours gains only a share of what it is worth, unless no piece that it
could be withstands the attack.

Moves far from any opposing piece are not looked at below the root: passing stands for them,
where there are any. What comes of waiting is looked at a little less far, and so are moves that
come late in their list, until one of them turns out well.
Numba cannot cache functions that call themselves, so the search keeps its own stack.

Scores are hundredths of a point, from the seat that thinks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.stratego.bot.transpositions import (
    AT_LEAST,
    AT_MOST,
    KEY,
    PASSING,
    PROVEN,
    REPLY,
    VALUE,
    Found,
    decides,
    forget,
    key_of,
    make_found,
    note,
    note_refutation,
    place_of,
)
from tianxia.games.stratego.rules.answers import LOSS, WIN, remains
from tianxia.games.stratego.rules.components import (
    BOMB,
    FLAG,
    LAKES,
    PIECES,
    RANKS,
    SCOUT,
    SIDE,
    SLOTS,
    SQUARES,
)
from tianxia.games.stratego.rules.repetition import along_row
from tianxia.kernel.jit import kept, rule

Table = NDArray[np.int64]

PLIES = 16
LONGEST = 256
DEEPEST_FIGHTS = 6
"""How many fights in a row are looked at after the last quiet move."""
PASS = 0
ENDLESS = 1 << 40
HINTED, WON, KILLER, LOST = 1 << 31, 1 << 30, 1 << 20, -(1 << 30)
"""Keys by which moves are ordered: what was best before, good fights, the last refutation, bad
fights."""
REFUTATIONS = 3
"""By how many bits what steps refuted counts less than what they gain."""
LATE, LATER, MANY_TO_GO = 3, 8, 4
"""After how many moves those that follow are looked at one move less far, and after how many two
where there are so many moves to go."""
WAITING = 2
"""How many moves less far waiting is looked at."""
BETTER_OR_NOT, SHORT = 1, 2
"""How a move was looked at that may need a second look: only for whether it is better than the best
so far, and less far, too."""
RULED, NO_DEPTH = 2, 255
"""In the first plies the two-squares rule may forbid what it allows later, so that what is found
there holds for no other frame: it is noted for a depth that none has."""

COUNT, NEXT, BEST, ALPHA, BETA, DEPTH, TRIED = range(7)
"""Columns of a frame: its list of moves, the bounds, the move now being tried."""
PIECE, OTHER, SCORE, FALLS, HIDDEN, OTHER_HIDDEN = range(7, 13)
"""Columns of a frame that take a move back."""
POSITION, LEAST_WANTED, HINT, TOP, QUICK = range(13, 18)
"""Columns of a frame: its key, the lower bound when it was entered, the move to try first, the best
so far, and whether the move that led to it was looked at quickly."""
FRAME = 18
BITS = 50
"""How many squares are bits of one word."""
NOTHING_FALLS, OTHER_FALLS, BOTH_FALL, PIECE_FALLS = range(4)
TOTAL, NODES, LIMIT, SEAT, DOUBTED, WAITED, HASTE, HOME, LEAD, LEVEL, WORLD, MOVABLE = range(12)
"""Cells of `Field.total`: the score, nodes so far and allowed, who thinks, per cent of what it
would gain that the opponent sees in attacking what it cannot see, per cent of the patience that
is used up, per cent of haste, where our Flag stands, how far we are ahead, the score if we were
not, which of the worlds it is, and, by seat, how many pieces that can move each had at the root."""
FEW = 6
"""Who has more pieces than that always has a move to wait with."""
SHUT_PIECE, SHUT_LOW, SHUT_HIGH, SHUT_ROW = range(4)
"""Cells of `Field.shut`: a piece, between which squares it may not go, and 1 where they are in a
row."""
STUCK = 60_000
"""What it costs who has to move and cannot (STR-31); if nobody can it is a draw (STR-32)."""


def _steps() -> Table:
    table = np.full((SQUARES, 4), -1, np.int64)
    for square in range(SQUARES):
        row, column = divmod(square, SIDE)
        ways = ((row, column + 1), (row, column - 1), (row + 1, column), (row - 1, column))
        for way, (r, c) in enumerate(ways):
            if 0 <= r < SIDE and 0 <= c < SIDE and r * SIDE + c not in LAKES:
                table[square, way] = r * SIDE + c
    return table


def _within(steps: int) -> Table:
    table = np.zeros((SQUARES, 2), np.int64)
    for square in range(SQUARES):
        for other in set(range(SQUARES)) - set(LAKES):
            (row, column), (r, c) = divmod(square, SIDE), divmod(other, SIDE)
            if 0 < abs(r - row) + abs(c - column) <= steps:
                table[square, other // BITS] |= 1 << other % BITS
    return table


STEP = _steps()
"""The square one step away by direction, or -1."""
NEXT_TO, WITHIN_TWO = _within(1), _within(2)
"""The squares one step away, and at most two, as bits of two words."""


class Field(NamedTuple):
    """Arrays of a search: one world, what it is worth, and the stack.

    Attributes
    ----------
    square
        1 + piece by square.
    where
        Square by piece, -1 for those that fell.
    rank, hidden
        By piece: its rank in this world; 1 where its opponent has not seen it.
    worth
        What a piece is worth: by seat, rank and square.
    secret
        What is added as long as its rank is hidden: by seat and rank.
    hope
        What an attack of a rank of ours on an opposing piece is expected to gain. By pieces of
        ours: per cent of its gain that the opponent sees in an attack of a rank of theirs, when
        the piece is hidden and has moved; for rank 0 the square where a piece rests that has
        never moved, else −1.
    shut
        By ply: the border that the two-squares rule closes (STR-08); see `SHUT_PIECE`.
    total
        See `TOTAL`.
    moves, keys, frame
        The stack: by ply.
    found
        What is known of positions, and which moves refuted others.
    """

    square: Table
    where: Table
    rank: Table
    hidden: Table
    worth: Table
    secret: Table
    hope: Table
    shut: Table
    total: Table
    moves: Table
    keys: Table
    frame: Table
    found: Found


def make_field() -> Field:
    """Return memory for a search."""
    return Field(
        square=np.zeros(SQUARES, np.int64),
        where=np.zeros(PIECES, np.int64),
        rank=np.zeros(PIECES, np.int64),
        hidden=np.zeros(PIECES, np.int64),
        worth=np.zeros((2, RANKS, SQUARES), np.int64),
        secret=np.zeros((2, RANKS), np.int64),
        hope=np.zeros((RANKS, PIECES), np.int64),
        shut=np.full((PLIES, SHUT_ROW + 1), -1, np.int64),
        total=np.zeros(MOVABLE + 2, np.int64),
        moves=np.zeros((PLIES, LONGEST), np.int64),
        keys=np.zeros((PLIES, LONGEST), np.int64),
        frame=np.zeros((PLIES, FRAME), np.int64),
        found=make_found(),
    )


@rule
def coded(origin, target):
    """Return a move as one number; 0 stays free for passing."""
    return origin * SQUARES + target


# --- Making moves ---


@rule
def value_of(field, piece):
    """Return what a piece is worth where it stands."""
    seat, rank = piece // SLOTS, field.rank[piece]
    return (
        field.worth[seat, rank, field.where[piece]] + field.hidden[piece] * field.secret[seat, rank]
    )


@rule
def make(field, ply, move):
    """Make a move; say whether it ends the game by taking a Flag."""
    frame = field.frame[ply]
    frame[TRIED] = move
    frame[SCORE] = field.total[TOTAL]
    if move == PASS:
        return False
    origin, target = move // SQUARES, move % SQUARES
    piece, other = field.square[origin] - 1, field.square[target] - 1
    frame[PIECE], frame[OTHER] = piece, other
    frame[HIDDEN] = field.hidden[piece]
    sign = 1 if piece // SLOTS == field.total[SEAT] else -1
    before = value_of(field, piece)
    field.square[origin] = 0
    if other < 0:
        if abs(origin - target) not in (1, SIDE):
            field.hidden[piece] = 0
        frame[FALLS] = NOTHING_FALLS
        field.square[target] = piece + 1
        field.where[piece] = target
        field.total[TOTAL] += sign * (value_of(field, piece) - before)
        return False
    return fight(field, frame, piece, other, target, sign, before)


@rule
def fight(field, frame, piece, other, target, sign, before):
    """Decide a fight on the board; say whether a Flag is taken."""
    theirs = value_of(field, other)
    frame[OTHER_HIDDEN] = field.hidden[other]
    unseen = sign < 0 and field.hidden[other] != 0
    outcome = remains(field.rank[piece], field.rank[other])
    field.hidden[piece] = 0
    field.hidden[other] = 0
    after = left = 0
    if outcome == WIN:
        frame[FALLS] = OTHER_FALLS
        field.where[other] = -1
        field.where[piece] = target
        field.square[target] = piece + 1
        after = value_of(field, piece)
    elif outcome == LOSS:
        frame[FALLS] = PIECE_FALLS
        field.where[piece] = -1
        left = value_of(field, other)
    else:
        frame[FALLS] = BOTH_FALL
        field.where[piece] = -1
        field.where[other] = -1
        field.square[target] = 0
    gain = (after - before) - (left - theirs)
    if unseen and gain > 0:
        moved = field.hope[0, other] != target
        gain = gain * (field.hope[field.rank[piece], other] if moved else field.total[DOUBTED])
        gain = gain // 100
    field.total[TOTAL] += sign * gain
    return outcome == WIN and field.rank[other] == FLAG


@rule
def unmake(field, ply):
    """Take back the move of a frame."""
    frame = field.frame[ply]
    field.total[TOTAL] = frame[SCORE]
    if frame[TRIED] == PASS:
        return
    piece, other = frame[PIECE], frame[OTHER]
    origin, target = frame[TRIED] // SQUARES, frame[TRIED] % SQUARES
    field.square[origin] = piece + 1
    field.where[piece] = origin
    field.hidden[piece] = frame[HIDDEN]
    field.square[target] = other + 1
    if other >= 0:
        field.where[other] = target
        field.hidden[other] = frame[OTHER_HIDDEN]


# --- Listing moves ---


@rule
def reach(field, seat, steps):
    """Return the squares that pieces of a seat have around them, as bits of two words.

    `steps`: `NEXT_TO` or `WITHIN_TWO`.
    """
    low = high = 0
    for piece in range(seat * SLOTS, seat * SLOTS + SLOTS):
        square = field.where[piece]
        if square >= 0:
            low |= steps[square, 0]
            high |= steps[square, 1]
    return low, high


@rule
def is_in(squares, square):
    """Say whether a square is among those that are bits of two words."""
    low, high = squares
    return (low >> square if square < BITS else high >> (square - BITS)) & 1 != 0


@rule
def fight_key(field, piece, other):
    """Return a number to order attacks by."""
    rank = field.rank[piece]
    if piece // SLOTS == field.total[SEAT] and field.hidden[other] != 0:
        hoped = field.hope[rank, other]
        return WON + hoped if hoped > 0 else LOST + hoped
    outcome = remains(rank, field.rank[other])
    if outcome == WIN:
        return WON + value_of(field, other)
    if outcome == LOSS:
        return LOST - value_of(field, piece)
    return value_of(field, other) - value_of(field, piece)


@rule
def step_key(field, ply, piece, target):
    """Return a number to order steps by: what refuted others, then what leads on."""
    origin = field.where[piece]
    if coded(origin, target) == field.frame[ply, TRIED]:
        return KILLER
    worth = field.worth[piece // SLOTS, field.rank[piece]]
    return worth[target] - worth[origin] + (field.found.refuted[piece, target] >> REFUTATIONS)


@rule
def is_shut(shut, origin, target):
    """Say whether a move of a piece crosses the border that is closed to it."""
    low, high = max(min(origin, target), shut[SHUT_LOW]), min(max(origin, target), shut[SHUT_HIGH])
    return along_row(origin, target) == (shut[SHUT_ROW] == 1) and low < high


@rule
def list_moves(field, seat, ply, fights_only):
    """Write the moves of a seat that are worth a look; return how many."""
    moves, keys, shut = field.moves[ply], field.keys[ply], field.shut[ply]
    around = reach(field, 1 - seat, NEXT_TO if fights_only else WITHIN_TWO)
    count = 0
    for piece in range(seat * SLOTS, seat * SLOTS + SLOTS):
        origin, rank = field.where[piece], field.rank[piece]
        if origin < 0 or rank >= BOMB:
            continue
        close = is_in(around, origin)
        if fights_only and rank != SCOUT and not close:
            continue
        for way in range(4):
            target = STEP[origin, way]
            if target < 0 or (piece == shut[SHUT_PIECE] and is_shut(shut, origin, target)):
                continue
            other = field.square[target] - 1
            if other < 0:
                if not fights_only and (close or is_in(around, target)):
                    moves[count] = coded(origin, target)
                    keys[count] = step_key(field, ply, piece, target)
                    count += 1
                if rank != SCOUT:
                    continue
                target = beyond(field, target, way)
                other = field.square[target] - 1 if target >= 0 else -1
            if other >= 0 and other // SLOTS != seat:
                moves[count] = coded(origin, target)
                keys[count] = fight_key(field, piece, other)
                count += 1
    if field.frame[ply, HINT] != 0:
        put_first(moves, keys, count, field.frame[ply, HINT])
    return count


@rule
def beyond(field, target, way):
    """Return the first square that is not free, from one on along a way, or -1."""
    while target >= 0 and field.square[target] == 0:
        target = STEP[target, way]
    return target


@rule
def put_first(moves, keys, count, hint):
    """Let a move be tried first, if it is among those that are listed."""
    for i in range(count):
        if moves[i] == hint:
            keys[i] = HINTED


@rule
def pick(field, ply):
    """Return the next move of a frame: the one with the highest key that is left."""
    moves, keys, frame = field.moves[ply], field.keys[ply], field.frame[ply]
    first = best = frame[NEXT]
    for i in range(first + 1, frame[COUNT]):
        if keys[i] > keys[best]:
            best = i
    moves[first], moves[best] = moves[best], moves[first]
    keys[first], keys[best] = keys[best], keys[first]
    frame[NEXT] = first + 1
    return moves[first]


@rule
def has_move(field, seat, far):
    """Say whether a side has a move; if `far`, one far from all opponents, which is not listed.

    Who has more than a few pieces is taken to have both.
    """
    if field.total[MOVABLE + seat] > FEW:
        return True
    near = reach(field, 1 - seat, WITHIN_TWO) if far else (0, 0)
    for piece in range(seat * SLOTS, seat * SLOTS + SLOTS):
        origin = field.where[piece]
        if origin < 0 or field.rank[piece] >= BOMB or is_in(near, origin):
            continue
        for way in range(4):
            target = STEP[origin, way]
            if target < 0 or is_of(field, seat, target):
                continue
            if not is_in(near, target):
                return True
    return False


@rule
def is_of(field, seat, square):
    """Say whether a seat has a piece on a square."""
    piece = field.square[square] - 1
    return piece >= 0 and piece // SLOTS == seat


# --- Search ---


@rule
def side_of(field, ply):
    """Return who moves at a ply; the root is ply 0."""
    return field.total[SEAT] if ply % 2 == 0 else 1 - field.total[SEAT]


@rule
def enter(field, ply, depth, alpha, beta):
    """Begin a frame: its moves and bounds, as seen by whoever moves there."""
    frame = field.frame[ply]
    field.total[NODES] += 1
    if field.total[NODES] > field.total[LIMIT]:
        depth = min(depth, 0)
    stand = field.total[TOTAL] if ply % 2 == 0 else -field.total[TOTAL]
    frame[DEPTH], frame[ALPHA], frame[BETA] = depth, alpha, beta
    frame[NEXT] = frame[COUNT] = frame[HINT] = frame[QUICK] = 0
    frame[BEST] = -ENDLESS
    seat = side_of(field, ply)
    if not has_move(field, seat, False):
        drawn = field.total[LEVEL] if ply % 2 == 0 else -field.total[LEVEL]
        settle(field, ply, stand - STUCK if has_move(field, 1 - seat, False) else drawn)
        return
    last = depth <= -DEEPEST_FIGHTS or ply >= PLIES - 1
    pressed = ply % 2 == 0 and is_flag_threatened(field)
    if last or (depth <= 0 and not pressed):
        settle(field, ply, stand)
        if stand >= beta or last:
            return
    if depth > 0 and recall(field, ply, seat):
        return
    count = list_moves(field, seat, ply, depth <= 0)
    # What is not listed: a move far away, or, where only fights are, any other.
    if has_move(field, seat, True) if depth > 0 else pressed:
        field.moves[ply, count] = PASS
        refuted = field.found.refuted[PASSING, seat] >> REFUTATIONS
        field.keys[ply, count] = HINTED + 1 if waits_first(frame) else refuted
        count += 1
    frame[COUNT] = count


@rule
def begin(field):
    """Let a decision not depend on those before it: which moves come late depends on all this."""
    forget(field.found)
    for ply in range(PLIES):
        field.frame[ply, TRIED] = PASS


@rule
def recall(field, ply, seat):
    """Say whether it is known what a frame leads to; if not, take the move that was best before."""
    frame, total = field.frame[ply], field.total
    key = key_of(field.found, field.where, field.hidden, seat, total[WORLD], total[TOTAL])
    frame[POSITION], frame[LEAST_WANTED] = key, frame[ALPHA]
    entry = field.found.entries[place_of(key)]
    if entry[KEY] == key:
        frame[HINT] = entry[REPLY]
    known = ply > RULED and decides(entry, key, frame[DEPTH], frame[ALPHA], frame[BETA])
    if known:
        settle(field, ply, entry[VALUE])
    return known


@rule
def waits_first(frame):
    """Say whether waiting is tried first: who stands well even so need not look at all moves."""
    return frame[DEPTH] > 2 and frame[BETA] - frame[ALPHA] == 1


@rule
def is_flag_threatened(field):
    """Say whether a piece that can move stands beside our Flag: it is taken if nothing is done.

    The search does not stop there as where all is quiet, or it would see no danger.
    """
    home = field.total[HOME]
    for way in range(4):
        near = STEP[home, way] if home >= 0 else -1
        other = field.square[near] - 1 if near >= 0 else -1
        if other >= 0 and other // SLOTS != field.total[SEAT] and field.rank[other] < BOMB:
            return True
    return False


@rule
def settle(field, ply, value):
    """Take note of what a move of a frame leads to."""
    frame = field.frame[ply]
    frame[BEST] = max(frame[BEST], value)
    frame[ALPHA] = max(frame[ALPHA], value)


@rule
def is_blind(field, ply, move):
    """Say whether a move is an attack of ours, later than now, on what we do not know."""
    return ply > 0 and ply % 2 == 0 and move != PASS and is_hidden_at(field, move % SQUARES)


@rule
def is_hidden_at(field, square):
    """Say whether a hidden piece stands on a square."""
    piece = field.square[square] - 1
    return piece >= 0 and field.hidden[piece] != 0


@rule
def hoped(field, move):
    """Return the score after an attack on a hidden piece, by what is expected of it."""
    piece, other = field.square[move // SQUARES] - 1, field.square[move % SQUARES] - 1
    rank = field.rank[piece]
    told = field.hidden[piece] * field.secret[piece // SLOTS, rank]
    return field.total[TOTAL] + field.hope[rank, other] - told


@rule
def attempt(field, ply, move):
    """Make a move; a blind attack goes on as in this world, but counts what it promises.

    It must not end the line: else any attack would seem to avert what the opponent threatens.
    """
    if not is_blind(field, ply, move):
        return make(field, ply, move)
    promised = hoped(field, move)
    ended = make(field, ply, move)
    field.total[TOTAL] = promised
    return ended


@rule
def descend(field, ply, move):
    """Enter the frame after a move that has been made: the later in its list, the less far."""
    frame = field.frame[ply]
    depth, top, quick = frame[DEPTH] - 1, frame[BETA], 0
    if move == PASS and waits_first(frame):
        depth = max(depth - WAITING, 1)
    elif depth > 0 and frame[NEXT] > 1:
        top, quick = frame[ALPHA] + 1, BETTER_OR_NOT
        if frame[NEXT] > LATE and depth > 1 and move != PASS and frame[OTHER] < 0:
            depth -= 2 if frame[NEXT] > LATER and depth >= MANY_TO_GO else 1
            quick = SHORT
    enter(field, ply + 1, depth, -top, -frame[ALPHA])
    field.frame[ply + 1, QUICK] = quick


@rule
def look_again(field, ply, value):
    """Enter the frame after a move again, in full, if a quick look found it better; say whether."""
    frame, quick = field.frame[ply], field.frame[ply + 1, QUICK]
    if quick == 0 or value <= frame[ALPHA] or (quick == BETTER_OR_NOT and value >= frame[BETA]):
        return False
    enter(field, ply + 1, frame[DEPTH] - 1, -frame[BETA], -frame[ALPHA])
    return True


@rule
def weigh(field, ply, value):
    """Take note of what the move that was tried leads to."""
    frame = field.frame[ply]
    if value > frame[BEST]:
        frame[TOP] = frame[TRIED]
    settle(field, ply, value)


@rule
def leave(field, ply):
    """Note what a frame has found out: what its position is worth, and by which move."""
    frame, best = field.frame[ply], field.frame[ply, BEST]
    if frame[DEPTH] <= 0 or frame[COUNT] == 0:
        return
    if frame[ALPHA] >= frame[BETA]:
        refute(field, ply, frame[TRIED])
    bound = AT_LEAST if best >= frame[BETA] else AT_MOST if best <= frame[LEAST_WANTED] else PROVEN
    depth, key = frame[DEPTH] if ply > RULED else NO_DEPTH, frame[POSITION]
    note(field.found.entries[place_of(key)], key, best, depth, bound, frame[TOP])


@rule
def refute(field, ply, move):
    """Note that a step, or waiting, refuted what came before it."""
    origin, target, depth = move // SQUARES, move % SQUARES, field.frame[ply, DEPTH]
    if move == PASS:
        note_refutation(field.found, PASSING, side_of(field, ply), depth)
    elif field.square[target] == 0:
        note_refutation(field.found, field.square[origin] - 1, target, depth)


@kept
def search(field, depth, alpha, beta):
    """Return the score after the move made at ply 0, with the opponent to move."""
    ply = 1
    enter(field, ply, depth, -beta, -alpha)
    while True:
        frame = field.frame[ply]
        if frame[NEXT] < frame[COUNT] and frame[ALPHA] < frame[BETA]:
            move = pick(field, ply)
            if attempt(field, ply, move):
                value = field.total[TOTAL] if ply % 2 == 0 else -field.total[TOTAL]
                unmake(field, ply)
                weigh(field, ply, value)
            else:
                descend(field, ply, move)
                ply += 1
            continue
        leave(field, ply)
        value = -frame[BEST]
        if ply == 1:
            return value
        if look_again(field, ply - 1, value):
            continue
        ply -= 1
        unmake(field, ply)
        weigh(field, ply, value)
