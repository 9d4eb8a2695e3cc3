"""Trying out what one could do: play on for some turns, and appraise what has come of it.

All candidates meet the same dice, so that luck favours none. After a candidate all seats go on
with a narrow beam and without a look at the next roll, to the end of the next turn. So to stop
and to roll again are weighed alike, which estimates do with another seat to strike first; and
what another can reach counts, on whatever way.

This is the rollout algorithm of Tesauro and Galperin, *On-line policy improvement using
Monte-Carlo search* (1996), with rollouts cut short.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tianxia.games.binfa.bot import foresight
from tianxia.games.binfa.bot.appraisal import appraise, room
from tianxia.games.binfa.rules.components import MAX_LEGAL
from tianxia.games.binfa.rules.state import DIVIDING, MOVING, STATE
from tianxia.kernel import functions as kernel
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import entry, rule
from tianxia.kernel.record import CHANCE, Pool
from tianxia.kernel.rng import seed_rng
from tianxia.search.bot import is_late
from tianxia.search.halving import Worlds

TURNS = 2
"""A trial ends when so many turns have ended: this one, and the next one's."""
LONGEST_TRIAL = 400
"""Decisions after which a trial is broken off: somebody may roll as long as it pleases him."""
CHUNK = 12
"""Trials of each position, before those are dropped that do worse."""
SURE, UNLIKELY = 2.0, -1.0
"""Standard errors above 0 from which a gain is believed, and below which it is not sought on."""
MARGIN = 0.3
"""Seconds before a deadline from which on no more are begun."""


DESK = np.dtype(
    [
        ("bench", foresight.BENCH),  # for each decision
        ("world", STATE, (1,)),  # the position that is played on
        ("numbers", "i8", (4,)),  # a random generator
        ("actions", "i8", (MAX_LEGAL,)),  # what chance may do
        ("odds", "i8", (MAX_LEGAL,)),
    ]
)
"""Room for trials: a record, for the same reason as `appraisal.SHEET`."""


def make_desk(weights: NDArray[np.float64]) -> np.record:
    """Return room for trials with these weights."""
    desk = room(DESK)
    foresight.set_bench(desk.bench, weights)
    desk.bench.attacks = 0  # each would be a search of its own
    return desk


def compare(
    starts: Pool,
    seat: int,
    seed: int,
    trials: int,
    width: int,
    desk: np.record,
    deadline: float | None = None,
) -> NDArray[np.float64]:
    """Return what positions are worth more to a seat than the first of them, as far as is sure.

    Parameters
    ----------
    starts
        Pool of positions of the same turn, what seemed best first.
    trials
        How many are made of each at most.
    width
        Positions that each beam keeps.
    deadline
        A time of `search.bot.now` at which no more are begun.

    Returns
    -------
    ndarray
        Shape (positions,), in utility: the mean of the trials less `SURE` standard errors; of
        the first 0, of those dropped and where the time was over too soon less than 0.
    """
    alive, sums, done = np.arange(len(starts)), np.zeros((len(starts), 2)), 0
    gains = np.full(len(starts), -np.inf)
    gains[0] = 0.0
    until = int(starts["turns"].min()) + TURNS
    while done < trials and len(alive) > 1 and not is_late(deadline, MARGIN):
        added = np.zeros((len(alive), 2))
        worlds = Worlds(seed, done, done + CHUNK)
        try_out(starts[alive], seat, worlds, until, width, desk, added)
        done += CHUNK
        sums[alive] += added
        means = sums[:, 0] / done
        errors = np.sqrt(np.maximum(sums[:, 1] / done - means**2, 0.0) / (done - 1))
        alive = alive[(alive == 0) | (means[alive] > UNLIKELY * errors[alive])]
        gains[1:] = -np.inf
        gains[alive] = means[alive] - SURE * errors[alive]
    return gains


@entry
def try_out(starts, seat, worlds, until, width, desk, sums):
    """Play on from each position in some trials.

    Parameters
    ----------
    starts
        Pool of positions.
    seat
        For whom what comes of them is appraised.
    worlds
        `search.halving.Worlds`: turn t of trial i is drawn from stream i of their seed + t.
    until
        How many turns have ended when a trial does.
    width
        Positions that each beam keeps.
    sums
        To each position's place is added what it came to more than the first one, and the
        square of that.
    """
    base = 0.0
    for number in range(worlds.first, worlds.last):
        for i in range(len(starts)):
            foresight.put(desk.world[:], 0, starts[i])
            play_on(desk, until, width, worlds.seed, number)
            value = appraise(desk.world[0], desk.bench.sheet, seat)
            if i == 0:
                base = value
            sums[i, 0] += value - base
            sums[i, 1] += (value - base) ** 2


@rule
def play_on(desk, until, width, seed, number):
    """Play until so many turns have ended, or the game has.

    Each turn has dice of its own, so that they are the same however often the turn before rolls.
    """
    world, rng = desk.world, desk.numbers[:]
    turns = -1
    for _ in range(LONGEST_TRIAL):
        if world[0].over != 0 or world[0].turns >= until:
            return
        if world[0].turns != turns:
            turns = int(world[0].turns)
            seed_rng(rng, seed + turns, number)
        if world[0].acting == 0:
            actions, odds = desk.actions[:], desk.odds[:]
            action = kernel.random_outcome(world[0], actions, odds, rng)
            kernel.apply_action(world[0], CHANCE, action)
        else:
            decide(desk, width)


@rule
def decide(desk, width):
    """Do what seems best to who may act: a whole roll at once."""
    world, bench = desk.world, desk.bench
    seat = lowest(int(world[0].acting))
    phase = int(world[0].phase)
    foresight.put(bench.work[:], 0, world[0])
    bench.watcher = seat
    if MOVING <= phase <= DIVIDING:
        first = foresight.search_roll(bench, 0, seat, width)
        if bench.made > 0:
            foresight.put(world[:], 0, bench.nodes[foresight.best_end(bench, first)])
            return
    count = kernel.legal_actions(bench.work[0], seat, bench.listed[:])
    best = 0
    if count > 1:
        foresight.weigh_others(bench, phase, seat, width, count)
        for i in range(count):
            if bench.found[i] > bench.found[best]:
                best = i
    kernel.apply_action(world[0], seat, bench.listed[best])
