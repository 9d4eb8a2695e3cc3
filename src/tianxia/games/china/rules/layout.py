"""The parts of what `encode` writes, in order, each with its shape."""

from __future__ import annotations

from tianxia.games.china.rules.boards import MAX_SPACES, PROVINCES
from tianxia.games.china.rules.components import COLOURS, MAX_PLAYERS
from tianxia.games.china.rules.knowledge import PLAYER, SPACE_PLANES
from tianxia.games.china.rules.state import PHASES

LAYOUT = (
    ("spaces: palace by owner, fortification, tiles", (MAX_SPACES, SPACE_PLANES)),
    ("provinces: emissaries by owner, scored", (PROVINCES, MAX_PLAYERS + 1)),
    ("cards: hand, display, discard, deck, Emperor, played, influence", (7, COLOURS)),
    ("cards in the deck, how often it ran out", (2,)),
    ("players", (MAX_PLAYERS, PLAYER)),
    ("phase", (PHASES,)),
    ("placed, cards to take, Emperor, empty province, palace due", (5,)),
)
