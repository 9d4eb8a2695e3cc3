"""The set-up of Bin'Fa on a page: all units of a seat laid out in peace, and ready formations.

A formation is piles with their triangles, numbered as in any base: ``6:4`` is four units on
the sixth. Where no unit can stand, the pile takes the nearest triangle that is free.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache, lru_cache
from itertools import product
from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from tianxia.draw.languages import N_, translator
from tianxia.draw.scene import Arrangement, Kind, Placement, Preset, SceneRequest
from tianxia.games.binfa.face.words import ARMY_MARKS, army_name
from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules.maps import triangles_of
from tianxia.games.binfa.rules.state import PLACING

if TYPE_CHECKING:
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
Pile = tuple[int, int]
"""The place of a triangle in its base, from 0, and how many units stand there."""


class Formation(NamedTuple):
    """A set-up of one army with a name; from which level on it makes sense."""

    id: str
    name: str
    piles: tuple[Pile, ...]
    level: int = 1


def _read(text: str) -> tuple[Pile, ...]:
    pairs = (part.split(":") for part in text.split())
    return tuple((int(place) - 1, int(units)) for place, units in pairs)


FORMATIONS = (
    # Three piles of four that cover one another, in the middle of the base.
    Formation("phalanx", N_("The phalanx"), _read("6:4 7:4 8:4")),
    # Two piles that only a seven could drive out.
    Formation("fists", N_("Two fists"), _read("6:6 8:6")),
    # A pair on every triangle of the third row: each hem of a net.
    Formation("net", N_("The net"), _read("5:2 6:2 7:2 8:2 9:2 3:2")),
    # Towards both neighbours at once, with a reserve between them.
    Formation("wings", N_("Two wings"), _read("5:4 9:4 13:4")),
    # One tall pile near the centre, the rest behind it.
    Formation("spear", N_("The spear"), _read("3:6 7:4 13:2")),
    # What stays at home holds the base, so that its supplies can be fetched (BIN-31b).
    Formation("foragers", N_("Home guard and foragers"), _read("13:2 5:5 9:5"), 3),
)


def fitted(formation: Formation, free: Collection[int]) -> dict[int, int]:
    """Return how many units stand where, on the free places of a base: ``{5: 4, …}``."""
    layout = {place: units for place, units in formation.piles if place in free}
    for place, units in formation.piles:
        if place not in free:
            near = [other for other in _nearest(place) if other in free]
            at = next((other for other in near if other not in layout), near[0])
            layout[at] = layout.get(at, 0) + units
    return layout


@cache
def positions(formation: Formation) -> tuple[Formation, ...]:
    """Return each way a formation can lie in a base: where it is at home, moved, and turned."""
    found = {frozenset(formation.piles): formation}
    shifts = [(a, b, -a - b) for a in range(1 - c.ROWS, c.ROWS) for b in range(1 - c.ROWS, c.ROWS)]
    for turn, shift in product(range(3), shifts):
        piles = tuple((_moved(place, turn, shift), units) for place, units in formation.piles)
        if min(place for place, _ in piles) >= 0:
            found.setdefault(frozenset(piles), formation._replace(piles=piles))
    return tuple(found.values())


def _moved(place: int, turn: int, shift: tuple[int, int, int]) -> int:
    """Return where a triangle of a base comes to lie, −1 beyond it.

    Its coordinates are the rows between it and each side of the base.
    """
    row = isqrt(place)
    along = place - row * row
    rows = (c.ROWS - 1 - row, along // 2, row - (along + 1) // 2)
    out, left, right = (rows[(n + turn) % 3] + shift[n] for n in range(3))
    if min(out, left, right) < 0:
        return -1
    row = c.ROWS - 1 - out
    return row * row + 2 * left + (out + left + right < c.ROWS - 1)


def _nearest(place: int) -> list[int]:
    """Return all places of a base, the nearest to one of them first."""
    found = [place]
    for here in found:
        found += [
            t for t in sorted(c.NEIGHBOURS[here].tolist()) if 0 <= t < c.BASE and t not in found
        ]
    return found


# --- On the page ---

MIRRORED = [row * row + 2 * row - place for row in range(c.ROWS) for place in range(2 * row + 1)]
"""For each place of a base its mirror image."""


def arrangement_of(request: SceneRequest) -> Arrangement | None:
    """Return what the viewer has still to set up, and where; None in any other phase."""
    view, seat = request.view, request.viewer
    placing = view.fields["phase"] == PLACING
    if not placing or seat < 0 or view.viewer != seat or seat not in view.acting:
        return None
    owners, strength = view.fields["owner"].tolist(), view.fields["strength"].tolist()
    left = tuple(
        c.ARMY - units if owner == seat + 1 else 0
        for owner, units in zip(owners, strength, strict=True)
    )
    level = int(view.fields["options"]["level"])
    return _whole(left, tuple(sorted(closed(view))), level, request.language)


def closed(view: State) -> set[int]:
    """Return the triangles on which no unit can be set up."""
    return {
        *triangles_of(view.fields["terrain"].tolist()),
        *triangles_of(view.fields["pools"].tolist()),
    }


@lru_cache(200)
def _whole(left: tuple[int, ...], shut: tuple[int, ...], level: int, language: str) -> Arrangement:
    """Return the arrangement of armies of which so many units are left."""
    _ = translator(language, PACKAGE).gettext
    armies = [army for army, units in enumerate(left) if units]
    slots = [
        t for army in armies for t in range(c.BASE * army, c.BASE * army + c.BASE) if t not in shut
    ]
    kinds = tuple(
        Kind(
            id=c.LETTERS[army],
            symbol=f"binfa-unit-{ARMY_MARKS[army]}",
            label=_("{army} unit").format(army=army_name(army, language)),
            count=left[army],
            action=c.SPOT,
            barred=tuple(slot for slot, t in enumerate(slots) if c.SECTOR[t] != army),
        )
        for army in armies
    )
    whole = all(left[army] == c.ARMY for army in armies)
    images = [c.BASE * int(c.SECTOR[t]) + MIRRORED[t % c.BASE] for t in slots]
    return Arrangement(
        slots=tuple(map(c.triangle_name, slots)),
        kinds=kinds,
        empty=None,
        presets=tuple(
            _preset(formation, armies, slots, language)
            for formation in FORMATIONS
            if whole and formation.level <= level
        ),
        mirror=tuple(map(slots.index, images)) if set(images) == set(slots) else (),
        offsets=tuple(slots),
        piles=True,
    )


def _preset(formation: Formation, armies: list[int], slots: list[int], language: str) -> Preset:
    """Return a formation, the same for each army as far as its terrain lets it."""
    _ = translator(language, PACKAGE).gettext
    placements = [
        _placements(formation, kind, army, tuple(slots)) for kind, army in enumerate(armies)
    ]
    layout, heights = [-1] * len(slots), [0] * len(slots)
    for kind, piles in (at_home for at_home, *_others in placements):
        for slot, units in piles:
            layout[slot], heights[slot] = kind, units
    return Preset(
        formation.id,
        _(formation.name),
        tuple(layout),
        tuple(heights),
        tuple(one for army in placements for one in army),
    )


def _placements(
    formation: Formation, kind: int, army: int, slots: tuple[int, ...]
) -> list[Placement]:
    """Return each way a formation can lie in an army's base, where it is at home first."""
    free = {t - c.BASE * army: slot for slot, t in enumerate(slots) if c.SECTOR[t] == army}
    layouts = (fitted(position, free) for position in positions(formation))
    found = (
        tuple(sorted((free[place], units) for place, units in layout.items())) for layout in layouts
    )
    return [Placement(kind, piles) for piles in dict.fromkeys(found)]


__all__ = ["FORMATIONS", "Formation", "arrangement_of", "fitted", "positions"]
