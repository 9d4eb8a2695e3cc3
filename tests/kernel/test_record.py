"""State records: one header, no gaps, no names that NumPy or Numba need."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from tianxia.kernel import functions
from tianxia.kernel.functions import answers
from tianxia.kernel.record import HEADER, SPECTATOR, blank, record, viewer_code, with_attributes


def fields_of(dtype: np.dtype) -> list[str]:
    assert dtype.names is not None
    return list(dtype.names)


def offset(dtype: np.dtype, name: str) -> int:
    assert dtype.fields is not None
    return int(dtype.fields[name][1])


def test_record_starts_with_the_header_and_the_options():
    dtype = record({"players": "i1"}, [("cards", "i1", (5,))])
    assert fields_of(dtype)[:7] == [name for name, _ in HEADER] + ["options"]
    assert fields_of(dtype["options"]) == ["players"]
    assert [offset(dtype, name) for name in ("acting", "sealed", "plies")] == [0, 4, 8]


@pytest.mark.parametrize("count", range(1, 20))
@pytest.mark.parametrize("first", ["i8", "i4", "i2", "i1"])
def test_records_have_no_byte_that_belongs_to_no_field(count: int, first: str):
    dtype = record({"variant": "i1"}, [("number", first), ("cards", "i1", (count,))])
    assert sum(dtype[name].itemsize for name in fields_of(dtype)) == dtype.itemsize
    assert dtype.itemsize % dtype.alignment == 0
    pool = np.full(1, 0, dtype)
    pool.view(np.uint8)[:] = 255
    for name in fields_of(dtype):
        pool[name] = 0
    assert not pool.view(np.uint8).any()


def test_nested_records_are_allowed():
    inner = np.dtype([("rank", "i2"), ("count", "i2")])
    assert record({}, [("piles", inner, (3,))])["piles"].shape == (3,)


def test_gaps_between_fields_are_refused():
    with pytest.raises(ValueError, match="largest first"):
        record({}, [("small", "i1"), ("large", "i8")])


def test_gaps_inside_of_a_field_are_refused():
    inner = np.dtype([("small", "i1"), ("large", "i4")], align=True)
    with pytest.raises(ValueError, match="gaps"):
        record({}, [("piles", inner, (2,))])


def test_gaps_between_options_are_refused():
    with pytest.raises(ValueError, match="gaps"):
        record({"small": "i1", "large": "i4"}, [("cards", "i4")])


@pytest.mark.parametrize("kind", ["u1", "u2", "u4", "u8", "f4", "f8", "?", "S4"])
def test_other_numbers_than_signed_whole_ones_are_refused(kind: str):
    with pytest.raises(ValueError, match="signed"):
        record({}, [("cards", kind, (4,))])
    with pytest.raises(ValueError, match="signed"):
        record({"variant": kind.replace("8", "4")}, [("cards", "i8")])
    with pytest.raises(ValueError, match="signed"):
        record({}, [("piles", np.dtype([("cards", kind)]), (8,))])


@pytest.mark.parametrize(
    "name", ["round", "put", "view", "sort", "item", "acting", "seats", "options", "filler", "a b"]
)
def test_names_that_something_else_needs_are_refused(name: str):
    with pytest.raises(ValueError, match="another name"):
        record({}, [(name, "i1")])
    with pytest.raises(ValueError, match="another name"):
        record({name: "i1"}, [])


def test_blank_records_are_zero():
    pool = blank(record({"variant": "i1"}, [("cards", "i2", (3,))]), 4)
    assert pool.shape == (4,)
    assert not pool.view(np.uint8).any()


def test_viewers_are_numbered_from_one_and_spectators_below_zero():
    assert [viewer_code(seat) for seat in (0, 1, 6, SPECTATOR)] == [1, 2, 7, -1]


def test_the_same_layout_is_refused_twice():
    program = """
import types
from tianxia.kernel import functions
from tianxia.kernel.record import with_attributes, record
layout = [("cards", "i1", (23,))]
def answer(state): return 1
functions.answers(functions.setup, record({}, layout))(answer)
functions.answers(functions.setup, record({}, layout))(answer)  # a module that is run again
def answer(state): return 2
answer.__module__ = "another.game"
try:
    functions.answers(functions.setup, record({}, layout))(answer)
except ValueError as error:
    print(error)
functions.answers(functions.setup, record({}, [("cards", "i1", (39,))]))(answer)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    assert "same state record" in done.stdout


def test_an_answer_takes_what_is_asked():
    dtype = record({}, [("cards", "i1", (31,))])
    with pytest.raises(ValueError, match=r"\['state', 'seat', 'out'\]"):

        @answers(functions.legal_actions, dtype)
        def legal_actions(state, out):
            return 0


def test_fields_are_attributes_of_a_record_for_python():
    piece = np.dtype([("at", "i2"), ("kinds", "i1", (2,))])
    layout = record({"players": "i1"}, [("count", "i4"), ("pieces", piece, (3,))])
    kind = with_attributes(layout)
    pool = np.zeros(2, kind)
    pool[1].count = 7
    pool[1].options.players = 4
    pool[1].pieces[2].at = 5
    pool[1].pieces[2].kinds[1] = -1
    assert pool["count"].tolist() == [0, 7]
    assert pool[1].options.players == 4
    assert pool["pieces"]["kinds"][1, 2].tolist() == [0, -1]
    assert pool.tobytes() == pool.view(layout).tobytes()
    assert kind == layout
    with pytest.raises(AttributeError):
        pool[1].coutn = 7
