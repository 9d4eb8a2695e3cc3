"""The parts of what `encode` writes, in order, each with its shape."""

from __future__ import annotations

from tianxia.games.firebulls.rules.components import ATTACK_KINDS, KINDS, MAX_PLAYERS, PILES, PLACES
from tianxia.games.firebulls.rules.knowledge import PLAYER
from tianxia.games.firebulls.rules.state import PHASES

LAYOUT = (
    ("point cards on the table", (PLACES, KINDS)),
    ("share of each kind in the piles", (KINDS,)),
    ("share of each pile", (PILES,)),
    ("the General: in the piles, aside, won", (3,)),
    ("attack cards: hand, Reserve, discard, deck", (4, ATTACK_KINDS)),
    ("cards in the deck, how often it ran out", (2,)),
    ("players", (MAX_PLAYERS, PLAYER)),
    ("phase", (PHASES,)),
    ("who decides next", (MAX_PLAYERS,)),
    ("direction of the attack", (7,)),
    ("won, Warriors, draws owed, who loses a card", (4,)),
)
