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
GAMES = {TOY_MODULE.replace("_", "-"): TOY_MODULE, "suntzu": "tianxia.games.suntzu"}
MODULES = {name: module for name, module in GAMES.items() if name not in tianxia.games()}
"""Where the games are that are not installed."""
for module in MODULES.values():
    tianxia.register(import_module(module).GAME)

# Of long lists of options each value meets each other value once, not all that there are.
STRATEGO = [
    f"stratego(variant={variant},two_squares={(3, 5)[number % 2]},draw_after={draw})"
    for number, (variant, draw) in enumerate(product(("classic", "duel", "barrage"), (200, 30, 0)))
] + ["stratego(variant=duel,two_squares=0)"]
BLIND_DUEL = [
    f"blind-duel(players={players},rounds={rounds})"
    for players, rounds in product((2, 3), (1, 3, 5))
]
SUNTZU = [
    f"suntzu(deck={deck},strategies={strategies},events={events},plague={plagues[number % 2]})"
    for number, (deck, strategies) in enumerate(
        (("full", "yes"), ("full", "no"), ("beginner", "no"))
    )
    for events, plagues in (("yes", ("annuls", "spares")), ("no", ("spares", "annuls")))
]
FIREBULLS = [
    *(f"firebulls(players={players})" for players in (2, 3, 5)),
    "firebulls(players=4,colours=green-yellow-blue)",
]
CHINA = [
    *(f"china(players={players})" for players in (3, 4, 5)),
    *(f"china(players=2,{rest})" for rest in ("keep=all,tiles=yes", "light=yes,first=green")),
    "china(players=2,fortifications=yes,tiles=yes)",
    "china(players=3,fortifications=yes,tiles=yes,first=violet,colours=red-violet)",
    "china(players=4,board=a,fortifications=yes)",
    "china(players=4,board=b,tiles=yes)",
    "china(players=5,fortifications=yes,tiles=yes)",
    "china(players=3,board=border)",
    "china(players=5,board=border,tiles=yes)",
]
BINFA = [
    *(f"binfa(level={level},players={2 + level % 2})" for level in (1, 2, 3)),
    *(f"binfa(players={players})" for players in (3, 4, 6)),
    "binfa(players=5,colours=any-green-any-red)",
    *("binfa(armies=2)", "binfa(armies=3,bases=neighbours)", "binfa(players=3,armies=2)"),
    *("binfa(map=ranges,terrain=5)", "binfa(map=valley,turns=30)", "binfa(players=3,map=placed)"),
    "binfa(level=4,map=r8o3/r13y13b13,turns=1000)",
]
SPECS = [*STRATEGO, *BLIND_DUEL, *FIREBULLS, *SUNTZU, *CHINA, *BINFA]

SHORT = [
    "stratego(variant=barrage,draw_after=30)",
    "blind-duel",
    "blind-duel(players=3)",
    "firebulls(players=3)",
    "suntzu(events=yes)",
    "china(players=2,tiles=yes)",
    "china(players=4,board=border,tiles=yes)",
    "binfa(players=3,map=citadel,turns=60)",
]
"""One or two of each kind, for what takes its time."""
