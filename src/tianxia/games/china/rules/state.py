"""The state record of China."""

from __future__ import annotations

from tianxia.games.china.rules import components as c
from tianxia.games.china.rules.boards import PROVINCES
from tianxia.kernel.colours import FIELDS
from tianxia.kernel.record import record

# --- Phases. Zero comes first: a new record is a game before its tiles are laid out. ---

TILING, BEGINNING, DEALING = range(3)  # the set-up, by chance
TURN, MORE, SPACE, KEEPING, TAKING, EMPEROR_TURN = range(3, 9)  # the active player decides
TURNING, SCORING, DRAWING, DISPLAYING, EMPEROR_DRAW, SHUFFLING = range(9, 15)  # chance
FINAL, ENDED = 15, 16
PHASES = 17

# --- Bits of `course`: what happened in this turn ---

BEGUN = 1  # the active player has done something
EMPERORS = 2  # the Emperor's piece is under way, and then his cards
PLAYED_FIRST = 4  # he plays, or has played, before the turn
SINGLE = 8  # the province was empty: no second piece there

# --- Bits of `special`: special cards that a seat still has ---

EMPEROR_CARD, PROVINCES_CARD, SWAP_CARD = 1, 2, 4
ALL_SPECIAL = 7

RANDOM_FIRST = 0  # of the option `first`; else 1 + the colour that begins
KEEP_ALL = 1  # of the option `keep`

STATE = record(
    options={
        "own": "i8",  # the board that somebody has drawn, as a digest of it; 0: one of ours
        "board": "i2",
        "players": "i1",
        "fortifications": "i1",
        "tiles": "i1",
        "light": "i1",
        "keep": "i1",
        "first": "i1",
        **FIELDS,
    },
    fields=[
        ("palaces", "i8", (c.MAX_PLAYERS,)),  # by owner: spaces, as bits
        ("forts", "i8"),  # spaces with a fortification
        ("land", "i8"),  # the board: the number of one of ours, or `own`
        ("points", "i2", (c.MAX_PLAYERS, c.SOURCES)),
        ("scored", "i2"),  # bits: provinces with a score token
        ("phase", "i1"),
        ("active", "i1"),  # the seat whose turn it is
        ("first", "i1"),
        ("course", "i1"),
        ("placed", "i1"),  # pieces of this turn
        ("province", "i1"),  # 1 + the one of this turn's pieces
        ("target", "i1"),  # 1 + the one committed to, or whose tiles are turned
        ("owed", "i1"),  # cards to take still
        ("exhausted", "i1"),  # times the deck ran out
        ("step", "i1"),  # of the final scoring: the next
        ("reason", "i1"),  # number of the statement that brings the end
        ("emissaries", "i1", (c.MAX_PLAYERS, PROVINCES)),
        ("forts_left", "i1", (c.MAX_PLAYERS,)),
        # Tiles by province, in the order of their spaces: 1 + space, 0 when taken;
        # 1 + colour, 0 while face down.
        ("tile_space", "i1", (PROVINCES, c.TILES_IN_PROVINCE)),
        ("tile_colour", "i1", (PROVINCES, c.TILES_IN_PROVINCE)),
        ("tiles_down", "i1", (c.TILE_COLOURS,)),  # nobody knows which lies where
        ("tiles_taken", "i1", (c.MAX_PLAYERS, c.TILE_COLOURS)),
        ("display", "i1", (c.COLOURS,)),
        ("discard", "i1", (c.COLOURS,)),
        ("deck", "i1", (c.COLOURS,)),  # hidden
        ("deck_size", "i1"),
        ("fresh", "i1", (c.COLOURS,)),  # the deck at its last shuffle, less what was opened
        ("hands", "i1", (c.MAX_PLAYERS, c.COLOURS)),  # hidden
        ("hand_sizes", "i1", (c.MAX_PLAYERS,)),
        # Memory. What each drew from the deck since its last shuffle is hidden, how many is not.
        ("drawn", "i1", (c.MAX_PLAYERS, c.COLOURS)),
        ("draws", "i1", (c.MAX_PLAYERS,)),
        ("known", "i1", (c.MAX_PLAYERS, c.COLOURS)),  # cards that are surely held
        # With two players
        ("imperial", "i1", (c.COLOURS,)),  # the Emperor's cards
        ("played", "i1", (c.COLOURS,)),  # in this turn: one is kept, the others are discarded
        ("kept", "i1", (2, c.COLOURS)),
        ("influence", "i1", (c.COLOURS,)),  # 1 + seat
        ("special", "i1", (2,)),  # bits
    ],
)
