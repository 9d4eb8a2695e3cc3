"""The state record of Bin'Fa."""

from __future__ import annotations

from tianxia.games.binfa.rules.components import COLOURS, MAX_PLAYERS, TRIANGLES, UNITS
from tianxia.kernel.colours import FIELDS
from tianxia.kernel.record import record

# --- Phases. Zero comes first: a new record is a game before its first marker. ---

MAPPING, COLOURING, PLACING, PAWNS, STORES, FIRST = range(6)  # the set-up
CHOOSING, PASSING, READY, ROLLING = range(6, 10)
MOVING, COUNTING, LEAVING, DIVIDING = range(10, 14)
ATTACKING, RETREATING, SPLITTING, OCCUPYING = range(14, 18)
FORAGING, STEPPING, RAIDING, ENDED = range(18, 22)
PHASES = 22

# --- Where terrain and whirlpools come from (option `map`; named maps follow, then own ones) ---

RANDOM, RANGES, PLACED, NAMED = range(4)

STATE = record(
    options={
        "chart": ("i8", (4,)),  # a map of one's own: terrain, whirlpools
        "turns": "i2",
        "level": "i1",
        "players": "i1",
        "armies": "i1",
        "map": "i1",
        "terrain": "i1",
        "bases": "i1",
        **FIELDS,
    },
    fields=[
        ("held", "i8", (COLOURS, 2)),  # by army: triangles whose top unit is its own
        ("tall", "i8", (2,)),  # triangles with two units or more
        ("terrain", "i8", (2,)),
        ("pools", "i8", (2,)),  # whirlpools
        ("turns", "i4"),  # that have ended
        ("phase", "i1"),
        ("active", "i1"),  # the active player's seat
        ("army", "i1"),  # 1 + the army of this turn
        ("rolled", "i1"),  # whether a roll of this turn was completed
        ("high", "i1"),  # the dice, while they are carried out
        ("low", "i1"),
        ("moves", "i1"),  # displacements left
        ("due", "i1"),  # bit i: the pile in whirlpool i has yet to leave on this roll
        ("origin", "i1"),  # 1 + triangle, and 1 + way: the displacement chosen,
        ("way", "i1"),  # or the attack announced
        ("foe", "i1"),  # 1 + colour of the attacked pile, when the attack was announced
        ("group", "i1"),  # units that enter a whirlpool
        ("exit", "i1"),  # 1 + whirlpool chosen for the top ones of them
        ("step", "i1"),  # 1: first retreat; 2, 3: second, of the top group and of the other
        ("vacated", "i1"),  # 1 + triangle from which a pile retreats
        ("escape", "i1"),  # 1 + way on which its top part retreats
        ("refuges", "i1", (2,)),  # 1 + triangles of the first retreat, the top group's first
        ("raid", "i1"),  # 1 + army whose centre a pawn stands on
        ("distance", "i1"),  # that this pawn went
        ("stocked", "i1"),  # armies that have rolled for their first supplies
        ("alive", "i1"),  # bit a: army a has not fallen; none before the units are seen
        ("contest", "i1"),  # bit p: seat p rolls for the first turn
        ("reason", "i1"),  # code of the statement that ended the game
        ("winners", "i1"),  # bit p: seat p won, or shares the draw
        ("totals", "i1", (MAX_PLAYERS,)),  # by seat: what it rolled for the first turn
        ("drawn", "i1", (COLOURS,)),  # 1 + colour, in the order of drawing
        ("owner", "i1", (COLOURS,)),  # by army: 1 + seat
        ("strength", "i1", (COLOURS,)),  # by army: units on the board
        ("pawns", "i1", (COLOURS,)),  # by army: 1 + circle
        ("supplies", "i1", (COLOURS,)),  # by army; the store has the rest
        ("height", "i1", (TRIANGLES,)),
        ("top", "i1", (TRIANGLES,)),  # 1 + colour of the top unit
        # All piles one after the other in the order of triangles, each bottom to top: 1 + colour.
        ("units", "i1", (UNITS,)),
    ],
)
