"""Stratego on one line: exact, checked, and readable with a little patience.

After the game's options and the viewer come eleven tokens::

    play r 12/11 <red> <blue> 3 e5 a4:a4a5a4 - 0/2 b7:b6b5

1. phase: ``setup``, ``play``, or ``end:30:r`` (statement that ended it; r, b or = won);
2. who may act: ``r``, ``b``, ``rb`` or ``-``;
3. plies / the ply before which nobody may take back on his own;
4. and 5. the armies, square by square of the set-up: ``-`` no piece, else its rank
   (``?`` unknown), ``~`` if it has run, ``!`` if its rank was shown, ``x`` if it is lost,
   or ``@e5`` if it has moved and stands on e5; ``.`` where nothing is set up;
6. moves in a row without an attack;
7. square on which the last move ended;
8. and 9. two-squares memory of each player: a piece, by the square it was set up on, and
   the squares between which it paced;
10. chase lengths; 11. the moves of the chase, oldest first: piece, from, to.
"""

from __future__ import annotations

import re

import numpy as np

from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules import state as s
from tianxia.games.stratego.rules.invariants import INVARIANTS, SEATS, exists, of_army
from tianxia.kernel.errors import NotationError
from tianxia.kernel.fields import Fields, knows
from tianxia.kernel.notation import Notation
from tianxia.kernel.tokens import (
    PLIES,
    Codec,
    Token,
    bits,
    choice,
    found,
    maybe,
    number,
    row,
    token,
    wrong,
)

PHASES = {"setup": (s.SETUP, 0, 0, 0), "play": (s.PLAY, 0, 0, 0)} | {
    f"end:{reason}:{name}": (s.PLAY, reason, winner, 1)
    for reason, winners in ((30, "rb"), (31, "rb"), (32, "="), (42, "="))
    for winner, name in enumerate("rb=", 1)
    if name in winners
}
PIECE_TEXT = re.compile(r"([S2-9MBF?])(~?)(!?)(?:(x)|@([a-j](?:10|[1-9])))?|-")
SQUARE = re.compile(r"[a-j](?:10|[1-9])")
PAST_MOVE = re.compile(rf"({SQUARE.pattern}):({SQUARE.pattern})({SQUARE.pattern})")


def square_name(square: int) -> str:
    """Return a square as players write it."""
    return f"{'abcdefghij'[square % c.SIDE]}{square // c.SIDE + 1}"


def square_number(name: str) -> int:
    """Return the number of a square; raise NotationError if there is none of that name."""
    if not SQUARE.fullmatch(name):
        raise NotationError(f"{name!r} is not a square; squares are a1 to j10")
    return "abcdefghij".index(name[0]) + c.SIDE * (int(name[1:]) - 1)


def _piece_at_start(name: str) -> int:
    square = square_number(name)
    if c.SLOTS <= square < c.SQUARES - c.SLOTS:
        raise NotationError(f"no piece is set up on {name}")
    return square if square < c.SLOTS else c.SLOTS + c.SQUARES - 1 - square


def _start_name(piece: int) -> str:
    return square_name(c.start_square(piece))


# --- Armies ---


def _army(seat: int) -> Token:
    def write(p: Fields) -> str:
        pieces = of_army(seat)[: c.SLOTS if p.phase == s.PLAY else p.placed[seat]]
        return "".join(_write_piece(p, piece) for piece in pieces) or "."

    def read(p: Fields, text: str) -> None:
        pieces = [] if text == "." else list(PIECE_TEXT.finditer(text))
        if "".join(piece.group() for piece in pieces) != text.replace(".", ""):
            raise NotationError(f"{text[:50]!r} cannot be read")
        if len(pieces) > c.SLOTS:
            raise NotationError(f"{len(pieces)} set-up squares instead of {c.SLOTS}")
        rank, square, marks, placed = p.rank, p.square, p.marks, p.placed
        for piece, match in zip(of_army(seat), pieces, strict=False):
            symbol, ran, shown, lost, place = match.groups()
            if symbol:
                start = square_number(place) if place else c.start_square(piece)
                rank[piece] = c.RANK_SYMBOLS.index(symbol)
                square[piece] = 0 if lost else start + 1
                seen = s.SHOWN if shown or lost else 0
                marks[piece] = (s.MOVED if place else 0) | (s.RAN if ran else 0) | seen
        placed[seat] = len(pieces) if p.phase == s.SETUP else 0
        p.rank, p.square, p.marks, p.placed = rank, square, marks, placed

    fields = ("rank", "square", "marks", "placed")
    return Token(f"army of {SEATS[seat]}", fields, write, read)


def _write_piece(p: Fields, piece: int) -> str:
    if not exists(p, piece):
        return "-"
    square, marks = p.square[piece], p.marks[piece]
    text = c.RANK_SYMBOLS[p.rank[piece]]
    if square == 0:
        return f"{text}x"
    text += ("~" if marks & s.RAN else "") + ("!" if marks & s.SHOWN else "")
    return f"{text}@{square_name(square - 1)}" if marks & s.MOVED else text


def _complete(p: Fields) -> None:
    """Work out the board by square, what all know of its pieces, and what is still to set up."""
    board = np.zeros_like(p.board)
    occupied, movable, scouts = (np.zeros((2, 2), np.int64) for _ in range(3))
    for piece in np.flatnonzero(p.square).tolist():
        square, rank = int(p.square[piece]) - 1, int(p.rank[piece])
        where, bit = (piece // c.SLOTS, c.HALF_OF[square]), c.BIT_OF[square]
        board[square] = piece + 1
        occupied[where] |= bit
        if 0 < rank < c.BOMB or (rank == 0 and p.marks[piece] & s.MOVED):
            movable[where] |= bit
        if rank == c.SCOUT:
            scouts[where] |= bit
    p.board, p.occupied, p.movable, p.scouts = board, occupied, movable, scouts
    reserve = np.zeros_like(p.reserve)
    for seat in range(2):
        if p.phase == s.SETUP and knows(p, seat):
            placed = np.bincount(p.rank[of_army(seat)], minlength=len(c.RANK_SYMBOLS))
            reserve[seat] = np.maximum(c.COUNTS[p.options.variant] - placed, 0)
            reserve[seat][0] = reserve[seat][1:].sum()
    p.reserve = reserve


# --- Memory of moves ---


def _pacing(seat: int) -> Token:
    def write(p: Fields) -> str:
        if p.pacing[seat] == 0:
            return "-"
        squares = [square_name(square - 1) for square in p.pacing_squares[seat] if square]
        return f"{_start_name(int(p.pacing[seat]) - 1)}:{''.join(squares)}"

    def read(p: Fields, text: str) -> None:
        pacing, squares = p.pacing, p.pacing_squares
        if text != "-":
            name, _, rest = text.partition(":")
            passed = [square_number(square) + 1 for square in SQUARE.findall(rest)]
            if not 2 <= len(passed) <= squares.shape[1]:
                raise wrong(text, f"a piece of {SEATS[seat]} and 2 to 6 squares: a4:a4a5")
            pacing[seat] = _piece_at_start(name) + 1
            squares[seat, : len(passed)] = passed
        p.pacing, p.pacing_squares = pacing, squares

    return Token(f"two-squares memory of {SEATS[seat]}", ("pacing", "pacing_squares"), write, read)


def _write_trail(p: Fields) -> str:
    columns = (p.trail_piece, p.trail_origin, p.trail_target)
    moves = zip(*(column[: p.trail_length] for column in columns), strict=True)
    texts = (f"{_start_name(a)}:{square_name(b)}{square_name(c)}" for a, b, c in moves)
    return ",".join(texts) or "-"


def _read_trail(p: Fields, text: str) -> None:
    texts = [] if text == "-" else text.split(",")
    if len(texts) > s.TRAIL:
        raise NotationError(f"{len(texts)} moves: {s.TRAIL} are remembered")
    moves = [found(move, PAST_MOVE, "a piece, from and to: b4:b5c5") for move in texts]
    p.trail_length = len(moves)
    p.trail_piece = [_piece_at_start(piece) for piece, _, _ in moves]
    p.trail_origin = [square_number(origin) for _, origin, _ in moves]
    p.trail_target = [square_number(target) for _, _, target in moves]


SQUARE_CODEC = Codec(lambda p, square: square_name(square), lambda p, text: square_number(text))

NOTATION = Notation(
    s.STATE,
    tokens=(
        choice("phase", ("phase", "reason", "winner", "over"), PHASES),
        token("who may act", "acting", bits(SEATS)),
        PLIES,
        _army(0),
        _army(1),
        token("moves without an attack", "quiet", number(10**9)),
        token("where the last move ended", "last_target", maybe(SQUARE_CODEC)),
        _pacing(0),
        _pacing(1),
        token("chase lengths", "chase", row(number(s.TRAIL + 1))),
        Token(
            "moves of the chase",
            ("trail_length", "trail_piece", "trail_origin", "trail_target"),
            _write_trail,
            _read_trail,
        ),
    ),
    derived=("board", "occupied", "movable", "scouts", "reserve"),
    complete=_complete,
    invariants=INVARIANTS,
)
