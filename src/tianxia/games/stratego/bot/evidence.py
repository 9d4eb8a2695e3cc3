"""What opposing pieces may be: weights learnt from what they did, and exact counts.

For each piece and rank there is a weight: how well that rank explains what its army did so far
(`behaviour`), times how often such a rank is set up there (`camps.habit`). `chances_of` scales the
weights until every piece has one rank and every rank as many pieces as are left (iterative
proportional fitting), and `deal` draws worlds from them, exact counts included.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.stratego.bot.tactics import STEP
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.answers import WIN, remains
from tianxia.games.stratego.rules.state import MOVED
from tianxia.kernel.jit import allocates, kept, rule
from tianxia.kernel.rng import fraction

OPEN_BOMB = 1.6
"""How much likelier what never moved is a Bomb for each piece set up beside it that has moved or
fallen."""
CLOSED = 60.0
"""By how much more a Bomb is expected beside the Flag, and the Flag beside a Bomb. Believed apart,
a Flag that seems found has only what comes on average around it, and strong pieces run into its
Bombs: who knew where it stands won 29 games of 100, and 57 where the two are believed together."""
row_of = rule(c.row_of)
NEVER = 0.03
"""What part of the pieces that can move rests for ever, whatever they might do."""
FLOOR = 1e-4
ROUNDS = 60
EXACT = 1e-7
DEALT: NDArray[np.int64] = np.array([c.FLAG, c.BOMB, 10, 9, 8, 1, 7, 3, 2, 6, 5, 4])
"""The order in which ranks are dealt: first those that few pieces can have."""


class Memory(NamedTuple):
    """What is remembered of the other army.

    Attributes
    ----------
    weights
        By piece and rank: how well the rank explains what the army did, compared with the best.
    past
        The piece that moved last, the square where it came from (both −1 at first), and how many
        moves there were: see `LAST_PIECE`.
    """

    weights: NDArray[np.float64]
    past: NDArray[np.int64]


def make_memory() -> Memory:
    """Return the memory of who has seen nothing yet."""
    return Memory(np.ones((c.PIECES, c.RANKS)), np.array([-1, -1, 0]))


LAST_PIECE, LAST_ORIGIN, MOVES_MADE = range(3)
"""Cells of `Memory.past`."""


@rule
def is_shown(state, piece):
    """Say whether both sides know a piece (MOVED alone tells no rank)."""
    return int(state.marks[piece]) & ~MOVED != 0


@rule
def next_piece(state, square, way):
    """Return the piece a step away, or -1."""
    near = STEP[square, way]
    return int(state.board[near]) - 1 if near >= 0 else -1


@rule
def chance_to_end(chances, piece, rank, outcome):
    """Return how likely an attack of a rank of ours on an opposing piece ends so."""
    total = 0.0
    for other in range(1, c.RANKS):
        if remains(rank, other) == outcome:
            total += chances[piece, other]
    return total


@rule
def chance_to_take(chances, piece, rank):
    """Return how likely a rank takes an opposing piece and stays."""
    return chance_to_end(chances, piece, rank, WIN)


@rule
def chance_to_fall(chances, piece, rank):
    """Return how likely an opposing piece takes a rank of ours and stays."""
    total = 0.0
    for other in range(1, c.BOMB):
        if remains(other, rank) == WIN:
            total += chances[piece, other]
    return total


@rule
def home_of(state, seat):
    """Return the square of a seat's own Flag, or -1 where it has none."""
    for piece in range(seat * c.SLOTS, seat * c.SLOTS + c.SLOTS):
        if state.square[piece] != 0 and state.rank[piece] == c.FLAG:
            return int(state.square[piece]) - 1
    return -1


@rule
def distance(one, other):
    """Return the steps between two squares, lakes aside."""
    return abs(one // c.SIDE - other // c.SIDE) + abs(one % c.SIDE - other % c.SIDE)


# --- Chances ---


@rule
def left_of(state, owner, left, hidden):
    """Write how many pieces of each rank an army has, and how many of them are hidden."""
    variant = int(state.options.variant)
    for rank in range(c.RANKS):
        left[rank] = c.COUNTS[variant, rank]
        hidden[rank] = c.COUNTS[variant, rank]
    for piece in range(owner * c.SLOTS, owner * c.SLOTS + c.SLOTS):
        rank = int(state.rank[piece])
        if rank != 0:
            hidden[rank] -= 1
            if state.square[piece] == 0:
                left[rank] -= 1


@kept
def chances_of(state, owner, memory, habit, hidden, chances):
    """Write the chance of each rank for each piece of an army: exact rows and columns."""
    for piece in range(owner * c.SLOTS, owner * c.SLOTS + c.SLOTS):
        rank = int(state.rank[piece])
        for other in range(c.RANKS):
            chances[piece, other] = 0.0
        if state.square[piece] == 0:
            continue
        if rank != 0:
            chances[piece, rank] = 1.0
            continue
        moved = int(state.marks[piece]) & MOVED != 0
        for other in range(1, c.BOMB if moved else c.RANKS):
            told = memory.weights[piece, other]
            if not moved and other < c.BOMB:
                told = NEVER + (1.0 - NEVER) * told
            chances[piece, other] = told * habit[piece - owner * c.SLOTS, other]
        if not moved and state.options.variant == c.CLASSIC:
            chances[piece, c.BOMB] *= OPEN_BOMB ** left_around(state, owner, piece)
    fit(state, owner, hidden, chances)
    if state.options.variant == c.CLASSIC:
        close_in(state, owner, habit, chances)
        fit(state, owner, hidden, chances)


@rule
def left_around(state, owner, piece):
    """Count the pieces set up beside one that have moved or fallen."""
    count = 0
    for way in range(4):
        near = STEP[piece - owner * c.SLOTS, way]
        if 0 <= near < c.SLOTS:
            other = owner * c.SLOTS + near
            if state.square[other] == 0 or int(state.marks[other]) & MOVED != 0:
                count += 1
    return count


@rule
@allocates
def close_in(state, owner, habit, chances):
    """Weigh where the Flag may be by the Bombs set up beside it, and Bombs by the Flag.

    What has fallen counts, too: behind a Bomb that a Miner has taken the Flag is likelier still.
    """
    first = owner * c.SLOTS
    flags, bombs = np.zeros(c.SLOTS), np.zeros(c.SLOTS)
    for slot in range(c.SLOTS):
        rank = int(state.rank[first + slot])
        bombs[slot] = 1.0 if rank == c.BOMB else 0.0
        if rank == 0:
            flags[slot] = chances[first + slot, c.FLAG]
            bombs[slot] = chances[first + slot, c.BOMB]
    for slot in range(c.SLOTS):
        if state.rank[first + slot] != 0:
            continue
        flag, mined = 0.0, 1.0
        for way in range(4):
            near = STEP[slot, way]
            if 0 <= near < c.SLOTS:
                flag += flags[near]
                usual = min(habit[near, c.BOMB], 0.5)
                mined *= (1.0 + CLOSED * bombs[near]) / (1.0 + CLOSED * usual)
        chances[first + slot, c.BOMB] *= 1.0 + CLOSED * min(flag, 1.0)
        chances[first + slot, c.FLAG] *= mined


@rule
def fit(state, owner, hidden, chances):
    """Scale ranks to their counts and pieces to one, in turns, until both hold."""
    for _ in range(ROUNDS):
        for rank in range(1, c.RANKS):
            total = 0.0
            for piece in range(owner * c.SLOTS, owner * c.SLOTS + c.SLOTS):
                if state.rank[piece] == 0:
                    total += chances[piece, rank]
            scale = hidden[rank] / total if total > 0 else 0.0
            for piece in range(owner * c.SLOTS, owner * c.SLOTS + c.SLOTS):
                if state.rank[piece] == 0:
                    chances[piece, rank] *= scale
        error = 0.0
        for piece in range(owner * c.SLOTS, owner * c.SLOTS + c.SLOTS):
            if state.square[piece] == 0 or state.rank[piece] != 0:
                continue
            total = 0.0
            for rank in range(1, c.RANKS):
                total += chances[piece, rank]
            error = max(error, abs(total - 1.0))
            for rank in range(1, c.RANKS):
                chances[piece, rank] /= total
        if error < EXACT:
            return


# --- Worlds ---


@rule
def deal(state, owner, hidden, chances, rng, rank_of, room):
    """Draw ranks for an army's unknown pieces, with exact counts, into `rank_of`.

    Rank by rank: a piece takes it by its chance of it among the ranks still to be dealt.
    """
    first = owner * c.SLOTS
    for piece in range(first, first + c.SLOTS):
        rank_of[piece] = state.rank[piece]
        room[piece] = 1.0
    for rank in DEALT:
        for _ in range(hidden[rank]):
            piece = drawn_piece(state, first, rank, chances, rng, rank_of, room)
            rank_of[piece] = rank
        for piece in range(first, first + c.SLOTS):
            room[piece] = max(room[piece] - chances[piece, rank], 1e-9)


@rule
def drawn_piece(state, first, rank, chances, rng, rank_of, room):
    """Return a piece without a rank that gets this one."""
    total = 0.0
    last = -1
    for piece in range(first, first + c.SLOTS):
        if can_get(state, piece, rank, rank_of):
            total += chances[piece, rank] / room[piece] + 1e-12
            last = piece
    ticket = total * fraction(rng)
    for piece in range(first, first + c.SLOTS):
        if can_get(state, piece, rank, rank_of):
            ticket -= chances[piece, rank] / room[piece] + 1e-12
            if ticket < 0:
                return piece
    return last


@rule
def can_get(state, piece, rank, rank_of):
    """Say whether a rank may be dealt to a piece: who moved is neither a Bomb nor a Flag."""
    if state.square[piece] == 0 or rank_of[piece] != 0:
        return False
    return rank < c.BOMB or int(state.marks[piece]) & MOVED == 0


__all__ = ["Memory", "chances_of", "deal", "left_of", "make_memory"]
