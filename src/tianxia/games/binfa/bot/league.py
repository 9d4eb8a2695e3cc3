"""Strangers to measure the Warlord by: styles of play, of which it knows nothing.

A style is a Warlord without trials that likes some actions better than it values them, has a taste
of its own for what a position is worth, and sets up otherwise. The arena finds them as
``tianxia.games.binfa.bot.league:rusher`` and so on; see `search.leaning`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tianxia.games.binfa.bot.appraisal import WEIGHT_NAMES, weights_for
from tianxia.games.binfa.bot.warlord import BEST, FORMATION, Warlord
from tianxia.games.binfa.rules import components as c
from tianxia.kernel.game import Game
from tianxia.kernel.rng import below, new_rng
from tianxia.kernel.state import State
from tianxia.search.leaning import League, Place, breed, factors
from tianxia.search.leaning import Style as Leaner

WEIGHT_PLACES: dict[str, Place] = {name: place for place, name in enumerate(WEIGHT_NAMES)}
BRED_BY = tuple(name for name in WEIGHT_NAMES if name != "fading")
"""Which weights a style that is bred has otherwise; `fading` is a rate, not a worth."""
STRANGE_FORMATIONS = (FORMATION, (3, 3, 3, 3), (4, 4, 4), (6, 6), (3, 2, 2, 2, 3), (4, 2, 2, 4))
THOUGHT = replace(BEST, width=12, deep=6, trials=0)
GREAT = 3
"""From this height on a pile is worth a long march."""


def _steps() -> list[list[int]]:
    """Return how many steps each triangle is from each other one, if nothing lies between."""
    table = [[c.TRIANGLES] * c.TRIANGLES for _ in range(c.TRIANGLES)]
    for start, row in enumerate(table):
        row[start], edge = 0, [start]
        for here in edge:  # which grows meanwhile
            for near in c.NEIGHBOURS[here].tolist():
                if near >= 0 and row[near] == c.TRIANGLES:
                    row[near] = row[here] + 1
                    edge.append(near)
    return table


STEPS_APART = _steps()


@dataclass(frozen=True)
class Style(Leaner):
    """How a stranger plays: see `search.leaning.Style`.

    Attributes
    ----------
    formation
        Heights of the piles that it sets up, 12 units in all.
    fear
        What part of the others' next strikes it sees.
    """

    formation: Sequence[int] = FORMATION
    fear: float = BEST.fear


class Sight:
    """A view, as a style looks at it; armies and triangles by their numbers."""

    def __init__(self, view: State, seat: int) -> None:
        fields = view.fields
        self.seat = seat
        self.army = int(fields["army"]) - 1
        self.height: list[int] = fields["height"].tolist()
        self.top: list[int] = [int(colour) - 1 for colour in fields["top"]]
        self.owner: list[int] = [int(owner) - 1 for owner in fields["owner"]]
        strength: list[int] = fields["strength"].tolist()
        units = [0] * view.seats
        for army, owner in enumerate(self.owner):
            units[owner] += strength[army] if owner >= 0 else 0
        self.leader = max(
            (other for other in range(view.seats) if other != seat), key=units.__getitem__
        )

    def owns(self, triangle: int) -> int:
        """Return whose pile stands on a triangle, or −1."""
        return self.owner[self.top[triangle]] if self.height[triangle] else -1

    def goal(self, action: int) -> int:
        """Return the triangle to which a displacement or an attack goes; −1 for anything else."""
        if c.kind_of(action) not in (c.GO, c.ATTACK):
            return -1
        return int(c.NEIGHBOURS[c.argument(action, 0), c.argument(action, 1)])

    def around(self, triangle: int) -> list[int]:
        """Return the triangles beside one."""
        return [int(near) for near in c.NEIGHBOURS[triangle] if near >= 0]


# --- What styles like about an action, in utility ---


def rushes(_sight: Sight, action: int) -> float:
    """Roll on and on."""
    return 0.02 if action == c.ROLL else 0.0


def waits(sight: Sight, action: int) -> float:
    """Stop as soon as may be, and stay beside friends."""
    if action == c.STOP:
        return 0.01
    goal = sight.goal(action)
    if goal < 0:
        return 0.0
    return 0.004 * sum(sight.owns(near) == sight.seat for near in sight.around(goal))


def stores(_sight: Sight, action: int) -> float:
    """Resupply whenever nothing much is to be won."""
    return 0.03 if c.kind_of(action) == c.SUPPLY_ARMY else 0.0


def drives(_sight: Sight, action: int) -> float:
    """Attack rather than close in."""
    return 0.03 if c.kind_of(action) == c.ATTACK else 0.0


def shuns(_sight: Sight, action: int) -> float:
    """Close in rather than attack."""
    return -0.03 if c.kind_of(action) == c.ATTACK else 0.0


def heaps(sight: Sight, action: int) -> float:
    """Go where its own piles stand: tall ones."""
    goal = sight.goal(action)
    return 0.015 if goal >= 0 and sight.owns(goal) == sight.seat else 0.0


def scatters(sight: Sight, action: int) -> float:
    """Go with few units, where no friend is near."""
    if c.kind_of(action) == c.COUNT:
        return -0.004 * c.argument(action, 0)
    goal = sight.goal(action)
    if goal < 0:
        return 0.0
    return -0.004 * sum(sight.owns(near) == sight.seat for near in sight.around(goal))


def spoils(sight: Sight, action: int) -> float:
    """Come near the piles of whoever has most units."""
    goal = sight.goal(action)
    if goal < 0:
        return 0.0
    return 0.015 * sum(sight.owns(near) == sight.leader for near in sight.around(goal))


def stalks(sight: Sight, action: int) -> float:
    """Come nearer to the next tall pile of another."""
    goal = sight.goal(action)
    prey = [
        t
        for t, height in enumerate(sight.height)
        if height >= GREAT and sight.owns(t) != sight.seat
    ]
    if goal < 0 or not prey:
        return 0.0
    here, there = (min(STEPS_APART[at][t] for t in prey) for at in (c.argument(action, 0), goal))
    return 0.01 * (here - there)


LEANINGS = (rushes, waits, stores, drives, shuns, heaps, scatters, spoils, stalks)
PLAYING_STYLES = {
    "rusher": Style(rushes, {"reach": 3.0, "eager": 0.2}, fear=0.2),
    "turtle": Style(waits, {"next": 1.3, "later": 1.3}, (3, 3, 3, 3), fear=1.0),
    "hoarder": Style(stores, {"supplies": 1.6}),
    "driver": Style(drives, {"driving": 2.5}, (4, 4, 4)),
    "besieger": Style(shuns, {"driving": 0.3, "second": 1.5}),
    "heaper": Style(heaps, {"heaped": 0.1}, (6, 6)),
    "scatterer": Style(scatters, {"heaped": 2.0}),
    "spoiler": Style(spoils, {"now": 1.3}, (3, 2, 2, 2, 3)),
    "stalker": Style(stalks, {"reach": 1.5}, (4, 2, 2, 4)),
    "diver": Style(taste={"inside": 0.0, "covered": 0.3}, fear=0.1),
}


def bred(number: int) -> Style:
    """Return the style of a number, with a formation and fear of its own."""
    drawn = breed(number, LEANINGS, BRED_BY)
    rng = new_rng(number, 1)
    formation = STRANGE_FORMATIONS[below(rng, len(STRANGE_FORMATIONS))]
    return Style(drawn.leaning, drawn.taste, formation, fear=(1 + below(rng, 8)) / 10)


class Stranger(Warlord):
    """Plays as its style likes."""

    def __init__(self, game: Game, seat: int, seed: int, style: Style) -> None:
        super().__init__(
            game,
            seat,
            seed,
            skill=replace(THOUGHT, fear=style.fear),
            weights=weights_for(game) * factors(style.taste, WEIGHT_PLACES, len(WEIGHT_NAMES)),
            formation=style.formation,
        )
        self.style = style

    def values(self, view: State, deadline: float | None = None) -> dict[int, float]:
        """Return what each legal action is worth to this style."""
        sight = Sight(view, self.seat)
        found = super().values(view, deadline)
        return {one: worth + self.style.leaning(sight, one) for one, worth in found.items()}


LEAGUE = League(Stranger, PLAYING_STYLES, bred, bred=(4, 2))

__getattr__ = LEAGUE.maker
"""Styles' makers by name, as the arena asks for `module:name`."""
