"""Alpha-beta in one world: a small board of its own, where every piece has a rank.

The world is a guess, so the search must not use what its seat cannot know. From its second
move on an attack on a piece that is hidden in truth counts as what it is expected to gain,
whatever that piece is in this world (`attempt`). The opponent does not know our ranks either:
attacking a hidden piece of ours gains only a share of what it is worth, unless no piece that it
could be withstands the attack.

Moves far from any opposing piece are not looked at below the root: passing stands for them,
where there are any.
Numba cannot cache functions that call themselves, so the search keeps its own stack.

Scores are hundredths of a point, from the seat that thinks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
WON, KILLER, LOST = 1 << 30, 1 << 20, -(1 << 30)
"""Keys by which moves are ordered: good fights, the last refutation, bad fights."""

COUNT, NEXT, BEST, ALPHA, BETA, DEPTH, TRIED = range(7)
"""Columns of a frame: its list of moves, the bounds, the move now being tried."""
PIECE, OTHER, SCORE, FALLS, HIDDEN, OTHER_HIDDEN = range(7, 13)
"""Columns of a frame that take a move back."""
FRAME = 13
NOTHING_FALLS, OTHER_FALLS, BOTH_FALL, PIECE_FALLS = range(4)
TOTAL, NODES, LIMIT, SEAT, DOUBTED, WAITED, HASTE, HOME, LEAD, LEVEL, MOVABLE = range(11)
"""Cells of `Field.total`: the score, nodes so far and allowed, who thinks, per cent of what it
would gain that the opponent sees in attacking what it cannot see, per cent of the patience that
is used up, per cent of haste, where our Flag stands, how far we are ahead, the score if we were
not, and, by seat, how many pieces that can move each had at the root."""
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


def _around() -> Table:
    table = np.full((SQUARES, 13), -1, np.int64)
    for square in range(SQUARES):
        row, column = divmod(square, SIDE)
        near = [
            r * SIDE + c
            for r in range(SIDE)
            for c in range(SIDE)
            if 0 < abs(r - row) + abs(c - column) <= 2 and r * SIDE + c not in LAKES
        ]
        table[square, : len(near)] = near
    return table


STEP = _steps()
"""The square one step away by direction, or -1."""
AROUND = _around()
"""The squares at most two steps away, then -1."""


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
def touches(field, seat, square):
    """Say whether an opponent of a seat is at most two steps away."""
    for i in range(13):
        near = AROUND[square, i]
        if near < 0:
            return False
        other = field.square[near] - 1
        if other >= 0 and other // SLOTS != seat:
            return True
    return False


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
def is_shut(shut, origin, target):
    """Say whether a move of a piece crosses the border that is closed to it."""
    low, high = max(min(origin, target), shut[SHUT_LOW]), min(max(origin, target), shut[SHUT_HIGH])
    return along_row(origin, target) == (shut[SHUT_ROW] == 1) and low < high


@rule
def list_moves(field, seat, ply, fights_only):
    """Write the moves of a seat that are worth a look; return how many."""
    moves, keys, shut = field.moves[ply], field.keys[ply], field.shut[ply]
    killer = field.frame[ply, TRIED]
    count = 0
    for piece in range(seat * SLOTS, seat * SLOTS + SLOTS):
        origin, rank = field.where[piece], field.rank[piece]
        if origin < 0 or rank >= BOMB:
            continue
        quiet = not fights_only
        close = quiet and touches(field, seat, origin)
        for way in range(4):
            target = STEP[origin, way]
            if target < 0 or (piece == shut[SHUT_PIECE] and is_shut(shut, origin, target)):
                continue
            other = field.square[target] - 1
            if other < 0:
                if quiet and (close or touches(field, seat, target)):
                    moves[count] = coded(origin, target)
                    gain = field.worth[seat, rank, target] - field.worth[seat, rank, origin]
                    keys[count] = KILLER if moves[count] == killer else gain
                    count += 1
                if rank != SCOUT:
                    continue
                while target >= 0 and field.square[target] == 0:
                    target = STEP[target, way]
                if target < 0:
                    continue
                other = field.square[target] - 1
            if other // SLOTS != seat:
                moves[count] = coded(origin, target)
                keys[count] = fight_key(field, piece, other)
                count += 1
    return count


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
    for piece in range(seat * SLOTS, seat * SLOTS + SLOTS):
        origin = field.where[piece]
        if origin < 0 or field.rank[piece] >= BOMB or (far and touches(field, seat, origin)):
            continue
        for way in range(4):
            target = STEP[origin, way]
            if target < 0 or is_of(field, seat, target):
                continue
            if not far or not touches(field, seat, target):
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
    frame[NEXT] = frame[COUNT] = 0
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
    count = list_moves(field, seat, ply, depth <= 0)
    # What is not listed: a move far away, or, where only fights are, any other.
    if has_move(field, seat, True) if depth > 0 else pressed:
        field.moves[ply, count] = PASS
        field.keys[ply, count] = 0
        count += 1
    frame[COUNT] = count


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


@kept
def search(field, depth, alpha, beta):
    """Return the score after the move made at ply 0, with the opponent to move."""
    ply = 1
    enter(field, ply, depth, -beta, -alpha)
    while True:
        frame = field.frame[ply]
        if frame[NEXT] >= frame[COUNT] or frame[ALPHA] >= frame[BETA]:
            value = -frame[BEST]
            if ply == 1:
                return value
            ply -= 1
            unmake(field, ply)
            settle(field, ply, value)
            continue
        move = pick(field, ply)
        if attempt(field, ply, move):
            value = field.total[TOTAL] if ply % 2 == 0 else -field.total[TOTAL]
            unmake(field, ply)
            settle(field, ply, value)
        else:
            enter(field, ply + 1, frame[DEPTH] - 1, -frame[BETA], -frame[ALPHA])
            ply += 1
