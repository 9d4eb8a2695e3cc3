"""Moves that can be set in advance, while the other side thinks: wherever a piece might go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from tianxia.games.stratego.rules.components import BOMB, FLAG, LAKES, SCOUT, SIDE, SLOTS, SQUARES
from tianxia.games.stratego.rules.notation import square_name


def premoves(
    viewer: int, square: Sequence[int], rank: Sequence[int]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield for each piece of a viewer that can move from where to where it might.

    Whatever stands in the way may have gone by then; and where his own piece stands it may have
    been taken, so that whoever took it can be taken there.

    Parameters
    ----------
    square, rank
        By piece: 1 + its square, and its rank as he knows it.
    """
    for piece in range(viewer * SLOTS, (viewer + 1) * SLOTS):
        origin = square[piece] - 1
        if origin >= 0 and rank[piece] not in (BOMB, FLAG):
            far = SIDE if rank[piece] == SCOUT else 1
            targets = [square_name(target) for way in _ways(origin) for target in way[:far]]
            yield square_name(origin), tuple(targets)


@cache
def _ways(square: int) -> tuple[tuple[int, ...], ...]:
    """Return the squares in each direction from one, as far as the edge or a lake."""
    row, column = divmod(square, SIDE)
    lines = (
        range(square + 1, (row + 1) * SIDE),
        range(square - 1, row * SIDE - 1, -1),
        range(square + SIDE, SQUARES, SIDE),
        range(square - SIDE, column - 1, -SIDE),
    )
    return tuple(tuple(_dry(line)) for line in lines)


def _dry(line: Sequence[int]) -> Iterator[int]:
    """Yield squares as far as a lake."""
    for square in line:
        if square in LAKES:
            return
        yield square
