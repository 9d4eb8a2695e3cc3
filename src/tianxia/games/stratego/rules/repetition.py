"""The two rules against endless repetition, exactly as the rulings define them.

*Two squares* (STR-08, 09, 16, 38, 39): the same piece may not cross a border that it
crossed in each of its player's last three moves. The state keeps, for each player, the
squares between which one piece paced along one line.

*Chase* (STR-10, 11, 40, 41): a chasing move may not recreate a position of the chase.
The state keeps the moves of the chase; earlier positions are found by walking back
through them. They are compared by pieces, never by ranks.
"""

from __future__ import annotations

from tianxia.games.stratego.rules.components import BIT_OF, HALF_OF, NEAR, SIDE
from tianxia.games.stratego.rules.state import TRAIL
from tianxia.kernel.jit import rule

SHORTEST_CHASE = 5
"""No move but a step straight back can recreate a position of the last four plies."""


@rule
def along_row(origin, target):
    """Say whether a move along a line goes along a row."""
    return abs(origin - target) < SIDE


@rule
def beside_any(state, seat, square):
    """Say whether a square is beside any piece of `seat`."""
    return (
        NEAR[square, 0] & state.occupied[seat, 0] | NEAR[square, 1] & state.occupied[seat, 1]
    ) != 0


@rule
def breaks_two_squares(state, seat, piece, origin, target):
    """Say whether a move crosses a border that is closed to this piece."""
    moves = int(state.options.two_squares)
    paced = state.pacing_squares[seat]
    if int(state.pacing[seat]) != piece + 1 or paced[moves] == 0:
        return False
    if along_row(origin, target) != along_row(int(paced[0]), int(paced[1])):
        return False
    low, high = common_border(paced, 0, moves, origin, target)
    return low < high


@rule
def common_border(paced, first, last, origin, target):
    """Return the least and greatest square of what a move crosses, and all those paced before it.

    They have no border in common unless the first is less than the second.
    """
    low, high = min(origin, target), max(origin, target)
    for i in range(first, last):
        here, there = int(paced[i]) - 1, int(paced[i + 1]) - 1
        low = max(low, min(here, there))
        high = min(high, max(here, there))
    return low, high


@rule
def border_closed_by(state, seat, piece, origin, target):
    """Return what border a move will close to its piece, as for `common_border`; (0, 0) if none."""
    moves = int(state.options.two_squares)
    paced = state.pacing_squares[seat]
    known = moves + 1 if paced[moves] != 0 else moves
    if int(state.pacing[seat]) != piece + 1 or paced[known - 1] == 0:
        return 0, 0
    if along_row(origin, target) != along_row(int(paced[0]), int(paced[1])):
        return 0, 0
    return common_border(paced, known - moves, known - 1, origin, target)


@rule
def note_pacing(state, seat, piece, origin, target):
    """Remember a move for the two-squares rule."""
    paced = state.pacing_squares[seat]
    most = int(state.options.two_squares) + 1
    count = 0
    if int(state.pacing[seat]) == piece + 1:
        while count < most and paced[count] != 0:
            count += 1
        if along_row(int(paced[0]), int(paced[1])) != along_row(origin, target):
            count = 0
    if count == most:
        for i in range(most - 1):
            paced[i] = paced[i + 1]
        paced[most - 1] = target + 1
    elif count > 0:
        paced[count] = target + 1
    else:
        forget_pacing(state, seat)
        state.pacing[seat] = piece + 1
        paced[0] = origin + 1
        paced[1] = target + 1


@rule
def forget_pacing(state, seat):
    """Clear the two-squares memory of a player."""
    state.pacing[seat] = 0
    state.pacing_squares[seat] = 0


@rule
def breaks_chase(state, seat, piece, origin, target):
    """Say whether a move to a free square recreates a position of the seat's chase."""
    chase = int(state.chase[seat])
    length = int(state.trail_length)
    if chase < SHORTEST_CHASE or not beside_any(state, 1 - seat, target):
        return False
    own = length - 2  # the seat's own last move: stepping straight back is allowed
    if (
        int(state.trail_piece[own]) == piece
        and int(state.trail_origin[own]) == target
        and int(state.trail_target[own]) == origin
    ):
        return False
    # Walk back ply by ply, keeping of the pieces that stood elsewhere than now: how many
    # they are, the exclusive or of their numbers, the sum of their squares. With one such
    # piece these are its number and square, and moving it there recreates that position.
    displaced, which, where = 0, 0, 0
    for back in range(1, min(chase, length + 1)):
        moved = int(state.trail_piece[length - back])
        now = int(state.square[moved]) - 1
        before = int(state.trail_origin[length - back])
        after = int(state.trail_target[length - back])
        if after != now:
            displaced, which, where = displaced - 1, which ^ moved, where - after
        if before != now:
            displaced, which, where = displaced + 1, which ^ moved, where + before
        if displaced == 1 and which == piece and where == target:
            return True
    return False


@rule
def measure_chase(state, seat, origin, target, attack, survives):
    """Update both chase lengths for a move, when the board is already changed."""
    other = 1 - seat
    last = int(state.last_target) - 1
    near = NEAR[origin, HALF_OF[last]] & BIT_OF[last] if last >= 0 else 0
    state.chase[other] = min(int(state.chase[other]) + 1, TRAIL + 1) if near != 0 else 0
    if attack:
        state.chase[0] = 0
        state.chase[1] = 0
    if survives and beside_any(state, other, target):
        state.chase[seat] = min(int(state.chase[seat]) + 1, TRAIL + 1)
    else:
        state.chase[seat] = 0


@rule
def note_trail(state, piece, origin, target, attack):
    """Remember a move for the chase rule, and no more moves than it can still need."""
    length = int(state.trail_length)
    known = 0 if attack else length + 1  # no position from before an attack can come again
    keep = min(max(int(state.chase[0]), int(state.chase[1])) - 1, min(known, TRAIL))
    keep = max(keep, 0)
    for i in range(keep - 1):
        state.trail_piece[i] = state.trail_piece[i + known - keep]
        state.trail_origin[i] = state.trail_origin[i + known - keep]
        state.trail_target[i] = state.trail_target[i + known - keep]
    if keep > 0:
        state.trail_piece[keep - 1] = piece
        state.trail_origin[keep - 1] = origin
        state.trail_target[keep - 1] = target
    for i in range(keep, length):
        state.trail_piece[i] = 0
        state.trail_origin[i] = 0
        state.trail_target[i] = 0
    state.trail_length = keep
