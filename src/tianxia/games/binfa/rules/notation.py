"""Bin'Fa on one line: exact, checked, and readable with a little patience.

After the game's options and the viewer come the phase, who may act, plies/sealed, and then
named parts, of which only those are written that are not empty::

    moving 0 32/30 turns=4 map=r6/r13,y13,b13 armies=rb units=r5:4r,r7:2b1r,b13:9b
    pawns=r:r4,b:b4 supplies=r7b5 army=r dice=5-3 moves=1

``docs/games/binfa.md`` says what each of them means.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import groupby

import numpy as np

from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules import maps
from tianxia.games.binfa.rules import state as s
from tianxia.games.binfa.rules import statements as because
from tianxia.games.binfa.rules.invariants import ANNOUNCED, CHOSEN, INVARIANTS, along, pools
from tianxia.kernel.errors import NotationError
from tianxia.kernel.fields import Fields
from tianxia.kernel.notation import Notation
from tianxia.kernel.tokens import (
    PLIES,
    Codec,
    Token,
    bits,
    found,
    mapped,
    multiset,
    named,
    number,
    token,
    word,
    wrong,
)

PHASE_NAMES = (
    *("mapping", "colours", "placing", "pawns", "stores", "first"),
    *("choosing", "passing", "ready", "rolling", "moving", "counting", "leaving", "dividing"),
    *("attacking", "retreating", "splitting", "occupying", "foraging", "pawn", "raiding"),
    "ended",
)
OPENED = {s.PLACING: "opening", s.PAWNS: "showing"}
"""What the secret phases are called when all have finished, and chance opens."""
PHASE_TEXT = word((*PHASE_NAMES, *OPENED.values()))
MOST_TURNS = 10**8
DICE_TEXT = re.compile(r"([1-6])-([1-6])")
PAWN_TEXT = re.compile(rf"([{c.LETTERS}]):(.+)")
PILE_TEXT = re.compile(rf"([a-z][0-9]+):((?:[1-9][0-9]?[{c.LETTERS}])+)")
RUN = re.compile(rf"([1-9][0-9]?)([{c.LETTERS}])")

ONE_COLOUR = word(c.LETTERS, first=1)
SEATS = bits("012345")
TRIANGLE = Codec(
    lambda p, value: c.triangle_name(value - 1), lambda p, text: c.triangle_number(text) + 1
)
SUPPLY_TEXT = multiset(c.LETTERS, [c.SUPPLIES] * c.COLOURS)


def phase_name(p: Fields) -> str:
    """Return the phase; once all have set up in secret it has another name."""
    name = PHASE_NAMES[p.phase]
    return name if p.acting else OPENED.get(p.phase, name)


def _read_phase(p: Fields, text: str) -> None:
    value = PHASE_TEXT.read(p, text)
    opened = dict(enumerate(OPENED, len(PHASE_NAMES)))
    p.phase = opened.get(value, value)
    p.over = p.phase == s.ENDED


def _list(codec: Codec, sign: str = ",") -> Codec:
    """Return the codec of as many values as there are until the first 0."""
    return Codec(
        lambda p, values: sign.join(codec.write(p, value) for value in values.tolist() if value),
        lambda p, text: [codec.read(p, part) for part in (text.split(sign) if sign else text)],
    )


def _part(name: str, fields: str, write: Callable[[Fields], str], read: Callable) -> Token:
    return Token(name, tuple(fields.split()), write, read)


def _in(phases: tuple[int, ...], inner: Token) -> Token:
    """Return a token that is written and read in some phases only."""

    def read(p: Fields, text: str) -> None:
        if p.phase not in phases:
            raise NotationError(f"nothing like {text[:20]!r} is chosen in this phase")
        inner.read(p, text)

    return replace(inner, write=lambda p: inner.write(p) if p.phase in phases else "", read=read)


# --- The field ---


def _write_map(p: Fields) -> str:
    return maps.write(p.terrain.tolist(), p.pools.tolist())


def _read_map(p: Fields, text: str) -> None:
    p.terrain, p.pools = maps.read(text)


def _write_units(p: Fields) -> str:
    piles, first = [], 0
    for t, height in enumerate(p.height.tolist()):
        runs = groupby(p.units[first : first + height].tolist())
        text = "".join(f"{len(list(run))}{ONE_COLOUR.write(p, colour)}" for colour, run in runs)
        piles += [f"{c.triangle_name(t)}:{text}"] if height else []
        first += height
    return ",".join(piles)


def _read_units(p: Fields, text: str) -> None:
    height, units = p.height, []
    for part in text.split(","):
        name, runs = found(part, PILE_TEXT, "like r5:2b1r")
        pile = [ONE_COLOUR.read(p, x) for n, x in RUN.findall(runs) for _ in range(int(n))]
        height[c.triangle_number(name)] = len(pile)
        units += pile
    if len(units) > c.UNITS:
        raise NotationError(f"{len(units)} units: there are {c.UNITS}")
    p.height, p.units = height, units


def _write_pawns(p: Fields) -> str:
    pawns = enumerate(p.pawns.tolist())
    return ",".join(f"{c.LETTERS[a]}:{c.circle_name(circle - 1)}" for a, circle in pawns if circle)


def _read_pawns(p: Fields, text: str) -> None:
    pawns = p.pawns
    for part in text.split(","):
        letter, name = found(part, PAWN_TEXT, "like r:r4")
        pawns[c.LETTERS.index(letter)] = c.circle_number(name) + 1
    p.pawns = pawns


def _write_totals(p: Fields) -> str:
    totals = enumerate(p.totals.tolist())
    return ",".join(str(total) for seat, total in totals if p.contest >> seat & 1)


def _read_totals(p: Fields, text: str) -> None:
    seats = [seat for seat in range(c.COLOURS) if p.contest >> seat & 1]
    rolled = [number(c.LONGEST).read(p, part) for part in text.split(",")]
    if len(rolled) != len(seats):
        raise NotationError("a total for every seat of contest=, 0 where it has not rolled")
    totals = p.totals
    totals[seats] = rolled
    p.totals = totals


# --- The turn ---


def _write_dice(p: Fields) -> str:
    return f"{p.high}-{p.low}" if p.high else ""


def _read_dice(p: Fields, text: str) -> None:
    high, low = found(text, DICE_TEXT, "two dice, the larger first: 5-3")
    p.high, p.low = int(max(high, low)), int(min(high, low))


def _write_due(p: Fields) -> str:
    if p.due >> len(pools(p)):
        raise NotationError("there are fewer whirlpools than are due")
    return ",".join(c.triangle_name(t) for i, t in enumerate(pools(p)) if p.due >> i & 1)


def _read_due(p: Fields, text: str) -> None:
    p.due = sum({1 << _pool(p, name) for name in text.split(",")})


def _pool(p: Fields, name: str) -> int:
    if c.triangle_number(name) not in pools(p):
        raise NotationError(f"no whirlpool lies on {name}")
    return pools(p).index(c.triangle_number(name))


def _way(origin: int, name: str) -> int:
    """Return 1 + the way that leads from a triangle to another."""
    ways = c.NEIGHBOURS[origin].tolist()
    if c.triangle_number(name) not in ways:
        raise NotationError(f"{c.triangle_name(origin)} and {name} have no side in common")
    return 1 + ways.index(c.triangle_number(name))


def _pair(name: str, phases: tuple[int, ...], sign: str) -> Token:
    def write(p: Fields) -> str:
        if not p.origin:
            return ""
        origin = c.triangle_name(p.origin - 1)
        return f"{origin}{sign}{c.triangle_name(along(p.origin - 1, p.way - 1))}"

    def read(p: Fields, text: str) -> None:
        first, _, second = text.partition(sign)
        p.origin = c.triangle_number(first) + 1
        p.way = _way(p.origin - 1, second)

    return _in(phases, _part(name, "origin way", write, read))


def _write_out(p: Fields) -> str:
    return c.triangle_name(pools(p)[p.exit - 1]) if p.exit else ""


def _read_out(p: Fields, text: str) -> None:
    p.exit = _pool(p, text) + 1


def _write_escape(p: Fields) -> str:
    return c.triangle_name(along(p.vacated - 1, p.escape - 1)) if p.escape else ""


def _read_escape(p: Fields, text: str) -> None:
    if not p.vacated:
        raise wrong(text, "behind from=, which is missing")
    p.escape = _way(p.vacated - 1, text)


def _complete(p: Fields) -> None:
    """Work out whose each army is, and what there is to say of piles."""
    owner, top, held = np.zeros_like(p.owner), np.zeros_like(p.top), np.zeros_like(p.held)
    drawn = np.flatnonzero(p.drawn)
    owner[p.drawn[drawn] - 1] = drawn % p.seats + 1
    standing = np.flatnonzero(p.height)
    top[standing] = p.units[np.cumsum(p.height)[standing] - 1]
    for army in range(c.COLOURS):
        held[army] = maps.halves_of(np.flatnonzero(top == army + 1).tolist())
    p.owner, p.top, p.held = owner, top, held
    p.tall = maps.halves_of(np.flatnonzero(p.height > 1).tolist())
    p.strength = np.bincount(p.units, minlength=c.COLOURS + 1)[1:]
    stands = p.strength > 0 if p.phase >= s.PAWNS else [False]
    p.alive = sum(1 << army for army, alive in enumerate(stands) if alive)


NOTATION = Notation(
    s.STATE,
    tokens=(
        Token("phase", ("phase", "over"), phase_name, _read_phase),
        token("who acts", "acting", SEATS),
        PLIES,
    ),
    named=(
        named("turns", "turns", number(MOST_TURNS)),
        _part("map", "terrain pools", _write_map, _read_map),
        named("armies", "drawn", _list(ONE_COLOUR, "")),
        _part("units", "height units", _write_units, _read_units),
        _part("pawns", "pawns", _write_pawns, _read_pawns),
        named("stocked", "stocked", number(c.COLOURS - 1)),
        named("supplies", "supplies", SUPPLY_TEXT),
        named("contest", "contest", SEATS),
        _part("totals", "totals", _write_totals, _read_totals),
        named("active", "active", number(c.COLOURS - 1)),
        named("army", "army", ONE_COLOUR),
        named("rolled", "rolled", word(("yes",), first=1)),
        _part("dice", "high low", _write_dice, _read_dice),
        named("moves", "moves", number(5)),
        _part("due", "due", _write_due, _read_due),
        _pair("go", CHOSEN, "-"),
        _pair("attack", ANNOUNCED, "x"),
        named("foe", "foe", ONE_COLOUR),
        named("group", "group", number(c.UNITS)),
        _part("out", "exit", _write_out, _read_out),
        named("step", "step", number(3)),
        named("from", "vacated", TRIANGLE),
        _part("to", "escape", _write_escape, _read_escape),
        named("refuges", "refuges", _list(TRIANGLE)),
        named("raid", "raid", ONE_COLOUR),
        named("distance", "distance", number(c.LONGEST)),
        named("winners", "winners", SEATS),
        named(
            "reason", "reason", mapped({because.STATEMENTS[code]: code for code in because.ENDS})
        ),
    ),
    derived=("owner", "top", "held", "tall", "strength", "alive"),
    complete=_complete,
    invariants=INVARIANTS,
)
