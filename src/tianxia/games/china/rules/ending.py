"""The end of a game: the final scoring, one step after the other (CHI-50 to 56, 82, 90)."""

from __future__ import annotations

from tianxia.games.china.rules import components as c
from tianxia.games.china.rules import scoring
from tianxia.games.china.rules import statements as because
from tianxia.games.china.rules.boards import MAX_ALLIANCES, PROVINCES
from tianxia.games.china.rules.pieces import occupied, owners
from tianxia.games.china.rules.state import ENDED, FINAL
from tianxia.kernel.jit import rule
from tianxia.kernel.multisets import pour

_HARBOURS = PROVINCES  # the first step after the provinces
_ALLIANCES = _HARBOURS + 1
_ROADS = _ALLIANCES + MAX_ALLIANCES
_TILES = _ROADS + c.MAX_PLAYERS


@rule
def begin_final(state, reason):
    """Leave the turn as it is and score what is still to be scored (CHI-48, CHI-49)."""
    pour(state.played, state.discard)
    state.course = 0
    state.placed = 0
    state.province = 0
    state.target = 0
    state.owed = 0
    state.reason = reason
    state.phase = FINAL
    state.acting = 0


@rule
def go_to_step(state):
    """Go to the next step that brings something, this one or a later one, or end the game."""
    step = int(state.step)
    while step < c.STEPS and not step_counts(state, step):
        step += 1
    state.step = step
    if step == c.STEPS:
        state.step = 0
        state.phase = ENDED
        state.over = 1


@rule
def step_counts(state, step):
    """Say whether a step of the final scoring is worth a look."""
    land = c.row_of(state)
    if step < _HARBOURS:
        return not scoring.is_scored(state, step) and occupied(state) & c.WITHIN[land, step] != 0
    if step == _HARBOURS:
        return occupied(state) & c.HARBOURS[land] != 0
    if step < _ROADS:
        number = step - _ALLIANCES
        if number < c.ALLIANCES[land]:
            for seat in range(int(state.seats)):
                if scoring.alliance_value(state, number, seat) > 0:
                    return True
        return False
    if step < _TILES:
        return step - _ROADS < state.seats and scoring.road_value(state, step - _ROADS) > 0
    for owner in range(owners(state)):
        if state.tiles_taken[owner, step - _TILES] > 0:
            return True
    return False


@rule
def score(state, step):
    """Score what a step stands for; a province during the game in the same way."""
    if step <= _HARBOURS:
        scoring.score_spaces(state, step)
    elif step < _ROADS:
        scoring.score_alliance(state, step - _ALLIANCES)
    elif step < _TILES:
        scoring.score_roads(state, step - _ROADS)
    else:
        scoring.score_tiles(state, step - _TILES)


@rule
def settle(state, reason):
    """Do the whole final scoring at once."""
    begin_final(state, reason)
    go_to_step(state)
    while state.over == 0:
        score(state, int(state.step))
        state.step += 1
        go_to_step(state)


STEP_DUE = c.ACTIONS.table(
    {
        "score": because.SCORED_WHEN_FULL,
        "harbours": because.HARBOURS_SCORED,
        "alliance": because.ALLIANCES_IN_ORDER,
        "roads": because.ROADS,
        "bonus": because.MOST_TILES,
    }
)


@rule
def step_refusal(action):
    """Return the statement that says when a step of scoring is due."""
    return int(STEP_DUE[action])
