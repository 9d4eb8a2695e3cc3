"""Gathering: a card of the Reserve, or one drawn unseen and a step of the pawn (FBL-19 to 23)."""

from __future__ import annotations

from tianxia.games.firebulls.rules import statements as because
from tianxia.games.firebulls.rules.cards import note_taken
from tianxia.games.firebulls.rules.components import DIRECTIONS, LEFT, RIGHT, STAY
from tianxia.kernel.decks import gain
from tianxia.kernel.jit import rule


@rule
def take_refusal(state, kind):
    return 0 if state.reserve[kind] > 0 else because.RESERVE


@rule
def take_from_reserve(state, seat, kind):
    state.reserve[kind] -= 1
    gain(state, seat, kind)
    note_taken(state, seat, kind)


@rule
def step_refusal(state, seat, action):
    """Corner pawns have one neighbour only (FBL-22)."""
    beyond = action == LEFT and state.pawns[seat] == 1
    beyond = beyond or (action == RIGHT and state.pawns[seat] == DIRECTIONS)
    return because.CORNER_STEP if beyond else 0


@rule
def move_pawn(state, seat, action):
    """Step, and change places with a pawn that stands there (FBL-20, FBL-21)."""
    if action == STAY:
        return
    here = int(state.pawns[seat])
    there = here - 1 if action == LEFT else here + 1
    for other in range(int(state.seats)):
        if state.pawns[other] == there:
            state.pawns[other] = here
    state.pawns[seat] = there
