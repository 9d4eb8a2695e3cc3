"""What the tests of Bin'Fa share: their own field, positions from few words, play by tokens."""

from __future__ import annotations

import random
import re
from collections import Counter

import tianxia
from tianxia import CHANCE
from tianxia.games.binfa import GAME

if "binfa" not in tianxia.games():
    tianxia.register(GAME)

COLOURS = "roygbp"
SPECIAL_ACTIONS = {"displacement": 440, "attack": 152}
WAITING = (
    "binfa * choosing 1 89/88 turns=13"
    " map=r11,o14,y3,g3,g15,g16,b15,p9,p12/r3,r8,r12 armies=rg"
    " units=r1:6r,r4:4r,o1:1r,y1:1r,y16:2g,g7:7g,g11:2g,g12:1g"
    " pawns=r:b1,g:{pawn} supplies=r16g22 active=1"
)
"""A game played by hand: three times in a row green paid to walk to and fro."""


def _corners(place: int) -> set[tuple[int, int]]:
    """Return the corners of a triangle, in a skew grid around the centre."""
    axes = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)]
    (ax, ay), (bx, by) = axes[place // 16], axes[(place // 16 + 1) % 6]
    row = next(row for row in range(4) if place % 16 < (row + 1) ** 2)
    half, odd = divmod(place % 16 - row * row, 2)
    steps = [(row - half, half), (row - half, half + 1)]
    steps.append((row - half - 1, half + 1) if odd else (row - half + 1, half))
    return {(i * ax + j * bx, i * ay + j * by) for i, j in steps}


def _field() -> dict[str, set[str]]:
    """Return the neighbours of each triangle: those that share two corners with it."""
    names = [f"{colour}{number}" for colour in COLOURS for number in range(1, 17)]
    corners = [_corners(place) for place in range(96)]
    return {
        name: {other for b, other in enumerate(names) if len(corners[a] & corners[b]) == 2}
        for a, name in enumerate(names)
    }


FIELD = _field()
"""The neighbours of each triangle, found by geometry and not by the game's own table."""
PLACES = {name: place for place, name in enumerate(FIELD)}
SPARE = [c + n for n in ("8", "6", "3", "13") for c in "gbpyor"]
"""Triangles for terrain that a test does not care about; they never cut anything off."""


def piles(text: str) -> dict[str, str]:
    """Read piles such as ``r5:3r r6:1o2r``."""
    return dict(re.findall(r"(\w+):(\w+)", text))


def height(pile: str) -> int:
    return sum(int(count) for count in re.findall(r"\d+", pile))


def in_pile(pile: str) -> Counter[str]:
    """Count the units of a pile by colour."""
    found: Counter[str] = Counter()
    for count, colour in re.findall(r"(\d+)([a-z])", pile):
        found[colour] += int(count)
    return found


def connected(closed: set[str]) -> bool:
    free = [name for name in FIELD if name not in closed]
    reached, edge = {free[0]}, [free[0]]
    while edge:
        fresh = FIELD[edge.pop()] - closed - reached
        reached |= fresh
        edge += fresh
    return len(reached) == len(free)


def _map(level: int, terrain: str, whirlpools: str, units: str, least: int) -> str:
    """Write a map; terrain is filled up where the level asks for it."""
    if level == 1:
        return ""
    hills, pools = set(terrain.split()), whirlpools.split() if level == 4 else []
    busy = set(piles(units)).union(*(FIELD[name] for name in piles(units)))
    for name in SPARE:
        closed = hills | {name} | set(pools)
        if len(hills) < least and name not in busy | hills | set(pools) and connected(closed):
            hills.add(name)
    assert len(hills) >= least, "there is too little room for so much terrain"
    assert connected(hills | set(pools)), "this map falls to pieces"
    text = ",".join(sorted(hills, key=PLACES.__getitem__))
    if level == 4:
        text += "/" + ",".join(sorted(pools, key=PLACES.__getitem__))
    return f"map={text}"


def field(
    units: str,
    *,
    level: int = 1,
    colours: str = "ro",
    active: int = 0,
    army: str = "",
    terrain: str = "",
    whirlpools: str = "g13 b13 p13",
    supplies: str | None = None,
    pawns: str = "",
    played: int = 0,
    **options: object,
) -> tianxia.State:
    """Make a position in which the active seat begins a turn.

    Parameters
    ----------
    units
        Piles, bottom to top: ``r5:3r r6:1o2r``. Units that are not there are lost.
    colours
        Armies in the order of drawing. Fallen ones are known by having no units.
    army
        From level 3: the army named for this turn; without one the seat is about to choose
        (or to pass).
    terrain, whirlpools
        Triangles. At levels 2 and 3 harmless terrain is added up to nine.
    supplies
        Such as ``r7 o3``; 5 for each army if not given.
    pawns
        Such as ``r:o1``; those not given stand on the centres of their own colours.
    played
        Turns that have ended.
    """
    armies = int(str(options.get("armies", 1)))
    alive = [c for c in COLOURS if _has(units, c)]
    options |= {"level": level, "players": len(colours) // armies}
    if level == 4:
        options["terrain"] = len(terrain.split())
    spec = tianxia.game("binfa", **options).spec
    parts = [f"turns={played}" if played else ""]
    parts.append(_map(level, terrain, whirlpools, units, 9 if level in {2, 3} else 0))
    parts.append(f"armies={colours}")
    order = sorted(piles(units).items(), key=lambda pile: PLACES[pile[0]])
    parts.append("units=" + ",".join(f"{name}:{pile}" for name, pile in order))
    if level >= 3:
        stands = {c: f"{c}4" for c in alive} | piles(pawns)
        parts.append("pawns=" + ",".join(f"{c}:{stands[c]}" for c in COLOURS if c in stands))
        stock = dict.fromkeys(alive, 5) if supplies is None else counts(supplies)
        shown = "".join(f"{c}{stock[c]}" for c in COLOURS if stock.get(c))
        parts.append(f"supplies={shown}" if shown else "")
    parts.append(f"active={active}" if active else "")
    if level < 3:
        army = colours[active]
    parts.append(f"army={army}" if army else "")
    phase = f"ready {active}" if army else f"choosing {active}"
    if level >= 3 and sum(stock.values()) == 60:
        own = [stock.get(colour) for colour in colours[active :: int(str(options["players"]))]]
        phase = phase if any(own) else "passing -"
    return tianxia.position(
        " ".join([f"{spec} * {phase} 40/40", *(part for part in parts if part)])
    )


def _has(units: str, colour: str) -> bool:
    return any(in_pile(pile)[colour] for pile in piles(units).values())


def counts(text: str) -> dict[str, int]:
    """Read numbers by colour, such as r7b5."""
    return {colour: int(number) for colour, number in re.findall(r"([a-z])(\d+)", text)}


def actor(state: tianxia.State) -> int:
    return state.acting[0] if state.acting else CHANCE


def play(state: tianxia.State, tokens: str) -> tianxia.State:
    """Apply tokens, each for who may act (or chance)."""
    for token in tokens.split():
        state.apply(state.parse(token, actor(state)), actor(state))
    return state


def refusal(state: tianxia.State, token: str, seat: int | None = None) -> str | None:
    """Ask which statement forbids a token; None where it is legal."""
    seat = actor(state) if seat is None else seat
    return state.refusal(state.parse(token, seat), seat)


def side(state: tianxia.State, kind: str, name: str, way: int) -> str | None:
    """Ask what forbids to cross a side of a triangle (`displacement` or `attack`)."""
    action = SPECIAL_ACTIONS[kind] + 3 * PLACES[name] + way
    return state.refusal(action, actor(state))


def legal(state: tianxia.State, seat: int | None = None) -> set[str]:
    """Return the tokens of what can happen next."""
    seat = actor(state) if seat is None else seat
    return {state.text(action, seat) for action in state.legal_actions(seat)}


def attacks(state: tianxia.State) -> set[str]:
    return {token for token in legal(state) if "x" in token}


def phase(state: tianxia.State) -> str:
    return str(state.notation().split(" * ")[1].split()[0])


def part(state: tianxia.State, name: str) -> str:
    """Return a named part of the notation; "" where it is not written."""
    found = re.search(rf" {name}=(\S+)", state.notation())
    return found[1] if found else ""


def units(state: tianxia.State) -> dict[str, str]:
    """Return the piles on the field and in whirlpools, bottom to top."""
    return piles(part(state, "units"))


def total(state: tianxia.State, colour: str) -> int:
    """Count an army's units on the board, wherever they are."""
    return sum(in_pile(pile)[colour] for pile in units(state).values())


def moves(state: tianxia.State) -> int:
    return int(part(state, "moves") or 0)


def held(state: tianxia.State) -> dict[str, int]:
    """Return the supplies of all armies that have some."""
    return counts(part(state, "supplies"))


def supplies(state: tianxia.State, colour: str) -> int:
    return held(state).get(colour, 0)


def store(state: tianxia.State) -> int:
    return 60 - sum(held(state).values())


def pawn(state: tianxia.State, colour: str) -> str:
    return piles(part(state, "pawns")).get(colour, "")


def active(state: tianxia.State) -> int:
    return int(part(state, "active") or 0)


def winners(state: tianxia.State) -> str:
    assert state.over
    return part(state, "winners")


def odds(state: tianxia.State) -> dict[str, int]:
    """Return chance's outcomes and their weights."""
    return {state.text(action, CHANCE): weight for action, weight in state.chance_weights()}


def one_step(state: tianxia.State, rng: random.Random) -> None:
    """Let chance, or a seat at random, act once."""
    if state.acting:
        seat = rng.choice(state.acting)
        state.apply(rng.choice(state.legal_actions(seat)), seat)
    else:
        actions, weights = zip(*state.chance_weights(), strict=True)
        state.apply(rng.choices(actions, weights)[0], CHANCE)


def until(state: tianxia.State, *phases: str, seed: int = 0) -> tianxia.State:
    """Play at random until one of these phases is reached."""
    rng = random.Random(seed)
    while phase(state) not in phases and not state.over:
        one_step(state, rng)
    return state


def begin(*phases: str, seed: int = 0, **options: object) -> tianxia.State:
    """Begin a game and play at random up to one of these phases."""
    return until(tianxia.game("binfa", **options).new(), *phases, seed=seed)


def random_game(plies: int, seed: int, **options: object) -> list[tianxia.State]:
    """Return the positions of a random game, as many plies as said at most."""
    rng = random.Random(seed)
    state = tianxia.game("binfa", **options).new()
    found = [state.clone()]
    while not state.over and len(found) < plies:
        one_step(state, rng)
        found.append(state.clone())
    return found
