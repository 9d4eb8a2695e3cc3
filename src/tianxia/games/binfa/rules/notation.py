"""Bin'Fa on one line: exact, checked, and readable with a little patience.

After the game's options and the viewer come the phase, who may act, plies/sealed, and then
named parts, of which only those are written that are not empty::

    moving 0 32/30 turns=4 map=r6/r13,y13,b13 armies=rb units=r5:4r,r7:2b1r,b13:9b
    pawns=r:r4,b:b4 supplies=r7b5 army=r dice=5-3 moves=1

``docs/games/binfa.md`` says what each of them means.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any

import numpy as np

from tianxia.games.binfa.rules import maps
from tianxia.games.binfa.rules.components import (
    ARMY,
    COLOURS,
    ENDS,
    FALLS_AT,
    LAST_OWNER,
    LETTERS,
    LONGEST,
    MAX_LEGAL,
    NEIGHBOURS,
    POOLS,
    SECTOR,
    SIDE,
    STATEMENTS,
    SUPPLIES,
    TRIANGLES,
    UNITS,
    circle_name,
    circle_number,
    triangle_name,
    triangle_number,
)
from tianxia.games.binfa.rules.state import (
    ATTACKING,
    CHOOSING,
    COLOURING,
    COUNTING,
    DIVIDING,
    ENDED,
    FIRST,
    FORAGING,
    LEAVING,
    MAPPING,
    MOVING,
    NAMED,
    OCCUPYING,
    PASSING,
    PAWNS,
    PLACED,
    PLACING,
    RAIDING,
    READY,
    RETREATING,
    ROLLING,
    SPLITTING,
    STEPPING,
    STORES,
)
from tianxia.kernel import functions
from tianxia.kernel.errors import NotationError, TianxiaError
from tianxia.kernel.record import Pool

PHASE_NAMES = (
    *("mapping", "colours", "placing", "pawns", "stores", "first"),
    *("choosing", "passing", "ready", "rolling", "moving", "counting", "leaving", "dividing"),
    *("attacking", "retreating", "splitting", "occupying", "foraging", "pawn", "raiding"),
    "ended",
)
OPENED = {PLACING: "opening", PAWNS: "showing"}
"""What the secret phases are called when all have finished, and chance opens."""
BY_CHANCE = (COLOURING, STORES, FIRST, PASSING, ROLLING, ATTACKING, FORAGING)
ONE_ROLL = (MOVING, COUNTING, LEAVING, DIVIDING)
DISLODGING = (RETREATING, SPLITTING, OCCUPYING)
ARMY_KNOWN = (READY, ROLLING, *ONE_ROLL, ATTACKING, *DISLODGING, FORAGING, STEPPING, RAIDING)
DICE_SHOWN = (*ONE_ROLL, *DISLODGING, STEPPING, RAIDING)
LARGEST = 10**9
MOST_TURNS = 10**8

# --- Writing ---


def dump(record: Any) -> str:
    """Return the tokens of a position's record."""
    acting = int(record["acting"])
    seats = "".join(str(seat) for seat in range(8) if acting >> seat & 1)
    tokens = [
        phase_name(record),
        seats or "-",
        f"{record['plies']}/{record['sealed']}",
    ]
    for name, (write, _) in PARTS.items():
        text = write(record)
        if text:
            tokens.append(f"{name}={text}")
    return " ".join(tokens)


def phase_name(record: Any) -> str:
    """Return the phase; once all have set up in secret it has another name."""
    phase = int(record["phase"])
    return PHASE_NAMES[phase] if record["acting"] else OPENED.get(phase, PHASE_NAMES[phase])


def _pools(record: Any) -> list[int]:
    return maps.triangles_of(record["pools"].tolist())


def _dump_map(record: Any) -> str:
    return maps.write(record["terrain"].tolist(), record["pools"].tolist())


def _letters(colours: Iterable[int]) -> str:
    """Return colours, written 1 + colour in the record, as letters."""
    return "".join(LETTERS[colour - 1] for colour in colours if colour)


def _dump_units(record: Any) -> str:
    piles = []
    units = iter(record["units"].tolist())
    for t, height in enumerate(record["height"].tolist()):
        if height:
            runs = groupby(next(units) for _ in range(height))
            text = "".join(f"{len(list(run))}{LETTERS[colour - 1]}" for colour, run in runs)
            piles.append(f"{triangle_name(t)}:{text}")
    return ",".join(piles)


def _dump_pawns(record: Any) -> str:
    pawns = enumerate(record["pawns"].tolist())
    return ",".join(f"{LETTERS[army]}:{circle_name(c - 1)}" for army, c in pawns if c)


def _dump_supplies(record: Any) -> str:
    supplies = enumerate(record["supplies"].tolist())
    return "".join(f"{LETTERS[army]}{count}" for army, count in supplies if count)


def _dump_seats(field: str) -> Callable[[Any], str]:
    def write(record: Any) -> str:
        bits = int(record[field])
        return "".join(str(seat) for seat in range(COLOURS) if bits >> seat & 1)

    return write


def _dump_totals(record: Any) -> str:
    contest = int(record["contest"])
    totals = enumerate(record["totals"].tolist())
    return ",".join(str(total) for seat, total in totals if contest >> seat & 1)


def _dump_number(field: str) -> Callable[[Any], str]:
    return lambda record: str(record[field]) if record[field] else ""


def _dump_letter(field: str) -> Callable[[Any], str]:
    return lambda record: _letters([int(record[field])])


def _dump_triangle(field: str) -> Callable[[Any], str]:
    return lambda record: triangle_name(int(record[field]) - 1) if record[field] else ""


def _dump_dice(record: Any) -> str:
    return f"{record['high']}-{record['low']}" if record["high"] else ""


def _dump_due(record: Any) -> str:
    pools = _pools(record)
    bits = int(record["due"])
    if bits >> len(pools):
        raise NotationError("there are fewer whirlpools than are due")
    return ",".join(triangle_name(t) for i, t in enumerate(pools) if bits >> i & 1)


def _along(origin: int, way: int) -> int:
    """Return the triangle along a way; raise NotationError beyond the border."""
    target = int(NEIGHBOURS[origin, way]) if 0 <= way < 3 and 0 <= origin < TRIANGLES else -1
    if target < 0:
        raise NotationError(f"nothing lies along way {way} of triangle {origin}")
    return target


def _dump_pair(phases: tuple[int, ...], sign: str) -> Callable[[Any], str]:
    def write(record: Any) -> str:
        origin, way = int(record["origin"]) - 1, int(record["way"]) - 1
        if origin < 0 or int(record["phase"]) not in phases:
            return ""
        return f"{triangle_name(origin)}{sign}{triangle_name(_along(origin, way))}"

    return write


def _dump_out(record: Any) -> str:
    return triangle_name(_pools(record)[int(record["exit"]) - 1]) if record["exit"] else ""


def _dump_escape(record: Any) -> str:
    if not record["escape"]:
        return ""
    return triangle_name(_along(int(record["vacated"]) - 1, int(record["escape"]) - 1))


def _dump_refuges(record: Any) -> str:
    return ",".join(triangle_name(t - 1) for t in record["refuges"].tolist() if t)


def _dump_reason(record: Any) -> str:
    return STATEMENTS[int(record["reason"])] if record["reason"] else ""


# --- Reading ---


def load(text: str, pool: Pool) -> None:
    """Fill a record from `dump`'s tokens; raise NotationError where they are no position."""
    tokens = text.split()
    if len(tokens) < 3:
        raise NotationError("a position of Bin'Fa begins with a phase, who acts, and plies/sealed")
    record = pool[0]
    phase, acting, plies, *rest = tokens
    phases = {name: number for number, name in enumerate(PHASE_NAMES)}
    phases |= {name: number for number, name in OPENED.items()}
    if phase not in phases:
        raise NotationError(f"{phase[:20]!r} is no phase; phases are {', '.join(phases)}")
    record["phase"] = phases[phase]
    record["over"] = phase == "ended"
    record["acting"] = 0 if acting == "-" else _seats(record, acting)
    if phase_name(record) != phase:
        raise NotationError(f"{phase} with {acting}: who acts does not fit the phase")
    _load_plies(record, plies)
    names = list(PARTS)
    last = -1
    for token in rest:
        name, equals, value = token.partition("=")
        if name not in PARTS or not equals:
            raise NotationError(
                f"{token[:30]!r} should be one of {', '.join(names)}, = and a value"
            )
        if names.index(name) <= last:
            raise NotationError(
                f"{name}= stands twice, or too late: the order is {' '.join(names)}"
            )
        last = names.index(name)
        try:
            PARTS[name][1](record, value)
        except NotationError:
            raise
        except (TianxiaError, ValueError) as error:
            raise NotationError(f"{name}={value[:40]}: {error}") from error
        if PARTS[name][0](record) != value:
            raise NotationError(f"{name}={value[:60]!r} is not how that is written")
    _check(record)
    _check_legal(pool)


def _check_legal(pool: Pool) -> None:
    """Refuse a position in which somebody is asked and can answer nothing."""
    out = np.empty(MAX_LEGAL, np.int32)
    acting = int(pool["acting"][0])
    for seat in range(COLOURS):
        if acting >> seat & 1 and not functions.legal_actions(pool, seat, out):
            raise NotationError(f"seat {seat} would have nothing legal to do")


def _number(text: str, least: int, most: int) -> int:
    if not re.fullmatch(r"0|[1-9][0-9]{0,9}", text) or not least <= int(text) <= most:
        raise NotationError(f"{text[:20]!r} should be a number from {least} to {most}")
    return int(text)


def _load_plies(record: Any, text: str) -> None:
    plies, slash, sealed = text.partition("/")
    if not slash:
        raise NotationError(f"{text[:20]!r} should be plies/sealed")
    record["plies"] = _number(plies, 0, LARGEST)
    record["sealed"] = _number(sealed, 0, int(record["plies"]))


def _seats(record: Any, text: str) -> int:
    seats = [int(seat) for seat in text if seat in "012345"]
    known = len(seats) == len(text) and seats == sorted(set(seats)) and seats
    if not known or seats[-1] >= record["seats"]:
        raise NotationError(f"{text[:20]!r} should be seats in order, such as 01")
    return sum(1 << seat for seat in seats)


def _colour(letter: str) -> int:
    if len(letter) != 1 or letter not in LETTERS:
        raise NotationError(f"{letter[:20]!r} is no colour; colours are {' '.join(LETTERS)}")
    return LETTERS.index(letter)


def _load_map(record: Any, text: str) -> None:
    terrain, pools = maps.read(text)
    record["terrain"] = terrain
    record["pools"] = pools


def _load_armies(record: Any, text: str) -> None:
    colours = [_colour(letter) for letter in text]
    if len(set(colours)) != len(colours):
        raise NotationError(f"{text!r}: every colour once")
    if len(colours) > record["options"]["armies"] * record["seats"]:
        raise NotationError(f"{text!r}: more colours than armies")
    for number, colour in enumerate(colours):
        record["drawn"][number] = colour + 1
        record["owner"][colour] = number % int(record["seats"]) + 1


def _load_units(record: Any, text: str) -> None:
    units: list[int] = []
    before = -1
    for pile in text.split(","):
        name, _, stack = pile.partition(":")
        t = triangle_number(name)
        runs = re.findall(r"([1-9][0-9]?)([roygbp])", stack)
        if t <= before or "".join(map("".join, runs)) != stack or not runs:
            raise NotationError(f"{pile[:30]!r} should be like r5:2b1r, in the order of triangles")
        before = t
        pile_units = [_colour(letter) + 1 for count, letter in runs for _ in range(int(count))]
        units += pile_units
        if len(units) > UNITS:
            raise NotationError(f"more than {UNITS} units")
        record["height"][t] = len(pile_units)
        _crown(record, t, pile_units)
    record["units"][: len(units)] = units
    for colour in range(COLOURS):
        record["strength"][colour] = units.count(colour + 1)


def _crown(record: Any, t: int, pile: list[int]) -> None:
    low, high = maps.halves_of([t])
    for half, bit in enumerate((low, high)):
        record["held"][pile[-1] - 1][half] |= bit
        if len(pile) > 1:
            record["tall"][half] |= bit
    record["top"][t] = pile[-1]


def _load_pawns(record: Any, text: str) -> None:
    for part in text.split(","):
        letter, _, name = part.partition(":")
        record["pawns"][_colour(letter)] = circle_number(name) + 1


def _load_supplies(record: Any, text: str) -> None:
    for letter, count in re.findall(r"([roygbp])([1-9][0-9]?)", text):
        record["supplies"][_colour(letter)] = _number(count, 1, SUPPLIES)


def _load_seats(field: str) -> Callable[[Any, str], None]:
    def read(record: Any, text: str) -> None:
        record[field] = _seats(record, text)

    return read


def _load_totals(record: Any, text: str) -> None:
    seats = [seat for seat in range(COLOURS) if int(record["contest"]) >> seat & 1]
    totals = [_number(part, 0, LONGEST) for part in text.split(",")]
    if len(totals) != len(seats):
        raise NotationError("a total for every seat of contest=, 0 where it has not rolled")
    for seat, total in zip(seats, totals, strict=True):
        record["totals"][seat] = total


def _load_number(field: str, least: int, most: int) -> Callable[[Any, str], None]:
    def read(record: Any, text: str) -> None:
        record[field] = _number(text, least, most)

    return read


def _load_letter(field: str) -> Callable[[Any, str], None]:
    def read(record: Any, text: str) -> None:
        record[field] = _colour(text) + 1

    return read


def _load_triangle(field: str) -> Callable[[Any, str], None]:
    def read(record: Any, text: str) -> None:
        record[field] = triangle_number(text) + 1

    return read


def _load_rolled(record: Any, text: str) -> None:
    record["rolled"] = text == "yes"


def _load_dice(record: Any, text: str) -> None:
    match = re.fullmatch(r"([1-6])-([1-6])", text)
    if not match or match[1] < match[2]:
        raise NotationError(f"{text[:20]!r} should be two dice, the larger first: 5-3")
    record["high"], record["low"] = int(match[1]), int(match[2])


def _load_due(record: Any, text: str) -> None:
    pools = _pools(record)
    for name in text.split(","):
        record["due"] |= 1 << _pool_index(pools, name)


def _pool_index(pools: list[int], name: str) -> int:
    t = triangle_number(name)
    if t not in pools:
        raise NotationError(f"no whirlpool lies on {name}")
    return pools.index(t)


def _way(origin: int, target: int) -> int:
    ways = NEIGHBOURS[origin].tolist()
    if target not in ways:
        names = f"{triangle_name(origin)} and {triangle_name(target)}"
        raise NotationError(f"{names} have no side in common")
    return ways.index(target)


def _load_pair(phases: tuple[int, ...], sign: str) -> Callable[[Any, str], None]:
    def read(record: Any, text: str) -> None:
        if int(record["phase"]) not in phases:
            raise NotationError(f"nothing like {text[:20]!r} is chosen in this phase")
        first, _, second = text.partition(sign)
        origin = triangle_number(first)
        record["origin"] = origin + 1
        record["way"] = _way(origin, triangle_number(second)) + 1

    return read


def _load_out(record: Any, text: str) -> None:
    record["exit"] = _pool_index(_pools(record), text) + 1


def _load_escape(record: Any, text: str) -> None:
    if not record["vacated"]:
        raise NotationError("to= needs from=")
    record["escape"] = _way(int(record["vacated"]) - 1, triangle_number(text)) + 1


def _load_refuges(record: Any, text: str) -> None:
    names = text.split(",")
    if len(names) > 2:
        raise NotationError("a pile retreats to two triangles at most")
    for number, name in enumerate(names):
        record["refuges"][number] = triangle_number(name) + 1


def _load_reason(record: Any, text: str) -> None:
    codes = [code for code, name in STATEMENTS.items() if name == text]
    if not codes or codes[0] not in ENDS:
        raise NotationError(f"{text[:20]!r}: a game ends by BIN-13 or BIN-51")
    record["reason"] = codes[0]


CHOSEN = (COUNTING, LEAVING, DIVIDING)
ANNOUNCED = (ATTACKING, *DISLODGING)

PARTS: dict[str, tuple[Callable[[Any], str], Callable[[Any, str], None]]] = {
    "turns": (_dump_number("turns"), _load_number("turns", 1, MOST_TURNS)),
    "map": (_dump_map, _load_map),
    "armies": (lambda record: _letters(record["drawn"].tolist()), _load_armies),
    "units": (_dump_units, _load_units),
    "pawns": (_dump_pawns, _load_pawns),
    "stocked": (_dump_number("stocked"), _load_number("stocked", 1, COLOURS - 1)),
    "supplies": (_dump_supplies, _load_supplies),
    "contest": (_dump_seats("contest"), _load_seats("contest")),
    "totals": (_dump_totals, _load_totals),
    "active": (_dump_number("active"), _load_number("active", 1, COLOURS - 1)),
    "army": (_dump_letter("army"), _load_letter("army")),
    "rolled": (lambda record: "yes" if record["rolled"] else "", _load_rolled),
    "dice": (_dump_dice, _load_dice),
    "moves": (_dump_number("moves"), _load_number("moves", 1, 5)),
    "due": (_dump_due, _load_due),
    "go": (_dump_pair(CHOSEN, "-"), _load_pair(CHOSEN, "-")),
    "attack": (_dump_pair(ANNOUNCED, "x"), _load_pair(ANNOUNCED, "x")),
    "foe": (_dump_letter("foe"), _load_letter("foe")),
    "group": (_dump_number("group"), _load_number("group", 1, UNITS)),
    "out": (_dump_out, _load_out),
    "step": (_dump_number("step"), _load_number("step", 1, 3)),
    "from": (_dump_triangle("vacated"), _load_triangle("vacated")),
    "to": (_dump_escape, _load_escape),
    "refuges": (_dump_refuges, _load_refuges),
    "raid": (_dump_letter("raid"), _load_letter("raid")),
    "distance": (_dump_number("distance"), _load_number("distance", 1, LONGEST)),
    "winners": (_dump_seats("winners"), _load_seats("winners")),
    "reason": (_dump_reason, _load_reason),
}
"""The named parts in their order: how each is written and read."""

# --- Checking ---


def _demand(fact: object, text: str) -> None:
    if not fact:
        raise NotationError(text)


def _check(record: Any) -> None:
    """Refuse what is no position; fill in which armies stand."""
    phase = int(record["phase"])
    _check_map(record, phase)
    drawn = sum(1 for colour in record["drawn"].tolist() if colour)
    wanted = int(record["options"]["armies"] * record["seats"])
    _demand(drawn == wanted if phase > COLOURING else drawn < wanted, "armies= does not fit")
    _demand(phase >= COLOURING or drawn == 0, "colours are drawn when the map is complete")
    _check_bases(record)
    if phase >= PAWNS:
        for army in range(COLOURS):
            if record["strength"][army]:
                record["alive"] |= 1 << army
    _check_units(record, phase)
    if phase < CHOOSING:
        _check_setup(record, phase)
    else:
        _check_play(record, phase)
    _check_supplies(record, phase)


def _check_map(record: Any, phase: int) -> None:
    options = record["options"]
    terrain = len(maps.triangles_of(record["terrain"].tolist()))
    pools = len(_pools(record))
    level = int(options["level"])
    most = int(options["terrain"]) if level > 1 else 0
    most_pools = POOLS if level == 4 else 0
    complete = terrain == most and pools == most_pools
    if int(options["map"]) >= NAMED and level > 1:
        given = [*record["terrain"].tolist(), *record["pools"].tolist()]
        _demand(given == _given_map(options), "map= is not the map that the options name")
        _demand(phase != MAPPING, "map= is there from the start")
        return
    _demand(terrain <= most and pools <= most_pools, "map= has more markers than this level")
    _demand(pools == 0 or terrain == most, "map=: all terrain is placed before the whirlpools")
    _demand(complete == (phase != MAPPING), "map= is complete when, and only when, it is placed")


def _given_map(options: Any) -> list[int]:
    """Return terrain and whirlpools of the map that the options name, or hold."""
    named = int(options["map"]) - NAMED
    if named == len(maps.LIBRARY):
        chart: list[int] = options["chart"].tolist()
        return chart
    pools = maps.NAMED_POOLS[named].tolist() if options["level"] == 4 else [0, 0]
    return [*maps.NAMED_TERRAIN[named].tolist(), *pools]


def _check_bases(record: Any) -> None:
    if not record["options"]["bases"] or not record["drawn"][0]:
        return
    seats = int(record["seats"])
    first = int(record["drawn"][0]) - 1
    for number, colour in enumerate(record["drawn"].tolist()):
        ahead = number % seats * (COLOURS // seats) + number // seats
        fits = colour == 0 or (first + ahead) % COLOURS == colour - 1
        _demand(fits, "armies=: with bases=neighbours a player's bases lie side by side")


def _check_units(record: Any, phase: int) -> None:
    for t in maps.triangles_of(record["terrain"].tolist()):
        _demand(not record["height"][t], f"units= has units on terrain, on {triangle_name(t)}")
    for army in range(COLOURS):
        strength = int(record["strength"][army])
        name = f"army {LETTERS[army]}"
        _demand(strength <= ARMY, f"{name} has {strength} units, more than {ARMY}")
        _demand(not strength or record["owner"][army], f"{name} is not in the game")
        standing = phase > PLACING and strength
        _demand(not standing or strength > FALLS_AT, f"{name} has too few units (BIN-12)")


def _hidden(record: Any, army: int) -> bool:
    """Say whether a view hides what an army's owner does in secret."""
    viewer = int(record["viewer"])
    return viewer not in (0, int(record["owner"][army]))


def _check_setup(record: Any, phase: int) -> None:
    for field in ("turns", "active", "army", "rolled", "high", "moves", "due", "foe", "group"):
        _demand(not record[field], "nothing of a turn can be said in the set-up")
    for field in ("exit", "step", "vacated", "raid", "distance", "winners", "reason"):
        _demand(not record[field], "nothing of a turn can be said in the set-up")
    _demand(not record["refuges"].any(), "nothing of a turn can be said in the set-up")
    _check_setup_units(record, phase)
    _check_setup_pawns(record, phase)
    _check_setup_seats(record, phase)
    _check_contest(record, phase)
    _demand(not record["stocked"] or phase == STORES, "stocked= belongs to phase stores")
    armies = int(record["options"]["armies"] * record["seats"])
    _demand(record["stocked"] < armies, "stocked= is less than all armies")


def _check_setup_units(record: Any, phase: int) -> None:
    placing = phase == PLACING
    for t, height in enumerate(record["height"].tolist()):
        if height:
            inside = t in _pools(record)
            _demand(not inside, f"units are not set up on a whirlpool: {triangle_name(t)}")
            _demand(int(SECTOR[t]) == int(record["top"][t]) - 1, "units are set up in their base")
    sectors = _units_by_sector(record)
    _demand(all(set(units) <= {army + 1} for army, units in sectors.items()), "units in their base")
    for army in range(COLOURS):
        strength, owned = int(record["strength"][army]), bool(record["owner"][army])
        if placing and owned and _hidden(record, army):
            _demand(strength == 0, "units= shows units that this viewer cannot see")
        elif placing and owned:
            done = not int(record["acting"]) >> (int(record["owner"][army]) - 1) & 1
            _demand(strength == ARMY or not done, "units= does not fit who may act")
        else:
            wanted = ARMY if owned and phase > PLACING else 0
            _demand(strength == wanted, f"army {LETTERS[army]} should have {wanted} units")


def _units_by_sector(record: Any) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {army: [] for army in range(COLOURS)}
    units = iter(record["units"].tolist())
    for t, height in enumerate(record["height"].tolist()):
        found[int(SECTOR[t])] += [next(units) for _ in range(height)]
    return found


def _check_setup_pawns(record: Any, phase: int) -> None:
    secret = phase == PAWNS
    level = int(record["options"]["level"])
    _demand(level >= 3 or phase not in (PAWNS, STORES), "pawns come with level 3")
    for army in range(COLOURS):
        pawn, owned = int(record["pawns"][army]), bool(record["owner"][army])
        _demand(not pawn or (pawn - 1) // SIDE == army, "pawns are set up along their base")
        if secret and owned and _hidden(record, army):
            _demand(not pawn, "pawns= shows pawns that this viewer cannot see")
        elif secret and owned:
            done = not int(record["acting"]) >> (int(record["owner"][army]) - 1) & 1
            _demand(pawn or not done, "pawns= does not fit who may act")
        else:
            wanted = owned and phase > PAWNS and level >= 3
            _demand(bool(pawn) == wanted, "pawns= does not fit the phase")


def _check_setup_seats(record: Any, phase: int) -> None:
    acting, seats = int(record["acting"]), int(record["seats"])
    if phase in (PLACING, PAWNS):
        for seat in range(seats):
            if acting >> seat & 1 and int(record["viewer"]) in (0, seat + 1):
                _demand(not _finished(record, phase, seat), "who acts has something to place")
    elif phase == MAPPING and int(record["options"]["map"]) == PLACED:
        terrain = len(maps.triangles_of(record["terrain"].tolist()))
        markers = terrain + len(_pools(record))
        _demand(acting == 1 << markers % seats, "the seats place markers in turn")
    else:
        _demand(not acting, "chance acts: write -")


def _finished(record: Any, phase: int, seat: int) -> bool:
    armies = [army for army in range(COLOURS) if int(record["owner"][army]) == seat + 1]
    if phase == PLACING:
        return all(int(record["strength"][army]) == ARMY for army in armies)
    return all(record["pawns"][army] for army in armies)


def _check_contest(record: Any, phase: int) -> None:
    contest = int(record["contest"])
    totals = record["totals"].tolist()
    if phase != FIRST:
        _demand(not contest and not any(totals), "contest= and totals= belong to phase first")
        return
    _demand(contest & (contest - 1), "contest= has two seats or more")
    seats = [seat for seat in range(COLOURS) if contest >> seat & 1]
    rolled = [totals[seat] for seat in seats]
    _demand(0 in rolled and not any(rolled[rolled.index(0) :]), "totals= are rolled in order")
    _demand(1 not in rolled, "two dice show 2 at least")


def _check_supplies(record: Any, phase: int) -> None:
    supplies = record["supplies"].tolist()
    _demand(sum(supplies) <= SUPPLIES, f"there are {SUPPLIES} supplies")
    if int(record["options"]["level"]) < 3 or phase < STORES:
        _demand(not any(supplies), "supplies come with level 3, after the pawns")
    for army in range(COLOURS):
        alive = int(record["alive"]) >> army & 1
        _demand(alive or not supplies[army], f"army {LETTERS[army]} has no supplies")
    if phase == STORES:
        order = _stock_order(record)
        late = order[int(record["stocked"]) :]
        _demand(not any(supplies[army] for army in late), "supplies= before its army has rolled")


def _stock_order(record: Any) -> list[int]:
    seats, each = int(record["seats"]), int(record["options"]["armies"])
    drawn = record["drawn"].tolist()
    return [drawn[number * seats + seat] - 1 for seat in range(seats) for number in range(each)]


def _check_play(record: Any, phase: int) -> None:
    _demand(not record["contest"] and not record["totals"].any(), "contest= is for phase first")
    _demand(not record["stocked"], "stocked= is for phase stores")
    level, alive = int(record["options"]["level"]), int(record["alive"])
    for army in range(COLOURS):
        pawn = bool(record["pawns"][army])
        _demand(pawn == bool(level >= 3 and alive >> army & 1), "pawns= fit the armies that stand")
    pawns = [circle for circle in record["pawns"].tolist() if circle]
    _demand(len(pawns) == len(set(pawns)), "two pawns stand on one circle")
    owners = {int(record["owner"][army]) for army in range(COLOURS) if alive >> army & 1}
    if phase == ENDED:
        _check_end(record, owners)
        return
    _demand(len(owners) > 1, "one player is left, so the game is over (BIN-13)")
    _demand(not record["winners"] and not record["reason"], "nobody has won yet")
    limit = int(record["options"]["turns"])
    _demand(not limit or record["turns"] < limit, "the limit of turns is reached (BIN-51)")
    _demand(int(record["active"]) + 1 in owners, "the active seat has no army left")
    _check_army(record, phase)
    _check_roll(record, phase)
    _check_actor(record, phase)


def _check_end(record: Any, owners: set[int]) -> None:
    winners = {seat + 1 for seat in range(COLOURS) if int(record["winners"]) >> seat & 1}
    _demand(winners and not record["acting"], "at the end somebody has won, and nobody acts")
    if record["reason"] == LAST_OWNER:
        _demand(owners == winners or (not owners and len(winners) > 1), "who is left has won")
    else:
        _demand(record["reason"] in ENDS and winners <= owners, "reason= and winners= do not fit")
        _demand(len(owners) > 1, "a game that ends by length has two players left")
        limit = int(record["options"]["turns"])
        _demand(limit and record["turns"] == limit, "turns= is not the limit")
        _demand(winners == _leaders(record), "winners= have not the most units and supplies")
    _demand(_no_roll(record) and not record["army"] and not record["rolled"], "the turn is over")


def _leaders(record: Any) -> set[int]:
    """Return who has most units, and of these most supplies, each as 1 + seat."""
    worth: dict[int, tuple[int, int]] = {}
    for army in range(COLOURS):
        owner = int(record["owner"][army])
        if owner:
            units, supplies = worth.get(owner, (0, 0))
            mine = (int(record["strength"][army]), int(record["supplies"][army]))
            worth[owner] = (units + mine[0], supplies + mine[1])
    best = max(worth.values())
    return {owner for owner, value in worth.items() if value == best}


ROLL_FIELDS = (
    *("high", "low", "moves", "due", "origin", "way", "foe", "group", "exit", "step"),
    *("vacated", "escape", "raid", "distance"),
)


def _no_roll(record: Any) -> bool:
    return not any(record[field] for field in ROLL_FIELDS) and not record["refuges"].any()


def _check_army(record: Any, phase: int) -> None:
    level, army = int(record["options"]["level"]), int(record["army"]) - 1
    _demand(level >= 3 or phase not in (CHOOSING, PASSING, FORAGING, STEPPING, RAIDING), "level 3")
    _demand((army >= 0) == (phase in ARMY_KNOWN), "army= does not fit the phase")
    if army >= 0:
        mine = int(record["owner"][army]) == int(record["active"]) + 1
        _demand(mine and int(record["alive"]) >> army & 1, "army= is no army of the active seat")
    resupply = phase in (CHOOSING, PASSING, FORAGING, STEPPING, RAIDING)
    _demand(not resupply or not record["rolled"], "rolled= is for turns in which units move")
    moved = phase in (*ONE_ROLL, *DISLODGING)
    _demand(record["rolled"] or not moved, "rolled=yes is missing: these dice are a roll")
    left = SUPPLIES - sum(record["supplies"].tolist())
    if phase in (CHOOSING, PASSING):
        owned = [a for a in range(COLOURS) if record["owner"][a] == record["active"] + 1]
        able = left > 0 or any(record["supplies"][a] for a in owned)
        _demand(able == (phase == CHOOSING), "passing is for an empty store and no supplies")
    if phase == READY and level >= 3:
        _demand(record["supplies"][army], "who is ready can pay")


def _check_roll(record: Any, phase: int) -> None:
    high, low, moves = int(record["high"]), int(record["low"]), int(record["moves"])
    _demand(bool(high) == (phase in DICE_SHOWN), "dice= does not fit the phase")
    if phase in ONE_ROLL:
        _demand(0 < moves <= high - low, "moves= is at most the difference of the dice")
    elif phase in DISLODGING:
        _demand(high == 6 and moves == high - low, "moves= is the difference, one die a 6")
    else:
        _demand(not moves, "moves= does not fit the phase")
    _demand(not record["due"] or phase in (*ONE_ROLL, *DISLODGING), "due= does not fit the phase")
    pools = _pools(record)
    for index, t in enumerate(pools):
        due = int(record["due"]) >> index & 1
        _demand(not due or record["top"][t] == record["army"], "due= names another army's pile")
    _demand(bool(record["origin"]) == (phase in (*CHOSEN, *ANNOUNCED)), "go=, attack= are missing")
    _check_choice(record, phase)
    _check_dislodgement(record, phase)
    raid, distance = int(record["raid"]), int(record["distance"])
    _demand((raid and distance) if phase == RAIDING else not (raid or distance), "raid=")
    if phase == STEPPING:
        _demand(_free_ends(record), "pawn: every end is occupied, so nobody is asked")
    if phase == RAIDING:
        _check_raid(record)


def _free_ends(record: Any) -> bool:
    circle = int(record["pawns"][int(record["army"]) - 1]) - 1
    high, low = int(record["high"]), int(record["low"])
    pawns = record["pawns"].tolist()
    return any((circle + d) % (COLOURS * SIDE) + 1 not in pawns for d in (low, high, high + low))


def _check_raid(record: Any) -> None:
    army, victim = int(record["army"]) - 1, int(record["raid"]) - 1
    centre = SIDE * victim + 3
    _demand(int(record["pawns"][army]) == centre + 1, "raid=: the pawn stands on that centre")
    foreign = record["owner"][victim] not in (0, record["active"] + 1)
    _demand(foreign and int(record["alive"]) >> victim & 1, "raid= is no army of another player")
    dice = (int(record["high"]), int(record["low"]))
    _demand(int(record["distance"]) in (*dice, sum(dice)), "distance= is not on the dice")


def _check_choice(record: Any, phase: int) -> None:
    """Check what was chosen of a displacement, as the rules would have let it be chosen."""
    entered = phase in (LEAVING, DIVIDING)
    _demand(bool(record["group"]) == entered, "group= is for units that enter a whirlpool")
    _demand(bool(record["exit"]) == (phase == DIVIDING), "out= is for phase dividing")
    if phase not in CHOSEN:
        return
    origin = int(record["origin"]) - 1
    _demand(record["top"][origin] == record["army"], "go= moves no pile of the army's")
    goal = _along(origin, int(record["way"]) - 1)
    pools = _pools(record)
    if origin in pools:
        due = int(record["due"]) >> pools.index(origin) & 1
        _demand(due, "go= moves a pile that waits in a whirlpool")
    _demand(goal not in maps.triangles_of(record["terrain"].tolist()), "go= leads onto terrain")
    blocked = record["height"][goal] > 1 and record["top"][goal] != record["army"]
    _demand(not blocked, "go= leads to two units or more of another colour")
    _demand(not entered or goal in pools, "group= is for units that enter a whirlpool")
    _demand(record["group"] <= record["height"][origin], "group= is more than the pile has")


def _check_dislodgement(record: Any, phase: int) -> None:
    _demand(bool(record["foe"]) == (phase in ANNOUNCED), "foe= belongs to attack=")
    _demand(bool(record["step"]) == (phase in DISLODGING), "step= belongs to a retreat")
    retreating = phase in (RETREATING, SPLITTING)
    _demand(bool(record["vacated"]) == retreating, "from= belongs to a retreat")
    _demand(bool(record["escape"]) == (phase == SPLITTING), "to= belongs to phase splitting")
    refuges = [t - 1 for t in record["refuges"].tolist() if t]
    _demand(not refuges or phase in DISLODGING, "refuges= belong to a retreat")
    if phase not in ANNOUNCED:
        return
    origin = int(record["origin"]) - 1
    goal = _along(origin, int(record["way"]) - 1)
    if phase == ATTACKING or record["step"] == 1:
        taller = record["height"][origin] > record["height"][goal]
        _demand(record["top"][origin] == record["army"] and taller, "attack= is none (BIN-14a)")
        _demand(record["top"][goal] == record["foe"] != record["army"], "foe= is not attacked")
        _demand(goal not in _pools(record), "a pile in a whirlpool is not attacked")
    else:
        _demand(record["high"] == record["low"], "a second retreat needs a double 6")
        _demand(record["top"][goal] == record["army"], "the attackers have advanced")
    _check_refuges(record, phase, goal, refuges)


def _check_refuges(record: Any, phase: int, goal: int, refuges: list[int]) -> None:
    step = int(record["step"])
    _demand(bool(refuges) == (step > 1), "refuges= are those of the first retreat")
    beside = NEIGHBOURS[goal].tolist()
    closed = [*maps.triangles_of(record["terrain"].tolist()), *_pools(record)]
    good = all(t in beside and t not in closed for t in refuges) and len(set(refuges)) == len(
        refuges
    )
    _demand(good, "refuges= lie beside the triangle that was attacked")
    if phase == OCCUPYING:
        empty = [t for t in refuges if not record["height"][t]]
        _demand(len(empty) == 2 and step == 3, "occupying chooses of two empty triangles")
        return
    if phase == ATTACKING:
        return
    here = int(record["vacated"]) - 1
    wanted = goal if step == 1 else refuges[step - 2] if step - 2 < len(refuges) else -1
    _demand(here == wanted, "from= is not the triangle that is vacated")
    _demand(record["top"][here] == record["foe"], "from= is not held by the attacked")
    _demand(len(_ways_out(record, here, goal)) == 2, "a retreat is asked where two ways are open")
    if phase == SPLITTING:
        _demand(int(record["escape"]) - 1 in _ways_out(record, here, goal), "to= is closed")
        _demand(record["height"][here] > 1, "one unit cannot split")


def _ways_out(record: Any, here: int, goal: int) -> list[int]:
    """Return the ways on which a pile can retreat."""
    attackers = int(record["origin"]) - 1 if record["step"] == 1 else goal
    closed = [*maps.triangles_of(record["terrain"].tolist()), *_pools(record), attackers, -1]
    return [
        way
        for way, t in enumerate(NEIGHBOURS[here].tolist())
        if t not in closed and (record["height"][t] < 2 or record["top"][t] == record["top"][here])
    ]


def _check_actor(record: Any, phase: int) -> None:
    acting = int(record["acting"])
    if phase in BY_CHANCE:
        _demand(not acting, "chance acts: write -")
    elif phase in (RETREATING, SPLITTING):
        owner = int(record["owner"][int(record["foe"]) - 1])
        _demand(acting == 1 << (owner - 1), "the owner of the attacked pile acts")
    else:
        _demand(acting == 1 << int(record["active"]), "the active seat acts")
