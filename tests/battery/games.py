"""The games that the battery plays: ours with their options, and the toy of `tests/toy`."""

from __future__ import annotations

import sys
from importlib import import_module
from itertools import product
from pathlib import Path

import tianxia

TOY = Path(__file__).resolve().parent.parent / "toy"
TOY_MODULE = "blind_duel"

if str(TOY) not in sys.path:  # pytest has put it there; a script may have not
    sys.path.append(str(TOY))
tianxia.register(import_module(TOY_MODULE).GAME)

STRATEGO = [
    f"stratego(variant={variant},two_squares={squares},draw_after={draw})"
    for variant, squares, draw in product(("classic", "duel", "barrage"), (3, 5), (200, 30, 0))
]
BLIND_DUEL = [
    f"blind-duel(players={players},rounds={rounds})"
    for players, rounds in product((2, 3), (1, 3, 5))
]
SPECS = [*STRATEGO, *BLIND_DUEL]

SHORT = ["stratego(variant=barrage,draw_after=30)", "blind-duel", "blind-duel(players=3)"]
"""One or two of each kind, for what takes its time."""
