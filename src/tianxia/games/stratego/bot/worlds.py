"""Deciding: the same moves looked at in several worlds, scored by their mean.

1. `evidence` says what each opposing piece may be; `appraisal` what everything is worth.
2. Worlds are dealt from the chances.
3. All moves are searched in all worlds, first to a depth of one, then deeper, the moves that
   are behind dropped on the way, until the nodes allowed are used (`tactics`).
4. A fight at once counts by the exact chances: the luck of the worlds dealt is taken out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.stratego.bot.appraisal import (
    HUNDRED,
    OF_BAIT,
    OF_SHELTER,
    OF_STAKE,
    REST,
    appraise,
    movable,
    worth_of,
)
from tianxia.games.stratego.bot.bait import bait_risk
from tianxia.games.stratego.bot.behaviour import Scene, learn_move, make_scene
from tianxia.games.stratego.bot.chase import Chase, make_chase
from tianxia.games.stratego.bot.evidence import (
    Memory,
    chance_to_end,
    chances_of,
    deal,
    home_of,
    is_shown,
    left_of,
)
from tianxia.games.stratego.bot.raids import Moves, falls, watch_flag
from tianxia.games.stratego.bot.tactics import (
    ENDLESS,
    HASTE,
    HOME,
    LEAD,
    LEVEL,
    LIMIT,
    MOVABLE,
    NODES,
    SEAT,
    SHUT_HIGH,
    SHUT_LOW,
    SHUT_PIECE,
    SHUT_ROW,
    TOTAL,
    WAITED,
    WORLD,
    begin,
    coded,
    make,
    search,
    unmake,
    value_of,
)
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.answers import LOSS, WIN, remains, squares_of
from tianxia.games.stratego.rules.repetition import along_row, border_closed_by, common_border
from tianxia.games.stratego.rules.state import MOVED
from tianxia.kernel.jit import entry, rule

MOST_WORLDS = 64
KEPT = np.array([c.MAX_LEGAL, c.MAX_LEGAL, 12, 8, 6, 5, 4])
"""How many moves are looked at to each depth; to greater ones as many as to the last of these."""
DEEP, ENOUGH = 5, 10
"""Beyond how many moves ahead fewer worlds are looked at, and how many."""
EXACT_WITHIN = 12000
"""How far behind the best of its world a move's value is made out exactly."""
AT_ONCE = 1000.0
"""What a win at once is worth: all else could be taken before a win by the next move, too."""
DEFEAT = 60_000.0
"""What a lost game costs at least, in hundredths."""
RECKLESS = 10.0
"""What an attack costs that is known to fail, when patience has run out: it is no way to wait."""
FOOLISH = 30.0
"""What an attack costs besides that surely loses the piece alone: in a lost game it seems to cost
nothing, and whoever sees it laughs."""
SURELY = 0.999
STAKE_GROWS, LEAST_STAKE, MOST_STAKE = 100.0, 0.5, 6.0
"""By how many points ahead our Flag comes to be e times as dear, and between which bounds: who is
far ahead would give a won game away for a piece more."""
HOLDS, GUARDING_MOVES = 0.015, 3
"""By how much less a raid presses after a move that holds it up, and how many such moves are
looked at further even if they seem bad."""


class Desk(NamedTuple):
    """Room for a decision.

    Attributes
    ----------
    chances
        By piece and rank: the chance.
    dealt
        By world and piece: the rank.
    means
        By legal action: its mean value, in points.
    depths
        By legal action: to which depth it was searched.
    order
        Indices of the legal actions, the best first.
    gained
        By world and action: what the move itself changes at once.
    values
        By world and action: what the search says.
    raided
        By legal action: how pressing raids on our Flag are that nobody can stop after it.
    worth
        By rank of ours: points.
    """

    chances: NDArray[np.float64]
    dealt: NDArray[np.int64]
    means: NDArray[np.float64]
    depths: NDArray[np.int64]
    order: NDArray[np.int64]
    gained: NDArray[np.int64]
    values: NDArray[np.int64]
    own: NDArray[np.int64]
    left: NDArray[np.int64]
    hidden: NDArray[np.int64]
    pull: NDArray[np.float64]
    through: NDArray[np.float64]
    room: NDArray[np.float64]
    raided: NDArray[np.float64]
    chase: Chase
    scene: Scene
    worth: NDArray[np.float64]


def make_desk() -> Desk:
    """Return room for decisions."""
    return Desk(
        chances=np.zeros((c.PIECES, c.RANKS)),
        dealt=np.zeros((MOST_WORLDS, c.PIECES), np.int64),
        means=np.zeros(c.MAX_LEGAL),
        depths=np.zeros(c.MAX_LEGAL, np.int64),
        order=np.zeros(c.MAX_LEGAL, np.int64),
        gained=np.zeros((MOST_WORLDS, c.MAX_LEGAL), np.int64),
        values=np.zeros((MOST_WORLDS, c.MAX_LEGAL), np.int64),
        own=np.zeros(c.RANKS, np.int64),
        left=np.zeros(c.RANKS, np.int64),
        hidden=np.zeros(c.RANKS, np.int64),
        pull=np.zeros(c.SQUARES),
        through=np.zeros(c.SQUARES),
        room=np.zeros(c.PIECES),
        raided=np.zeros(c.MAX_LEGAL),
        chase=make_chase(),
        scene=make_scene(),
        worth=np.zeros(c.RANKS),
    )


@entry
def learn(before, seat, action, memory, habit, desk):
    """Learn from an action of the other seat; `before` is the view of `seat` before it."""
    weigh_pieces(before[0], seat, memory, habit, desk)
    learn_move(before[0], seat, action, desk.chances, memory, desk.scene)


@entry
def believe(view, seat, memory, habit, desk):
    """Write the chances of each rank for each opposing piece."""
    weigh_pieces(view[0], seat, memory, habit, desk)


@rule
def weigh_pieces(state, seat, memory, habit, desk):
    left_of(state, seat, desk.own, desk.hidden)
    left_of(state, 1 - seat, desk.left, desk.hidden)
    chances_of(state, 1 - seat, memory, habit, desk.hidden, desk.chances)


class Mind(NamedTuple):
    """What a decision rests on besides the view: memory, habits of set-ups, tastes."""

    memory: Memory
    habit: NDArray[np.float64]
    taste: NDArray[np.float64]


class Effort(NamedTuple):
    """In how many worlds moves are looked at, how deep, and how many nodes may be used."""

    worlds: int
    depth: int
    nodes: int


@entry
def think(view, seat, legal, count, mind, effort, field, desk, rng):
    """Write the mean value of each legal action, in points, and how deep it was searched."""
    state, taste = view[0], mind.taste
    worlds, deepest, nodes = effort
    weigh_pieces(state, seat, mind.memory, mind.habit, desk)
    appraise(state, seat, desk.chances, desk.own, desk.left, field, desk.pull, desk.through, taste)
    worth_of(desk.own, desk.left, taste, desk.worth)
    for world in range(worlds):
        deal(state, 1 - seat, desk.hidden, desk.chances, rng, desk.dealt[world], desk.room)
    field.total[SEAT] = seat
    field.total[HOME] = home_of(state, seat)
    field.total[MOVABLE + seat] = movable(desk.own)
    field.total[MOVABLE + 1 - seat] = movable(desk.left)
    field.total[NODES] = 0
    for i in range(count):
        desk.order[i] = i
        desk.depths[i] = 0
    desk.raided[:count] = 0.0
    if deepest > 1:  # who looks one move ahead, as the lower levels do, sees no raid coming
        moves = Moves(legal, count, desk.raided)
        watch_flag(state, seat, desk.chances, moves, field.total[HOME], desk.chase)
        begin(field)
    kept = count
    for depth in range(1, deepest + 1):
        kept = min(kept, looked_at(depth))
        if depth > DEEP:
            worlds = min(worlds, ENOUGH)
        before = field.total[NODES]
        field.total[LIMIT] = nodes if depth > 1 else ENDLESS
        look(state, seat, legal, kept, depth, worlds, field, desk)
        if field.total[NODES] > nodes:
            break
        average(state, seat, legal, kept, depth, worlds, taste, field, desk)
        rank_moves(desk, kept)
        keep_guards(desk, kept, looked_at(min(depth + 1, deepest)))
        spent = field.total[NODES] - before
        if field.total[NODES] + 2 * spent > nodes:
            break


@rule
def looked_at(depth):
    """Return how many moves are looked at to a depth."""
    return KEPT[min(depth, len(KEPT) - 1)]


@rule
def look(state, seat, legal, kept, depth, worlds, field, desk):
    """Search the first moves of the order to a depth in every world."""
    shut_now(state, 1 - seat, field.shut[1])
    for world in range(worlds):
        set_up(state, seat, field, desk.dealt[world])
        field.total[WORLD] = world
        best = -ENDLESS
        for place in range(kept):
            i = desk.order[place]
            alpha = best - EXACT_WITHIN if best > -ENDLESS else -ENDLESS
            before = field.total[TOTAL]
            origin, target = squares_of(legal[i])
            shut_after(state, seat, origin, target, field.shut[2])
            ended = make(field, 0, coded(origin, target))
            desk.gained[world, i] = field.total[TOTAL] - before
            value = field.total[TOTAL] if ended else search(field, depth - 1, alpha, ENDLESS)
            unmake(field, 0)
            desk.values[world, i] = value - before
            best = max(best, value)
            if field.total[NODES] > field.total[LIMIT]:
                return


@rule
def shut_now(state, seat, shut):
    """Write what border is closed to a seat's next move (STR-08)."""
    moves = int(state.options.two_squares)
    paced = state.pacing_squares[seat]
    shut[SHUT_PIECE] = -1
    if paced[moves] != 0:
        shut[SHUT_PIECE] = int(state.pacing[seat]) - 1
        here, there = int(paced[0]) - 1, int(paced[1]) - 1
        shut[SHUT_LOW], shut[SHUT_HIGH] = common_border(paced, 1, moves, here, there)
        shut[SHUT_ROW] = 1 if along_row(here, there) else 0


@rule
def shut_after(state, seat, origin, target, shut):
    """Write what border a move of a seat closes to its piece."""
    piece = int(state.board[origin]) - 1
    low, high = border_closed_by(state, seat, piece, origin, target)
    shut[SHUT_PIECE] = piece if low < high else -1
    shut[SHUT_LOW], shut[SHUT_HIGH] = low, high
    shut[SHUT_ROW] = 1 if along_row(origin, target) else 0


@rule
def set_up(state, seat, field, dealt):
    """Put a world on the board of the search."""
    total = 0
    for square in range(c.SQUARES):
        field.square[square] = state.board[square]
    for piece in range(c.PIECES):
        own = piece // c.SLOTS == seat
        field.where[piece] = int(state.square[piece]) - 1
        field.rank[piece] = int(state.rank[piece]) if own else dealt[piece]
        known = is_shown(state, piece) if own else state.rank[piece] != 0
        field.hidden[piece] = 0 if known else 1
        if field.where[piece] >= 0:
            total += value_of(field, piece) if own else -value_of(field, piece)
    field.total[TOTAL] = total
    field.total[LEVEL] = total - field.total[LEAD]


@rule
def average(state, seat, legal, kept, depth, worlds, taste, field, desk):
    """Write the mean of what the worlds say, fights at once by their exact chances."""
    stake = HUNDRED * stake_of(field, taste)
    for place in range(kept):
        i = desk.order[place]
        origin, target = squares_of(legal[i])
        piece, other = int(state.board[origin]) - 1, int(state.board[target]) - 1
        sure = exact(state, piece, other, field) if other >= 0 else 0
        total = 0.0
        for world in range(worlds):
            wins = other >= 0 and desk.dealt[world, other] == c.FLAG
            risk = 0.0 if wins else stake * desk.raided[i]
            luck = desk.gained[world, i] - sure if other >= 0 else 0
            total += no_worse_than_lost(desk.values[world, i] - luck - risk)
        if other >= 0:
            total += worlds * at_once(desk.chances[other, c.FLAG])
        mean = total / worlds / 100.0
        if falls(state, desk.chances, origin, target):
            mean -= RECKLESS * field.total[WAITED] / 100
            if chance_to_end(desk.chances, other, int(state.rank[piece]), LOSS) > SURELY:
                mean -= FOOLISH
        if other >= 0:
            risk = bait_risk(state, seat, desk.chances, piece, other, target)
            mean -= taste[OF_BAIT] * risk * desk.worth[int(state.rank[piece])]
        if int(state.marks[piece]) & MOVED == 0:
            rest = REST + taste[OF_SHELTER] * sheltered(state, seat, piece, desk.worth)
            mean -= rest * (100 - field.total[HASTE]) / 100
        desk.means[i] = mean
        desk.depths[i] = depth


@rule
def stake_of(field, taste):
    """Return what it costs to leave our Flag to a raider, by how far we are ahead."""
    times = (1.0 + np.exp(field.total[LEAD] / HUNDRED / STAKE_GROWS)) / 2.0
    return taste[OF_STAKE] * min(max(times, LEAST_STAKE), MOST_STAKE)


@rule
def sheltered(state, seat, piece, worth):
    """Return what a piece is worth that known ones of theirs would take if it were no Bomb."""
    rank = int(state.rank[piece])
    for other in range((1 - seat) * c.SLOTS, (1 - seat) * c.SLOTS + c.SLOTS):
        known = int(state.rank[other])
        if state.square[other] != 0 and 0 < known < c.BOMB and remains(known, rank) == WIN:
            return worth[rank]
    return 0.0


@rule
def no_worse_than_lost(value):
    """Return what a world says, where a lost game is hardly worse with more that is lost besides.

    Else who loses whatever he does would not even try the one attack that may take the Flag.
    """
    return max(value, -DEFEAT + (value + DEFEAT) / 100)


@rule
def exact(state, piece, other, field):
    """Return what a fight changes at once by the chances, as `make` counts it."""
    rank = int(state.rank[piece])
    told = 0 if is_shown(state, piece) else field.secret[piece // c.SLOTS, rank]
    return field.hope[rank, other] - told


@rule
def at_once(chance):
    """Return what it is worth, in hundredths, that an attack takes the Flag now and not later."""
    return 100.0 * AT_ONCE * chance**4


@rule
def rank_moves(desk, kept):
    """Sort the first moves of the order, the best first."""
    for place in range(1, kept):
        i = desk.order[place]
        j = place
        while j > 0 and desk.means[desk.order[j - 1]] < desk.means[i]:
            desk.order[j] = desk.order[j - 1]
            j -= 1
        desk.order[j] = i


@rule
def keep_guards(desk, count, kept):
    """Bring the moves that hold a raid up best among those that are looked at further.

    They look bad until the search sees the Flag taken after the others.
    """
    least, most = 1.0, 0.0
    for place in range(count):
        least = min(least, desk.raided[desk.order[place]])
        most = max(most, desk.raided[desk.order[place]])
    if most - least < HOLDS:
        return
    room = kept
    for place in range(kept, count):
        if desk.raided[desk.order[place]] >= least + HOLDS / 2:
            continue
        room -= 1
        while room >= 0 and desk.raided[desk.order[room]] < least + HOLDS / 2:
            room -= 1
        if room < max(kept - GUARDING_MOVES, 0):
            return
        i = desk.order[place]
        desk.order[place] = desk.order[room]
        desk.order[room] = i


__all__ = ["Desk", "believe", "learn", "make_desk", "think"]
