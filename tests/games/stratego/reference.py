"""Stratego's rules of movement, fighting and repetition stated a second time, slowly and plainly.

Nothing is remembered but what was done: every question about repetition is answered by going
through the whole past again. Tests compare the engine with this, move by move.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import NamedTuple

COLUMNS = "abcdefghij"
LAKES = {column + row for column in "cdgh" for row in "56"}
SQUARES = [c + str(r) for r in range(1, 11) for c in COLUMNS if c + str(r) not in LAKES]
STRENGTH = {"S": 1, **{str(number): number for number in range(2, 10)}, "M": 10}
DIRECTIONS = ((0, 1), (1, 0), (0, -1), (-1, 0))


class Piece(NamedTuple):
    """A piece; its number tells it from others of the same rank."""

    seat: int
    rank: str
    number: int


class Made(NamedTuple):
    """A move or an attack that was made."""

    seat: int
    piece: Piece
    start: str
    end: str  # of an attack: the square attacked
    attack: bool
    stands: bool  # the piece stands on `end` afterwards


Position = dict[str, Piece]


@cache
def ahead(square: str, direction: tuple[int, int]) -> list[str]:
    """List the squares in one direction up to the edge of the board or a lake."""
    column, row = COLUMNS.index(square[0]), int(square[1:])
    found: list[str] = []
    while True:
        column, row = column + direction[0], row + direction[1]
        if not (0 <= column <= 9 and 1 <= row <= 10):
            return found
        name = COLUMNS[column] + str(row)
        if name in LAKES:
            return found
        found.append(name)


@cache
def beside(square: str) -> list[str]:
    """List the squares next to this one, lakes left out."""
    return [squares[0] for d in DIRECTIONS if (squares := ahead(square, d))]


def borders(start: str, end: str) -> set[frozenset[str]]:
    """Name every border between two squares that a straight move crosses."""
    for direction in DIRECTIONS:
        squares = [start, *ahead(start, direction)]
        if end in squares:
            crossed = squares[: squares.index(end) + 1]
            return {frozenset(pair) for pair in pairwise(crossed)}
    raise ValueError(f"{start}-{end} is not straight")


def fight(attacker: str, defender: str) -> tuple[bool, bool]:
    """Tell whether the attacker and the defender remain."""
    if defender == "F":
        return True, False
    if defender == "B":
        return (True, False) if attacker == "3" else (False, True)
    if attacker == "S" and defender == "M":
        return True, False
    mine, other = STRENGTH[attacker], STRENGTH[defender]
    return mine > other, other > mine


class Reference:
    """A game of Stratego in play, from a position without a past."""

    def __init__(
        self,
        cells: Mapping[str, str],
        turn: int = 0,
        two_squares: int = 3,
        draw_after: int = 200,
    ) -> None:
        now = {
            square: Piece("rb".index(cell[0]), cell[1], number)
            for number, (square, cell) in enumerate(cells.items())
        }
        self.turn = turn
        self.two_squares = two_squares
        self.draw_after = draw_after
        self.made: list[Made] = []
        self.positions: list[Position] = [now]  # the last one is now on the board
        self.scores: tuple[float, float] | None = None
        self._sorted: tuple[set[str], set[str], set[str]] | None = None
        self._test_for_moves()

    @property
    def now(self) -> Position:
        return self.positions[-1]

    def cells(self) -> dict[str, str]:
        """Show the position as square and colour with rank."""
        return {square: "rb"[piece.seat] + piece.rank for square, piece in self.now.items()}

    # What the pieces can do

    def steps(self, seat: int) -> Iterator[tuple[str, str]]:
        """Find every move and attack of a seat, the repetition rules left aside."""
        for start, piece in self.now.items():
            if piece.seat != seat or piece.rank in "BF":
                continue
            for direction in DIRECTIONS:
                squares = ahead(start, direction)
                for end in squares if piece.rank == "2" else squares[:1]:
                    there = self.now.get(end)
                    if there is None or there.seat != seat:
                        yield start, end
                    if there is not None:
                        break

    # Two squares

    def two_squares_forbids(self, start: str, end: str) -> bool:
        """Tell whether one border was crossed in each of the last three moves, and is now."""
        last = [made for made in self.made if made.seat == self.turn][-self.two_squares :]
        if len(last) < self.two_squares:
            return False
        if any(made.piece != self.now[start] for made in last):
            return False
        again = borders(start, end)
        for made in last:
            again &= borders(made.start, made.end)
        return bool(again)

    # Chase

    def beside_enemy(self, position: Position, square: str, seat: int) -> bool:
        near = [position[other] for other in beside(square) if other in position]
        return any(piece.seat != seat for piece in near)

    def chase_length(self, seat: int) -> int:
        """Count a seat's chase from the first move of the game."""
        length = 0
        for number, made in enumerate(self.made):
            if made.seat != seat:
                evading = number > 0 and self.made[number - 1].end in beside(made.start)
                length = length + 1 if evading else 0
            if made.attack:
                length = 0
            if made.seat == seat:
                after = self.positions[number + 1]
                threat = made.stands and self.beside_enemy(after, made.end, seat)
                length = length + 1 if threat else 0
        return length

    def recreates(self, start: str, end: str) -> list[int]:
        """Tell how many plies ago the position stood that a move would bring about."""
        after = dict(self.now)
        after[end] = after.pop(start)
        return [ago for ago in range(len(self.positions)) if self.positions[-1 - ago] == after]

    def takes_back(self, start: str, end: str) -> bool:
        last = [made for made in self.made if made.seat == self.turn][-1:]
        return bool(last) and (last[0].piece, last[0].start, last[0].end) == (
            self.now[start],
            end,
            start,
        )

    def chase_forbids(self, start: str, end: str, length: int | None = None) -> bool:
        if end in self.now or self.takes_back(start, end):
            return False
        after = dict(self.now)
        after[end] = after.pop(start)
        if not self.beside_enemy(after, end, self.turn):
            return False
        length = self.chase_length(self.turn) if length is None else length
        return any(ago < length for ago in self.recreates(start, end))

    # All together

    def token(self, start: str, end: str) -> str:
        return f"{start}{'x' if end in self.now else '-'}{end}"

    def sorted_moves(self) -> tuple[set[str], set[str], set[str]]:
        """Return what is legal, what two squares forbid, and what the chase forbids."""
        if self._sorted is None:
            self._sorted = self._sort()
        return self._sorted

    def _sort(self) -> tuple[set[str], set[str], set[str]]:
        legal, closed, chased = set(), set(), set()
        if self.scores is None:
            length = self.chase_length(self.turn)
            for start, end in self.steps(self.turn):
                token = self.token(start, end)
                if self.two_squares and self.two_squares_forbids(start, end):
                    closed.add(token)
                if self.two_squares and self.chase_forbids(start, end, length):
                    chased.add(token)
                if token not in closed | chased:
                    legal.add(token)
        return legal, closed, chased

    def apply(self, token: str) -> None:
        self._sorted = None
        start, end = token.replace("x", "-").split("-")
        after = dict(self.now)
        piece = after.pop(start)
        there = after.pop(end, None)
        stands = True
        if there is None:
            after[end] = piece
        else:
            stands, other = fight(piece.rank, there.rank)
            if stands:
                after[end] = piece
            if other:
                after[end] = there
        self.made.append(Made(self.turn, piece, start, end, there is not None, stands))
        self.positions.append(after)
        if there is not None and there.rank == "F":
            self._win(self.turn)
            return
        self.turn = 1 - self.turn
        quiet = self.made[-self.draw_after :] if self.draw_after else []
        if quiet and len(quiet) == self.draw_after and not any(made.attack for made in quiet):
            self.scores = (0.5, 0.5)
            return
        self._test_for_moves()

    def _test_for_moves(self) -> None:
        if not self.sorted_moves()[0]:
            if any(self.steps(1 - self.turn)):
                self._win(1 - self.turn)
            else:
                self.scores = (0.5, 0.5)

    def _win(self, seat: int) -> None:
        self.scores = (1.0, 0.0) if seat == 0 else (0.0, 1.0)
