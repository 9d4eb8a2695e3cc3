"""The parts of what `encode` writes, in order, each with its shape."""

from __future__ import annotations

from tianxia.games.suntzu.rules.components import KINDS, PROVINCES
from tianxia.games.suntzu.rules.knowledge import PER_PROVINCE

SEAT = (
    ("supply and cards", (8,)),
    ("strategies held", (5,)),
    ("strategies spent", (5,)),
    ("hand", (KINDS,)),
    ("cards gone", (9,)),
    ("cards drawn", (9,)),
    ("cards in the deck", (9,)),
    ("cards laid", (PROVINCES, 9)),
)
LAYOUT = (
    ("phase", (15,)),
    ("step", (17,)),
    ("round, score, privilege, armies owed, Plagues", (6,)),
    ("open event", (5,)),
    ("events left", (5,)),
    ("the viewer may act, effects", (2,)),
    ("provinces", (PROVINCES, PER_PROVINCE)),
    *((f"own {name}", shape) for name, shape in SEAT),
    *((f"other's {name}", shape) for name, shape in SEAT),
)
