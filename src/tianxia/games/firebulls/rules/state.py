"""The state record of Fire Bulls."""

from __future__ import annotations

from tianxia.games.firebulls.rules import components as c
from tianxia.kernel.colours import FIELDS
from tianxia.kernel.record import record

# --- Phases. Zero comes first: a new record is a game before its first pawn is placed. ---

PLACING, ROWS, DEALING, BEGINNING = range(4)  # the set-up, by chance
TURN, STEP, NEXT_CARD, POWER, FEE_DUE, LIMIT = range(4, 10)  # the active player
HAND_DRAW, RESERVE_DRAW, SHUFFLING, COLONELS, THEFT = range(10, 15)  # chance, within a turn
SLIDING, REFILLING, PENALISING, ENDED = range(15, 19)
PHASES = 19

# --- What follows when the draws that are owed have been made (field `resume`) ---

TO_STEP, TO_LINE, TO_END = 1, 2, 3

IN_PILES, ASIDE, WON = 0, 1, 2
"""Where the General is (field `general`); a fee may later take him from who won him."""

PUBLIC = c.MAX_PLAYERS
"""The row of `known` that a spectator has, too."""

STATE = record(
    options={"players": "i1", **FIELDS},
    fields=[
        ("phase", "i1"),
        ("active", "i1"),  # the active player's seat
        ("resume", "i1"),
        ("owed", "i1"),  # draws still to be made by the active player
        ("direction", "i1"),  # of the attack: 1 to 5, or 6 for the General
        ("warriors", "i1"),  # Warriors used in this turn whose fee is not paid yet
        ("victim", "i1"),  # 1 + seat that loses a card next, by a Colonel or the General
        ("exhausted", "i1"),  # times the deck ran out
        ("general", "i1"),
        ("reason", "i1"),  # number of the statement that ended the game
        ("won", "i1", (c.DIRECT,)),  # 1 + kinds of the point cards won in this turn, in order
        ("pawns", "i1", (c.MAX_PLAYERS,)),  # direction of each
        ("rows", "i1", (c.PLACES,)),  # 1 + kind of the point card on each place
        ("piles", "i1", (c.PILES,)),  # how many cards
        ("unseen", "i1", (c.KINDS,)),  # point cards in the piles: nobody knows which in which
        ("removed", "i1", (c.KINDS,)),  # by fees and the penalty
        ("victory", "i1", (c.MAX_PLAYERS, c.KINDS)),
        ("reserve", "i1", (c.ATTACK_KINDS,)),
        ("discard", "i1", (c.ATTACK_KINDS,)),
        ("deck", "i1", (c.ATTACK_KINDS,)),  # hidden
        ("deck_size", "i1"),
        ("fresh", "i1", (c.ATTACK_KINDS,)),  # the deck at its last shuffle, less what was opened
        ("hands", "i1", (c.MAX_PLAYERS, c.ATTACK_KINDS)),  # hidden
        ("hand_sizes", "i1", (c.MAX_PLAYERS,)),
        # Memory. What each drew from the deck since its last shuffle is hidden, how many is not.
        ("drawn", "i1", (c.MAX_PLAYERS, c.ATTACK_KINDS)),
        ("draws", "i1", (c.MAX_PLAYERS,)),
        # By who knows it (the last row: everybody), by holder: cards that are surely held.
        ("known", "i1", (c.MAX_PLAYERS + 1, c.MAX_PLAYERS, c.ATTACK_KINDS)),
    ],
)
