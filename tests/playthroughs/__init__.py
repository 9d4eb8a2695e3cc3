"""Playthroughs: all that fixed games answer at every ply, as text that can be compared.

``python -m tests.playthroughs`` writes the files anew. Look at the difference before you
commit it: it is what changes for users, for their transcripts and for their bots.
"""

from __future__ import annotations

from pathlib import Path

import tianxia
from tests.battery import games
from tianxia.testing import playthrough

FOLDER = Path(__file__).resolve().parent

# File: game, seed, actions, how many-th position is written in full.
GAMES = {
    "blind-duel": (games.BLIND_DUEL[1], 1, 100, 1),
    "blind-duel-3": (games.BLIND_DUEL[4], 2, 100, 1),
    "stratego-barrage": ("stratego(variant=barrage,draw_after=30)", 2, 300, 2),
    "stratego-barrage-habits": ("stratego(variant=barrage,draw_after=0)", 5, 300, 4),
    "stratego-duel": ("stratego(variant=duel,two_squares=5)", 4, 400, 5),
    "stratego": ("stratego", 6, 600, 20),
    "firebulls": ("firebulls", 2, 400, 12),
    "firebulls-habits": ("firebulls(players=3)", 1, 400, 15),
    "firebulls-5": ("firebulls(players=5)", 4, 400, 20),
    "suntzu": ("suntzu(events=yes)", 1, 400, 10),
    "suntzu-habits": ("suntzu(plague=spares)", 3, 400, 12),
    "suntzu-beginner": ("suntzu(deck=beginner,strategies=no)", 2, 400, 12),
    "china": ("china", 2, 400, 15),
    "china-habits": ("china(players=5,fortifications=yes,tiles=yes)", 3, 400, 20),
    "china-two": ("china(players=2)", 4, 400, 15),
    "china-border": ("china(players=4,board=border,tiles=yes)", 6, 400, 20),
    "binfa": ("binfa", 2, 500, 20),
    "binfa-habits": ("binfa(level=3,players=3,map=narrows,turns=60)", 3, 400, 20),
    "binfa-field": ("binfa(level=1)", 4, 300, 20),
    "binfa-armies": ("binfa(players=3,armies=2,map=ranges,terrain=7)", 6, 600, 30),
}


def text_of(name: str) -> str:
    """Return what the file of a game should contain."""
    spec, seed, plies, every = GAMES[name]
    return playthrough(tianxia.game(spec), seed, plies, every)
