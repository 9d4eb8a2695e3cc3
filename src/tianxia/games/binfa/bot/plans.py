"""What the Quartermaster plans: which pile to close in, from where, in how many displacements.

A *plan* closes every side of an opposing pile: each open side gets two units from the
nearest pile that can spare them. Its cost is the number of displacements; a lone unit, or
a pile beside a whirlpool, is not captured by that but has to be attacked afterwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tianxia.games.binfa.rules import maps
from tianxia.games.binfa.rules.components import FALLS_AT, NEIGHBOURS, TRIANGLES

SIDES = [[t for t in row if t >= 0] for row in NEIGHBOURS.tolist()]
"""The triangles beside each triangle."""
OUT_OF_REACH = 99
FALL = 4.0  # how much more a capture is worth that makes an army fall
SUPPLY = 0.1  # what a supply of that army is worth
A_STEP_LATER = 0.82  # what a plan is worth after each displacement that it still costs
WITH_DICE = 0.5  # and if it needs an attack as well


@dataclass(frozen=True)
class Plan:
    """Close in on a pile; `marches` are (from, to, distance) of the units that it takes."""

    worth: float
    cost: int
    target: int
    marches: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class March:
    """One displacement: some units go from a triangle to the next one."""

    origin: int
    target: int
    count: int


class Field:
    """A position as one army sees it, in lists."""

    def __init__(self, fields: Any, seat: int, army: int) -> None:
        self.seat = seat
        self.army = army
        self.height: list[int] = fields["height"].tolist()
        self.top: list[int] = [colour - 1 for colour in fields["top"].tolist()]
        self.owner: list[int] = [owner - 1 for owner in fields["owner"].tolist()]
        self.strength: list[int] = fields["strength"].tolist()
        self.supplies: list[int] = fields["supplies"].tolist()
        self.terrain = set(maps.triangles_of(fields["terrain"].tolist()))
        self.pools = maps.triangles_of(fields["pools"].tolist())
        self.closed = self.terrain | set(self.pools)
        due = int(fields["due"])
        self.due = [t for i, t in enumerate(self.pools) if due >> i & 1]

    def own(self) -> list[int]:
        """Return where piles of this army stand that can be moved."""
        return [
            t
            for t in range(TRIANGLES)
            if self.top[t] == self.army and (t not in self.pools or t in self.due)
        ]

    @cached_property
    def foes(self) -> list[int]:
        """Return where piles of other players stand on the field."""
        return [
            t
            for t in range(TRIANGLES)
            if self.height[t] and self.owner[self.top[t]] != self.seat and t not in self.pools
        ]

    def open_to(self, colour: int, t: int) -> bool:
        """Say whether units of a colour may step on a triangle."""
        return t not in self.closed and (self.height[t] < 2 or self.top[t] == colour)

    def closes(self, t: int, colour: int) -> bool:
        """Say whether a triangle is no way out for a pile of a colour."""
        return t in self.closed or (self.height[t] > 1 and self.top[t] != colour)

    def retreats(self, t: int, attackers: int) -> int:
        """Return how many triangles are open to a pile that is driven out."""
        colour = self.top[t]
        return sum(not self.closes(side, colour) for side in SIDES[t] if side != attackers)

    def distances(self, goal: int) -> list[int]:
        """Return the displacements from everywhere to a triangle, past lone foreign units."""
        found = [OUT_OF_REACH] * TRIANGLES
        found[goal] = 0
        edge = [goal]
        while edge:
            fresh = []
            for here in edge:
                for t in SIDES[here]:
                    free = not self.height[t] or self.top[t] == self.army
                    if found[t] == OUT_OF_REACH and free and t not in self.closed:
                        found[t] = found[here] + 1
                        fresh.append(t)
                    elif found[t] == OUT_OF_REACH and t in self.due:
                        found[t] = found[here] + 1
            edge = fresh
        return found

    def worth(self, t: int) -> float:
        """Return what the loss of a pile would be worth to this army's owner."""
        colour = self.top[t]
        units = float(self.height[t])
        if self.strength[colour] - self.height[t] <= FALLS_AT:
            units += FALL + SUPPLY * self.supplies[colour]
        return units

    # --- Plans ---

    def plan(self, target: int) -> Plan | None:
        """Return how to close in on a pile, or None where that cannot be done now."""
        colour = self.top[target]
        sides = SIDES[target]
        gaps = [t for t in sides if not self.closes(t, colour)]
        if any(self.height[t] > 1 for t in gaps):
            return None  # a neighbour of its own colour
        by_dice = self.height[target] == 1 or any(t in self.pools for t in sides)
        spare = {t: self.height[t] - (2 if t in sides else 0) for t in self.own() if t != target}
        marches = self._marches(gaps, spare)
        if marches is None:
            return None
        cost = sum(distance for _, _, distance in marches)
        worth = self.worth(target) * A_STEP_LATER**cost * (WITH_DICE if by_dice else 1.0)
        return Plan(worth, cost, target, tuple(marches))

    def _marches(self, gaps: list[int], spare: dict[int, int]) -> list[tuple[int, int, int]] | None:
        """Return from where each gap is filled: the dearest first, each from the nearest."""
        reach = {gap: self.distances(gap) for gap in gaps}
        marches = []
        left = list(gaps)
        while left:
            best: dict[int, tuple[int, int]] = {}
            for gap in left:
                able = [(reach[gap][t], t) for t, units in spare.items() if units > 1]
                if not able or min(able)[0] >= OUT_OF_REACH:
                    return None
                best[gap] = min(able)
            gap = max(left, key=lambda gap: best[gap])
            distance, origin = best[gap]
            marches.append((origin, gap, distance))
            spare[origin] -= 2
            left.remove(gap)
        return marches

    def plans(self) -> list[Plan]:
        """Return all plans that cost something, the best first."""
        found = [self.plan(target) for target in self.foes]
        good = [plan for plan in found if plan is not None and plan.marches]
        return sorted(good, key=lambda plan: (-plan.worth, plan.target))

    def march(self, plan: Plan) -> March | None:
        """Return the next displacement of a plan."""
        for origin, goal, distance in sorted(plan.marches, key=lambda march: -march[2]):
            reach = self.distances(goal)
            near = [t for t in SIDES[origin] if reach[t] == distance - 1]
            if not near:
                continue
            target = min(near, key=lambda t: (-self.height[t], t))
            keep = 2 if origin in SIDES[plan.target] else 0
            others = [m for m in plan.marches if m[0] == origin and m[1] != goal]
            apart = [m for m in others if self.distances(m[1])[target] >= m[2]]
            count = self.height[origin] - keep
            if apart:
                count = max(2, count - max(2, count // 2) * len(apart))
            return March(origin, target, max(1, min(count, self.height[origin])))
        return None

    # --- Danger ---

    def company(self, t: int, colour: int) -> int:
        """Return how many units of a colour stand beside a triangle."""
        return sum(self.height[side] for side in SIDES[t] if self.top[side] == colour)


def side_by_side(spots: Sequence[int], first: int, length: int) -> list[int]:
    """Return triangles side by side among `spots`, on which piles protect one another.

    The first that has `length` of them, looking from place `first` on; else the longest.
    """
    best: list[int] = []
    for i in range(len(spots)):
        chain = [spots[(first + i) % len(spots)]]
        while len(chain) < length:
            near = [t for t in SIDES[chain[-1]] if t in spots and t not in chain]
            if not near:
                break
            chain.append(near[0])
        if len(chain) > len(best):
            best = chain
    return best
