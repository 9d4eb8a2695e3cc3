"""What the tests of Stratego's rules share."""

from __future__ import annotations

import random
from collections.abc import Mapping

import tianxia
from tests.games.stratego.board import board
from tests.games.stratego.reference import COLUMNS, LAKES

CLASSIC = {
    "F": 1, "B": 6, "S": 1, "2": 8, "3": 5, "4": 4, "5": 4, "6": 4, "7": 3, "8": 2, "9": 1, "M": 1,
}  # fmt: skip
DUEL = {"F": 1, "S": 1, "M": 1, "9": 1, "B": 2, "3": 2, "2": 2}
BARRAGE = {"F": 1, "S": 1, "2": 2, "3": 1, "9": 1, "M": 1, "B": 1}
COUNTS = {"classic": CLASSIC, "duel": DUEL, "barrage": BARRAGE}

MOVABLE = "S23456789M"

# In the order of the set-up: own back row first, left to right as the player sees it.
OWN_SQUARES = (
    [column + str(row) for row in range(1, 5) for column in COLUMNS],
    [column + str(row) for row in range(10, 6, -1) for column in reversed(COLUMNS)],
)


def cells(state: tianxia.State) -> dict[str, str]:
    """Read a state's pieces from its diagram; ``?`` stands for a hidden rank."""
    lines = [line.split() for line in state.diagram().splitlines()]
    (columns,) = (words for words in lines if sorted(words) == list(COLUMNS))
    found = {}
    for words in lines:
        if len(words) == 11 and words[0].isdigit():
            for column, cell in zip(columns, words[1:], strict=True):
                if cell not in {".", "~"}:
                    found[column + words[0]] = cell
    return found


def drawn(pieces: Mapping[str, str]) -> str:
    """Draw squares with pieces as the ten lines that `board` takes."""
    rows = []
    for row in range(10, 0, -1):
        names = [column + str(row) for column in COLUMNS]
        rows.append(" ".join(pieces.get(n, "~" if n in LAKES else ".") for n in names))
    return "\n".join(rows)


def refusal(state: tianxia.State, token: str, seat: int | None = None) -> str | None:
    """Ask for the statement that forbids a token, `None` where it is legal."""
    if seat is None:
        (seat,) = state.acting
    return state.refusal(state.parse(token, seat), seat)


def place(pieces: str, turn: int = 0, **options: object) -> tianxia.State:
    """Make a position from ``"a1=rF j10=bF …"``."""
    return board(drawn(dict(piece.split("=") for piece in pieces.split())), turn, **options)


def army(variant: str) -> list[str]:
    return [rank for rank, count in COUNTS[variant].items() for _ in range(count)]


def random_army(variant: str, seed: int) -> list[str]:
    """Arrange an army at random, as set-up tokens."""
    pieces = army(variant)
    mixed = pieces + ["-"] * (40 - len(pieces))
    random.Random(seed).shuffle(mixed)
    while mixed[-1] == "-":  # after the last piece nothing is asked any more
        mixed.pop()
    return mixed


def arranged(seat: int, tokens: list[str]) -> dict[str, str]:
    """Tell where set-up tokens put the pieces of a seat."""
    pairs = zip(OWN_SQUARES[seat], tokens, strict=False)
    return {square: "rb"[seat] + rank for square, rank in pairs if rank != "-"}
