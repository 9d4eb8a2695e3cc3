"""Bin'Fa on a page: the hexagon with its ring as a picture; clicks, dice, buttons.

Elements: triangles (``r5``), circles (``c-r4``), armies of which one is to be chosen
(``move-r``, ``supply-r``), counts (``n-3``), and buttons: ``roll``, ``stop``, ``take``, ``bank``,
``leave``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tianxia.draw.languages import labelled, translator
from tianxia.draw.pictures import read, template
from tianxia.draw.scene import Actor, Arrangement, Scene, SceneRequest, Stage
from tianxia.games.binfa.face import field
from tianxia.games.binfa.face.gestures import ahead_of, gestures_of, meant, taken, touched
from tianxia.games.binfa.face.journeys import journeys, marches
from tianxia.games.binfa.face.panels import panels_of
from tianxia.games.binfa.face.plates import plates
from tianxia.games.binfa.face.presets import arrangement_of
from tianxia.games.binfa.face.prompts import status, told
from tianxia.games.binfa.face.words import (
    ARMY_MARKS,
    army_name,
    in_layers,
    piles_of,
    sides_of,
    target_of,
)
from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules.maps import triangles_of

if TYPE_CHECKING:
    from tianxia.draw.scene import Happening
    from tianxia.kernel.state import State

__all__ = ["STYLE", "SYMBOLS", "journeys", "marches", "meant", "scene", "touched"]

PACKAGE = __package__ or ""
STYLE = read(PACKAGE, "board.css")
TRIANGLE_NAMES = tuple(map(c.triangle_name, range(c.TRIANGLES)))
RINGED = 3
"""From that level on there are supplies, and the ring that brings them."""
CIRCLE_NAMES = tuple(map(c.circle_name, range(c.CIRCLES)))
TILE_STEP, TALLEST = 6.0, 22.0
"""How far a tile of a pile stands out over the one below it, and all of them at most."""
CANAL, SHORE = 64, 20
"""How wide the water round the field is, with the ring in it and without."""

PIPS = {
    1: ((50, 50),),
    2: ((28, 28), (72, 72)),
    3: ((26, 26), (50, 50), (74, 74)),
    4: ((28, 28), (72, 28), (28, 72), (72, 72)),
    5: ((27, 27), (73, 27), (50, 50), (27, 73), (73, 73)),
    6: ((28, 24), (72, 24), (28, 50), (72, 50), (28, 76), (72, 76)),
}

WEAVES = dict(
    zip(
        ARMY_MARKS,
        (
            "M0 20L20 0M-4 4L4-4M16 24L24 16",
            "M4 6L10 12 16 6M4 16L10 22 16 16M4-4L10 2 16-4",
            "M7 10h6M-3 0h6M17 0h6M-3 20h6M17 20h6",
            "M0 10A10 10 0 0 1 20 10M-10 20A10 10 0 0 1 10 20M10 20A10 10 0 0 1 30 20",
            "M0 5Q5 0 10 5T20 5M0 15Q5 10 10 15T20 15",
            "M10 4V16M4 10H16",
        ),
        strict=True,
    )
)
"""A pattern for each sector, so that its colour is not the only sign."""

SYMBOLS = template(PACKAGE, "symbols.svg.jinja").render(marks=ARMY_MARKS, weaves=WEAVES, pips=PIPS)


@dataclass(frozen=True)
class Facts:
    """What the view knows, as plain numbers."""

    below: int
    piles: dict[int, tuple[int, ...]]
    terrain: tuple[int, ...]
    pools: tuple[int, ...]
    pawns: list[int]
    dice: tuple[int, int]

    @classmethod
    def of(cls, request: SceneRequest) -> Facts:
        """Read a view."""
        fields = request.view.fields
        return cls(
            below=below(request),
            piles=piles_of(request.view),
            terrain=tuple(triangles_of(fields["terrain"].tolist())),
            pools=tuple(triangles_of(fields["pools"].tolist())),
            pawns=fields["pawns"].tolist(),
            dice=(int(fields["high"]), int(fields["low"])),
        )


def below(request: SceneRequest) -> int:
    """Return the sector that lies below: of the viewer's first army, else red."""
    owners = request.view.fields["owner"].tolist()
    drawn = [army - 1 for army in request.view.fields["drawn"].tolist() if army]
    own = [army for army in drawn if owners[army] == request.viewer + 1]
    return own[0] if own and request.viewer >= 0 else 0


def scene(request: SceneRequest) -> Scene:
    """Draw a position for a viewer."""
    _ = translator(request.language, PACKAGE).gettext
    arrangement, facts, ahead = arrangement_of(request), Facts.of(request), ahead_of(request)
    return Scene(
        svg=_board(request, facts, arrangement),
        gestures=() if arrangement else tuple(gestures_of(request)),
        arrangement=arrangement,
        panels=panels_of(request),
        text=request.view.diagram(request.language),
        status=status(request),
        told=told(request),
        plates=plates(request),
        armies=seat_marks(request.view),
        ahead=ahead,
        together=_("Several piles") if len(ahead) > 1 and request.view.fields["moves"] > 1 else "",
        stage=_stage(request, facts),
    )


def seat_marks(view: State) -> tuple[str, ...]:
    """Return the army that marks each seat: its first one; "" until it is chosen or drawn."""
    first = dict(view.game.chosen)
    for seat, army in enumerate(view.fields["drawn"].tolist()[: view.seats]):
        if army:
            first[seat] = army - 1
    return tuple(ARMY_MARKS[first[s]] if s in first else "" for s in range(view.seats))


# --- The picture ---


def _board(request: SceneRequest, facts: Facts, arrangement: Arrangement | None) -> str:
    _ = translator(request.language, PACKAGE).gettext
    view = request.view
    places = field.triangles(facts.below)
    ring = view.fields["options"]["level"] >= RINGED
    playing = request.viewer >= 0 and view.viewer == request.viewer and not view.over
    return template(PACKAGE, "board.svg.jinja").render(
        prefix=request.prefix,
        title=_("The field of Bin’Fa"),
        role="button" if playing else "img",
        bases=[
            (ARMY_MARKS[sector], field.path(corners), *field.middle(corners))
            for sector, corners in enumerate(field.bases(facts.below))
        ],
        width=CANAL if ring else SHORE,
        moat=field.path(field.outline(facts.below, field.RIM if ring else SHORE / 2)),
        groves=field.GROVES,
        triangles=list(_triangles(request, facts)),
        names=[
            (TRIANGLE_NAMES[number], *spot)
            for number, spot in enumerate(field.corners(facts.below))
        ],
        terrain=[(places[t].x, places[t].y) for t in facts.terrain],
        pools=[(places[t].x, places[t].y) for t in facts.pools],
        traces=_traces(request, facts),
        sieges=list(_sieges(view, facts)),
        piles=list(_piles(facts)),
        slots=[
            (name, places[c.triangle_number(name)])
            for name in (arrangement.slots if arrangement else ())
        ],
        circles=list(_circles(request, facts)),
        pawns=list(_pawns(facts)),
        **_dice(request, facts),
    )


def _triangles(request: SceneRequest, facts: Facts) -> Iterator[tuple[str, str, str, str]]:
    """Yield the triangles: name, path, further class, label."""
    places, plots = field.triangles(facts.below), field.plots(facts.below)
    for number, (name, place) in enumerate(zip(TRIANGLE_NAMES, places, strict=True)):
        label = _triangle_label(request, facts, number)
        yield name, plots[number], _ground(facts, number, place), label


def _ground(facts: Facts, number: int, place: field.Triangle) -> str:
    """Return the classes of a triangle by what it is: land in two tones, rock, water."""
    if number in facts.terrain:
        return " is-rock"
    if number in facts.pools:
        return " is-lake"
    return " is-low" if place.points_down else ""


def _triangle_label(request: SceneRequest, facts: Facts, number: int) -> str:
    """Return what is on a triangle: ``r5: 3 Red under 1 Blue``."""
    _ = translator(request.language, PACKAGE).gettext
    name = TRIANGLE_NAMES[number]
    notes = []
    if number in facts.terrain:
        notes.append(_("terrain"))
    if number in facts.pools:
        notes.append(_("whirlpool"))
    if number in facts.piles:
        notes.append(in_layers(facts.piles[number], request.language))
    return labelled(name, ", ".join(notes) or _("empty"), request.language)


def _piles(facts: Facts) -> Iterator[dict[str, Any]]:
    """Yield the piles, those behind first: a tile for each unit, the height on the top one."""
    places = field.triangles(facts.below)
    for number, pile in sorted(facts.piles.items(), key=lambda one: places[one[0]].y):
        place, below = places[number], pile[:-1]
        step = min(TILE_STEP, TALLEST / len(below)) if below else 0.0
        foot = step * len(below) / 2
        yield {
            "name": TRIANGLE_NAMES[number],
            "x": place.x,
            "y": place.y,
            "mark": ARMY_MARKS[pile[-1]],
            "height": len(pile),
            "foot": round(foot, 1),
            "slabs": [(ARMY_MARKS[a], round(foot - n * step, 1)) for n, a in enumerate(below)],
            "top": -round(foot, 1),
        }


def _sieges(view: State, facts: Facts) -> Iterator[tuple[str, str]]:
    """Yield the piles that one more pile would surround, with their closed sides as a path."""
    places = field.triangles(facts.below)
    for number, sides in sides_of(view).items():
        closed = [side for side, shut in sides.items() if shut]
        if len(facts.piles[number]) > 1 and closed and len(closed) == len(sides) - 1:
            edges = (field.edge(places[number], places[side]) for side in closed)
            yield TRIANGLE_NAMES[number], "".join(edges)


# --- The ring ---


def _circles(request: SceneRequest, facts: Facts) -> Iterator[tuple[Any, ...]]:
    """Yield the circles: name, where, army, whether at home and in the middle there, label."""
    if request.view.fields["options"]["level"] < RINGED:
        return
    for circle, (x, y) in enumerate(field.circles(facts.below)):
        side, place = divmod(circle, c.SIDE)
        colour = int(c.CIRCLE_COLOUR[circle])
        label = _circle_label(request, facts, circle)
        name, home = f"c-{CIRCLE_NAMES[circle]}", colour == side
        yield name, x, y, ARMY_MARKS[colour], home, place == c.CENTRE, label


def _circle_label(request: SceneRequest, facts: Facts, circle: int) -> str:
    _ = translator(request.language, PACKAGE).gettext
    colour = army_name(int(c.CIRCLE_COLOUR[circle]), request.language)
    text = _("circle {name}, {colour}").format(name=CIRCLE_NAMES[circle], colour=colour)
    standing = [army for army, at in enumerate(facts.pawns) if at == circle + 1]
    if standing:
        who = army_name(standing[0], request.language)
        text = labelled(text, _("pawn of {army}").format(army=who), request.language)
    return text


def _pawns(facts: Facts) -> Iterator[dict[str, Any]]:
    for army, at in enumerate(facts.pawns):
        if at:
            x, y = field.circles(facts.below)[at - 1]
            yield {"army": army, "mark": ARMY_MARKS[army], "x": x, "y": y}


# --- Dice, and what has happened ---


def _dice(request: SceneRequest, facts: Facts) -> dict[str, Any]:
    """Return the dice that lie on the table, and what tells one throw from the next."""
    thrown = [h for h in request.last if h.action is not None and c.kind_of(h.action) == c.ROLLED]
    if thrown:
        last = thrown[-1]
        high, low = c.DICE[c.argument(last.action, 0)].tolist()
        return {"dice": (high, low), "throw": last.before.plies}
    return {"dice": facts.dice if facts.dice[0] else (), "throw": "held"}


def _traces(request: SceneRequest, facts: Facts) -> list[str]:
    """Return arrows for what was moved since the viewer's last decision."""
    ways = [way for h in request.last if (way := _trace(h)) is not None]
    return [_arrow(facts, *way) for way in ways]


def _trace(happening: Happening) -> tuple[int, int] | None:
    if happening.action is None or c.kind_of(happening.action) != c.GO:
        return None
    return c.argument(happening.action, 0), target_of(happening.action)


def _stage(request: SceneRequest, facts: Facts) -> Stage | None:
    """Return the units that have just been taken, and where they stood."""
    newest = request.newest
    if newest is None or newest.action is None:
        return None
    lost = taken(newest.before, request.view)
    if not lost:
        return None
    cast = (
        Actor(f"binfa-unit-{ARMY_MARKS[army]}", falls=True, note=f"−{count}")
        for army, count in lost
    )
    armies = {army for army, _ in lost}
    stood = (
        TRIANGLE_NAMES[number]
        for number, pile in piles_of(newest.before).items()
        if pile != facts.piles.get(number) and armies.intersection(pile)
    )
    return Stage(tuple(stood), tuple(cast))


def _arrow(facts: Facts, origin: int, target: int) -> str:
    places = field.triangles(facts.below)
    (x, y), (a, b) = ((places[t].x, places[t].y) for t in (origin, target))
    return f"M{x:.0f} {y:.0f}L{a:.0f} {b:.0f}"
