"""What a view copies: the fields that are named, compiled and interpreted, and no other byte."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numba import njit

from tianxia.kernel.record import FILLERS, HEADER, SPECTATOR, blank, record, with_attributes
from tianxia.kernel.views import more_fields, open_fields, seat_fields

STATE = record(
    {"length": "i2", "players": "i1", "first": "i1"},
    [
        ("far", "i8", (2,)),
        ("turn", "i2"),
        ("deck", "i1", (3,)),
        ("display", "i1", (3,)),
        ("hands", "i1", (2, 5)),
        ("ranks", "i1", (6,)),
    ],
)
OPEN = {*(name for name, _ in HEADER), "options", *FILLERS}


def called(see: Any, compiled: bool, *arguments: Any) -> Any:
    """Return what a rule makes of a record full of ones, as a list of fields."""
    state, out = blank(STATE), blank(STATE)
    state.view(np.uint8)[:] = 1
    if compiled:
        njit(lambda state, arguments, out: see(state[0], *arguments, out[0]))(state, arguments, out)
    else:
        kind = with_attributes(STATE)
        getattr(see, "py_func", see)(state.view(kind)[0], *arguments, out.view(kind)[0])
    return {name: (out[name].tobytes(), state[name].tobytes()) for name in STATE.names or ()}


def copied(fields: dict[str, tuple[bytes, bytes]]) -> set[str]:
    """Return the names of the fields that were copied; all others are to be zero."""
    found = {name for name, (out, state) in fields.items() if out == state}
    assert not any(any(out) for name, (out, _) in fields.items() if name not in found | {"viewer"})
    return found


both = pytest.mark.parametrize("compiled", [False, True])


@both
@pytest.mark.parametrize(("seat", "code"), [(0, 1), (1, 2), (SPECTATOR, -1)])
def test_a_view_begins_with_what_is_open(compiled: bool, seat: int, code: int) -> None:
    see = open_fields(STATE, "turn display", "far")
    fields = called(see, compiled, seat)
    assert int.from_bytes(fields["viewer"][0], "little", signed=True) == code
    wanted = {*(OPEN & {*fields}), "turn", "display", "far"} - {"viewer"}
    assert copied(fields) - {"viewer"} == wanted


def test_a_game_may_have_no_options() -> None:
    assert callable(open_fields(record({}, [("left", "i1")]), "left"))


@both
def test_more_fields_are_copied_and_nothing_else(compiled: bool) -> None:
    assert copied(called(more_fields(STATE, "hands deck"), compiled)) == {"deck", "hands"}


@both
@pytest.mark.parametrize("seat", [0, 1])
def test_of_a_seat_its_own_part_is_copied(compiled: bool, seat: int) -> None:
    fields = called(seat_fields(STATE, 2, "hands ranks"), compiled, seat)
    for name, size in (("hands", 5), ("ranks", 3)):
        parts = [bytes(size), bytes(size)]
        parts[seat] = bytes([1] * size)
        assert fields.pop(name)[0] == b"".join(parts)
    assert copied(fields) == set()


@both
@pytest.mark.parametrize("seat", [SPECTATOR, 2])
def test_who_has_no_seat_has_no_part(compiled: bool, seat: int) -> None:
    assert copied(called(seat_fields(STATE, 2, "hands ranks"), compiled, seat)) == set()


def test_fields_that_a_record_does_not_have_are_refused() -> None:
    with pytest.raises(ValueError, match="no field secrets"):
        open_fields(STATE, "turn secrets")


def test_fields_without_equal_parts_are_refused() -> None:
    with pytest.raises(ValueError, match="deck has no 2 equal parts"):
        seat_fields(STATE, 2, "hands deck")
    with pytest.raises(ValueError, match="turn has no 2 equal parts"):
        seat_fields(STATE, 2, "turn")
