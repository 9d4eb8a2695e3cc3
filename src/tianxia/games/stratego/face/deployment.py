"""Set-ups: a small book of patterns, and variations of them that stay sensible.

A pattern is drawn as its player sees it, front row first, `.` an empty square. What is
sensible is said once, in `faults`: patterns and variations are held to the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tianxia.games.stratego.rules import components as c
from tianxia.kernel.rng import Rng, below

SETUP_ROWS = c.SLOTS // c.SIDE
FRONT = range(c.SLOTS - c.SIDE, c.SLOTS)
LANES = (0, 1, 4, 5, 8, 9)  # columns whose front square has no lake before it
SWAPS = 24  # tries of a variation; the senseless ones are taken back

Setup = list[int]
"""Ranks by set-up square: own back row first, left to right; 0 is an empty square."""

# Flag behind Bombs on the back row, a second cluster of Bombs as decoy, two or three
# strong pieces that can reach either wing, Scouts in front, some kept for the end. Variations
# bring Bombs to the front: nobody should eat their way along it without any risk.
CLASSIC_PATTERNS = (
    """
    6 2 8 2 5 7 2 9 2 6
    2 7 S M 5 4 8 2 7 5
    4 2 6 B 4 5 3 B 6 2
    3 4 B F B 3 3 B 3 B
    """,
    """
    2 7 2 6 9 2 5 8 2 6
    6 5 4 2 S 7 M 2 4 5
    2 4 8 3 7 5 6 2 B 4
    B 3 B 3 B 3 3 B F B
    """,
    """
    6 2 9 5 2 8 2 6 2 7
    5 2 4 7 3 M S 5 2 8
    B 4 2 6 B 5 7 2 4 6
    F B 3 3 4 B 3 3 B B
    """,
    """
    2 5 2 M 6 7 2 2 8 2
    8 6 4 S 2 5 9 6 7 5
    4 B 3 7 4 B 2 6 B 5
    3 3 B 4 B F B 3 3 2
    """,
    """
    5 2 7 2 8 6 2 M 2 6
    4 9 4 5 6 2 7 S 8 5
    7 3 B 4 2 3 6 B 4 2
    2 B F B 5 3 B 3 3 B
    """,
    """
    7 6 2 2 M 2 8 5 2 6
    4 2 5 8 S 6 7 9 2 5
    2 5 3 B 2 3 4 6 B 4
    3 4 B F B B 3 B 3 7
    """,
    """
    2 6 2 8 5 6 2 7 2 9
    7 5 M S 2 4 5 2 8 6
    B 2 7 3 4 B 6 2 5 3
    F B 4 B 3 3 B 3 B 4
    """,
)
# With few pieces nobody runs to the Flag in one go: every square beside it is taken.
DUEL_PATTERNS = (
    """
    . 2 . . 9 . . . . .
    . . . . . . M . 2 .
    B . . . . S . . . .
    F B . . 3 . . . 3 .
    """,
    """
    . . 2 . . M . . . 2
    . . . . . . S 9 . .
    3 . . . . . . . B .
    . . . . . . . B F 3
    """,
    """
    2 . . . M . . . 9 .
    . . . 2 . S . . . .
    . . . . B . . . . 3
    . . . 3 F B . . . .
    """,
    """
    . 9 . . . . . . M 2
    . . S . . 2 . . . .
    . . . 3 . . . B . .
    . . 3 F B . . . . .
    """,
    """
    . . 9 . . 2 . . . M
    2 . . . . . . . S .
    . . . . . . B . . .
    . 3 . . . B F 3 . .
    """,
    """
    . M . . 2 . . 9 . .
    . . S . . . . . . 2
    . 3 . . . . . . . .
    B F B . . . . . 3 .
    """,
)
BARRAGE_PATTERNS = (
    """
    . 2 . . M . . . 9 .
    . . . . . S . . . .
    B . . . . . . . . .
    F 3 . . . . . 2 . .
    """,
    """
    . . . . . 9 . . 2 .
    . M . . . . . . . .
    . S . . . . . . . B
    . . 3 . . . . . 2 F
    """,
    """
    9 . . . 2 . . . M .
    . . . . . . . S . .
    . . 3 . . . . . . .
    . B F 2 . . . . . .
    """,
    """
    . 2 . . . M . . . .
    . . . 9 . . S . . 2
    3 . . . . . . . . .
    F B . . . . . . . .
    """,
    """
    . . 9 . . . . M . .
    2 . . . . . . S . .
    . . . . . 2 . . . .
    . . . . B F 3 . . .
    """,
    """
    . M . . . . 9 . 2 .
    . S . . . . . . . .
    . . . . . . . 3 . .
    . . . . . . B F 2 .
    """,
)


def read(pattern: str) -> Setup:
    """Return a drawn pattern as ranks by set-up square."""
    rows = [line.split() for line in pattern.strip().splitlines()]
    return [0 if cell == "." else c.RANK_SYMBOLS.index(cell) for row in rows[::-1] for cell in row]


PATTERNS = tuple(
    [read(pattern) for pattern in book]
    for book in (CLASSIC_PATTERNS, DUEL_PATTERNS, BARRAGE_PATTERNS)
)
"""Patterns by variant."""


def deploy(variant: int, rng: Rng) -> Setup:
    """Return a sensible set-up, a new one nearly every time."""
    patterns = PATTERNS[variant]
    setup = list(patterns[below(rng, len(patterns))])
    if below(rng, 2):
        setup = mirrored(setup)
    return varied(setup, rng, SWAPS)


def varied(
    setup: Setup, rng: Rng, tries: int, merit: Callable[[Setup], float] = lambda _: 0.0
) -> Setup:
    """Return a set-up after tries to exchange pieces near each other; the Flag stays.

    What would be foolish, or have less merit than before, is taken back.
    """
    setup, best = list(setup), merit(setup)
    for _ in range(tries):
        one = below(rng, c.SLOTS)
        around = [slot for slot in range(c.SLOTS) if near(one, slot)]
        other = around[below(rng, len(around))]
        if c.FLAG in (setup[one], setup[other]):
            continue
        setup[one], setup[other] = setup[other], setup[one]
        found = merit(setup)
        if found < best or faults(setup):
            setup[one], setup[other] = setup[other], setup[one]
        else:
            best = found
    return setup


def mirrored(setup: Setup) -> Setup:
    """Return the set-up with left and right exchanged."""
    return [
        rank
        for row in range(SETUP_ROWS)
        for rank in setup[row * c.SIDE : row * c.SIDE + c.SIDE][::-1]
    ]


def near(one: int, other: int) -> bool:
    """Say whether two set-up squares are different and at most a few steps apart."""
    return 0 < distance(one, other) <= 3


def distance(one: int, other: int) -> int:
    """Return the steps between two set-up squares."""
    return abs(one // c.SIDE - other // c.SIDE) + abs(one % c.SIDE - other % c.SIDE)


def beside(slot: int) -> Iterator[int]:
    """Yield the set-up squares beside one."""
    row, column = divmod(slot, c.SIDE)
    if row > 0:
        yield slot - c.SIDE
    if row < SETUP_ROWS - 1:
        yield slot + c.SIDE
    if column > 0:
        yield slot - 1
    if column < c.SIDE - 1:
        yield slot + 1


def faults(setup: Sequence[int]) -> list[str]:
    """Return what is foolish about a set-up; nothing for a sensible one."""
    where = {rank: [i for i in range(c.SLOTS) if setup[i] == rank] for rank in c.Rank}
    flag, spy = where[c.Rank.FLAG][0], where[c.Rank.SPY][0]
    full = len(where[c.Rank.UNKNOWN]) == 0
    doors = [FRONT[column] for column in LANES]
    checks = {
        "the Flag is not on the back row": flag >= c.SIDE,
        "the Flag is open": any(
            setup[i] != c.BOMB if full else setup[i] == 0 for i in beside(flag)
        ),
        "no Bomb is a decoy": full and not any(distance(flag, i) > 2 for i in where[c.Rank.BOMB]),
        "too many Bombs are in front": sum(setup[i] == c.BOMB for i in FRONT) > (2 if full else 0),
        "a piece is walled in": any(walled_in(setup, i) for i in range(c.SLOTS)),
        "the Spy is in front": spy in FRONT,
        "the Spy is away from Marshal and General": all(
            distance(spy, i) > 2 for i in (*where[c.Rank.MARSHAL], *where[c.Rank.GENERAL])
        ),
        "Marshal and General stand together": full
        and distance(where[c.Rank.MARSHAL][0], where[c.Rank.GENERAL][0]) < 3,
        "Miners are in front": any(i in FRONT for i in where[c.Rank.MINER]),
        "most Miners are not in the back": full
        and sum(i < 2 * c.SIDE for i in where[c.Rank.MINER]) < len(where[c.Rank.MINER]) - 1,
        "no Scout is kept": full and sum(i < 2 * c.SIDE for i in where[c.Rank.SCOUT]) < 2,
        "no Scout leads": full and sum(i in FRONT for i in where[c.Rank.SCOUT]) < 3,
        "nobody strong leads": full and not any(setup[i] in range(7, c.BOMB) for i in doors),
    }
    return [fault for fault, found in checks.items() if found]


def walled_in(setup: Sequence[int], slot: int) -> bool:
    """Say whether a piece that could move stands among Bombs, Flag and edges only."""
    if setup[slot] in (0, c.BOMB, c.FLAG) or slot in FRONT:
        return False
    return all(setup[i] >= c.BOMB for i in beside(slot))
