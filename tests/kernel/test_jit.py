"""What compiles, and what does not: functions that make arrays are marked."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numba import njit
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from tianxia.kernel.arrays import copy_into, place_of_most
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.jit import allocates, entry, rule


def doubled(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.full(2, 2.0) * numbers


def the_same(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    return numbers


def ask_for_sum(helper: Any) -> Any:
    return njit(lambda numbers: helper(numbers).sum())


def test_what_makes_an_array_compiles_only_if_it_says_so() -> None:
    numbers = np.array([1.0, 3.0])
    assert ask_for_sum(rule(allocates(doubled)))(numbers) == 8.0
    del doubled.__dict__["allocates"]
    with pytest.raises(NumbaError):
        ask_for_sum(rule(doubled))(numbers)


def test_an_array_is_returned_only_by_what_allocates() -> None:
    """Else it would be given back once more than it was lent."""
    with pytest.raises(TypeError, match="the_same returns an array"):
        ask_for_sum(rule(the_same))(np.array([1.0, 3.0]))


def plain(number: int) -> int:
    return number + 1


@rule
def calls_what_is_no_rule(number: int) -> int:
    return plain(number)


@rule
def asks_for_what_is_not_there(state: Any) -> Any:
    return state.roled


@entry
def way_to_no_rule(number: int) -> int:
    return calls_what_is_no_rule(number)


@entry
def way_to_no_field(pool: Any) -> Any:
    return asks_for_what_is_not_there(pool[0])


def test_rules_that_do_not_compile_are_told_in_a_few_lines() -> None:
    with pytest.raises(TianxiaError, match="'plain'") as raised:
        way_to_no_rule(1)
    told, place, allowed = str(raised.value).splitlines()
    assert told.startswith("the rules do not compile: Untyped global name 'plain'")
    assert re.fullmatch(r"  test_jit\.py, line \d+: return plain\(number\)", place)
    assert "marked @rule" in allowed
    with pytest.raises(TianxiaError, match="a record has no field 'roled'"):
        way_to_no_field(np.zeros(1, [("rolled", "i8")]))


def test_arrays_are_copied_and_searched_without_another() -> None:
    @njit
    def use(target: Any, source: Any) -> Any:
        copy_into(target[1], source)
        return place_of_most(source, 0, len(source)), place_of_most(source, 2, 3)

    target = np.zeros((2, 4))
    assert use(target, np.array([1.0, 5.0, 2.0, 5.0])) == (1, 2)
    assert target.tolist() == [[0, 0, 0, 0], [1, 5, 2, 5]]
