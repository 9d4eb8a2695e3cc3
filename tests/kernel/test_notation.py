"""Notation: what a game declares is written and read, old lines too, and refused by sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tianxia
from tests.battery import games
from tianxia.kernel import functions
from tianxia.kernel.errors import NotationError
from tianxia.kernel.fields import Fields, Frozen
from tianxia.kernel.notation import Invariants, Notation
from tianxia.kernel.record import blank, record
from tianxia.kernel.tokens import (
    PLIES,
    Codec,
    bits,
    choice,
    heap,
    maybe,
    multiset,
    named,
    number,
    row,
    token,
    word,
)

assert games.SPECS
FOLDER = Path(__file__).parent / "notations"
GAMES = ("binfa", "china", "firebulls", "stratego", "suntzu")

# --- What earlier versions wrote ---


@pytest.mark.parametrize("game", GAMES)
def test_lines_of_earlier_versions_are_read(game: str):
    lines = (FOLDER / f"{game}.txt").read_text("utf-8").splitlines()
    assert len(lines) > 60
    for line in lines:
        assert tianxia.position(line).notation() == line


@pytest.mark.parametrize("game", GAMES)
def test_transcripts_of_earlier_versions_are_replayed(game: str):
    texts = (FOLDER / f"{game}.transcripts.txt").read_text("utf-8").split("\n\n\n")
    assert len(texts) == 3
    for text in texts:
        transcript, end = text.rsplit("\n= ", 1)
        assert tianxia.replay(transcript).notation() == end.strip()


# --- A small game of cards ---

RECORD: list[Any] = [("phase", "i1"), ("owner", "i1"), ("cards", "i1", (2, 3))]
TOKENS = (
    choice("phase", ("phase", "over"), {"play": (0, 0), "end": (1, 1)}),
    PLIES,
    token("cards", "cards", row(multiset("abc", [9, 9, 2]))),
)
OWNER = named("owner", "owner", word(("north", "south"), first=1))
invariant = Invariants()


@invariant("nobody has more than five cards", each=lambda p: [(f"seat {i}", i) for i in range(2)])
def five_cards(p: Fields, seat: int) -> bool:
    return bool(sum(p.cards[seat]) <= 5)


@invariant("nothing is owned at the end", phases=(1,))
def end(p: Fields) -> bool:
    return p.owner == 0


def notation(*more: Any) -> tuple[Notation, Any]:
    """Return the notation of the game, whose record may have gained fields, and a record."""
    dtype = record({}, [*RECORD, *more])
    pool = blank(dtype)
    pool["seats"] = 2
    return Notation(dtype, TOKENS, named=(OWNER,), invariants=invariant), pool


@pytest.mark.parametrize("text", ["play 0/0 -/-", "play 3/2 a2c1/b5 owner=north", "end 9/9 -/c2"])
def test_what_is_read_is_written(text: str):
    small, pool = notation()
    small.load(text, pool)
    assert small.dump(pool[0]) == text


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("play 0/0", "a position has 3 parts, not 2"),
        ("pley 0/0 -/-", "phase: 'pley' should be one of play, end"),
        ("play 0 -/-", "plies/sealed: '0' should be 2 parts with / between, not 1"),
        ("play 2/3 -/-", "the ply before which nobody takes back has been played"),
        ("play 0/x -/-", "plies/sealed: 'x' should be 0 to 1000000000"),
        ("play 00/0 -/-", "plies/sealed: '00/0' should be written '0/0'"),
        ("play 0/0 -/d1", "cards: 'd1' should be like a2b1 or -"),
        ("play 0/0 -/c3", "cards: 3 c: there are 2"),
        ("play 0/0 -/b1a1", "cards: '-/b1a1' should be written '-/a1b1'"),
        ("play 0/0 -/a6", "seat 1: nobody has more than five cards"),
        ("play 0/0 -/- owner=west", "owner: 'west' should be one of north, south"),
        ("play 0/0 -/- colour=red", "'colour=red' should be one of owner, = and a value"),
        ("play 0/0 -/- owner=south owner=south", "owner= stands twice, or too late"),
        ("end 0/0 -/- owner=south", "nothing is owned at the end"),
    ],
)
def test_a_refusal_names_the_part_and_the_remedy(text: str, error: str):
    small, pool = notation()
    with pytest.raises(NotationError) as refused:
        small.load(text, pool)
    assert error in str(refused.value)


def test_a_record_that_gains_fields_reads_old_lines():
    """The fields have no token of their own, so the kernel makes named ones."""
    old = "play 3/2 a2c1/b5 owner=north"
    larger, pool = notation(("wind", "i1"), ("clouds", "i1", (2, 2)))
    larger.load(old, pool)
    assert larger.dump(pool[0]) == old
    pool["wind"] = -3
    pool["clouds"][0, 1] = [0, 7]
    text = larger.dump(pool[0])
    assert text == f"{old} wind=-3 clouds=0,0,0,7"
    again = notation(("wind", "i1"), ("clouds", "i1", (2, 2)))[1]
    larger.load(text, again)
    assert again.tobytes() == pool.tobytes()
    for wrong in ("wind=128", "clouds=1,2", "wind=0"):
        with pytest.raises(NotationError, match=wrong.partition("=")[0]):
            larger.load(f"{old} {wrong}", notation(("wind", "i1"), ("clouds", "i1", (2, 2)))[1])


def test_a_value_that_has_no_room_is_refused():
    pool = notation()[1]
    p = Fields(pool[0])
    for name, value in (("phase", 128), ("cards", [[0, 0, 300]]), ("cards", np.zeros((3, 3)))):
        with pytest.raises((NotationError, ValueError)):
            setattr(p, name, value)
    p.cards = [[1]]
    assert p.cards.tolist() == [[1, 0, 0], [0, 0, 0]]
    assert isinstance(p.phase, int)


@pytest.mark.parametrize(
    ("codec", "value", "text", "others"),
    [
        (number(12), 12, "12", ["13", "-1", "x", "", "1.0", "١"]),
        (number(5, -5), -5, "-5", ["-6", "6"]),
        (word(("a", "b"), first=3), 4, "b", ["c", "", "ab"]),
        (maybe(number(9)), 0, "-", ["10", "--"]),
        (maybe(number(9)), 3, "2", ["?"]),
        (bits("pqr"), 5, "pr", ["s", "", "p-"]),
        (bits("pqr"), 0, "-", ["--"]),
        (heap("123"), [2, 0, 1], "113", ["4", "", "1-"]),
        (row(number(3), ",", 2), [1, 2], "1,2", ["1", "1,2,3", "1/2"]),
        (row(number(3), "", 2), [1, 2], "12", ["1", "14"]),
    ],
)
def test_codecs_are_symmetrical(codec: Codec, value: Any, text: str, others: list[str]):
    p = Fields(notation()[1][0])
    assert codec.write(p, value) == text
    assert codec.read(p, text) == value
    for other in others:
        with pytest.raises(NotationError):
            codec.read(p, other)


# --- What games declare ---


@pytest.mark.parametrize("game", [*GAMES, "blind-duel"])
def test_every_invariant_is_named_and_says_something(game: str):
    declared = tianxia.game(game).notation.invariants
    names = [one.name for one in declared]
    assert len(set(names)) == len(names) > 8
    assert all(one.sentence and one.sentence[0] != " " for one in declared)


def test_nobody_is_asked_who_has_nothing_to_do(monkeypatch: pytest.MonkeyPatch):
    game = tianxia.game("blind-duel")
    start = game.new().notation()
    later = "blind-duel * lay 01 4/4 0/0 11222333 - 0/0 13/12 -/-"
    right = functions.interpreted
    tianxia.position(later)

    def without(function: Any, pool: Any, *arguments: Any) -> Any:
        asked = function in (functions.legal_actions, functions.chance_outcomes)
        return 0 if asked else right(function, pool, *arguments)

    monkeypatch.setattr(functions, "interpreted", without)
    for text, who in ((start, "chance"), (later, "seat 0")):
        with pytest.raises(NotationError, match=f"{who} would have nothing to do"):
            tianxia.position(text)


def test_a_record_that_stands_still_is_looked_up_once_and_only_read() -> None:
    pool = np.zeros(1, [("a", "i2"), ("row", "i1", 3), ("part", [("b", "u1")])])
    p = Frozen(pool[0])
    assert (p.a, p["a"], p.row.tolist(), p.part.b) == (0, 0, [0, 0, 0], 0)
    assert p.row is p.row
    assert p.part is p.part
    pool["a"] = 5
    assert p.a == 0
    assert Frozen(pool[0]).a == 5
    for change in (lambda: setattr(p, "a", 1), lambda: p.row.fill(1)):
        with pytest.raises((AttributeError, ValueError)):
            change()
