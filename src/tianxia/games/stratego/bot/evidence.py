"""What opposing pieces may be: weights learnt from what they did, and exact counts.

For each piece and rank there is a weight: how well that rank explains what the piece did so
far (`note`), times how often such a rank is set up there (`camps.habit`), times how likely it
would have stayed at rest so long. `chances` scales the weights until every piece has one rank
and every rank as many pieces as are left (iterative proportional fitting), and `deal` draws
worlds from them, exact counts included.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.stratego.bot.tactics import STEP
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.answers import WIN, remains, squares_of
from tianxia.games.stratego.rules.state import MOVED
from tianxia.kernel.jit import kept, rule
from tianxia.kernel.rng import fraction

CAME_TO_WEAKER, CAME_TO_EQUAL, CAME_TO_MARSHAL = 0.1, 0.4, 0.1
"""How likely a piece goes beside one that it knows and cannot beat, or only ties with; the
Marshal only the Spy can beat."""
FLED_STRONGER, FLED_EQUAL = 0.25, 0.6
"""How likely it leaves a piece that it knows and could take."""
LET_BE_STRONGER, STAYED_WEAKER = 0.4, 0.8
"""How likely it stands by beside a piece that it could take, or that could take it."""
HUNT, HUNTING = 7, 1.9
"""From how near a step towards a known Marshal tells of the Spy, and how much."""
LURK, LURKS, LURKS_MOVED = 2, 2.5, 10.0
"""Who stands so near to a known Marshal is so much likelier the Spy, if he came there the more."""
ESCORT, ESCORTS = 2, 1.3
"""How near to a known General of its own a piece goes that may be the Spy behind bait, and how
much each such step tells."""
RAID_BEGINS, RAIDS = 6, 1.3
"""From how near a step towards our Flag tells of a Miner, and how much."""
TO_UNMOVED = 2.2
"""How much likelier a Miner goes beside what has never moved than beside what has."""
MOST_WAITS = 3
"""How often standing by is counted for a piece."""
CAME_HIDDEN = np.array([0, 0.5, 1, 0.6, 0.9, 1, 1, 1.1, 1.2, 1.2, 1, 1, 1.0])
"""How likely each rank goes beside a piece that it does not know."""
FIRST_STEP = np.array([0, 0.6, 1.3, 0.5, 0.9, 1, 1.1, 1.2, 1.1, 1, 0.9, 1, 1.0])
"""How much likelier a piece that begins to move is of a rank than its place tells."""
MINERS_LATE, LATE_MINER = 60, 4.0
"""After how many moves of its army Miners come out, and how much likelier a piece is one then."""
OPEN_FLAG, OPEN_BOMB = 0.1, 1.6
"""How much likelier what never moved is the Flag, or a Bomb, for each square beside it that its
army has left since the beginning: nobody leaves a Flag open."""
HOME_ROWS = 4
RESTS = np.array([1, 160, 60, 200, 110, 80, 70, 60, 60, 70, 70])
"""After how many moves of its army half the pieces of a rank that can move have moved, roughly."""
ROW_RESTS, ROW_SLOPE = np.array([16.0, 60.0, 105.0, 165.0]), np.array([1.3, 1.6, 2.3, 3.0])
"""The same by row of a classic army, from the front, and how sharply (log-logistic): counted in
560 games of five programs, our own among them, which hardly differ in it."""
PATIENCE = np.array([1, 2.2, 0.9, 2.2, 1.2, 1.1, 1.0, 0.85, 0.75, 0.75, 0.75])
"""How much longer each rank rests than its row."""
NEVER = 0.05
"""What part of the pieces that can move rests for ever."""
FLOOR = 1e-4
ROUNDS = 60
EXACT = 1e-7
DEALT: NDArray[np.int64] = np.array([c.FLAG, c.BOMB, 10, 9, 8, 1, 7, 3, 2, 6, 5, 4])
"""The order in which ranks are dealt: first those that few pieces can have."""


class Memory(NamedTuple):
    """What is remembered of the other army, by piece.

    Attributes
    ----------
    weights
        By rank: how well it explains what the piece did.
    waits
        How often it stood by.
    moves
        One element: moves of that army so far.
    """

    weights: NDArray[np.float64]
    waits: NDArray[np.int64]
    moves: NDArray[np.int64]


def make_memory() -> Memory:
    """Return the memory of who has seen nothing yet."""
    return Memory(np.ones((c.PIECES, c.RANKS)), np.zeros(c.PIECES, np.int64), np.zeros(1, np.int64))


# --- Learning from a move ---


@rule
def beats(attacker, defender):
    """Compare two ranks that can move: 1 where the attacker wins, 0 where both fall."""
    if attacker == defender:
        return 0
    if attacker == c.SPY and defender == c.MARSHAL:
        return 1
    return 1 if attacker > defender else -1


@rule
def note(before, after, seat, action, memory):
    """Learn from a move of the other army; both are views of `seat`."""
    other = 1 - seat
    origin, target = squares_of(action)
    piece = int(before.board[origin]) - 1
    if piece // c.SLOTS != other:
        return
    memory.moves[0] += 1
    for watcher in range(other * c.SLOTS, other * c.SLOTS + c.SLOTS):
        if watcher != piece and before.square[watcher] != 0 and before.rank[watcher] == 0:
            stood_by(before, seat, watcher, memory)
    if after.square[piece] != 0 and after.rank[piece] == 0:
        if int(before.marks[piece]) & MOVED == 0:
            for rank in range(1, c.RANKS):
                memory.weights[piece, rank] *= FIRST_STEP[rank]
            if memory.moves[0] > MINERS_LATE:
                memory.weights[piece, c.MINER] *= LATE_MINER
        went(before, seat, piece, origin, target, memory)
        settle_weights(memory, piece)


@rule
def is_shown(state, piece):
    """Say whether both sides know a piece (MOVED alone tells no rank)."""
    return int(state.marks[piece]) & ~MOVED != 0


@rule
def went(before, seat, piece, origin, target, memory):
    """Learn from a quiet step: whom the piece left, and beside whom it went."""
    for way in range(4):
        square = STEP[origin, way]
        mine = int(before.board[square]) - 1 if square >= 0 else -1
        if mine >= 0 and mine // c.SLOTS == seat and is_shown(before, mine):
            fled(memory.weights[piece], int(before.rank[mine]))
    marshal = shown_marshal(before, seat)
    hunted(marshal, origin, target, memory.weights[piece])
    raided(before, seat, origin, target, memory.weights[piece])
    escorted(before, seat, target, memory.weights[piece])
    for way in range(4):
        square = STEP[target, way]
        if square < 0 or square == origin:
            continue
        mine = int(before.board[square]) - 1
        if mine >= 0 and mine // c.SLOTS == seat:
            if is_shown(before, mine):
                came(memory.weights[piece], int(before.rank[mine]))
            else:
                bold = lurks(target, marshal)  # the Spy dares all there
                for rank in range(c.SPY + 1 if bold else c.SPY, c.BOMB):
                    memory.weights[piece, rank] *= CAME_HIDDEN[rank]
                if int(before.marks[mine]) & MOVED == 0:
                    memory.weights[piece, c.MINER] *= TO_UNMOVED


@rule
def hunted(marshal, origin, target, weights):
    """Learn from a step towards our Marshal, if he is known, or away from him."""
    if marshal < 0:
        return
    closer = distance(origin, marshal) - distance(target, marshal)
    if distance(target, marshal) <= HUNT and closer > 0:
        weights[c.SPY] *= HUNTING
    elif closer < 0:
        weights[c.SPY] /= HUNTING


@rule
def lurks(square, marshal):
    """Say whether a square is near to our Marshal, if he is known: the Spy goes there."""
    return marshal >= 0 and distance(square, marshal) <= LURK


@rule
def raided(before, seat, origin, target, weights):
    """Learn from a step towards our Flag, when near: who finds Bombs there is a Miner."""
    home = home_of(before, seat)
    if home >= 0 and distance(target, home) < min(distance(origin, home), RAID_BEGINS):
        weights[c.MINER] *= RAIDS


@rule
def escorted(before, seat, target, weights):
    """Learn from a step beside a known General of its own: our Marshal is to be lured there."""
    other = 1 - seat
    for piece in range(other * c.SLOTS, other * c.SLOTS + c.SLOTS):
        square = int(before.square[piece]) - 1
        if square >= 0 and before.rank[piece] == c.GENERAL and distance(target, square) <= ESCORT:
            weights[c.SPY] *= ESCORTS


@rule
def chance_to_take(chances, piece, rank):
    """Return how likely a rank takes an opposing piece and stays."""
    total = 0.0
    for other in range(1, c.RANKS):
        if remains(rank, other) == WIN:
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


@rule
def fled(weights, known):
    """Learn that a piece went away from one that it knows."""
    if known >= c.BOMB:
        return
    for rank in range(1, c.BOMB):
        outcome = beats(rank, known)
        if outcome > 0:
            weights[rank] *= FLED_STRONGER
        elif outcome == 0:
            weights[rank] *= FLED_EQUAL


@rule
def came(weights, known):
    """Learn that a piece went beside one that it knows."""
    for rank in range(1, c.BOMB):
        if known == c.BOMB:
            weights[rank] *= 1.0 if rank == c.MINER else 0.5
        elif known < c.BOMB:
            outcome = beats(rank, known)
            if outcome < 0:
                weights[rank] *= CAME_TO_MARSHAL if known == c.MARSHAL else CAME_TO_WEAKER
            elif outcome == 0:
                weights[rank] *= CAME_TO_EQUAL


@rule
def stood_by(before, seat, watcher, memory):
    """Learn that a piece neither took nor left a known piece beside it."""
    if memory.waits[watcher] >= MOST_WAITS:
        return
    square = int(before.square[watcher]) - 1
    seen = False
    for way in range(4):
        near = STEP[square, way]
        mine = int(before.board[near]) - 1 if near >= 0 else -1
        if mine < 0 or mine // c.SLOTS != seat or not is_shown(before, mine):
            continue
        known = int(before.rank[mine])
        if known >= c.BOMB:
            continue
        seen = True
        for rank in range(1, c.BOMB):
            outcome = beats(rank, known)
            if outcome > 0:
                memory.weights[watcher, rank] *= LET_BE_STRONGER
            elif outcome < 0:
                memory.weights[watcher, rank] *= STAYED_WEAKER
    if seen:
        memory.waits[watcher] += 1
        settle_weights(memory, watcher)


@rule
def settle_weights(memory, piece):
    """Keep weights between a small floor and 1: nothing but the rules excludes a rank."""
    weights = memory.weights[piece]
    most = FLOOR
    for rank in range(1, c.RANKS):
        most = max(most, weights[rank])
    for rank in range(1, c.RANKS):
        weights[rank] = max(weights[rank] / most, FLOOR)


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


@rule
def shown_marshal(state, seat):
    """Return the square of a seat's Marshal where the other side knows him, else -1."""
    for piece in range(seat * c.SLOTS, seat * c.SLOTS + c.SLOTS):
        if state.square[piece] != 0 and state.rank[piece] == c.MARSHAL and is_shown(state, piece):
            return int(state.square[piece]) - 1
    return -1


@kept
def chances_of(state, owner, memory, habit, hidden, chances):
    """Write the chance of each rank for each piece of an army: exact rows and columns."""
    marshal = shown_marshal(state, 1 - owner)
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
            weight = memory.weights[piece, other] * habit[piece - owner * c.SLOTS, other]
            if not moved and other < c.BOMB:
                weight *= at_rest(state, piece - owner * c.SLOTS, other, memory)
            chances[piece, other] = weight
        if not moved and state.options.variant == c.CLASSIC:
            open_ = left_around(state, owner, int(state.square[piece]) - 1)
            chances[piece, c.FLAG] *= OPEN_FLAG**open_
            chances[piece, c.BOMB] *= OPEN_BOMB**open_
        if lurks(int(state.square[piece]) - 1, marshal):
            chances[piece, c.SPY] *= LURKS_MOVED if moved else LURKS
    fit(state, owner, hidden, chances)


@rule
def at_rest(state, slot, rank, memory):
    """Return how likely a rank that can move has not left the place where it was set up."""
    moves = memory.moves[0]
    if state.options.variant != c.CLASSIC:
        return 1.0 / (1.0 + moves / RESTS[rank])
    row = HOME_ROWS - 1 - slot // c.SIDE
    waited = (moves / (ROW_RESTS[row] * PATIENCE[rank])) ** ROW_SLOPE[row]
    return NEVER + (1.0 - NEVER) / (1.0 + waited)


@rule
def left_around(state, owner, square):
    """Count the squares beside one where an army was set up and nobody stands as he was."""
    count = 0
    for way in range(4):
        near = STEP[square, way]
        row = near // c.SIDE if owner == c.RED else c.SIDE - 1 - near // c.SIDE
        if near >= 0 and row < HOME_ROWS:
            piece = int(state.board[near]) - 1
            if piece < 0 or piece // c.SLOTS != owner or int(state.marks[piece]) & MOVED != 0:
                count += 1
    return count


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
    """Say whether a rank may be dealt to a piece: who moved is no Bomb and no Flag."""
    if state.square[piece] == 0 or rank_of[piece] != 0:
        return False
    return rank < c.BOMB or int(state.marks[piece]) & MOVED == 0


__all__ = ["Memory", "chances_of", "deal", "left_of", "make_memory", "note"]
