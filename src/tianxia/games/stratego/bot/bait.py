"""Bait: what stands beside a piece that can be taken, and would take back.

Nobody leaves a piece hanging for nothing. When the best player had taken something beside hidden
pieces, one of these that had moved was stronger four times as often, by the odds, as believed until
then, one that had never moved twice: counted in 200 games with a program that nobody here had
written for that (`bench/notes/stratego.md`). So a capture costs that risk besides what the search
sees of it.
"""

from __future__ import annotations

from tianxia.games.stratego.bot.evidence import chance_to_fall, chance_to_take, next_piece
from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules.state import MOVED
from tianxia.kernel.jit import rule

ODDS_MOVED, ODDS_REST = 4.0, 2.0
"""By what the odds grow that a hidden piece beside a prey is stronger than who takes that."""


@rule
def bait_risk(state, seat, chances, piece, other, square):
    """Return by how much likelier than believed it is that who takes a piece is taken back.

    Parameters
    ----------
    piece, other, square
        Who takes, what is taken, and where.
    """
    rank = int(state.rank[piece])
    believed = kept = 1.0
    for way in range(4):
        near = next_piece(state, square, way)
        if near < 0 or near // c.SLOTS == seat or state.rank[near] != 0:
            continue
        falls = chance_to_fall(chances, near, rank)
        odds = ODDS_REST if int(state.marks[near]) & MOVED == 0 else ODDS_MOVED
        believed *= 1.0 - falls
        kept *= (1.0 - falls) / (1.0 - falls + odds * falls)
    return chance_to_take(chances, other, rank) * (believed - kept)
