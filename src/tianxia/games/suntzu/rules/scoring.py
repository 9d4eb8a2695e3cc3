"""Rounds 3, 6 and 9: points of the provinces, the silver pawn, and the ends of the game."""

from __future__ import annotations

from tianxia.games.suntzu.rules import statements as because
from tianxia.games.suntzu.rules.components import LAST_ROUND, STANDS, TRACK
from tianxia.games.suntzu.rules.state import DRAWN_GAME, END
from tianxia.kernel.jit import rule


@rule
def is_scored(state):
    """Say whether this round ends with a scoring."""
    return int(state.turn) % 3 == 0


@rule
def value(state, province):
    """Return what a province is worth at the next scoring."""
    return STANDS[int(state.stands[province]) - 1, (int(state.turn) - 1) // 3]


@rule
def score_province(state, province):
    """Note the points of whoever has armies in a province, and go on to the next."""
    for seat in range(2):
        if state.board[seat, province] > 0:
            state.tally[seat] += value(state, province)
    state.province = province + 2


@rule
def move_pawn(state):
    """Move the silver pawn by the difference, at most to the end of the track."""
    track = int(state.track) + int(state.tally[0]) - int(state.tally[1])
    state.track = min(max(track, -TRACK), TRACK)
    state.tally[0] = 0
    state.tally[1] = 0
    state.province = 0


@rule
def end_by_track(state):
    """End the game if the pawn lies on an end space, or after the last round on a side."""
    track = int(state.track)
    if state.turn == LAST_ROUND:
        if track != 0:
            finish(state, leader(state), because.AHEAD_AFTER_NINE_ROUNDS)
    elif abs(track) == TRACK:
        finish(state, leader(state), because.PAWN_AT_ITS_GOAL)


@rule
def leader(state):
    """Return 1 + the seat that is ahead on the score track, 3 if none is."""
    return DRAWN_GAME if state.track == 0 else (1 if state.track > 0 else 2)


@rule
def end_by_reserve(state, reason):
    """End the game: the track decides, then the reserves, then nobody."""
    won = leader(state)
    mine, other = int(state.reserve[0]), int(state.reserve[1])
    if won == DRAWN_GAME and mine != other:
        won = 1 if mine > other else 2
    finish(state, won, reason)


@rule
def finish(state, won, reason):
    """End the game; what only its course needed is cleared away."""
    state.phase = END
    state.over = 1
    state.acting = 0
    state.winner = won
    state.reason = reason
    state.step = 0
    state.province = 0
    state.effects = 0
    state.owed = 0
    state.passes = 0
