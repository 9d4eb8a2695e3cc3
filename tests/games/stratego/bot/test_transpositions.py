"""What a search has found out saves work, and decides nothing that it does not tell."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.games.stratego.helpers import place
from tianxia.games.stratego.bot.strategos import Skill, Strategos
from tianxia.games.stratego.bot.tactics import (
    ENDLESS,
    LIMIT,
    NODES,
    Field,
    begin,
    make_field,
    search,
)
from tianxia.games.stratego.bot.transpositions import (
    AT_LEAST,
    AT_MOST,
    PROVEN,
    decides,
    key_of,
    note,
)
from tianxia.kernel.jit import entry
from tianxia.search.rooms import room

ARMIES = (
    "a1=rF b1=rB a2=rB j10=bF i10=bB j9=bB e5=r8 f5=r6 b5=r3 d3=r2 e6=b7 f6=b9 g7=b5 b6=b3",
    "a1=rF j10=bF b2=rM c2=rS e5=r4 h7=b9 g7=b8 e6=b6 a9=b2 j3=r5 i3=r7 i4=b4",
)


@entry
def begun(field: Field) -> None:
    begin(field)


def looked_at(field: Field, depth: int) -> int:
    """Return how many positions a search looks at."""
    field.total[NODES] = 0
    field.total[LIMIT] = ENDLESS
    search(field, depth, -ENDLESS, ENDLESS)
    return int(field.total[NODES])


@entry
def key(field: Field, seat: int, world: int, total: int) -> int:
    return int(key_of(field.found, field.where, field.hidden, seat, world, total))


@entry
def noted(kept: NDArray[np.int64], score: int, depth: int, bound: int) -> None:
    note(kept, 7, score, depth, bound, 0)


@entry
def told(kept: NDArray[np.int64], number: int, depth: int, alpha: int, beta: int) -> bool:
    return bool(decides(kept, number, depth, alpha, beta))


@pytest.mark.parametrize("pieces", ARMIES)
def test_a_second_search_has_less_to_look_at_until_all_is_forgotten(pieces: str) -> None:
    state = place(pieces, 0)
    Strategos(state.game, 0, 1, Skill(worlds=1, depth=1)).weigh(state.view(0))
    field = room(make_field)  # as it was set up for the last world
    begun(field)
    before = looked_at(field, 5)
    again = looked_at(field, 5)
    assert again < before, (again, before)
    begun(field)
    assert looked_at(field, 5) == before


def test_a_position_is_told_from_others_by_all_that_its_score_depends_on() -> None:
    field = make_field()
    field.where[:] = -1
    field.where[3], field.where[44] = 21, 60
    keys = {key(field, 0, 0, 0), key(field, 1, 0, 0), key(field, 0, 1, 0), key(field, 0, 0, -5)}
    field.hidden[44] = 1
    keys.add(key(field, 0, 0, 0))
    field.where[44] = 61
    keys.add(key(field, 0, 0, 0))
    field.where[44] = -1
    keys.add(key(field, 0, 0, 0))
    field.where[3], field.where[4] = -1, 21
    keys.add(key(field, 0, 0, 0))
    assert len(keys) == 8


def test_a_bound_decides_only_what_it_bounds() -> None:
    kept = np.zeros(5, np.int64)
    for bound, decided in ((PROVEN, (1, 1, 1)), (AT_LEAST, (1, 0, 0)), (AT_MOST, (0, 0, 1))):
        noted(kept, 50, 3, bound)
        windows = ((10, 40), (40, 60), (60, 90))
        assert tuple(told(kept, 7, 3, *window) for window in windows) == decided
        assert not any(told(kept, 7, depth, *window) for window in windows for depth in (2, 4))
        assert not any(told(kept, 8, 3, *window) for window in windows)
