"""Who can still stop a raider on its way to our Flag.

The search looks a few moves ahead, a Miner that walks along the edge of the board needs ten.
So that walk is looked at by itself: the raider moves, then one guard of ours, and so on, while
all other pieces stay where they are; `chase` says who wins.

Miners pass our Bombs, and whoever is no weaker stops them, unless it falls to the raider's
escort. Where a way to our Flag is open to all, Scouts run there, and the nearest others are
looked at too, each with those of ours that probably stop it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.stratego.bot.chase import (
    CELL,
    CELLS,
    MOST_OTHERS,
    cover,
    run_home,
    solve_chase,
    walk_home,
)
from tianxia.games.stratego.bot.escort import taken
from tianxia.games.stratego.bot.evidence import chance_to_take, distance
from tianxia.games.stratego.bot.tactics import STEP
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.answers import LOSS, remains, squares_of
from tianxia.games.stratego.rules.state import MOVED
from tianxia.kernel.arrays import copy_into
from tianxia.kernel.jit import kept, rule

MOST_GUARDS = 6
"""How many guards are tried, those nearest to our Flag first."""
THREAT_FADE = 0.85
"""What is left of a threat for each move that the raider still has to make: it may want
something else."""
UNLIKELY = 0.05
THIN = 0.25
"""How much a threat counts that only one guard stops: it may be taken, or be needed elsewhere."""
STOPPING = 0.5
"""How likely a rank has to stop a piece that we do not know to count as a guard against it."""


@rule
def lay_out(state, seat, origin, target, gone, passes_bombs, chase):
    """Write where raiders and guards can go once our piece has gone from origin to target.

    `gone`: it falls there.
    """
    stops = chase.stops
    chase.open_[:] = 0
    chase.free[:] = 0
    chase.covered[:] = 0
    moved = int(state.board[origin]) - 1
    for square in range(c.SQUARES):
        piece = int(state.board[square]) - 1
        if square == origin or (square == target and gone):
            piece = -1
        elif square == target and (piece < 0 or stops[int(state.rank[moved])]):
            piece = moved  # who attacks and is too weak may be gone instead
        cell = CELL[square]
        rank = int(state.rank[piece]) if piece >= 0 and piece // c.SLOTS == seat else 0
        closed = rank == c.FLAG or (rank == c.BOMB and not passes_bombs)
        chase.free[cell] = 1 if piece < 0 else 0
        chase.open_[cell] = 0 if closed or stops[rank] else 1
        if chase.covers[rank]:
            cover(chase, cell, 1)
    for lake in c.LAKES:
        chase.open_[CELL[lake]] = 0
        chase.free[CELL[lake]] = 0


@rule
def falls(state, chances, origin, target):
    """Say whether our piece surely falls where it goes."""
    moved, other = int(state.board[origin]) - 1, int(state.board[target]) - 1
    return other >= 0 and chance_to_take(chances, other, int(state.rank[moved])) < UNLIKELY


@rule
def is_given(state, chances, raider, origin, target):
    """Say whether our piece is a Spy that steps beside a raider: whoever moves next takes it."""
    if state.rank[int(state.board[origin]) - 1] != c.SPY or chances[raider, c.SPY] > UNLIKELY:
        return False
    return distance(int(state.square[raider]) - 1, target) == 1


@rule
def those_of(state, seat, rank, chances, home, chase):
    """Write by cell how likely a rank of theirs stands there; return how many there may be."""
    chase.threats[:] = 0.0
    count = 0
    for piece in range((1 - seat) * c.SLOTS, (1 - seat) * c.SLOTS + c.SLOTS):
        if state.square[piece] != 0 and chances[piece, rank] > UNLIKELY:
            threaten(state, piece, chances[piece, rank], home, chase)
            count += 1
    return count


@rule
def threaten(state, raider, chance, home, chase):
    """Write how likely a piece of theirs is a raider, and which guards its escort takes."""
    cell = CELL[int(state.square[raider]) - 1]
    chase.threats[cell] = chance
    for rank in range(1, c.BOMB):
        stops = chase.stops[rank]
        chase.taken[rank, cell] = taken(state, raider, rank, home) if stops else 0.0


@rule
def know_covers(chase):
    """Write which ranks of ours stop raiders where they stand: not who falls to most escorts."""
    for rank in range(c.RANKS):
        threat = falls = 0.0
        for cell in range(CELLS):
            threat += chase.threats[cell] ** 2
            falls += chase.threats[cell] ** 2 * chase.taken[rank, cell]
        chase.covers[rank] = chase.stops[rank] and falls <= threat / 2


@rule
def is_open(state, seat, home):
    """Say whether more than Miners may come beside our Flag."""
    for way in range(4):
        near = STEP[home, way]
        if near >= 0:
            piece = int(state.board[near]) - 1
            if piece < 0 or piece // c.SLOTS != seat or state.rank[piece] != c.BOMB:
                return True
    return False


@rule
def others_of(state, seat, chances, home, raiders):
    """Write the most dangerous pieces of theirs besides Miners; return how many."""
    count = 0
    while count < MOST_OTHERS:
        best, most = -1, UNLIKELY
        for piece in range((1 - seat) * c.SLOTS, (1 - seat) * c.SLOTS + c.SLOTS):
            if state.square[piece] == 0 or int(state.marks[piece]) & MOVED == 0:
                continue
            chance = 1.0 - chances[piece, c.MINER]
            weight = chance * THREAT_FADE ** distance(int(state.square[piece]) - 1, home)
            if weight > most and not listed(raiders, count, piece):
                best, most = piece, weight
        if best < 0:
            return count
        raiders[count] = best
        count += 1
    return count


@rule
def listed(pieces, count, piece):
    """Say whether a piece is among the first so many."""
    for i in range(count):
        if pieces[i] == piece:
            return True
    return False


@rule
def stop_rank(raider, stops):
    """Write which ranks of ours stop a Miner, or a Scout."""
    for rank in range(c.RANKS):
        stops[rank] = raider <= rank < c.BOMB


@rule
def stop_other(chances, piece, stops):
    """Write which ranks of ours probably stop a piece that is not a Miner."""
    stops[:] = False
    movable = 1e-9
    for other in range(1, c.BOMB):
        movable += chances[piece, other] if other != c.MINER else 0.0
    for rank in range(1, c.BOMB):
        stopped = 0.0
        for other in range(1, c.BOMB):
            if other != c.MINER and remains(rank, other) != LOSS:
                stopped += chances[piece, other]
        stops[rank] = stopped / movable >= STOPPING


@rule
def worst(chase, threats):
    """Return how pressing the worst of the raiders is, where nobody stops it: from 0 to 1.

    Its chance squared: nearly every piece that moves may be a Miner, and a guard that is kept
    at home against all of them is missed elsewhere.
    """
    found = 0.0
    for cell in range(CELLS):
        if threats[cell] > 0.0 and chase.steps[cell] > 0:
            found = max(found, threats[cell] ** 2 * THREAT_FADE ** (chase.steps[cell] - 1))
    return found


@rule
def unguarded(state, seat, origin, target, gone, home, raider, chase):
    """Return how pressing the raids on our Flag are that no guard can stop after a move of ours.

    The raiders are those of `chase.threats`, the guards those of `chase.stops`; `raider` is
    their rank, if they are Miners or Scouts. `gone`: our piece falls where it goes.
    """
    left, thin, stops = chase.left, chase.thin, chase.stops
    lay_out(state, seat, origin, target, gone, raider == c.MINER, chase)
    if raider == c.SCOUT:
        run_home(chase, CELL[home])
    else:
        walk_home(chase, CELL[home])
    copy_into(left, chase.threats)
    if stops[int(state.rank[int(state.board[origin]) - 1])]:
        left[CELL[target]] = 0.0  # taken, if it stood there
    copy_into(thin, left)
    danger = worst(chase, left)
    nearest = -1
    for _ in range(MOST_GUARDS):
        if danger == 0.0:
            break
        nearest = next_guard(state, seat, home, stops, nearest)
        if nearest < 0:
            break
        piece = nearest % c.SLOTS + seat * c.SLOTS
        square = int(state.square[piece]) - 1
        if square == origin and gone:
            continue
        stands = CELL[target if square == origin else square]
        covered = 1 if chase.covers[int(state.rank[piece])] else 0
        cover(chase, stands, -covered)  # it goes about now
        chase.free[stands] = chase.open_[stands] = 1
        solve_chase(chase, CELL[home], raider == c.SCOUT)
        note_guard(chase, int(state.rank[piece]), stands)
        cover(chase, stands, covered)
        chase.free[stands] = chase.open_[stands] = 0
        danger = max(worst(chase, left), THIN * worst(chase, thin))
    return danger


@rule
def note_guard(chase, rank, stands):
    """Lower how likely raiders get through: past the best guard, and past the second best."""
    for cell in range(CELLS):
        if chase.threats[cell] > 0.0 and chase.lost[stands, cell] == 0:
            passes = min(chase.threats[cell] * chase.taken[rank, cell], chase.thin[cell])
            chase.thin[cell] = max(passes, chase.left[cell])
            chase.left[cell] = min(passes, chase.left[cell])


@rule
def next_guard(state, seat, home, stops, before):
    """Return the guard that is next nearest to our Flag, as distance · 40 + slot, or -1."""
    best = -1
    for slot in range(c.SLOTS):
        piece = seat * c.SLOTS + slot
        if state.square[piece] == 0 or not stops[int(state.rank[piece])]:
            continue
        key = distance(int(state.square[piece]) - 1, home) * c.SLOTS + slot
        if key > before and (best < 0 or key < best):
            best = key
    return best


class Moves(NamedTuple):
    """The first `number` moves of `legal`, and how pressing raids on our Flag are after each."""

    legal: NDArray[np.int64]
    number: int
    raided: NDArray[np.float64]


@rule
def try_moves(state, seat, chances, moves, home, raider, known, chase):
    """Raise `moves.raided` to what the raiders of `chase.threats` threaten after each move.

    `raider` is their rank, `known` the only one of them, or -1 for many.
    """
    know_covers(chase)
    for i in range(moves.number):
        origin, target = squares_of(moves.legal[i])
        gone = falls(state, chances, origin, target) or (
            known >= 0 and is_given(state, chances, known, origin, target)
        )
        danger = unguarded(state, seat, origin, target, gone, home, raider, chase)
        moves.raided[i] = max(moves.raided[i], danger)


@kept
def watch_flag(state, seat, chances, moves, home, chase):
    """Write how pressing the raids on our Flag are that no guard can stop after each move."""
    moves.raided[: moves.number] = 0.0
    if home < 0:
        return
    stop_rank(c.MINER, chase.stops)
    if those_of(state, seat, c.MINER, chances, home, chase) > 0:
        try_moves(state, seat, chances, moves, home, c.MINER, -1, chase)
    if not is_open(state, seat, home):
        return
    stop_rank(c.SCOUT, chase.stops)
    if those_of(state, seat, c.SCOUT, chances, home, chase) > 0:
        try_moves(state, seat, chances, moves, home, c.SCOUT, -1, chase)
    for i in range(others_of(state, seat, chances, home, chase.raiders)):
        raider = chase.raiders[i]
        chase.threats[:] = 0.0
        stop_other(chances, raider, chase.stops)
        threaten(state, raider, 1.0 - chances[raider, c.MINER], home, chase)
        try_moves(state, seat, chances, moves, home, 0, raider, chase)
