"""What holds in every position of Bin'Fa, and in every view of one."""

from __future__ import annotations

import numpy as np

from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules import maps
from tianxia.games.binfa.rules import state as s
from tianxia.games.binfa.rules import statements as because
from tianxia.kernel.errors import NotationError
from tianxia.kernel.fields import Fields, everybody
from tianxia.kernel.notation import Invariants

INVARIANTS = invariant = Invariants()

CHOSEN = (s.COUNTING, s.LEAVING, s.DIVIDING)
DISLODGING = (s.RETREATING, s.SPLITTING, s.OCCUPYING)
ANNOUNCED = (s.ATTACKING, *DISLODGING)
ONE_ROLL = (s.MOVING, *CHOSEN)
RETREAT = (s.RETREATING, s.SPLITTING)
RESUPPLY = (s.CHOOSING, s.PASSING, s.FORAGING, s.STEPPING, s.RAIDING)
SETUP = range(s.CHOOSING)
TURN = range(s.CHOOSING, s.ENDED)
PLAY = range(s.CHOOSING, s.ENDED + 1)
SECRET = (s.PLACING, s.PAWNS)
BY_CHANCE = (s.COLOURING, s.STORES, s.FIRST, s.PASSING, s.ROLLING, s.ATTACKING, s.FORAGING)

ALWAYS = {
    "contest": (s.FIRST,),
    "army": tuple(phase for phase in TURN if phase not in (s.CHOOSING, s.PASSING)),
    "high": (*ONE_ROLL, *DISLODGING, s.STEPPING, s.RAIDING),
    "origin": (*CHOSEN, *ANNOUNCED),
    "foe": ANNOUNCED,
    "group": (s.LEAVING, s.DIVIDING),
    "exit": (s.DIVIDING,),
    "step": DISLODGING,
    "vacated": RETREAT,
    "escape": (s.SPLITTING,),
    "raid": (s.RAIDING,),
    "distance": (s.RAIDING,),
    "winners": (s.ENDED,),
    "reason": (s.ENDED,),
}
"""The phases in which a field is never zero; in all others it is."""
SOMETIMES = {
    "totals": (s.FIRST,),
    "stocked": (s.STORES,),
    "turns": PLAY,
    "active": PLAY,
    "rolled": tuple(phase for phase in TURN if phase not in RESUPPLY),
    "moves": (*ONE_ROLL, *DISLODGING),
    "due": (*ONE_ROLL, *DISLODGING),
    "refuges": DISLODGING,
}
"""The phases in which a field may be another number than zero."""
TOKEN_NAMES = {
    "high": "dice",
    "origin": "go= or attack",
    "exit": "out",
    "vacated": "from",
    "escape": "to",
}
"""How a field is called in notation, where that differs."""

Named = list[tuple[str, int]]


def pools(p: Fields) -> list[int]:
    """Return the triangles with whirlpools."""
    return maps.triangles_of(p.pools.tolist())


def terrain(p: Fields) -> list[int]:
    """Return the triangles with terrain."""
    return maps.triangles_of(p.terrain.tolist())


def along(origin: int, way: int) -> int:
    """Return the triangle along a way; raise NotationError beyond the border."""
    target = int(c.NEIGHBOURS[origin, way]) if 0 <= way < 3 and 0 <= origin < c.TRIANGLES else -1
    if target < 0:
        raise NotationError(f"nothing lies along way {way} of triangle {origin}")
    return target


def members(bits: int) -> list[int]:
    """Return the numbers of the bits that are set."""
    return [i for i in range(c.COLOURS) if bits >> i & 1]


def _armies(p: Fields) -> Named:
    return [(f"army {letter}", army) for army, letter in enumerate(c.LETTERS)]


def _hidden(p: Fields, army: int) -> bool:
    """Say whether a view hides what an army's owner does in secret."""
    return p.viewer not in (0, p.owner[army])


# --- Which parts belong to which phase ---


def _fields(p: Fields) -> list[tuple[str, str]]:
    return [(f"{TOKEN_NAMES.get(name, name)}=", name) for name in (*ALWAYS, *SOMETIMES)]


@invariant("it is there in its phases, and in no others", each=_fields)
def phases(p: Fields, name: str) -> bool:
    there = bool(np.any(getattr(p, name)))
    if name in ALWAYS:
        return there == (p.phase in ALWAYS[name])
    return not there or p.phase in SOMETIMES[name]


@invariant("pawns and supplies come with level 3", {s.PAWNS, s.STORES, *RESUPPLY})
def level(p: Fields) -> bool:
    return p.options.level >= c.SUPPLIED


# --- The map ---


def _wanted(p: Fields) -> tuple[int, int]:
    """Return how many triangles of terrain and whirlpools this game has."""
    level = p.options.level
    return p.options.terrain if level > 1 else 0, c.POOLS if level == 4 else 0


def _is_given(p: Fields) -> bool:
    return bool(p.options.map >= s.NAMED and p.options.level > 1)


@invariant("map= is not the map that the options name")
def given_map(p: Fields) -> bool:
    if not _is_given(p):
        return True
    number = p.options.map - s.NAMED
    if number == len(maps.LIBRARY):
        chart = p.options.chart.tolist()
    else:
        whirlpools = maps.NAMED_POOLS[number].tolist() if p.options.level == 4 else [0, 0]
        chart = [*maps.NAMED_TERRAIN[number].tolist(), *whirlpools]
    return [*p.terrain.tolist(), *p.pools.tolist()] == chart and p.phase != s.MAPPING


@invariant("map= has all its markers after phase mapping, terrain before whirlpools")
def markers(p: Fields) -> bool:
    if _is_given(p):
        return True
    most, most_pools = _wanted(p)
    placed, placed_pools = len(terrain(p)), len(pools(p))
    fits = placed <= most and placed_pools <= most_pools and (not placed_pools or placed == most)
    return fits and ((placed, placed_pools) == (most, most_pools)) == (p.phase != s.MAPPING)


# --- Armies, units, pawns, supplies ---


@invariant("armies= has every colour once, and as many as play when they are drawn")
def armies(p: Fields) -> bool:
    drawn = p.drawn[p.drawn > 0].tolist()
    wanted = p.options.armies * p.seats
    number = len(drawn) == wanted if p.phase > s.COLOURING else len(drawn) < wanted
    return number and len(set(drawn)) == len(drawn) and (p.phase >= s.COLOURING or not drawn)


@invariant("armies= has the colours that seats have chosen, and lets others have none of them")
def chosen_colours(p: Fields) -> bool:
    chosen, drawn = p.options.chosen[: p.seats], p.drawn[: p.seats]
    wished = set(chosen[chosen > 0].tolist())
    pairs = zip(chosen.tolist(), drawn.tolist(), strict=True)
    return all(got in (0, wish) if wish else got not in wished for wish, got in pairs)


@invariant("armies=: with bases=neighbours a player's bases lie side by side")
def neighbouring_bases(p: Fields) -> bool:
    drawn = p.drawn[p.drawn > 0]
    number = np.arange(len(drawn))
    ahead = number % p.seats * (c.COLOURS // p.seats) + number // p.seats
    first = drawn[:1] - 1
    return not p.options.bases or bool(((first + ahead) % c.COLOURS == drawn - 1).all())


@invariant("units= has units on terrain")
def units_off_terrain(p: Fields) -> bool:
    return not any(p.height[terrain(p)])


@invariant(
    f"an army in the game has {c.ARMY} units at most, and more than {c.FALLS_AT} (BIN-12)",
    each=_armies,
)
def strength(p: Fields, army: int) -> bool:
    units = p.strength[army]
    falls = p.phase > s.PLACING and 0 < units <= c.FALLS_AT
    return bool(units <= c.ARMY and not falls and (not units or p.owner[army]))


@invariant(
    f"there are {c.SUPPLIES} supplies, from level 3 on and after the pawns, for armies that stand"
)
def supplies(p: Fields) -> bool:
    early = p.options.level < c.SUPPLIED or p.phase < s.STORES
    alive = [bool(p.alive >> army & 1) for army in range(c.COLOURS)]
    some = p.supplies > 0
    return bool(
        sum(p.supplies) <= c.SUPPLIES
        and not (some & np.logical_not(alive)).any()
        and not (early and any(some))
    )


# --- The set-up ---


@invariant("units are set up in their base, and on no whirlpool", SETUP)
def units_in_bases(p: Fields) -> bool:
    sectors = np.repeat(c.SECTOR, p.height)
    return bool((sectors == p.units[: len(sectors)] - 1).all()) and not any(p.height[pools(p)])


@invariant("units= does not fit the phase, who may act or the viewer", SETUP, each=_armies)
def units_set_up(p: Fields, army: int) -> bool:
    placed, owner = p.strength[army], p.owner[army]
    if p.phase == s.PLACING and owner:
        done = not p.acting >> (owner - 1) & 1
        return bool(placed == 0 if _hidden(p, army) else placed == c.ARMY or not done)
    return bool(placed == (c.ARMY if owner and p.phase > s.PLACING else 0))


@invariant("pawns= does not fit the phase, who may act or the viewer", SETUP, each=_armies)
def pawns_set_up(p: Fields, army: int) -> bool:
    pawn, owner = p.pawns[army], p.owner[army]
    if pawn and (pawn - 1) // c.SIDE != army:
        return False
    if p.phase == s.PAWNS and owner:
        done = not p.acting >> (owner - 1) & 1
        return bool(pawn == 0 if _hidden(p, army) else pawn or not done)
    return bool(pawn) == bool(owner and p.phase > s.PAWNS and p.options.level >= c.SUPPLIED)


@invariant("who acts has something to place", SECRET)
def something_to_place(p: Fields) -> bool:
    left = p.strength < c.ARMY if p.phase == s.PLACING else p.pawns == 0
    asked = [i for i in everybody(p) if p.acting >> i & 1 and p.viewer in (0, i + 1)]
    return all(any(left & (p.owner == seat + 1)) for seat in asked)


@invariant("the seats place markers in turn", (s.MAPPING,))
def placing_markers(p: Fields) -> bool:
    number = len(terrain(p)) + len(pools(p))
    return p.acting == (1 << number % p.seats if p.options.map == s.PLACED else 0)


@invariant("chance acts: write -", BY_CHANCE)
def by_chance(p: Fields) -> bool:
    return p.acting == 0


@invariant("contest= has two seats or more, and totals= are rolled in their order", (s.FIRST,))
def contest(p: Fields) -> bool:
    rolled = p.totals[members(p.contest)].tolist()
    missing = rolled.index(0) if 0 in rolled else 0
    in_order = 0 in rolled and not any(rolled[missing:]) and 1 not in rolled
    return len(rolled) > 1 and in_order and not any(p.totals[p.seats :])


@invariant("supplies= are those of armies that have rolled, and stocked= counts these", (s.STORES,))
def stocked(p: Fields) -> bool:
    seats, each = p.seats, p.options.armies
    order = [p.drawn[n * seats + seat] - 1 for seat in range(seats) for n in range(each)]
    return bool(p.stocked < len(order) and not any(p.supplies[order[p.stocked :]]))


# --- Play ---


def _standing(p: Fields) -> set[int]:
    """Return who has armies that stand, each as 1 + seat."""
    return {int(p.owner[army]) for army in members(p.alive)}


@invariant("pawns= fit the armies that stand, and no two stand on one circle", PLAY)
def pawns(p: Fields) -> bool:
    wanted = members(p.alive) if p.options.level >= c.SUPPLIED else []
    circles = p.pawns[p.pawns > 0].tolist()
    return np.flatnonzero(p.pawns).tolist() == wanted and len(set(circles)) == len(circles)


@invariant("one player is left, so the game is over (BIN-13)", TURN)
def players_left(p: Fields) -> bool:
    return len(_standing(p)) > 1 and p.active + 1 in _standing(p)


@invariant("the limit of turns is reached (BIN-51)", TURN)
def limit(p: Fields) -> bool:
    return not p.options.turns or p.turns < p.options.turns


@invariant("who has won fits reason=, what is left and the limit (BIN-13, BIN-51)", (s.ENDED,))
def end(p: Fields) -> bool:
    winners, left = {seat + 1 for seat in members(p.winners)}, _standing(p)
    if p.reason == because.LAST_OWNER:
        return left == winners or (not left and len(winners) > 1)
    limit = p.options.turns
    return len(left) > 1 and winners == _leaders(p) and bool(limit and p.turns == limit)


def _leaders(p: Fields) -> set[int]:
    """Return who has most units, and of these most supplies, each as 1 + seat."""
    mine = [
        (p.strength[p.owner == seat + 1], p.supplies[p.owner == seat + 1]) for seat in everybody(p)
    ]
    worth = [(int(sum(units)), int(sum(stock))) for units, stock in mine]
    return {seat + 1 for seat, value in enumerate(worth) if value == max(worth)}


@invariant("army= is not an army of the active seat", ALWAYS["army"])
def army(p: Fields) -> bool:
    return bool(p.owner[p.army - 1] == p.active + 1 and p.alive >> (p.army - 1) & 1)


@invariant("rolled=yes is missing: these dice are a roll", (*ONE_ROLL, *DISLODGING))
def rolled(p: Fields) -> bool:
    return p.rolled == 1


@invariant("passing is for an empty store and no supplies", (s.CHOOSING, s.PASSING))
def passing(p: Fields) -> bool:
    able = sum(p.supplies) < c.SUPPLIES or any(p.supplies[p.owner == p.active + 1])
    return bool(able) == (p.phase == s.CHOOSING)


@invariant("who is ready can pay", (s.READY,))
def ready(p: Fields) -> bool:
    return bool(p.options.level < c.SUPPLIED or p.supplies[p.army - 1])


@invariant("moves= is at most the difference of the dice", ONE_ROLL)
def moves(p: Fields) -> bool:
    return 0 < p.moves <= p.high - p.low


@invariant("moves= is the difference, one die a 6", DISLODGING)
def moves_after_an_attack(p: Fields) -> bool:
    return p.high == 6 and p.moves == p.high - p.low


@invariant("due= names another army's pile", (*ONE_ROLL, *DISLODGING))
def due(p: Fields) -> bool:
    piles = [t for i, t in enumerate(pools(p)) if p.due >> i & 1]
    return all(p.top[piles] == p.army) and not p.due >> len(pools(p))


@invariant("every end is occupied, so nobody is asked", (s.STEPPING,))
def free_end(p: Fields) -> bool:
    ends = [p.low, p.high, p.low + p.high]
    start = p.pawns[p.army - 1] - 1
    return any((start + d) % (c.COLOURS * c.SIDE) + 1 not in p.pawns for d in ends)


@invariant("raid= is an army of another player, on whose centre the pawn stands", (s.RAIDING,))
def raid(p: Fields) -> bool:
    victim = p.raid - 1
    foreign = p.owner[victim] not in (0, p.active + 1) and p.alive >> victim & 1
    centre = p.pawns[p.army - 1] == c.SIDE * victim + 4
    return bool(foreign and centre and p.distance in (p.high, p.low, p.high + p.low))


@invariant("who acts is the active seat, and in a retreat the owner of the attacked pile", TURN)
def actor(p: Fields) -> bool:
    seat = p.owner[p.foe - 1] - 1 if p.phase in RETREAT else p.active
    return p.phase in BY_CHANCE or (seat >= 0 and p.acting == 1 << int(seat))


# --- A displacement ---


@invariant("go= moves a pile of the army's, of a whirlpool one that is due", CHOSEN)
def pile_to_go(p: Fields) -> bool:
    origin = p.origin - 1
    waits = origin in pools(p) and not p.due >> pools(p).index(origin) & 1
    return bool(p.top[origin] == p.army and not waits and p.group <= p.height[origin])


@invariant("go= leads onto terrain, or to two units or more of another colour", CHOSEN)
def goal_to_go(p: Fields) -> bool:
    goal = along(p.origin - 1, p.way - 1)
    blocked = p.height[goal] > 1 and p.top[goal] != p.army
    return bool(not blocked and goal not in terrain(p))


@invariant("group= is for units that enter a whirlpool", ALWAYS["group"])
def group(p: Fields) -> bool:
    return along(p.origin - 1, p.way - 1) in pools(p)


# --- An attack ---


@invariant("attack= is none: a taller pile against another on the field (BIN-14a)", ANNOUNCED)
def attack(p: Fields) -> bool:
    origin, goal = p.origin - 1, along(p.origin - 1, p.way - 1)
    if p.phase != s.ATTACKING and p.step > 1:  # the attackers have advanced, with a double 6
        return bool(p.high == p.low and p.top[goal] == p.army)
    taller = p.height[origin] > p.height[goal] and p.top[origin] == p.army
    return bool(taller and p.top[goal] == p.foe != p.army and goal not in pools(p))


def _refuges(p: Fields) -> list[int]:
    return [int(t) - 1 for t in p.refuges if t]


@invariant("refuges= are those of the first retreat, beside the triangle attacked", ANNOUNCED)
def refuges(p: Fields) -> bool:
    beside = c.NEIGHBOURS[along(p.origin - 1, p.way - 1)].tolist()
    ways, found = {*beside} - {*terrain(p), *pools(p)}, _refuges(p)
    return bool(found) == (p.step > 1) and {*found} <= ways and len({*found}) == len(found)


@invariant("occupying chooses of two empty triangles", (s.OCCUPYING,))
def occupation(p: Fields) -> bool:
    return p.step == 3 and len(_refuges(p)) == 2 and not any(p.height[_refuges(p)])


@invariant("from= is not the triangle that is vacated, held by the attacked", RETREAT)
def vacated(p: Fields) -> bool:
    left = [along(p.origin - 1, p.way - 1)] if p.step == 1 else [-1, *_refuges(p)]
    order = 0 if p.step == 1 else p.step - 1
    here = p.vacated - 1
    return len(left) > order and here == left[order] and bool(p.top[here] == p.foe)


@invariant("a retreat is asked where two ways are open, and to= is one of them", RETREAT)
def ways_out(p: Fields) -> bool:
    here = p.vacated - 1
    attackers = p.origin - 1 if p.step == 1 else along(p.origin - 1, p.way - 1)
    closed = {*terrain(p), *pools(p), attackers, -1}
    ways = [
        way
        for way, t in enumerate(c.NEIGHBOURS[here].tolist())
        if t not in closed and (p.height[t] < 2 or p.top[t] == p.top[here])
    ]
    split = p.escape - 1 in ways and p.height[here] > 1
    return len(ways) == 2 and bool(split or p.phase != s.SPLITTING)
