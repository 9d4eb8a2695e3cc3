"""What holds in every position of Stratego, and in every view of one."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from tianxia.games.stratego.rules import components as c
from tianxia.games.stratego.rules import state as s
from tianxia.kernel.fields import Fields, knows
from tianxia.kernel.notation import Invariants

INVARIANTS = invariant = Invariants()

SEATS = "rb"


def of_army(seat: int) -> range:
    """Return the numbers of a seat's pieces, by the squares that they are set up on."""
    return range(seat * c.SLOTS, (seat + 1) * c.SLOTS)


def exists(p: Fields, piece: int) -> bool:
    """Say whether a piece stands on the board or is lost."""
    return bool(p.square[piece] or p.marks[piece] & s.SHOWN)


def _armies(p: Fields) -> list[tuple[str, int]]:
    return [(f"army of {name}", seat) for seat, name in enumerate(SEATS)]


def _hidden_armies(p: Fields) -> list[tuple[str, int]]:
    return [(label, seat) for label, seat in _armies(p) if not knows(p, seat)]


def _known_armies(p: Fields) -> list[tuple[str, int]]:
    return [(label, seat) for label, seat in _armies(p) if knows(p, seat)]


def _ranks(p: Fields) -> list[tuple[str, int, int]]:
    counts = [
        (label, np.bincount(p.rank[of_army(seat)], minlength=13)) for label, seat in _armies(p)
    ]
    box = c.COUNTS[p.options.variant]
    return [
        (
            f"{label}: {counted[rank]} of {c.RANK_SYMBOLS[rank]}, there are {box[rank]}",
            counted[rank],
            box[rank],
        )
        for label, counted in counts
        for rank in range(1, len(c.RANK_SYMBOLS))
    ]


def _pieces(p: Fields) -> list[tuple[str, int, int, int]]:
    """Return rank, square and marks of all pieces that there are."""
    ranks, squares, marks = p.rank.tolist(), p.square.tolist(), p.marks.tolist()
    return [
        (f"{c.RANK_SYMBOLS[ranks[i]]} of {SEATS[i // c.SLOTS]}", ranks[i], squares[i], marks[i])
        for i in range(c.PIECES)
        if exists(p, i)
    ]


# --- Pieces ---


@invariant("an army has no more of a rank than the box (STR-02)", each=_ranks)
def box(p: Fields, number: int, most: int) -> bool:
    return number <= most


@invariant("no two pieces stand on one square, and none in a lake")
def squares(p: Fields) -> bool:
    return bool(
        np.count_nonzero(p.board) == np.count_nonzero(p.square) and not any(p.board[list(c.LAKES)])
    )


@invariant("a piece that is lost or was shown has a known rank", each=_pieces)
def shown_ranks(p: Fields, rank: int, square: int, marks: int) -> bool:
    return bool(rank or not marks & s.SHOWN)


@invariant("Bombs and Flags stay, only Scouts run", each=_pieces)
def movers(p: Fields, rank: int, square: int, marks: int) -> bool:
    ran = rank == c.SCOUT and marks & s.MOVED
    return not (marks & s.MOVED and rank >= c.BOMB) and bool(ran or not marks & s.RAN)


@invariant("all ranks are known", each=_known_armies)
def known_ranks(p: Fields, seat: int) -> bool:
    return all(p.rank[piece] for piece in of_army(seat) if exists(p, piece))


@invariant("an army is whole (STR-02, STR-36, STR-43)", (s.PLAY,), each=_armies)
def whole_army(p: Fields, seat: int) -> bool:
    return bool(sum(exists(p, i) for i in of_army(seat)) == c.ARMY[p.options.variant])


@invariant("a view shows only ranks that were shown", (s.PLAY,), each=_hidden_armies)
def hidden_ranks(p: Fields, seat: int) -> bool:
    army = of_army(seat)
    return not any((p.rank[army] > 0) & (p.marks[army] & (s.SHOWN | s.RAN) == 0))


@invariant("too few pieces can be its Flag and Bombs", (s.PLAY,), each=_hidden_armies)
def resting_pieces(p: Fields, seat: int) -> bool:
    army, counts = of_army(seat), c.COUNTS[p.options.variant]
    unknown = (p.rank[army] == 0) & (p.square[army] > 0) & (p.marks[army] & s.MOVED == 0)
    return bool(sum(unknown) + sum(p.rank[army] >= c.BOMB) >= counts[c.BOMB] + counts[c.FLAG])


@invariant("the Flag is lost at an end by STR-30 only", each=_armies)
def flag(p: Fields, seat: int) -> bool:
    army = of_army(seat)
    lost = any((p.rank[army] == c.FLAG) & (p.square[army] == 0))
    return lost == (p.reason == 30 and p.winner == 2 - seat)


# --- The set-up ---


@invariant("while armies are set up, nothing has moved yet", (s.SETUP,))
def nothing_moved(p: Fields) -> bool:
    names = ("marks", "quiet", "last_target", "pacing", "chase", "trail_length")
    return not any(np.any(getattr(p, name)) for name in names)


@invariant("a view shows nothing before both are set up", (s.SETUP,), each=_hidden_armies)
def secret_setup(p: Fields, seat: int) -> bool:
    return bool(p.placed[seat] == 0)


@invariant(
    "who may act has not set up all pieces, and has room for them", (s.SETUP,), _known_armies
)
def setting_up(p: Fields, seat: int) -> bool:
    left, placed = int(p.reserve[seat][0]), int(p.placed[seat])
    if (left > 0) != bool(p.acting >> seat & 1):
        return False
    last = p.square[seat * c.SLOTS + placed - 1] if placed else 0
    return c.SLOTS - placed >= left and bool(left or last)


# --- Play ---


@invariant("in play either r or b may act", (s.PLAY,))
def one_acts(p: Fields) -> bool:
    return p.acting in ((0,) if p.over else (1, 2))


@invariant("with two_squares=0 nothing is remembered of repetitions: - - 0/0")
def no_memory(p: Fields) -> bool:
    return bool(p.options.two_squares or not (any(p.pacing) or any(p.chase)))


@invariant("a piece paces on one row or column, and stands where that ended", each=_armies)
def pacing(p: Fields, seat: int) -> bool:
    piece = int(p.pacing[seat]) - 1
    passed = [int(square) - 1 for square in p.pacing_squares[seat] if square]
    if piece < 0:
        return not passed
    rows, columns = {i // c.SIDE for i in passed}, {i % c.SIDE for i in passed}
    fits = piece in of_army(seat) and 2 <= len(passed) <= p.options.two_squares + 1
    stands = fits and p.square[piece] == passed[-1] + 1
    moved = all(a != b for a, b in pairwise(passed))
    return bool(stands and moved and (len(rows) == 1 or len(columns) == 1))


@invariant("a chase is remembered from its second move on")
def trail_length(p: Fields) -> bool:
    return bool(p.trail_length == np.clip(max(p.chase) - 1, 0, s.TRAIL))


@invariant("the pieces of a chase made its moves")
def trail_moves(p: Fields) -> bool:
    standing = p.square - 1
    for i in reversed(range(p.trail_length)):
        piece, origin, target = (int(f[i]) for f in (p.trail_piece, p.trail_origin, p.trail_target))
        line = origin // c.SIDE == target // c.SIDE or origin % c.SIDE == target % c.SIDE
        if standing[piece] != target or origin == target or not line or origin in c.LAKES:
            return False
        standing[piece] = origin
    return True


@invariant("in a chase both move in turn, its last move is the last move, and the other may act")
def chase(p: Fields) -> bool:
    movers = [int(piece) // c.SLOTS for piece in p.trail_piece[: p.trail_length]]
    if not movers:
        return True
    last = p.trail_target[p.trail_length - 1] + 1 == p.last_target
    turn = p.over or p.acting == 2 - movers[-1]
    return bool(last and turn and all(a != b for a, b in pairwise(movers)))
