"""Who knows what: views, sampled worlds, features, a guess of who is ahead."""

from __future__ import annotations

import math

import numpy as np

from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.answers import fill_reserve, put, slot_square
from tianxia.games.stratego.rules.state import DRAW, MOVED, PLAY, RAN, SETUP, SHOWN, STATE
from tianxia.kernel import functions as kernel
from tianxia.kernel.bits import lowest
from tianxia.kernel.functions import answers
from tianxia.kernel.jit import allocates, rule
from tianxia.kernel.rng import below
from tianxia.kernel.views import more_fields, open_fields, seat_fields

PLANES = 33
FEATURES = PLANES * c.SQUARES + c.RANKS - 1
ROUGH_WORTH = np.array(
    [0.0, 2, 1, 2, 1, 1.5, 2, 3, 4.5, 7, 9, 1.5, 0]
)  # by rank, for a rough guess


@answers(kernel.seen, STATE)
def seen(state, seat, action, viewer):
    return action if c.kind_of(action) != c.RANK or seat == viewer or state.over != 0 else -1


see_open = open_fields(
    STATE,
    "phase winner reason quiet last_target chase pacing pacing_squares",
    "trail_length trail_piece trail_origin trail_target",
)
see_places = more_fields(STATE, "occupied board square marks")
see_own = seat_fields(STATE, 2, "placed reserve movable scouts rank")
see_own_places = seat_fields(STATE, 2, "occupied square")
see_at_end = more_fields(STATE, "occupied board square marks placed reserve movable scouts rank")


@answers(kernel.view, STATE)
def view(state, seat, out):
    see_open(state, seat, out)
    if state.over != 0:
        see_at_end(state, out)
        return
    if state.phase == PLAY:
        see_places(state, out)
    for owner in range(2):
        if owner == seat:
            see_own(state, owner, out)
            if state.phase == SETUP:
                see_setup(state, owner, out)
        elif state.phase == PLAY:
            see_opposing_army(state, owner, out)


@rule
def see_setup(state, owner, out):
    """Write where the pieces of one army stand, while nobody sees the other."""
    see_own_places(state, owner, out)
    for piece in range(owner * c.SLOTS, owner * c.SLOTS + c.SLOTS):
        if state.square[piece] != 0:
            out.board[int(state.square[piece]) - 1] = piece + 1


@rule
def see_opposing_army(state, owner, out):
    """Write the ranks that everybody has seen, and which pieces are known to be movable.

    A piece of unknown rank is movable if it has moved.
    """
    first, end = owner * c.SLOTS, owner * c.SLOTS + c.SLOTS
    known, ranks, noticed = out.rank[first:end], state.rank[first:end], state.marks[first:end]
    for i in range(c.SLOTS):
        rank = ranks[i]
        known[i] = rank if noticed[i] & (SHOWN | RAN) != 0 else 0
    board, noticed = state.board, state.marks
    for half in range(2):
        left, noticed_at, shown_at = state.occupied[owner, half], 0, 0
        while left != 0:
            bit = left & -left
            seen_of = int(noticed[int(board[lowest(left) + half * c.HALF]) - 1])
            noticed_at |= bit if seen_of != 0 else 0
            shown_at |= bit if seen_of & (SHOWN | RAN) != 0 else 0
            left ^= bit
        out.movable[owner, half] = state.movable[owner, half] & noticed_at
        out.scouts[owner, half] = state.scouts[owner, half] & shown_at


# --- Sampled worlds ---


@answers(kernel.sample, STATE)
def sample(state, rng):
    viewer = int(state.viewer)
    if state.over == 0 and viewer != 0:
        for owner in range(2):
            if viewer == owner + 1:
                continue
            if state.phase == PLAY:
                sample_ranks(state, owner, rng)
            elif int(state.acting) >> owner & 1 == 0:
                sample_setup(state, owner, rng)
            else:  # how far an unfinished army is nobody knows: it may not have begun
                fill_reserve(state, owner)
    state.viewer = 0


@rule
@allocates
def sample_ranks(state, owner, rng):
    """Give an army's unknown pieces ranks: Flag and Bombs to some that never moved."""
    ranks = np.empty(c.SLOTS, np.int64)  # of the unknown pieces: movable ranks, then the others
    movers = unknown_ranks(state, owner, 1, c.BOMB, ranks, 0)
    total = unknown_ranks(state, owner, c.BOMB, c.RANKS, ranks, movers)
    pieces = np.empty(c.SLOTS, np.int64)  # the unknown pieces: those that moved come first
    moved = unknown_pieces(state, owner, MOVED, pieces, 0)
    unknown_pieces(state, owner, 0, pieces, moved)
    for last in range(total - 1, movers - 1, -1):  # resting pieces that get Flag and Bombs
        chosen = moved + below(rng, last + 1 - moved)
        pieces[chosen], pieces[last] = pieces[last], pieces[chosen]
        reveal(state, owner, pieces[last], ranks[last])
    for last in range(movers - 1, -1, -1):  # all others share the movable ranks
        chosen = below(rng, last + 1)
        pieces[chosen], pieces[last] = pieces[last], pieces[chosen]
        reveal(state, owner, pieces[last], ranks[last])


@rule
def unknown_ranks(state, owner, first, last, out, count):
    """Append the ranks from `first` to `last` − 1 that no known piece has; return the count."""
    for rank in range(first, last):
        left = c.COUNTS[int(state.options.variant), rank]
        for piece in range(owner * c.SLOTS, owner * c.SLOTS + c.SLOTS):
            left -= int(state.rank[piece]) == rank
        for _ in range(left):
            out[count] = rank
            count += 1
    return count


@rule
def unknown_pieces(state, owner, marks, out, count):
    """Append the pieces of unknown rank that moved (MOVED) or never did (0)."""
    for piece in range(owner * c.SLOTS, owner * c.SLOTS + c.SLOTS):
        if state.square[piece] != 0 and state.rank[piece] == 0:
            if int(state.marks[piece]) & MOVED == marks:
                out[count] = piece
                count += 1
    return count


@rule
def reveal(state, owner, piece, rank):
    """Give a piece that stands on the board its rank."""
    state.rank[piece] = rank
    square = int(state.square[piece]) - 1
    if rank < c.BOMB:
        state.movable[owner, c.HALF_OF[square]] |= c.BIT_OF[square]
        if rank == c.SCOUT:
            state.scouts[owner, c.HALF_OF[square]] |= c.BIT_OF[square]


@rule
@allocates
def sample_setup(state, owner, rng):
    """Give an army that is set up but not yet shown any places and ranks."""
    variant = int(state.options.variant)
    left = np.empty(c.RANKS, np.int64)
    total = 0
    for rank in range(c.RANKS):
        left[rank] = c.COUNTS[variant, rank]
        total += left[rank]
    slot = 0
    while total > 0:
        if below(rng, c.SLOTS - slot) < total:
            drawn = below(rng, total)
            rank = 1
            while drawn >= left[rank]:
                drawn -= left[rank]
                rank += 1
            left[rank] -= 1
            total -= 1
            piece = owner * c.SLOTS + slot
            state.rank[piece] = rank
            put(state, owner, piece, slot_square(owner, slot))
        slot += 1
    state.placed[owner] = slot


# --- Features and a guess ---


@answers(kernel.encode, STATE)
def encode(state, out):
    """Write 33 planes of 10 × 10, seen from the viewer's side of the board, and 12 numbers.

    0-11 own ranks; 12-23 opposing ranks that are known; 24 opposing, unknown, never
    moved; 25 the same, moved; 26 own pieces whose rank the opponent knows; 27 own pieces
    that moved; 28 lakes; 29 moves without an attack (share of the limit, else of 200);
    30 chase length of the viewer (share of 200); 31 ones where the viewer may act;
    32 own pieces of unknown rank (a spectator sees Red's so). The numbers: how many of the
    opponent's pieces are still unknown of each rank, in halves.
    """
    own = c.BLUE if state.viewer == c.BLUE + 1 else 0
    out[:FEATURES] = 0
    left = out[PLANES * c.SQUARES - 1 :]  # from rank 0 on, which is of no piece
    for rank in range(1, c.RANKS):
        left[rank] = c.COUNTS[int(state.options.variant), rank] / 2
    other = 1 - own
    for rank in state.rank[other * c.SLOTS : other * c.SLOTS + c.SLOTS]:
        left[rank] -= 0.5
    left[0] = 0.0
    for half in range(2):
        encode_half(state, own, half, own, out)
        encode_half(state, other, half, own, out)
    limit = int(state.options.draw_after) if state.options.draw_after != 0 else 200
    fill_plane(out, 29, int(state.quiet) / limit)
    fill_plane(out, 30, int(state.chase[own]) / 200)
    fill_plane(out, 31, int(state.acting) >> own & 1)
    for lake in c.LAKES:
        out[28 * c.SQUARES + lake] = 1.0


@rule
def fill_plane(out, plane, value):
    """Write the same number into a whole plane."""
    for place in range(plane * c.SQUARES, (plane + 1) * c.SQUARES):
        out[place] = value


@rule
def encode_half(state, owner, half, own, out):
    """Write the pieces of one army that stand on one half of the board."""
    squares = state.occupied[owner, half]
    while squares != 0:
        square = lowest(squares) + half * c.HALF
        squares &= squares - 1
        place = square if own == 0 else c.SQUARES - 1 - square
        encode_piece(state, int(state.board[square]) - 1, owner == own, place, out)


@rule
def encode_piece(state, piece, own, place, out):
    rank, marks = int(state.rank[piece]), int(state.marks[piece])
    if own:
        out[(rank - 1 if rank != 0 else 32) * c.SQUARES + place] = 1.0
        out[26 * c.SQUARES + place] = 1.0 if marks & (SHOWN | RAN) else 0.0
        out[27 * c.SQUARES + place] = 1.0 if marks & MOVED else 0.0
    else:
        unknown = 25 if marks & MOVED else 24
        out[(11 + rank if rank != 0 else unknown) * c.SQUARES + place] = 1.0


@answers(kernel.evaluate, STATE)
def evaluate(state, out):
    """Write a guess from the pieces left: tanh of the difference, 10 points being much.

    While armies are set up it is even: one may be complete before the other is begun.
    """
    if state.over != 0:
        gain = 0.0 if state.winner == DRAW else (1.0 if state.winner == 1 else -1.0)
    elif state.phase == SETUP:
        gain = 0.0
    else:
        balance = 0.0
        for piece in range(c.PIECES):
            if state.square[piece] != 0:
                worth = ROUGH_WORTH[int(state.rank[piece])]
                balance += worth if piece < c.SLOTS else -worth
        gain = math.tanh(balance / 10.0)
    out[0] = gain
    out[1] = 0.0 - gain


@answers(kernel.limits, STATE)
def limits(state):
    return c.NUM_ACTIONS, c.MAX_LEGAL, 1, FEATURES
