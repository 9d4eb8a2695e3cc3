"""Moves and captures, whirlpools above all, compared with a plain reading of the rules.

The reference looks ahead literally: an entry into a whirlpool that is not the last move of a
roll is legal if afterwards a unit of the army is outside, and some displacement is legal in
this same sense (BIN-39c, 39e). It keeps piles as lists and knows nothing of the game's tables.
"""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import pytest

import tianxia
from tests.games.binfa.helpers import (
    FIELD,
    connected,
    field,
    legal,
    moves,
    part,
    phase,
    play,
    units,
)

pytestmark = pytest.mark.rules


@dataclass(frozen=True)
class Roll:
    """A position in the middle of a roll; piles are words of colours, bottom to top."""

    piles: dict[str, str]
    terrain: set[str]
    pools: set[str]
    due: set[str]
    army: str
    moves: int

    def shut(self, name: str) -> bool:
        """Two or more units of another colour stand there (BIN-06)."""
        pile = self.piles.get(name, "")
        return len(pile) > 1 and pile[-1] != self.army

    def movable(self) -> Iterator[str]:
        """Name the army's piles on the field, and those that have to leave a whirlpool."""
        for name, pile in self.piles.items():
            if pile[-1] == self.army and (name not in self.pools or name in self.due):
                yield name

    def steps(self) -> Iterator[tuple[str, str, int]]:
        """Name all displacements onto triangles of the field."""
        for origin in self.movable():
            for target in FIELD[origin] - self.terrain - self.pools:
                if not self.shut(target):
                    for count in range(1, len(self.piles[origin]) + 1):
                        yield origin, target, count

    def exits(self, origin: str, entry: str, count: int) -> set[str]:
        """Name the whirlpools where units that enter one may come out (BIN-39a)."""
        found = {name for name in self.pools - self.due - {entry} if not self.shut(name)}
        if origin in self.pools:
            found -= {origin}
            if count == len(self.piles[origin]):
                found |= {origin}
        return found

    def entries(self) -> Iterator[tuple[str, str, int]]:
        """Name all legal entries into whirlpools."""
        for origin in self.movable():
            for entry in FIELD[origin] & self.pools:
                for count in range(1, len(self.piles[origin]) + 1):
                    exits = self.exits(origin, entry, count)
                    if self.shut(entry) or not exits:
                        continue
                    if self.moves == 1 or self.after(origin, min(exits), count).goes_on():
                        yield origin, entry, count

    def after(self, origin: str, target: str, count: int) -> Roll:
        """Return what is there when units have moved, or have come out at a whirlpool."""
        piles = dict(self.piles)
        pile = piles.pop(origin)
        left, group = pile[: len(pile) - count], pile[len(pile) - count :]
        if left:
            piles[origin] = left
        piles[target] = piles.get(target, "") + group
        due = self.due if left and left[-1] == self.army else self.due - {origin}
        return Roll(piles, self.terrain, self.pools, due, self.army, self.moves - 1)

    def goes_on(self) -> bool:
        """Somebody is outside, and something can be moved."""
        outside = any(self.army in p for name, p in self.piles.items() if name not in self.pools)
        return outside and any(True for found in (self.steps(), self.entries()) for _ in found)


def roll_of(state: tianxia.State) -> Roll:
    hills, pools = part(state, "map").split("/")
    return Roll(
        piles_of(state),
        set(hills.split(",")) - {""},
        set(pools.split(",")),
        set(part(state, "due").split(",")) - {""},
        part(state, "army"),
        moves(state),
    )


def piles_of(state: tianxia.State) -> dict[str, str]:
    """Return the piles as words, bottom to top."""
    return {name: _word(pile) for name, pile in units(state).items()}


def _word(pile: str) -> str:
    return "".join(int(count) * colour for count, colour in re.findall(r"(\d+)(\w)", pile))


def chain(rng: random.Random) -> list[str]:
    """Return three triangles for whirlpools that lie side by side, or nearly so."""
    while True:
        found = [rng.choice(sorted(FIELD))]
        while len(found) < 3:
            near = beside(found)
            found.append(rng.choice(sorted(near if rng.random() < 0.6 else beside(near))))
        if len(set(found)) == 3 and connected(set(found)):
            return found


def beside(names: Collection[str]) -> set[str]:
    return set().union(*(FIELD[name] for name in names)) - set(names)


def trap(rng: random.Random) -> tianxia.State:
    """Return a position in which red stands in and around whirlpools and is hemmed in."""
    pools = chain(rng)
    places = rng.sample(pools, rng.randrange(3))
    places += rng.sample(sorted(beside(pools)), rng.randrange(1, 3))
    piles: dict[str, str] = {}
    for _ in range(rng.choice([4, 4, 5, 7])):
        name = rng.choice(places)
        piles[name] = piles.get(name, "") + "r"
    hills = hem_in(rng, piles, pools)
    complete(piles, {*pools, *hills})
    written = " ".join(f"{name}:{_runs(pile)}" for name, pile in piles.items())
    return field(
        written,
        level=4,
        army="r",
        colours="r" + "".join(c for c in "oyg" if c in "".join(piles.values())),
        terrain=" ".join(hills),
        whirlpools=" ".join(pools),
    )


def hem_in(rng: random.Random, piles: dict[str, str], pools: list[str]) -> list[str]:
    """Put foreign piles around red's, and some units into these; return terrain beside them."""
    hills: list[str] = []
    foes = iter("oyg" * 5)
    for name in sorted(beside(piles) - set(pools)):
        chance = rng.random()
        if chance < 0.2 and connected({*pools, *hills, name}):
            hills.append(name)
        elif chance < 0.9:
            piles[name] = next(foes, "o") * 2
    for name in sorted(piles):
        if rng.random() < 0.3:
            pile = piles[name] + next(foes, "o") * rng.choice([1, 2])
            piles[name] = "".join(rng.sample(pile, len(pile)))
    return hills[:9]


def complete(piles: dict[str, str], busy: set[str]) -> None:
    """Give each foreign army that is there four units at least; there is always one."""
    for colour, home in zip("oyg", ("o14", "y14", "g14"), strict=True):
        count = "".join(piles.values()).count(colour)
        if 0 < count < 4 or set("".join(piles.values())) == {"r"}:
            free = [home, "b14", "b12", "p14", "p12", "b16"]
            piles[next(name for name in free if name not in busy | set(piles))] = colour * 4


def _runs(word: str) -> str:
    return "".join(f"{len(run)}{colour}" for run, colour in re.findall(r"((.)\2*)", word))


def compare(state: tianxia.State) -> None:
    """Compare all displacements, and how many units may go on each."""
    reference = roll_of(state)
    wanted: dict[str, set[str]] = {}
    for origin, target, count in [*reference.steps(), *reference.entries()]:
        wanted.setdefault(f"{origin}-{target}", set()).add(str(count))
    assert legal(state) == set(wanted), state.notation()
    for token, counts in wanted.items():
        after = play(state.clone(), token)
        if phase(after) == "counting":
            assert legal(after) == counts, (token, state.notation())
        else:
            assert len(counts) == 1, (token, state.notation())


@pytest.mark.parametrize("seed", range(60))
def test_BIN_39e_moves_and_entries_as_the_rules_say(seed: int) -> None:
    rng = random.Random(seed)
    dice = rng.choice(["6-1", "5-1", "4-1", "3-1", "6-4", "2-1"])
    start = trap(rng)
    wanted = roll_of(start)
    state = play(start, f"roll {dice}")
    if phase(state) != "moving":
        inside = {name for name in wanted.pools if wanted.piles.get(name, "?")[-1] == "r"}
        high, low = map(int, dice.split("-"))
        stuck = Roll(wanted.piles, wanted.terrain, wanted.pools, inside, "r", high - low)
        assert not [*stuck.steps(), *stuck.entries()], start.notation()
        return
    while phase(state) in {"moving", "counting", "leaving", "dividing"}:
        if phase(state) == "moving":
            compare(state)
        play(state, rng.choice(sorted(legal(state))))


# --- Captures ---


def encircled(piles: dict[str, str], roll: Roll) -> list[str]:
    """Name the piles that are shut in: no side is open, and one at least is held by a foe."""
    found = []
    for name, pile in piles.items():
        sides = FIELD[name] - roll.terrain
        shut = [len(piles.get(s, "")) > 1 and piles[s][-1] != pile[-1] for s in sides]
        if (
            len(pile) > 1
            and shut
            and all(shut)
            and name not in roll.pools
            and not sides & roll.pools
        ):
            found.append(name)
    return found


def without_fallen(piles: dict[str, str]) -> dict[str, str]:
    """Pull armies of three units or fewer out of all piles (BIN-12)."""
    everybody = "".join(piles.values())
    fallen = [colour for colour in set(everybody) if everybody.count(colour) <= 3]
    kept = {name: "".join(u for u in pile if u not in fallen) for name, pile in piles.items()}
    return {name: pile for name, pile in kept.items() if pile}


def after_captures(piles: dict[str, str], roll: Roll) -> dict[str, str]:
    """Take other colours first, all at once, then the active army's, until none is shut in."""
    while len(set("".join(piles.values()))) > 1:
        found = encircled(piles, roll)
        foes = [name for name in found if piles[name][-1] != roll.army]
        if not found:
            break
        piles = {name: pile for name, pile in piles.items() if name not in (foes or found)}
        piles = without_fallen(piles)
    return piles


def after_roll(piles: dict[str, str], roll: Roll) -> dict[str, str]:
    """Drown what has not left its whirlpool (BIN-40a), unless the game, or the turn, is over."""
    everybody = set("".join(piles.values()))
    if len(everybody) < 2 or roll.army not in everybody:
        return piles
    late = [name for name in roll.due if piles.get(name, "?")[-1] == roll.army]
    return without_fallen({name: pile for name, pile in piles.items() if name not in late})


def melee(rng: random.Random) -> tianxia.State:
    """Return a position in which piles of two to four armies stand crowded together."""
    here = [rng.choice(sorted(FIELD))]
    while len(here) < rng.randrange(10, 19):
        here.append(rng.choice(sorted(beside(here))))
    colours = "royg"[: rng.choice([2, 3, 3, 4])]
    pools = rng.sample([*here, *sorted(beside(here))], 3)
    hills = rng.sample(sorted(set(here) - set(pools)), rng.randrange(3))
    if not connected({*pools, *hills}):
        return melee(rng)
    pairs = [colour * 2 for colour in colours for _ in range(rng.choice([2, 3, 6]))]
    rng.shuffle(pairs)
    piles: dict[str, str] = {}
    for pair in pairs:
        name = rng.choice(here)
        if name not in hills and len(piles.get(name, "")) < 6:
            piles[name] = piles.get(name, "") + pair
    for colour in colours:
        while "".join(piles.values()).count(colour) < rng.choice([4, 5, 6]):
            name = rng.choice(sorted(set(FIELD) - {*pools, *hills}))
            piles[name] = colour + piles.get(name, "")  # below what stands there
    written = " ".join(f"{name}:{_runs(pile)}" for name, pile in piles.items())
    lie = {"terrain": " ".join(hills), "whirlpools": " ".join(pools)}
    return field(written, level=4, army="r", colours=colours, **lie)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(60))
def test_BIN_10a_captures_as_the_rules_say(seed: int) -> None:
    rng = random.Random(seed)
    state = play(melee(rng), f"roll {rng.choice(['6-1', '5-1', '3-1', '2-1'])}")
    while phase(state) == "moving":
        roll = roll_of(state)
        steps = sorted(roll.steps())
        if not steps:
            break
        origin, target, count = rng.choice(steps)
        play(state, f"{origin}-{target}")
        if phase(state) == "counting":
            play(state, str(count))
        moved = roll.after(origin, target, count)
        wanted = after_captures(moved.piles, moved)
        if phase(state) != "moving":
            wanted = after_roll(wanted, moved)
        assert piles_of(state) == wanted
