"""Stratego on one line: exact, checked, and readable with a little patience.

After the game's options and the viewer come ten tokens::

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
from itertools import pairwise
from typing import Any

from tianxia.games.stratego.rules.components import (
    ARMY,
    BIT_OF,
    BOMB,
    COUNTS,
    FLAG,
    HALF_OF,
    LAKES,
    PIECES,
    SCOUT,
    SIDE,
    SLOTS,
    SQUARES,
    start_square,
)
from tianxia.games.stratego.rules.state import MOVED, PLAY, RAN, SETUP, SHOWN, TRAIL
from tianxia.kernel.errors import NotationError
from tianxia.kernel.record import Pool

SYMBOLS = "?S23456789MBF"
SEATS = "rb"
WINNERS = ("", "r", "b", "=")
REASONS = {"30": 30, "31": 31, "32": 32, "42": 42}
FREE = ["-", "-", "0/0"]
"""How the memory of repetitions is written where these are free."""
PIECE = re.compile(r"([S2-9MBF?])(~?)(!?)(?:(x)|@([a-j](?:10|[1-9])))?|-")
SQUARE = re.compile(r"[a-j](?:10|[1-9])")


def square_name(square: int) -> str:
    """Return a square as players write it."""
    return f"{'abcdefghij'[square % SIDE]}{square // SIDE + 1}"


def square_number(name: str) -> int:
    """Return the number of a square; raise NotationError if there is none of that name."""
    if not SQUARE.fullmatch(name):
        raise NotationError(f"{name!r} is no square; squares are a1 to j10")
    return "abcdefghij".index(name[0]) + SIDE * (int(name[1:]) - 1)


def _piece_at_start(name: str) -> int:
    square = square_number(name)
    if square < SLOTS:
        return square
    if square >= SQUARES - SLOTS:
        return SLOTS + SQUARES - 1 - square
    raise NotationError(f"no piece is set up on {name}")


# --- Writing ---


def dump(record: Any) -> str:
    """Return the tokens of a position's record."""
    ended = f"end:{record['reason']}:{WINNERS[int(record['winner'])]}"
    phase = ended if record["over"] else "setup" if record["phase"] == SETUP else "play"
    acting = "".join(name for seat, name in enumerate(SEATS) if int(record["acting"]) >> seat & 1)
    last = int(record["last_target"])
    tokens = [
        phase,
        acting or "-",
        f"{record['plies']}/{record['sealed']}",
        _dump_army(record, 0),
        _dump_army(record, 1),
        str(record["quiet"]),
        square_name(last - 1) if last else "-",
        _dump_pacing(record, 0),
        _dump_pacing(record, 1),
        f"{record['chase'][0]}/{record['chase'][1]}",
        _dump_trail(record),
    ]
    return " ".join(tokens)


def _dump_army(record: Any, seat: int) -> str:
    slots = SLOTS if record["phase"] == PLAY else int(record["placed"][seat])
    pieces = range(seat * SLOTS, seat * SLOTS + slots)
    return "".join(_dump_piece(record, piece) for piece in pieces) or "."


def _dump_piece(record: Any, piece: int) -> str:
    square, marks = int(record["square"][piece]), int(record["marks"][piece])
    rank = SYMBOLS[int(record["rank"][piece])]
    if square == 0:
        return f"{rank}x" if marks & SHOWN else "-"
    text = rank + ("~" if marks & RAN else "") + ("!" if marks & SHOWN else "")
    return f"{text}@{square_name(square - 1)}" if marks & MOVED else text


def _dump_pacing(record: Any, seat: int) -> str:
    if record["pacing"][seat] == 0:
        return "-"
    squares = [square_name(int(s) - 1) for s in record["pacing_squares"][seat] if s]
    return f"{square_name(start_square(int(record['pacing'][seat]) - 1))}:{''.join(squares)}"


def _dump_trail(record: Any) -> str:
    moves = [
        f"{square_name(start_square(int(record['trail_piece'][i])))}:"
        f"{square_name(int(record['trail_origin'][i]))}{square_name(int(record['trail_target'][i]))}"
        for i in range(int(record["trail_length"]))
    ]
    return ",".join(moves) or "-"


# --- Reading ---


def load(text: str, pool: Pool) -> None:
    """Fill a record from `dump`'s tokens; raise NotationError where they are no position."""
    tokens = text.split()
    if len(tokens) != 11:
        raise NotationError(f"a position of Stratego has 11 parts, not {len(tokens)}")
    record = pool[0]
    phase, acting, plies, red, blue, quiet, last, red_pacing, blue_pacing, chase, trail = tokens
    _load_phase(record, phase, acting)
    record["plies"], record["sealed"] = _pair(plies, "plies/sealed", 10**9)
    if record["sealed"] > record["plies"]:
        raise NotationError(f"{plies!r}: the second number cannot be the larger one")
    _load_army(record, 0, red)
    _load_army(record, 1, blue)
    record["quiet"] = _number(quiet, "moves without an attack", 10**9)
    record["last_target"] = 0 if last == "-" else square_number(last) + 1
    _load_pacing(record, 0, red_pacing)
    _load_pacing(record, 1, blue_pacing)
    record["chase"] = _pair(chase, "chase lengths", TRAIL + 1)
    if not record["options"]["two_squares"] and [red_pacing, blue_pacing, chase] != FREE:
        raise NotationError("with two_squares=0 nothing is remembered of repetitions: - - 0/0")
    _load_trail(record, trail)
    if record["phase"] == SETUP and tokens[5:] != ["0", "-", "-", "-", "0/0", "-"]:
        raise NotationError("while armies are set up, nothing has moved yet")


def _number(text: str, what: str, most: int) -> int:
    if not re.fullmatch(r"[0-9]{1,10}", text) or int(text) > most:
        raise NotationError(f"{what}: {text[:20]!r} should be a number up to {most}")
    if text != str(int(text)):
        raise NotationError(f"{what}: {text!r} has needless zeros")
    return int(text)


def _pair(text: str, what: str, most: int) -> tuple[int, int]:
    first, slash, second = text.partition("/")
    if not slash:
        raise NotationError(f"{what}: {text[:20]!r} should be two numbers with a / between")
    return _number(first, what, most), _number(second, what, most)


def _load_phase(record: Any, phase: str, acting: str) -> None:
    if acting not in ("r", "b", "rb", "-"):
        raise NotationError(f"who may act: {acting[:20]!r} should be r, b, rb or -")
    record["acting"] = sum(1 << seat for seat, name in enumerate(SEATS) if name in acting)
    if phase == "setup":
        return
    record["phase"] = PLAY
    if phase == "play":
        if acting not in SEATS:
            raise NotationError("in play either r or b may act")
        return
    word, _, rest = phase.partition(":")
    reason, _, winner = rest.partition(":")
    if word != "end" or reason not in REASONS or winner not in WINNERS[1:] or acting != "-":
        raise NotationError(f"{phase[:20]!r} should be setup, play or like end:30:r with - to act")
    if (reason in ("32", "42")) != (winner == "="):
        raise NotationError(f"{phase!r}: STR-32 and STR-42 are draws, STR-30 and STR-31 are not")
    record["over"] = 1
    record["reason"] = REASONS[reason]
    record["winner"] = WINNERS.index(winner)


def _load_army(record: Any, seat: int, text: str) -> None:
    found = [] if text == "." else list(PIECE.finditer(text))
    if "".join(match.group() for match in found) != ("" if text == "." else text):
        raise NotationError(f"army of {SEATS[seat]}: {text[:50]!r} cannot be read")
    if len(found) > SLOTS or (record["phase"] == PLAY and len(found) != SLOTS):
        raise NotationError(f"army of {SEATS[seat]}: {len(found)} set-up squares instead of 40")
    for slot, match in enumerate(found):
        if match.group() != "-":
            _load_piece(record, seat, seat * SLOTS + slot, match)
    if record["phase"] == SETUP:
        record["placed"][seat] = len(found)
        _load_reserve(record, seat)
    _check_army(record, seat, text)


def _load_reserve(record: Any, seat: int) -> None:
    """Work out what an army has still to set up, where that is known."""
    if int(record["viewer"]) not in (0, seat + 1):
        return
    variant = int(record["options"]["variant"])
    ranks = [int(rank) for rank in record["rank"][seat * SLOTS : (seat + 1) * SLOTS]]
    for rank in range(1, len(SYMBOLS)):
        record["reserve"][seat][rank] = max(int(COUNTS[variant, rank]) - ranks.count(rank), 0)
    record["reserve"][seat][0] = sum(record["reserve"][seat][1:].tolist())


def _load_piece(record: Any, seat: int, piece: int, match: re.Match[str]) -> None:
    symbol, ran, shown, lost, place = match.groups()
    rank = SYMBOLS.index(symbol)
    name = f"piece {match.group()!r} of {SEATS[seat]}"
    record["rank"][piece] = rank
    if lost:
        if rank == 0 or ran or shown:
            raise NotationError(f"{name}: a lost piece is its rank and x")
        record["marks"][piece] = SHOWN
        return
    if (place or ran or shown) and record["phase"] == SETUP:
        raise NotationError(f"{name}: nothing has moved while armies are set up")
    if (place and rank >= BOMB) or (ran and (rank != SCOUT or not place)):
        raise NotationError(f"{name}: Bombs and Flags stay, only Scouts run")
    if shown and rank == 0:
        raise NotationError(f"{name}: its rank was shown, so it is known")
    square = square_number(place) if place else start_square(piece)
    if square in LAKES or record["board"][square]:
        raise NotationError(f"{name}: {square_name(square)} is a lake or taken")
    marks = (MOVED if place else 0) | (RAN if ran else 0) | (SHOWN if shown else 0)
    record["marks"][piece] = marks
    _put(record, seat, piece, square, rank, marks)


def _put(record: Any, seat: int, piece: int, square: int, rank: int, marks: int) -> None:
    half, bit = HALF_OF[square], BIT_OF[square]
    record["board"][square] = piece + 1
    record["square"][piece] = square + 1
    record["occupied"][seat][half] |= bit
    if 0 < rank < BOMB or (rank == 0 and marks & MOVED):
        record["movable"][seat][half] |= bit
    if rank == SCOUT:
        record["scouts"][seat][half] |= bit


def _check_army(record: Any, seat: int, text: str) -> None:
    """Compare ranks with what is in the box, and with what the viewer may know."""
    variant = int(record["options"]["variant"])
    ranks = [int(rank) for rank in record["rank"][seat * SLOTS : (seat + 1) * SLOTS]]
    for rank in range(1, len(SYMBOLS)):
        if ranks.count(rank) > COUNTS[variant, rank]:
            raise NotationError(f"army of {SEATS[seat]}: too many {SYMBOLS[rank]}")
    viewer, over = int(record["viewer"]), bool(record["over"])
    known = viewer in (0, seat + 1) or over
    pieces = 0 if text == "." else sum(match[0] != "-" for match in PIECE.finditer(text))
    if known and "?" in text:
        raise NotationError(f"army of {SEATS[seat]}: ranks are unknown that should be known")
    if record["phase"] == SETUP:
        _check_setup(record, seat, known, pieces)
    elif pieces != ARMY[variant]:
        raise NotationError(f"army of {SEATS[seat]}: {pieces} pieces instead of {ARMY[variant]}")
    elif not known:
        _check_unknown(record, seat)
    lost_flag = any(
        int(record["rank"][piece]) == FLAG and not record["square"][piece]
        for piece in range(seat * SLOTS, (seat + 1) * SLOTS)
    )
    if lost_flag != (record["reason"] == 30 and int(record["winner"]) == 2 - seat):
        raise NotationError(f"army of {SEATS[seat]}: the Flag is lost at an end by STR-30 only")


def _check_unknown(record: Any, seat: int) -> None:
    """Compare the opponent's army in a view with what can be known, and can be at all."""
    variant = int(record["options"]["variant"])
    fixed = int(COUNTS[variant, BOMB] + COUNTS[variant, FLAG])
    resting = 0
    for piece in range(seat * SLOTS, (seat + 1) * SLOTS):
        rank, marks = int(record["rank"][piece]), int(record["marks"][piece])
        if rank and not marks & (SHOWN | RAN):
            raise NotationError(f"army of {SEATS[seat]}: a view shows only ranks that were shown")
        fixed -= rank >= BOMB
        resting += rank == 0 and record["square"][piece] != 0 and not marks & MOVED
    if resting < fixed:
        raise NotationError(f"army of {SEATS[seat]}: too few pieces can be its Flag and Bombs")


def _check_setup(record: Any, seat: int, known: bool, pieces: int) -> None:
    army = int(ARMY[int(record["options"]["variant"])])
    placed = int(record["placed"][seat])
    done = not int(record["acting"]) >> seat & 1
    if not known and placed:
        raise NotationError(f"army of {SEATS[seat]}: a view shows nothing before both are set up")
    if known and (pieces == army) != done:
        raise NotationError(f"army of {SEATS[seat]}: who may act does not fit the pieces set up")
    if SLOTS - placed < army - pieces and known:
        raise NotationError(f"army of {SEATS[seat]}: too few squares are left for the others")
    if known and done and not record["square"][seat * SLOTS + placed - 1]:
        raise NotationError(f"army of {SEATS[seat]}: nothing is set up after the last piece")


def _load_pacing(record: Any, seat: int, text: str) -> None:
    if text == "-":
        return
    name, _, rest = text.partition(":")
    piece = _piece_at_start(name)
    squares = [square_number(square) for square in SQUARE.findall(rest)]
    if "".join(map(square_name, squares)) != rest or piece // SLOTS != seat:
        raise NotationError(f"{text[:40]!r} should be a piece of {SEATS[seat]} and its squares")
    most = int(record["options"]["two_squares"]) + 1
    if not 2 <= len(squares) <= most or int(record["square"][piece]) != squares[-1] + 1:
        raise NotationError(f"{text!r}: 2 to {most} squares, the last where the piece stands")
    rows, columns = {s // SIDE for s in squares}, {s % SIDE for s in squares}
    moved = all(a != b for a, b in pairwise(squares))
    if not moved or (len(rows) > 1 and len(columns) > 1):
        raise NotationError(f"{text!r}: squares of one row or one column, each another one")
    record["pacing"][seat] = piece + 1
    for i, square in enumerate(squares):
        record["pacing_squares"][seat][i] = square + 1


def _load_trail(record: Any, text: str) -> None:
    moves = [] if text == "-" else text.split(",")
    longest = max(int(record["chase"][0]), int(record["chase"][1]))
    if len(moves) != max(min(longest - 1, TRAIL), 0):
        raise NotationError(f"the chase lengths need {longest - 1} moves, not {len(moves)}")
    standing = {piece: int(record["square"][piece]) - 1 for piece in range(PIECES)}
    for i in reversed(range(len(moves))):
        match = re.fullmatch(rf"({SQUARE.pattern}):({SQUARE.pattern})({SQUARE.pattern})", moves[i])
        if not match:
            raise NotationError(f"{moves[i][:20]!r} should be a piece, from and to: b4:b5c5")
        piece = _piece_at_start(match[1])
        origin, target = square_number(match[2]), square_number(match[3])
        line = origin // SIDE == target // SIDE or origin % SIDE == target % SIDE
        if standing[piece] != target or origin == target or not line or origin in LAKES:
            raise NotationError(f"{moves[i]!r}: this piece did not make that move")
        standing[piece] = origin
        record["trail_piece"][i] = piece
        record["trail_origin"][i] = origin
        record["trail_target"][i] = target
    record["trail_length"] = len(moves)
    _check_trail(record, len(moves))


def _check_trail(record: Any, length: int) -> None:
    if length and int(record["trail_target"][length - 1]) + 1 != int(record["last_target"]):
        raise NotationError("the last move of the chase is the last move")
    movers = [int(piece) // SLOTS for piece in record["trail_piece"][:length]]
    if any(a == b for a, b in pairwise(movers)):
        raise NotationError("in a chase both players move in turn")
    if movers and not record["over"] and int(record["acting"]) != 2 - movers[-1]:
        raise NotationError("who may act has not made the last move of the chase")
