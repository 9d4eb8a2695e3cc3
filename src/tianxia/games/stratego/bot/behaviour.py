"""What a move of an army tells of all its pieces.

Of the moves that an army has it makes one: how likely that one is depends on what its pieces are.
Here that is a softmax over what a rank likes about a move (`LIKINGS`), with weights for each rank
that `bench/behaviour.py` has fitted to games of many different players. Every hidden piece is
weighed, for each rank that it may have, by how likely its army would then have moved as it did:
the piece that moved, and all that did not. So a piece tells by what it takes, flees, comes beside
and lets be; and a friend that is left hanging before a stronger piece tells of whoever stands
beside it and would take back.

All other hidden pieces count by what they are believed to be, each by itself.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.stratego.bot.evidence import (
    FLOOR,
    LAST_ORIGIN,
    LAST_PIECE,
    MOVES_MADE,
    distance,
    is_shown,
    next_piece,
    row_of,
)
from tianxia.games.stratego.bot.tactics import STEP, coded
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.answers import TIE, WIN, remains, squares_of
from tianxia.games.stratego.rules.state import MOVED
from tianxia.kernel.arrays import copy_into
from tianxia.kernel.jit import entry, kept, rule

LIKINGS = (
    *("first_from_back", "first_from_second", "first_from_third", "first_from_front", "first_late"),
    *("again", "returns", "ahead", "back", "ahead_beyond", "runs"),
    *("hits_moved", "hits_front", "hits_rear", "takes", "takes_worth", "ties", "falls"),
    *("retaken", "retaken_perhaps", "flees", "flees_shown", "flees_covered"),
    *("dares", "dares_shown", "dares_covered", "threatens", "threatens_worth", "lets_go"),
    *("equal", "beside_moved", "beside_rest", "nearer", "evades", "to_rest", "supports"),
)
"""What there is to like about a move; 1 or 0 where nothing else is said.

A first move by the row where the piece stood, and how late it comes, up to 1. The piece that moved
last, and back to where it came from. A step ahead, back, ahead beyond the middle; a run. An attack
on what is hidden and has moved, or rests in its two front rows or behind; on what is known, by how
it ends, with the worth of what is taken; where a known piece takes back, or a hidden one may.
Leaving a known stronger piece, or coming beside one: hidden, shown, and by how likely a friend
takes back. Coming beside known prey, with its worth; leaving prey where it is, by its worth. Coming
beside one of the same rank, or beside hidden ones. Steps nearer to known prey, away from known
stronger pieces, nearer to what rests. Coming where it would take back for a friend.
"""
FIRST = 0
FIRST_LATE, SAME_AGAIN, RETURNS, AHEAD, BACK, AHEAD_BEYOND, RUNS = range(4, 11)
HITS_MOVED, HITS_FRONT, HITS_REAR, TAKES_KNOWN, TAKES_WORTH, TIES_KNOWN, FALLS_KNOWN = range(11, 18)
RETAKEN, RETAKEN_PERHAPS, FLEES_HIDDEN, FLEES_SHOWN, FLEES_COVERED = range(18, 23)
DARES, DARES_SHOWN, DARES_COVERED, THREATENS, THREATENS_WORTH, LETS_GO = range(23, 29)
EQUAL, BESIDE_MOVED, BESIDE_REST, NEARER, EVADES, TO_REST, SUPPORTS = range(29, 36)
THINGS = len(LIKINGS)
REMOTE, CLOSE = 8, 4
"""From how far prey, and what beats a piece, draw it or drive it."""
PATIENT = 150
"""After how many moves of an army a first move is as late as can be."""
PREY_WORTH = np.array([0.0, 18, 5, 8, 10, 13, 18, 28, 45, 70, 95, 12, 300]) / 50.0
"""What taking a rank is worth; the weights are fitted to it."""
NOWHERE = 99
HARDLY, LEAST = 1e-6, 1e-12
"""Ranks that are less likely than that are left out; what no liking falls below."""
LOOK = -1.0
"""How well a piece is covered has to be looked at."""
POWER, IN_TOUCH = 0.5, 1.0
"""To what power likelihoods count: one habit leads a piece for many moves, so these tell less than
as many different ones. To come beside one of ours, or go from there, is decided on its own."""


def fitted() -> NDArray[np.float64]:
    """Return how much each rank likes each of `LIKINGS`: shape (ranks, features)."""
    table = json.loads(Path(__file__).with_name("behaviour.json").read_text())
    weights = np.zeros((c.RANKS, THINGS))
    for i, name in enumerate(LIKINGS):
        weights[1 : c.BOMB, i] = table[name]
    return weights


class Scene(NamedTuple):
    """What squares are like for an army, and room to weigh its moves.

    Attributes
    ----------
    prey, stronger
        By rank and square: steps to the next known piece of ours that the rank takes, or falls to.
    worth
        By rank and square: what the best prey beside it is worth.
    moved, rest
        By square: steps to the next hidden piece of ours that has moved, or has not.
    features
        Of a move: see `LIKINGS`.
    targets
        Where a piece may go.
    liked
        By piece and rank: the sum over its moves of how much they are liked, as exponentials.
    acted
        By rank: the same for the move that was made.
    told
        By piece and rank: how likely the last move was, as logarithms.
    weights
        See `fitted`.
    """

    prey: NDArray[np.int64]
    stronger: NDArray[np.int64]
    worth: NDArray[np.float64]
    moved: NDArray[np.int64]
    rest: NDArray[np.int64]
    features: NDArray[np.float64]
    targets: NDArray[np.int64]
    liked: NDArray[np.float64]
    acted: NDArray[np.float64]
    told: NDArray[np.float64]
    weights: NDArray[np.float64]


def make_scene() -> Scene:
    """Return room for a scene."""
    return Scene(
        prey=np.zeros((c.RANKS, c.SQUARES), np.int64),
        stronger=np.zeros((c.RANKS, c.SQUARES), np.int64),
        worth=np.zeros((c.RANKS, c.SQUARES)),
        moved=np.zeros(c.SQUARES, np.int64),
        rest=np.zeros(c.SQUARES, np.int64),
        features=np.zeros(THINGS),
        targets=np.zeros(c.WAYS, np.int64),
        liked=np.zeros((c.PIECES, c.RANKS)),
        acted=np.zeros(c.RANKS),
        told=np.zeros((c.PIECES, c.RANKS)),
        weights=fitted(),
    )


# --- What squares are like ---


@rule
def look_around(state, seat, scene):
    """Write what squares are like for the army that plays against `seat`."""
    scene.prey[:] = NOWHERE
    scene.stronger[:] = NOWHERE
    scene.worth[:] = 0.0
    scene.moved[:] = NOWHERE
    scene.rest[:] = NOWHERE
    for piece in range(seat * c.SLOTS, seat * c.SLOTS + c.SLOTS):
        square = int(state.square[piece]) - 1
        if square < 0:
            continue
        if is_shown(state, piece):
            mark_known(square, int(state.rank[piece]), scene)
        else:
            mark(square, scene.moved if int(state.marks[piece]) & MOVED else scene.rest)


@rule
def mark(square, steps):
    """Lower steps to those from a square."""
    for other in range(c.SQUARES):
        steps[other] = min(steps[other], distance(square, other))


@rule
def mark_known(square, known, scene):
    """Write for each rank what a known piece of ours is to it."""
    for rank in range(1, c.BOMB):
        if remains(rank, known) == WIN:
            mark(square, scene.prey[rank])
            for way in range(4):
                near = STEP[square, way]
                if near >= 0:
                    scene.worth[rank, near] = max(scene.worth[rank, near], PREY_WORTH[known])
        if beats(known, rank):
            mark(square, scene.stronger[rank])


@rule
def beats(rank, other):
    """Say whether a rank can go and take another."""
    return rank < c.BOMB and remains(rank, other) == WIN


@rule
def stronger_beside(state, seat, square, rank):
    """Return a known piece of ours beside a square that takes a rank, or -1."""
    for way in range(4):
        piece = next_piece(state, square, way)
        if piece >= 0 and piece // c.SLOTS == seat and is_shown(state, piece):
            if beats(int(state.rank[piece]), rank):
                return piece
    return -1


@rule
def cover(state, chances, square, piece, enemy, supposed, rank):
    """Return how likely a friend of theirs takes back what takes a piece on a square.

    `enemy`: who would take it. The piece `supposed` is taken to be of the rank.
    """
    none, known = 1.0, int(state.rank[enemy])
    for way in range(4):
        friend = next_piece(state, square, way)
        if friend < 0 or friend // c.SLOTS == enemy // c.SLOTS or friend == piece:
            continue
        if friend == supposed:
            none *= 0.0 if beats(rank, known) else 1.0
            continue
        back = 0.0
        for other in range(1, c.BOMB):
            back += chances[friend, other] if beats(other, known) else 0.0
        none *= 1.0 - back
    return 1.0 - none


@rule
def supports(state, seat, square, piece, rank):
    """Say whether a rank on a square would take back for a known friend that may be taken."""
    for way in range(4):
        friend = next_piece(state, square, way)
        if friend < 0 or friend // c.SLOTS == seat or friend == piece or state.rank[friend] == 0:
            continue
        enemy = stronger_beside(state, seat, STEP[square, way], int(state.rank[friend]))
        if enemy >= 0 and beats(rank, int(state.rank[enemy])):
            return True
    return False


# --- What there is to like about a move ---


@rule
def describe(state, seat, chances, scene, past, piece, rank, target, covered):
    """Write to `scene.features` what a piece of theirs, were it of a rank, has of a move.

    `covered`: how likely a friend takes back for it where it stands, or `LOOK`.
    """
    scene.features[:] = 0.0
    origin, other = int(state.square[piece]) - 1, int(state.board[target]) - 1
    set_out(state, seat, scene.features, past, piece, origin, target)
    if scene.stronger[rank, origin] == 1:
        flee(state, seat, chances, scene, piece, rank, target, covered)
    if other >= 0:
        attack(state, seat, scene.features, rank, other)
    else:
        walk(state, seat, chances, scene, piece, rank, target)


@rule
def set_out(state, seat, features, past, piece, origin, target):
    """Write what a move has whatever the piece is and whatever stands there."""
    row = row_of(origin, 1 - seat)
    if int(state.marks[piece]) & MOVED == 0:
        features[FIRST + row] = 1.0
        features[FIRST_LATE] = min(past[MOVES_MADE], PATIENT) / PATIENT
    elif piece == past[LAST_PIECE]:
        features[SAME_AGAIN] = 1.0
        features[RETURNS] = 1.0 if target == past[LAST_ORIGIN] else 0.0
    ahead = row_of(target, 1 - seat) - row
    features[AHEAD] = 1.0 if ahead > 0 else 0.0
    features[AHEAD_BEYOND] = 1.0 if ahead > 0 and row >= c.SIDE // 2 - 1 else 0.0
    features[BACK] = 1.0 if ahead < 0 else 0.0
    features[RUNS] = 1.0 if distance(origin, target) > 1 else 0.0


@rule
def flee(state, seat, chances, scene, piece, rank, target, covered):
    """Write what it is to leave a known stronger piece that stands beside."""
    origin, other = int(state.square[piece]) - 1, int(state.board[target]) - 1
    enemy = stronger_beside(state, seat, origin, rank)
    if other == enemy or (other < 0 and scene.stronger[rank, target] == 1):
        return
    if covered < 0.0:
        covered = cover(state, chances, origin, piece, enemy, -1, 0)
    scene.features[FLEES_COVERED] = covered
    scene.features[FLEES_SHOWN if state.rank[piece] != 0 else FLEES_HIDDEN] = 1.0 - covered


@rule
def attack(state, seat, features, rank, other):
    """Write what an attack on a piece of ours has."""
    target, known = int(state.square[other]) - 1, int(state.rank[other])
    if is_shown(state, other):
        outcome = remains(rank, known)
        end = TAKES_KNOWN if outcome == WIN else TIES_KNOWN if outcome == TIE else FALLS_KNOWN
        features[end] = 1.0
        features[TAKES_WORTH] = PREY_WORTH[known] if outcome == WIN else 0.0
    elif int(state.marks[other]) & MOVED != 0:
        features[HITS_MOVED] = 1.0
    else:
        features[HITS_FRONT if row_of(target, seat) >= 2 else HITS_REAR] = 1.0
    for way in range(4):
        piece = next_piece(state, target, way)
        if piece >= 0 and piece // c.SLOTS == seat:
            if not is_shown(state, piece):
                features[RETAKEN_PERHAPS] = 1.0
            elif beats(int(state.rank[piece]), rank):
                features[RETAKEN] = 1.0


@rule
def walk(state, seat, chances, scene, piece, rank, target):
    """Write what a step to a free square has."""
    features, origin = scene.features, int(state.square[piece]) - 1
    if scene.stronger[rank, target] == 1:
        enemy = stronger_beside(state, seat, target, rank)
        covered = cover(state, chances, target, piece, enemy, -1, 0)
        features[DARES_COVERED] = covered
        features[DARES_SHOWN if state.rank[piece] != 0 else DARES] = 1.0 - covered
    if scene.prey[rank, target] == 1:
        features[THREATENS] = 1.0
        features[THREATENS_WORTH] = scene.worth[rank, target]
    features[LETS_GO] = scene.worth[rank, origin]
    features[EQUAL] = 1.0 if equal_beside(state, seat, target, rank) else 0.0
    features[BESIDE_MOVED] = 1.0 if scene.moved[target] == 1 else 0.0
    features[BESIDE_REST] = 1.0 if scene.rest[target] == 1 else 0.0
    features[NEARER] = nearer(scene.prey[rank], origin, target, REMOTE)
    features[EVADES] = -nearer(scene.stronger[rank], origin, target, CLOSE)
    features[TO_REST] = nearer(scene.rest, origin, target, REMOTE)
    features[SUPPORTS] = 1.0 if supports(state, seat, target, piece, rank) else 0.0


@rule
def nearer(steps, origin, target, far):
    """Return by how many steps a move comes nearer to what is not far."""
    return min(steps[origin], far) - min(steps[target], far)


@rule
def equal_beside(state, seat, square, rank):
    """Say whether a known piece of ours of the same rank stands beside a square."""
    for way in range(4):
        piece = next_piece(state, square, way)
        if piece >= 0 and piece // c.SLOTS == seat and is_shown(state, piece):
            if state.rank[piece] == rank:
                return True
    return False


# --- How much moves are liked ---


@rule
def find_targets(state, seat, piece, rank, targets):
    """Write where a piece of theirs may go, were it of a rank; return how many squares."""
    count, origin = 0, int(state.square[piece]) - 1
    for way in range(4):
        target = STEP[origin, way]
        while target >= 0:
            other = int(state.board[target]) - 1
            if other >= 0 and other // c.SLOTS != seat:
                break
            targets[count] = target
            count += 1
            if rank != c.SCOUT or other >= 0:
                break
            target = STEP[target, way]
    return count


@rule
def like_all(state, seat, chances, scene, past, piece, rank, move, covered):
    """Return how much a piece likes all its moves, were it of a rank, and how much one of them.

    As exponentials, which are added.
    """
    total = chosen = 0.0
    for i in range(find_targets(state, seat, piece, rank, scene.targets)):
        target = scene.targets[i]
        describe(state, seat, chances, scene, past, piece, rank, target, covered)
        liked = np.exp(how_liked(scene, rank))
        total += liked
        if move == coded(int(state.square[piece]) - 1, target):
            chosen = liked
    return total, chosen


@rule
def how_liked(scene, rank):
    """Return how much a rank likes the move of `scene.features`."""
    total = 0.0
    for i in range(THINGS):
        total += scene.weights[rank, i] * scene.features[i]
    return total


@rule
def may_be(chances, piece, rank):
    """Say whether a piece is believed to be of a rank at all."""
    return chances[piece, rank] > HARDLY


@kept
def weigh_move(state, seat, origin, target, chances, scene, past):
    """Write to `scene.told` how likely their move was, by hidden piece of theirs and rank.

    Each rank's likelihood counts against those of the same piece only.
    """
    look_around(state, seat, scene)
    scene.acted[:] = 0.0
    mover, move, everything = int(state.board[origin]) - 1, coded(origin, target), 0.0
    first, end = (1 - seat) * c.SLOTS, (1 - seat) * c.SLOTS + c.SLOTS
    for piece in range(first, end):
        scene.liked[piece] = 0.0
        if state.square[piece] == 0:
            continue
        for rank in range(1, c.BOMB):
            if may_be(chances, piece, rank):
                total, chosen = like_all(state, seat, chances, scene, past, piece, rank, move, LOOK)
                scene.liked[piece, rank] = total
                everything += chances[piece, rank] * total
                if piece == mover:
                    scene.acted[rank] = chosen
    for piece in range(first, end):
        if state.square[piece] == 0 or state.rank[piece] != 0:
            continue
        usual = 0.0
        for rank in range(1, c.BOMB):
            usual += chances[piece, rank] * scene.liked[piece, rank]
        for rank in range(1, c.RANKS):
            if may_be(chances, piece, rank):
                liked = everything - usual + scene.liked[piece, rank]
                liked += left_hanging(state, seat, chances, scene, past, piece, rank)
                chosen = scene.acted[rank] if piece == mover else 1.0
                told = np.log(max(chosen, LEAST)) - np.log(max(liked, LEAST))
                scene.told[piece, rank] = told


@rule
def left_hanging(state, seat, chances, scene, past, piece, rank):
    """Return how much more known friends beside a piece would like to go, were it of a rank.

    Who is sure to be avenged has less to flee from.
    """
    more = 0.0
    for way in range(4):
        square = STEP[int(state.square[piece]) - 1, way]
        friend = next_piece(state, int(state.square[piece]) - 1, way)
        if friend < 0 or friend // c.SLOTS == seat or state.rank[friend] == 0:
            continue
        known = int(state.rank[friend])
        if known >= c.BOMB or scene.stronger[known, square] != 1:
            continue
        enemy = stronger_beside(state, seat, square, known)
        covered = cover(state, chances, square, friend, enemy, piece, rank)
        liked, _ = like_all(state, seat, chances, scene, past, friend, known, 0, covered)
        more += liked - scene.liked[friend, known]
    return more


# --- Learning ---


@rule
def learn_move(state, seat, action, chances, memory, scene):
    """Learn from a move of theirs: `state` is the view of `seat` before it, with its beliefs."""
    origin, target = squares_of(action)
    mover = int(state.board[origin]) - 1
    if mover // c.SLOTS == seat:
        return
    weigh_move(state, seat, origin, target, chances, scene, memory.past)
    in_touch = is_beside(state, seat, origin) or is_beside(state, seat, target)
    for piece in range((1 - seat) * c.SLOTS, (1 - seat) * c.SLOTS + c.SLOTS):
        if state.square[piece] != 0 and state.rank[piece] == 0:
            power = IN_TOUCH if piece == mover and in_touch else POWER
            take_in(memory.weights[piece], scene.told[piece], chances, piece, power)
    memory.past[LAST_PIECE], memory.past[LAST_ORIGIN] = mover, origin
    memory.past[MOVES_MADE] += 1


@rule
def is_beside(state, seat, square):
    """Say whether a piece of a seat stands beside a square."""
    for way in range(4):
        piece = next_piece(state, square, way)
        if piece >= 0 and piece // c.SLOTS == seat:
            return True
    return False


@rule
def take_in(weights, told, chances, piece, power):
    """Weigh a piece by what a move tells; nothing but the rules excludes a rank."""
    best, most = -np.inf, FLOOR
    for rank in range(1, c.RANKS):
        if may_be(chances, piece, rank):
            best = max(best, told[rank])
    for rank in range(1, c.RANKS):
        if may_be(chances, piece, rank):
            weights[rank] *= np.exp(power * (told[rank] - best))
        most = max(most, weights[rank])
    for rank in range(1, c.RANKS):
        weights[rank] = max(weights[rank] / most, FLOOR)


@entry
def list_moves(view, seat, action, chances, scene, past, table, ranks):
    """Write the features of all moves of theirs and the ranks; return how many, and which was made.

    `chances` are 1 for the rank that a piece has: this is what weights are fitted to.
    """
    state, count, made = view[0], 0, -1
    start, end = squares_of(action)
    look_around(state, seat, scene)
    for piece in range((1 - seat) * c.SLOTS, (1 - seat) * c.SLOTS + c.SLOTS):
        rank = np.argmax(chances[piece])
        if state.square[piece] == 0 or rank >= c.BOMB:
            continue
        for i in range(find_targets(state, seat, piece, rank, scene.targets)):
            target = scene.targets[i]
            describe(state, seat, chances, scene, past, piece, rank, target, LOOK)
            copy_into(table[count], scene.features)
            ranks[count] = rank
            if int(state.square[piece]) - 1 == start and target == end:
                made = count
            count += 1
    return count, made
