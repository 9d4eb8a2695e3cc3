"""The baseline: Stratego as one writes it first, compiled by the same compiler.

No repetition rules, no draw by length, no memory of what was seen; legal moves by looking
at every square of the board, no piece lists, no sets of squares. Games are cut at 2 000
moves, since without these rules random play need not end.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from tianxia.games.stratego.rules.components import COUNTS

CUT = 2000
EMPTY, LAKE = 0, 99
ARMY = np.repeat(np.arange(13), COUNTS[0])


@njit(cache=True)
def new_board(board):
    """Set up both armies at random: red ranks 1 to 12, blue ones 21 to 32."""
    board[:] = EMPTY
    for square in (42, 43, 46, 47, 52, 53, 56, 57):
        board[square] = LAKE
    ranks = ARMY.copy()
    np.random.shuffle(ranks)
    for i in range(40):
        board[i] = ranks[i]
    np.random.shuffle(ranks)
    for i in range(40):
        board[60 + i] = ranks[i] + 20


@njit(cache=True)
def legal_moves(board, side, out):
    """Write (from, to) pairs; return how many."""
    count = 0
    for origin in range(100):
        rank = board[origin] - 20 * side
        if rank < 1 or rank > 10:
            continue
        for direction in range(4):
            row, column = origin // 10, origin % 10
            for _ in range(9 if rank == 2 else 1):
                row += (1, -1, 0, 0)[direction]
                column += (0, 0, 1, -1)[direction]
                if row < 0 or row > 9 or column < 0 or column > 9:
                    break
                standing = board[row * 10 + column]
                if standing == LAKE or (standing != EMPTY and (standing > 20) == (side == 1)):
                    break
                out[count, 0] = origin
                out[count, 1] = row * 10 + column
                count += 1
                if standing != EMPTY:
                    break
    return count


@njit(cache=True)
def fight(attacker, defender):
    """Return 1, 0 or −1 for the attacker."""
    if defender == 12 or (defender == 11 and attacker == 3) or (attacker == 1 and defender == 10):
        return 1
    if defender == 11:
        return -1
    return 0 if attacker == defender else (1 if attacker > defender else -1)


@njit(cache=True)
def playouts(games, seed):
    """Play random games; return how many moves they took."""
    np.random.seed(seed)
    board = np.zeros(100, np.int8)
    moves = np.zeros((500, 2), np.int16)
    total = 0
    for _ in range(games):
        new_board(board)
        side = 0
        for _ in range(CUT):
            count = legal_moves(board, side, moves)
            if count == 0:
                break
            chosen = np.random.randint(count)
            origin, target = moves[chosen, 0], moves[chosen, 1]
            total += 1
            piece, other = board[origin], board[target]
            board[origin] = EMPTY
            if other == EMPTY:
                board[target] = piece
            else:
                defender = other - 20 * (1 - side)
                outcome = fight(piece - 20 * side, defender)
                if outcome == 1:
                    board[target] = piece
                elif outcome == 0:
                    board[target] = EMPTY
                if defender == 12:
                    break
            side = 1 - side
    return total
