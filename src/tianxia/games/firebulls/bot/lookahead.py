"""Trying out what one could do: play on in sampled worlds, and ask who is ahead then.

All candidates meet the same worlds and the same numbers for chance, so that luck favours
none. After a candidate all seats go on as the quick player does (`greed`) for some turns,
but also push others away from the attacks that these have gathered for, and end the game
where that wins (`finish`); then the network (`outlook`) says what share of the win each can
expect. So a candidate that begins an attack stands for the whole attack, and for what others
do about it.

This is the rollout algorithm of Tesauro and Galperin, *On-line policy improvement using
Monte-Carlo search* (1996), with rollouts cut short.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tianxia.games.firebulls.bot.finish import Ends, end_is_near, finish, make_ends, quick
from tianxia.games.firebulls.bot.greed import Room, make_room
from tianxia.games.firebulls.bot.outlook import Sight, expect, make_sight
from tianxia.games.firebulls.rules.state import TURN
from tianxia.kernel import functions as f
from tianxia.kernel.arrays import copy_into
from tianxia.kernel.bits import lowest
from tianxia.kernel.game import Game
from tianxia.kernel.jit import entry, rule
from tianxia.kernel.record import Pool, blank
from tianxia.kernel.rng import seed_rng

HASTE = 1e-4
"""What each turn costs until a game is won: of ways that all win the shortest is the best."""
BY_POINTS, FAR = 0.01, 10.0
"""What the points of a finished game count besides who has won, and how many are many."""


class Desk(NamedTuple):
    """Arrays to work with, so that trying allocates nothing.

    Attributes
    ----------
    worlds
        Two records: a sampled world, and a copy to play in.
    numbers
        Two random generators: a world's, and a copy to play with; shape (2, 4).
    ends
        Where turns that may end the game are played out.
    room, sight
        The quick player's, and the network's.
    """

    worlds: Pool
    numbers: NDArray[np.int64]
    ends: Ends
    room: Room
    sight: Sight


def make_desk(game: Game) -> Desk:
    """Return memory for one thread."""
    worlds, numbers = blank(game.kind.dtype, 2), np.zeros((2, 4), np.int64)
    return Desk(worlds, numbers, make_ends(game), make_room(), make_sight())


@entry
def try_out(view, seat, candidates, worlds, turns, learned, desk, sums):
    """Try each candidate in some worlds.

    Parameters
    ----------
    view
        Pool: what the seat may know; it may act.
    candidates
        Legal actions of the seat.
    worlds
        `search.halving.Worlds`; world i is drawn from stream i of their seed.
    turns
        How many turns are played after the present one.
    learned
        A `learned.Learned`.
    sums
        To each candidate's place its expected utility in each world is added.
    """
    rng, copied = desk.numbers[0], desk.numbers[1]
    for number in range(worlds.first, worlds.last):
        seed_rng(rng, worlds.seed, number)
        desk.worlds[0] = view[0]
        f.sample(desk.worlds[0], rng)
        for i in range(len(candidates)):
            copy_into(copied, rng)
            desk.worlds[1] = desk.worlds[0]
            f.apply_action(desk.worlds[1], seat, candidates[i])
            played = play_on(desk.worlds[1], turns, learned.habits, desk, copied)
            sums[i] += outcome(desk.worlds[1], seat, learned, desk) - HASTE * played


@rule
def play_on(state, turns, habits, desk, rng):
    """Play to the beginning of a turn, so many turns on, or to the end; return how many."""
    played = 0
    while state.over == 0:
        if state.phase == TURN:
            if played == turns:
                break
            played += 1
        advance(state, habits, desk, rng)
    return played


@rule
def advance(state, habits, desk, rng):
    """Let chance act, or who may: as the quick player does, where no end of the game is near."""
    if state.acting != 0 and state.phase == TURN and end_is_near(state):
        seat = lowest(int(state.acting))
        f.apply_action(state, seat, finish(state, seat, habits, desk.room, desk.ends, rng))
    else:
        quick(state, habits, desk.room, desk.ends, rng)


@rule
def lead(scores, seats, seat):
    """Return by how many points a seat is ahead of the best of the others."""
    best = -math.inf
    for other in range(seats):
        if other != seat:
            best = max(best, scores[other])
    return scores[seat] - best


@rule
def outcome(state, seat, learned, desk):
    """Return a seat's utility, or what it can expect; points count a little where the game is lost.

    So who has lost already still plays for places; who wins takes the surest way.
    """
    shares, seats = desk.sight.shares, int(state.seats)
    if state.over != 0:
        f.utilities(state, shares)
        won = shares[seat]
        if won > 0.0:
            return won
        f.scores(state, shares)
        return (1.0 - BY_POINTS) * won + BY_POINTS * math.tanh(lead(shares, seats, seat) / FAR)
    expect(state, learned.habits, learned.network, desk.room, desk.sight)
    return (seats * shares[seat] - 1.0) / (seats - 1)
