"""What pieces are worth, where, and what fights promise: the tables that the search reads.

All are made once for a decision, from the view and the chances of each opposing piece:

- *worth*: a rank is worth the more the fewer ranks of the other side beat it, so a General
  whose Marshal is gone counts as one; Miners by the Bombs they still have to take, the Spy
  by the Marshal, Scouts when few are left;
- *secret*: a share of it is lost when the other side sees the rank;
- *hope*: what an attack on a piece gains on average, what it shows included;
- *pull*: gains spread from their squares over the free ones and fade with every step, so
  that quiet moves lead somewhere: Miners to Bombs, strong pieces after weaker ones, all
  towards the most probable Flag; the other side's towards what it knows of ours.

Points here; the search counts in hundredths of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.stratego.bot.escort import taken
from tianxia.games.stratego.bot.evidence import (
    chance_to_take,
    distance,
    home_of,
    is_shown,
    next_piece,
)
from tianxia.games.stratego.bot.tactics import DOUBTED, HASTE, LEAD, STEP, WAITED
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.answers import LOSS, TIE, WIN, remains
from tianxia.games.stratego.rules.state import MOVED
from tianxia.kernel.arrays import copy_into
from tianxia.kernel.jit import allocates, kept, rule
from tianxia.kernel.multisets import how_many

USELESS_SPY = 2.0
LAST_MOVABLE = 10.0  # what each piece is worth more that can move, of the last three
LAST_THREE = 3
OWN_FLAG = 600.0  # where ours stands is known
MINED_FLAG, SURE_FLAG = 150.0, 400.0  # theirs, to a Miner; where it is certain
LAST_MINERS = 14.0  # what one of the last two Miners is worth more while there are Bombs
HUNDRED = 100.0

SECRET_OWN = np.array([0, 0.30, 0.05, 0.12, 0.05, 0.05, 0.06, 0.08, 0.12, 0.18, 0.20, 0.25, 0])
SECRET_OTHER = np.array([0, 0.3, 0.15, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.22, 0.25, 0.25, 0])
"""What share of a rank's worth it is that it is hidden: ours, and theirs."""
OF_GUARD, OF_POST, OF_PACE, OF_CHASE_PACE, OF_RAID, OF_CALM, OF_LEAST_CAUTION, OF_CAUTION = range(8)
OF_FLAG, OF_TOLD, OF_GIVEN_AWAY, OF_DOUBT = range(8, 12)
OF_DEFENCE, OF_GUARDING, OF_STAKE, OF_SHELTER, OF_RISK = range(12, 17)
OF_BAIT, OF_FEARED, OF_BREACH, OF_SCARCE, OF_RANK = range(17, 22)
USUAL = np.array(
    [
        *(60.0, 6.0, 0.25, 0.10, 60.0, 36.0, 0.35, 1.6),
        *(20.0, 0.4, 1.0, 70.0, 1.5, 150.0, 300.0, 0.25, 0.12, 1.0),
        *(10.0, 30.0, 4.0),
        *(18.0, 5.0, 8.0, 10.0, 13.0, 18.0, 28.0, 45.0, 70.0, 95.0, 12.0),
    ]
)
"""Tastes. `OF_GUARD`: what a Bomb beside their Flag adds. `OF_POST`: what a piece is worth more
beside its own Flag. `OF_PACE`, `OF_CHASE_PACE`: what a gain ahead is worth, compared with having
it, for us and for them. `OF_RAID`: what our Flag pulls theirs. `OF_CALM`: moves without an attack
after which caution begins to wane, down to `OF_LEAST_CAUTION`. `OF_CAUTION`: how much a loss
counts. `OF_FLAG`: what a small chance of their Flag is worth, for each whole Flag. `OF_TOLD`,
`OF_GIVEN_AWAY`: how much the shares above count. `OF_DOUBT`: per cent of a gain that they see in
attacking what they cannot see, where something that it could be withstands them. `OF_DEFENCE`: how
much their being drawn to our Flag counts for taking them. `OF_GUARDING`: what a guard is worth that
is in time for a raider. `OF_STAKE`: what it costs to leave our Flag to a Miner that nobody can stop
any more (`raids`). `OF_SHELTER`: what share of its worth a piece loses by its first move, if known
ones of theirs would take it: at rest it may be a Bomb. `OF_RISK`: what share of its worth it costs
a piece, Spy, Scouts and Miners aside, to attack what has never moved and is hidden: where that
looks best Bombs are oftener than believed, and who stands there is taken next. `OF_BAIT`: how
much the risk counts that a capture was bait (`bait`). `OF_FEARED`: what a Marshal is worth less
while the other side has its Spy. `OF_BREACH`: what a Miner is worth more while there are Bombs.
`OF_SCARCE`: what one of the last two Scouts is worth more. From `OF_RANK` on: what each rank is
worth that the other side still has, Spy to Bomb (see `base_of`)."""
REST = 0.8  # what a piece is worth more that has never moved, until there is haste
HURRY = 3.0  # how much more a gain ahead is worth then
FAR_AHEAD, DECIDED = 2.0, 4.0
"""How many times as much as the other one has before one need not hide, and wins in haste."""
PULL_FADE, PULL_PAST_FRIEND, PULL_REACH = 0.9, 0.75, 24
"""How much of a gain reaches the next square, past a friend, and how far."""
CHASE_FADE = 0.75
TOO_LATE = 0.6
"""What is left of a guard's worth for each move that it comes too late."""
ASIDE, TOO_FAR = 2.5, 99.0
"""Moves that it takes to pass a piece of one's own, and more than there are."""
RAID_FADE, MINED, HELD_UP = 0.85, 0.8, 0.6
"""How much of our Flag's pull reaches them a step further, past a Bomb (Miners), past a piece."""
TRAILING = 0.7


@rule
def base_of(taste, rank):
    """Return what a rank is worth as if all ranks were there."""
    return taste[OF_RANK + rank - c.SPY]


@rule
def worth_of(own, other, taste, out):
    """Write what each rank of an army is worth, by what both armies have left; a Flag nothing."""
    missing = 0
    for rank in range(c.MARSHAL, c.SCOUT - 1, -1):
        out[rank] = base_of(taste, min(rank + missing, c.MARSHAL))
        if other[rank] == 0:
            missing += 1
    out[0] = out[c.FLAG] = 0.0
    out[c.BOMB] = base_of(taste, c.BOMB)
    out[c.SPY] = base_of(taste, c.SPY) if other[c.MARSHAL] > 0 else USELESS_SPY
    if other[c.SPY] > 0:
        out[c.MARSHAL] -= taste[OF_FEARED]
    if other[c.BOMB] > 0:
        out[c.MINER] += taste[OF_BREACH] + (LAST_MINERS if own[c.MINER] <= 2 else 0.0)
    if own[c.SCOUT] <= 2:
        out[c.SCOUT] += taste[OF_SCARCE]
    if movable(own) <= LAST_THREE:  # who cannot move has lost (STR-31)
        for rank in range(c.SPY, c.BOMB):
            out[rank] += LAST_MOVABLE


@rule
def movable(counts):
    """Return how many pieces an army has left that can move."""
    return how_many(counts[c.SPY : c.BOMB])


@rule
def material(counts, worth):
    """Return the worth of what an army has left, its Flag aside."""
    total = 0.0
    for rank in range(1, c.FLAG):
        total += counts[rank] * worth[rank]
    return total


@rule
def waited_for(state, lead, taste):
    """Return from 0 to 1 how long nobody has attacked; who is behind can live with a draw."""
    limit = int(state.options.draw_after)
    half = limit / 2 if limit != 0 else 100.0
    waited = max(int(state.quiet) - taste[OF_CALM], 0.0) / half
    return min(waited / 3 if lead < TRAILING else waited, 1.0)


@rule
def haste_of(lead, waited):
    """Return from 0 to 1 how much one should get on: nobody attacks, or one is far ahead.

    Who has won in the field still has to go and take the Flag.
    """
    return max(waited, min(max((lead - FAR_AHEAD) / (DECIDED - FAR_AHEAD), 0.0), 1.0))


@rule
def caution_of(lead, waited, taste):
    """Return how much a loss counts: the less the longer nobody attacked, and when ahead."""
    return max(1.0 - waited, taste[OF_LEAST_CAUTION]) * min(
        max(taste[OF_CAUTION] - 0.1 * lead, 0.7), 1.0
    )


@rule
def flag_worth(chance, rank, taste):
    """Return what their Flag is worth to a rank that attacks it with a chance: more if it is sure.

    Flags stand behind Bombs: what others than Miners can walk up to is one less often than the
    chances say.
    """
    least = MINED_FLAG if rank == c.MINER else taste[OF_FLAG]
    return least + (SURE_FLAG - least) * chance * chance


class Stakes(NamedTuple):
    """What fights can bring.

    Attributes
    ----------
    chances
        By piece and rank: the chance.
    own, other
        What ranks of ours, and of theirs, are worth.
    caution
        How much a loss counts.
    raid
        How our Flag draws theirs: see `raids`.
    taste
        See `USUAL`.
    """

    chances: NDArray[np.float64]
    own: NDArray[np.float64]
    other: NDArray[np.float64]
    caution: float
    raid: NDArray[np.float64]
    taste: NDArray[np.float64]


@rule
def hope_of(stakes, state, rank, piece):
    """Return what a rank of ours gains on average by attacking a piece of theirs."""
    taste, gain = stakes.taste, 0.0
    is_secret = state.rank[piece] == 0
    for other in range(1, c.RANKS):
        chance = stakes.chances[piece, other]
        if chance == 0.0:
            continue
        outcome, worth = remains(rank, other), stakes.other[other]
        told = taste[OF_TOLD] * SECRET_OTHER[other] * worth if is_secret else 0.0
        if other == c.FLAG:
            gain += chance * flag_worth(chance, rank, taste)
        elif outcome != LOSS:
            gain += chance * (worth + told)
        else:
            gain += chance * told
        if outcome != WIN:
            gain -= chance * stakes.caution * stakes.own[rank]
    if is_secret and rank > c.MINER and int(state.marks[piece]) & MOVED == 0:
        gain -= taste[OF_RISK] * stakes.own[rank] * (1.0 - stakes.chances[piece, c.FLAG])
    return gain


@rule
def prize_of(state, chances, piece, rank, taste):
    """Return what taking a piece is worth beyond its rank, to a rank of ours.

    A Bomb before the Flag is worth it to a Miner.
    """
    square = int(state.square[piece]) - 1
    prize = 0.0
    if rank == c.MINER and chances[piece, c.BOMB] > 0:
        behind = 0.0
        for way in range(4):
            other = next_piece(state, square, way)
            if other >= 0 and other // c.SLOTS == piece // c.SLOTS:
                behind += chances[other, c.FLAG]
        prize += taste[OF_GUARD] * behind * chances[piece, c.BOMB]
    return prize


@rule
def danger_of(state, chances, raid, piece):
    """Return how near a piece of theirs is to our Flag, by the ways open to it."""
    if int(state.marks[piece]) & MOVED == 0:
        return 0.0
    square, miner = int(state.square[piece]) - 1, chances[piece, c.MINER]
    return miner * raid[1, square] + (1.0 - miner) * raid[0, square]


@rule
def raids(state, seat, home, raid, through, taste):
    """Write how our Flag draws theirs from each square: all but Miners, then Miners.

    Only Miners pass our Bombs; whom we have in the way holds others up.
    """
    for kind in range(2):
        for square in range(c.SQUARES):
            raid[kind, square] = 0.0
            piece = int(state.board[square]) - 1
            through[square] = 1.0
            if piece >= 0 and piece // c.SLOTS != seat:
                through[square] = PULL_PAST_FRIEND
            elif piece >= 0 and state.rank[piece] == c.BOMB:
                through[square] = MINED if kind == 1 else 0.0
            elif piece >= 0 and square != home:
                through[square] = HELD_UP
        if home >= 0:
            raid[kind, home] = taste[OF_RAID]
            spread(raid[kind], through, RAID_FADE)


@rule
def raider_of(state, seat, chances, raid):
    """Return the most dangerous piece of theirs, or -1 if none is dangerous."""
    raider, threat = -1, 0.0
    for piece in range((1 - seat) * c.SLOTS, (1 - seat) * c.SLOTS + c.SLOTS):
        if state.square[piece] == 0:
            continue
        danger = danger_of(state, chances, raid, piece)
        if danger > threat:
            raider, threat = piece, danger
    return raider


@rule
def gate_of(square, home):
    """Return the square beside our Flag by which a raider comes soonest."""
    gate, least = -1, c.SQUARES
    for way in range(4):
        near = STEP[home, way]
        if near >= 0 and distance(square, near) < least:
            gate, least = near, distance(square, near)
    return gate


@rule
def ways_to_posts(gate, home, through, steps):
    """Write how many moves a guard needs from each square to where it commands the gate.

    Not to the Flag: behind its Bombs a guard is near and of no use.
    """
    steps[:] = TOO_FAR
    for way in range(4):
        near = STEP[gate, way]
        if near >= 0 and near != home and through[near] > 0.0:
            steps[near] = 0.0
    if through[gate] > 0.0:
        steps[gate] = 0.0
    for _ in range(c.SQUARES):
        changed = False
        for square in range(c.SQUARES):
            for way in range(4):
                near = STEP[square, way]
                if near < 0 or through[near] == 0.0:
                    continue
                more = steps[near] + (1.0 if through[near] == 1.0 else ASIDE)
                if more < steps[square]:
                    steps[square] = more
                    changed = True
        if not changed:
            return


@rule
def in_time(steps, moves):
    """Return from 1 to 0 how well a guard is in time that has so many moves."""
    return 1.0 if steps <= moves else TOO_LATE ** (steps - moves)


@rule
def call_guard(state, seat, chances, home, raid, through, steps, taste):
    """Return who should see to our Flag: a rank, what it is worth, the moves that it has.

    The one that is in time, probably beats the most dangerous raider and does not fall to its
    escort, and the cheaper of two. How far each square is from where it is needed goes to `steps`.
    """
    guard, best, moves = 0, 0.0, 0.0
    raider = raider_of(state, seat, chances, raid)
    if raider < 0 or home < 0:
        return guard, best, moves
    square = int(state.square[raider]) - 1
    gate = gate_of(square, home)
    moves = distance(square, gate) - 1.0
    ways_to_posts(gate, home, through, steps)
    for piece in range(seat * c.SLOTS, seat * c.SLOTS + c.SLOTS):
        rank = int(state.rank[piece])
        if state.square[piece] == 0 or rank >= c.BOMB:
            continue
        beaten = 0.0
        for other in range(1, c.BOMB):
            outcome = remains(rank, other)
            if outcome == WIN:
                beaten += chances[raider, other]
            elif outcome == TIE:
                beaten += chances[raider, other] / 2
        beaten *= 1.0 - taken(state, raider, rank, home)
        timely = in_time(steps[int(state.square[piece]) - 1], moves + 1.0)
        fitness = (0.1 + beaten) * timely * (1.0 - 0.02 * rank)
        if fitness > best:
            guard, best = rank, fitness
    passes = chances[raider, c.MINER] if through[gate] == 0.0 else 1.0
    return guard, taste[OF_GUARDING] * passes, moves


@rule
def spread(pull, through, fade):
    """Let gains fade over the squares, in place: each square has the best of its neighbours."""
    for _ in range(PULL_REACH):
        changed = False
        for square in range(c.SQUARES):
            best = pull[square]
            for way in range(4):
                near = STEP[square, way]
                if near >= 0:
                    best = max(best, pull[near] * through[near] * fade)
            if best > pull[square] + 1e-9:
                pull[square] = best
                changed = True
        if not changed:
            return


@rule
@allocates
def lead_on(pull, through, fade):
    """Let gains fade over the squares, in place; what stands where they are does not stop them."""
    near_by = np.empty(c.SQUARES)
    for square in range(c.SQUARES):
        near_by[square] = pull[square]
        for way in range(4):
            near = STEP[square, way]
            if near >= 0:
                near_by[square] = max(near_by[square], pull[near] * fade)
    copy_into(pull, near_by)
    spread(pull, through, fade)


@rule
def ways_past(state, seat, chances, rank, through):
    """Write how likely a rank of ours gets past each piece of theirs: it has to take it first."""
    for square in range(c.SQUARES):
        piece = int(state.board[square]) - 1
        if piece >= 0 and piece // c.SLOTS != seat:
            through[square] = chance_to_take(chances, piece, rank)


@rule
def let_through(state, seat, through):
    """Write how much of a gain each square lets through to those behind it.

    What stands there stops a walker; a piece of one's own has to step aside first.
    """
    for square in range(c.SQUARES):
        piece = int(state.board[square]) - 1
        through[square] = 1.0
        if piece >= 0 and piece // c.SLOTS == seat:
            through[square] = PULL_PAST_FRIEND if state.rank[piece] < c.BOMB else 0.0
    for lake in c.LAKES:
        through[lake] = 0.0


@rule
def see_through(state, seat, doubt, seen):
    """Write what part of a gain each rank of theirs sees in attacking what has moved of ours.

    It is not a Bomb; where no other hidden piece of ours withstands a rank, that gains surely.
    """
    first, end = seat * c.SLOTS, seat * c.SLOTS + c.SLOTS
    for piece in range(first, end):
        rests = int(state.marks[piece]) & MOVED == 0
        seen[0, piece] = int(state.square[piece]) - 1 if rests else -1
    for rank in range(1, c.BOMB):
        sees = 100
        for piece in range(first, end):
            mine = int(state.rank[piece])
            unknown = state.square[piece] != 0 and not is_shown(state, piece)
            if unknown and mine < c.BOMB and remains(rank, mine) != WIN:
                sees = doubt
        for piece in range(first, end):
            seen[rank, piece] = sees


@kept
@allocates
def appraise(state, seat, chances, own, other, field, pull, through, taste):
    """Write `worth`, `secret` and `hope` of a search for a seat's view."""
    worth_own = np.empty(c.RANKS)
    worth_other = np.empty(c.RANKS)
    worth_of(own, other, taste, worth_own)
    worth_of(other, own, taste, worth_other)
    mine, theirs = material(own, worth_own), material(other, worth_other)
    field.total[LEAD] = int(HUNDRED * (mine - theirs))
    lead = mine / max(theirs, 1.0)
    waited = waited_for(state, lead, taste)
    caution = caution_of(lead, waited, taste)
    worth_own[c.FLAG] = OWN_FLAG
    worth_other[c.FLAG] = taste[OF_FLAG]
    field.total[DOUBTED], field.total[WAITED] = int(taste[OF_DOUBT]), int(100 * waited)
    see_through(state, seat, int(taste[OF_DOUBT]), field.hope)
    haste = haste_of(lead, waited)
    field.total[HASTE] = int(100 * haste)
    pace = taste[OF_PACE] * (1.0 + HURRY * haste)
    home = home_of(state, seat)
    raid = np.empty((2, c.SQUARES))
    stakes = Stakes(chances, worth_own, worth_other, caution, raid, taste)
    raids(state, seat, home, raid, through, taste)
    let_through(state, seat, through)
    steps = np.zeros(c.SQUARES)
    guard, guarding, moves = call_guard(state, seat, chances, home, raid, through, steps, taste)
    for rank in range(1, c.RANKS):
        scale = caution if rank < c.FLAG else 1.0
        field.secret[seat, rank] = int(
            HUNDRED * scale * taste[OF_GIVEN_AWAY] * SECRET_OWN[rank] * worth_own[rank]
        )
        field.secret[1 - seat, rank] = int(
            HUNDRED * taste[OF_TOLD] * SECRET_OTHER[rank] * worth_other[rank]
        )
        pull[:] = 0.0
        if rank < c.BOMB:
            pull_own(state, seat, stakes, rank, field, pull)
            ways_past(state, seat, chances, rank, through)
            lead_on(pull, through, PULL_FADE)
        for square in range(c.SQUARES):
            points = scale * worth_own[rank] + pace * pull[square]
            if rank < c.BOMB and home >= 0 and distance(square, home) == 1:
                points += taste[OF_POST]
            if rank == guard:
                points += guarding * in_time(steps[square], moves)
            field.worth[seat, rank, square] = int(HUNDRED * points)
        pull_other(state, seat, worth_own, rank, pull)
        for square in range(c.SQUARES):
            points = worth_other[rank] + taste[OF_CHASE_PACE] * pull[square]
            if rank < c.BOMB:
                points += raid[1 if rank == c.MINER else 0, square]
            field.worth[1 - seat, rank, square] = int(HUNDRED * points)


@rule
def pull_own(state, seat, stakes, rank, field, pull):
    """Write what an attack of a rank promises at the square of each piece of theirs."""
    chances, taste = stakes.chances, stakes.taste
    secret = taste[OF_GIVEN_AWAY] * SECRET_OWN[rank] * stakes.own[rank] / 2
    for piece in range((1 - seat) * c.SLOTS, (1 - seat) * c.SLOTS + c.SLOTS):
        if state.square[piece] == 0:
            continue
        gain = hope_of(stakes, state, rank, piece)
        prize = prize_of(state, chances, piece, rank, taste)
        danger = danger_of(state, chances, stakes.raid, piece)
        beaten = stopped = 0.0
        for other in range(1, c.RANKS):
            outcome = remains(rank, other)
            if outcome == WIN:
                beaten += chances[piece, other]
            if outcome != LOSS:
                stopped += chances[piece, other]
        gain += stopped * danger
        field.hope[rank, piece] = int(HUNDRED * gain)
        more = beaten * prize + (taste[OF_DEFENCE] - 1.0) * stopped * danger
        pull[int(state.square[piece]) - 1] = max(gain - secret + more, 0.0)


@rule
def pull_other(state, seat, worth_own, rank, pull):
    """Write what draws a rank of theirs: pieces of ours that it knows and beats."""
    pull[:] = 0.0
    if rank >= c.BOMB:
        return
    for piece in range(seat * c.SLOTS, seat * c.SLOTS + c.SLOTS):
        if state.square[piece] == 0 or not is_shown(state, piece):
            continue
        if remains(rank, int(state.rank[piece])) == WIN:
            pull[int(state.square[piece]) - 1] = worth_own[int(state.rank[piece])]
    fade_plainly(pull)


@rule
def fade_plainly(pull):
    """Let gains fade with the distance, whatever stands between."""
    for _ in range(c.SIDE):
        changed = False
        for square in range(c.SQUARES):
            for way in range(4):
                near = STEP[square, way]
                if near >= 0 and pull[near] * CHASE_FADE > pull[square] + 1e-9:
                    pull[square] = pull[near] * CHASE_FADE
                    changed = True
        if not changed:
            return
