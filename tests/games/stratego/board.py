"""Positions of Stratego for tests, drawn as ten lines of text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import tianxia
from tianxia.games.stratego.rules.components import (
    COUNTS,
    LAKES,
    RANK_SYMBOLS,
    SLOTS,
    VARIANTS,
    start_square,
)
from tianxia.games.stratego.rules.notation import square_name

Cell = tuple[int, str, str]
FIXED = "BF"


def board(diagram: str, turn: int = 0, **options: object) -> tianxia.State:
    """Return a position in play.

    The top line is row 10: ``.`` empty, ``~`` lake, ``r5``, ``bM`` …, ``bM!`` where its rank is
    known.

    Pieces that are not drawn are lost. A piece on a set-up square of its own side began
    there and never moved, if the numbers allow it; others have moved.
    """
    game = tianxia.game("stratego", **options)
    cells = dict(_cells(diagram))
    armies = [_army(cells, seat, str(game.options["variant"])) for seat in (0, 1)]
    text = f"{game.spec} * play {'rb'[turn]} 2/2 {armies[0]} {armies[1]} 0 - - - 0/0 -"
    return tianxia.position(text)


def _cells(diagram: str) -> Iterator[tuple[int, Cell]]:
    rows = [line.split() for line in diagram.strip().splitlines()]
    if len(rows) != 10 or any(len(row) != 10 for row in rows):
        raise ValueError("a board has ten lines of ten cells")
    for line, row in enumerate(rows):
        for column, cell in enumerate(row):
            square = (9 - line) * 10 + column
            if cell in (".", "~"):
                continue
            if square in LAKES:
                raise ValueError(f"{cell} cannot stand in a lake")
            yield square, ("rb".index(cell[0]), cell[1], cell[2:])


def _army(cells: dict[int, Cell], seat: int, variant: str) -> str:
    counts = COUNTS[VARIANTS.index(variant)]
    left = {symbol: int(counts[rank]) for rank, symbol in enumerate(RANK_SYMBOLS) if rank}
    slots: list[str] = ["-"] * SLOTS
    moved: list[str] = []
    own_squares = {start_square(seat * SLOTS + slot): slot for slot in range(SLOTS)}
    for square, (side, symbol, shown) in cells.items():
        if side != seat:
            continue
        left[symbol] -= 1
        if left[symbol] < 0:
            raise ValueError(f"too many {symbol}")
        if square in own_squares:
            slots[own_squares[square]] = symbol + shown
        elif symbol in FIXED:
            raise ValueError(f"{symbol} stays on its own four rows")
        else:
            moved.append(f"{symbol}{shown}@{square_name(square)}")
    lost = [f"{symbol}x" for symbol, count in left.items() for _ in range(count)]
    if "Fx" in lost:
        raise ValueError("draw both Flags: without one the game is over")
    for text in [*moved, *lost]:
        slots[slots.index("-")] = text
    return "".join(slots)


def play(state: tianxia.State, tokens: str) -> tianxia.State:
    """Apply tokens in turn; return the same state."""
    for token in tokens.split():
        state.apply(state.parse(token))
    return state


def moves(state: tianxia.State) -> set[str]:
    """Return the tokens that are legal for the seat to move."""
    (seat,) = state.acting
    return {state.text(action, seat) for action in state.legal_actions(seat)}


def set_up(state: tianxia.State, seat: int, ranks: Iterable[str]) -> tianxia.State:
    """Apply the set-up tokens of a seat, in the order of its squares."""
    for token in ranks:
        state.apply(state.parse(token, seat), seat)
    return state


def finish_setup(game: tianxia.Game, red: Iterable[str], blue: Iterable[str]) -> tianxia.State:
    """Return a new game with both armies set up and opened."""
    state = set_up(set_up(game.new(), 0, red), 1, blue)
    state.apply(state.parse("open", tianxia.CHANCE))
    return state
