"""China on a page: the map as a picture, placing as clicks on cards and spaces.

Elements: spaces by their names (``W3``), dragons (``dragon-Wei``), cards of the hand
(``card-red``), of the display (``show-red``), of the Emperor (``imperial-red``), cards to be
kept (``keep-red``), the ``deck`` and the ``discard``; and buttons: ``fort``, ``stop``, ``pass``,
``decline``, ``emperor``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import dist
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from tianxia.draw.armies import armies_of
from tianxia.draw.languages import labelled, translator
from tianxia.draw.pictures import read, template
from tianxia.draw.scene import Actor, Scene, SceneRequest, Stage
from tianxia.games.china.face import geography
from tianxia.games.china.face.gestures import (
    COLOUR_IDS,
    gestures_of,
    lacking,
    meant,
    placing,
    touched,
)
from tianxia.games.china.face.panels import TILE_IDS, panels_of, sources
from tianxia.games.china.face.plates import plates
from tianxia.games.china.face.prompts import status, told
from tianxia.games.china.face.tally import chains, track
from tianxia.games.china.face.words import SEAT_ARMIES, card_name, owner_name, province_name
from tianxia.games.china.rules import components as c
from tianxia.games.china.rules.boards import PROVINCES, Board

if TYPE_CHECKING:
    from tianxia.draw.scene import Happening
    from tianxia.games.china.face.geography import Map
    from tianxia.kernel.state import State

__all__ = ["STYLE", "SYMBOLS", "lacking", "meant", "scene", "sources", "touched"]

PACKAGE = __package__ or ""
STYLE = read(PACKAGE, "board.css")
PALACE_BOX = (-42, -44, 84, 84)
SCORINGS = ("score", "harbours", "alliance", "roads")


# --- Maps ---


@lru_cache(64)
def map_of(land: int) -> Map:
    """Return the drawn map of a board."""
    return drawn(c.board(land))


def name_of(land: int) -> str:
    """Return what the symbols of a board's map are called."""
    return c.BOARD_NAMES[land] if land < c.NUM_BOARDS else "own"


@lru_cache(64)
def _own_map(land: int) -> Markup:
    """Return the symbols of a board that is none of ours: they go with each picture of it."""
    return sheet("own", c.board(land), map_of(land)) if land >= c.NUM_BOARDS else Markup()


CODE_SPOTS = ((0, 49), (46, 6), (-46, 6), (0, -44))
"""Where a space's name may stand from its middle, the usual spot first."""
CODE_ROOM = 40
"""So far from the middle of all else a name is not covered."""


@lru_cache(64)
def _codes(land: int) -> tuple[tuple[str, float, float], ...]:
    """Return the names of a board's spaces, each below it or where there is room."""
    board, found = c.board(land), []
    taken = [(one.x, one.y) for one in board.spaces] + [*board.dragons, *map_of(land).seals]
    for space in board.spaces:
        spots = [(space.x + right, space.y + down) for right, down in CODE_SPOTS]
        room = [min(CODE_ROOM, *(dist((x, y - 5), one) for one in taken)) for x, y in spots]
        x, y = spots[room.index(max(room))]
        taken.append((x, y - 5))
        found.append((space.name, x, y))
    return tuple(found)


def drawn(board: Board) -> Map:
    """Return the map of any board, finished or not."""
    return geography.draw(
        geography.Chart(
            spaces=tuple((space.x, space.y) for space in board.spaces),
            provinces=tuple(space.provinces for space in board.spaces),
            roads=board.roads,
            dragons=board.dragons,
            alliances=board.alliances,
            letters=tuple(map(len, board.provinces)),
        )
    )


def sheet(name: str, board: Board, lines: Map) -> Markup:
    """Return the symbols of a map: ``china-map-NAME``, and its provinces."""
    colours = [COLOUR_IDS[colour] for colour in board.colours]
    kinds = ["harbour" if s.harbour else "post" if s.is_post else "town" for s in board.spaces]
    facts = {
        "id": name,
        "map": lines,
        "provinces": list(zip(colours, lines.provinces, strict=True)),
        "dragons": list(zip(board.provinces, colours, board.dragons, lines.names, strict=True)),
        "seals": [(number, x, y) for number, (x, y) in enumerate(lines.seals, 1)],
        "spaces": [(kind, s.x, s.y) for kind, s in zip(kinds, board.spaces, strict=True)],
    }
    return Markup(template(PACKAGE, "map.svg.jinja").render(board=facts))  # noqa: S704  (escaped)


def _symbols() -> str:
    return template(PACKAGE, "symbols.svg.jinja").render(
        wall=geography.wall(),
        maps=[sheet(name_of(land), c.board(land), map_of(land)) for land in range(c.NUM_BOARDS)],
        armies=armies_of(SEAT_ARMIES, c.MAX_PLAYERS),
    )


SYMBOLS = _symbols()


# --- What is to be drawn ---

Tiles = dict[str, tuple[float, float, str]]
"""By the name of its space, where a bonus tile lies and what is seen of it."""


@dataclass(frozen=True)
class Facts:
    """What the view knows of the board, as plain numbers."""

    land: int
    board: Board
    owner: dict[int, int]
    forts: tuple[int, ...]
    emissaries: list[list[int]]
    scored: tuple[int, ...]
    points: list[int]
    armies: tuple[str, ...]

    @classmethod
    def of(cls, view: State) -> Facts:
        """Read a view."""
        fields = view.fields
        land = int(fields["land"])
        board = c.board(land)
        spaces = range(len(board.spaces))
        return cls(
            land=land,
            board=board,
            owner={
                space: owner
                for owner, bits in enumerate(fields["palaces"].tolist())
                for space in spaces
                if bits >> space & 1
            },
            forts=tuple(space for space in spaces if int(fields["forts"]) >> space & 1),
            emissaries=fields["emissaries"].tolist(),
            scored=tuple(p for p in range(PROVINCES) if int(fields["scored"]) >> p & 1),
            points=fields["points"].sum(axis=1).tolist(),
            armies=view.game.armies,
        )


class Gain(NamedTuple):
    """Points that somebody has just got, and where that is told."""

    x: float
    y: float
    army: str
    points: int


def scene(request: SceneRequest) -> Scene:
    """Draw a position for a viewer."""
    facts = Facts.of(request.view)
    return Scene(
        svg=_board(request, facts),
        gestures=tuple(gestures_of(request)),
        arrangement=None,
        panels=panels_of(request),
        text=request.view.diagram(request.language),
        status=status(request),
        told=told(request),
        plates=plates(request),
        stage=_stage(request, facts),
    )


# --- The picture ---


def _board(request: SceneRequest, facts: Facts) -> str:
    _ = translator(request.language, PACKAGE).gettext
    tiles = _tiles(request.view, facts)
    return template(PACKAGE, "board.svg.jinja").render(
        prefix=request.prefix,
        title=_("The map of China"),
        board=name_of(facts.land),
        own_map=_own_map(facts.land),
        role="button" if request.plays else "img",
        names=_codes(facts.land),
        tiles=[(name, x, y, sign) for name, (x, y, sign) in tiles.items()],
        forts=[(_name(facts, s), *_place(facts, s)) for s in facts.forts],
        scored=[(facts.board.keys[p], x + 34, y - 22) for p, x, y in _dens(facts, facts.scored)],
        palaces=[
            (_name(facts, space), *_place(facts, space), facts.armies[owner])
            for space, owner in sorted(facts.owner.items())
        ],
        envoys=list(_envoys(facts)),
        markers=list(_markers(request.view, facts)),
        places=list(_places(request, facts, tiles)),
        **_happened(request, facts),
    )


def _name(facts: Facts, space: int) -> str:
    return facts.board.spaces[space].name


def _place(facts: Facts, space: int) -> tuple[float, float]:
    found = facts.board.spaces[space]
    return found.x, found.y


def _dens(facts: Facts, provinces: tuple[int, ...]) -> Iterator[tuple[int, float, float]]:
    for province in provinces:
        yield (province, *facts.board.dragons[province])


def _tiles(view: State, facts: Facts) -> Tiles:
    """Return the bonus tiles that lie on spaces: where, and what is seen of them."""
    fields, found = view.fields, {}
    for spaces, colours in zip(
        fields["tile_space"].tolist(), fields["tile_colour"].tolist(), strict=True
    ):
        for space, colour in zip(spaces, colours, strict=True):
            if space:
                sign = TILE_IDS[colour - 1] if colour else "down"
                found[_name(facts, space - 1)] = (*_place(facts, space - 1), sign)
    return found


Spots = tuple[tuple[float, float], ...]
GROUPS: tuple[tuple[float, Spots], ...] = (
    (1.0, ()),
    (1.0, ((0, 0),)),
    (0.82, ((-17, 0), (17, 0))),
    (0.72, ((-15, -12), (15, -12), (0, 14))),
    (0.72, ((-15, -14), (15, -14), (-15, 14), (15, 14))),
    (0.62, ((-20, -12), (0, -12), (20, -12), (-10, 12), (10, 12))),
)
"""How large emissaries of so many owners are, and where they stand about the dragon."""


def _envoys(facts: Facts) -> Iterator[tuple[str, float, float, str, int, float]]:
    """Yield each owner's emissaries in each province: on the dragon, off the province's name."""
    for province, x, y in _dens(facts, tuple(range(PROVINCES))):
        there = [o for o in range(c.MAX_PLAYERS) if facts.emissaries[o][province]]
        scale, spots = GROUPS[len(there)]
        for owner, (right, down) in zip(there, spots, strict=True):
            yield (
                f"{owner}-{facts.board.keys[province]}",
                x + right,
                y + down,
                facts.armies[owner],
                facts.emissaries[owner][province],
                scale,
            )


def _markers(view: State, facts: Facts) -> Iterator[tuple[int, int, int, str, int]]:
    """Yield the score markers on the wall, and what is to be added to what they stand on.

    Those on one square lie over one another.
    """
    squares = geography.track()
    lain: dict[int, int] = {}
    for seat in range(view.seats):
        laps, square = track(facts.points[seat])
        lying = lain[square] = lain.get(square, -1) + 1
        x, y = squares[square]
        more = laps * (geography.TRACK - 1)
        yield seat, x + 20 + 5 * lying, y + 20 - 5 * lying, facts.armies[seat], more


def _places(
    request: SceneRequest, facts: Facts, tiles: Tiles
) -> Iterator[tuple[str, float, float, str]]:
    """Yield what can be clicked on the map, in words."""
    for space, found in enumerate(facts.board.spaces):
        yield found.name, found.x, found.y, _space_label(request, facts, tiles, space)
    for province, x, y in _dens(facts, tuple(range(PROVINCES))):
        key = facts.board.keys[province]
        yield f"dragon-{key}", x, y, _dragon_label(request, facts, province)


def _space_label(request: SceneRequest, facts: Facts, tiles: Tiles, space: int) -> str:
    """Return what a space is, for screen readers: ``W3, Wei (red): palace of Blue``."""
    _ = translator(request.language, PACKAGE).gettext
    found = facts.board.spaces[space]
    provinces = " / ".join(_coloured(facts.board, p, request.language) for p in found.provinces)
    notes = []
    if found.harbour:
        notes.append(_("harbour"))
    if found.is_post:
        notes.append(_("border post"))
    if space in facts.forts:
        notes.append(_("fortification"))
    owner = facts.owner.get(space)
    if owner is None:
        notes.append(_("free"))
    else:
        notes.append(
            _("palace of {owner}").format(owner=owner_name(request.view, owner, request.language))
        )
    if found.name in tiles:
        notes.append(_tile_name(tiles[found.name][2], request.language))
    return labelled(f"{found.name}, {provinces}", ", ".join(notes), request.language)


def _coloured(board: Board, province: int, language: str) -> str:
    """Return a province with its colour: ``Wei (red)``."""
    colour = card_name(board.colours[province], language)
    return f"{province_name(board, province, language)} ({colour})"


def _tile_name(sign: str, language: str) -> str:
    _ = translator(language, PACKAGE).gettext
    if sign not in COLOUR_IDS:
        return _("bonus tile, face down")
    return _("bonus tile ({colour})").format(colour=card_name(COLOUR_IDS.index(sign), language))


def _dragon_label(request: SceneRequest, facts: Facts, province: int) -> str:
    """Return who has emissaries in a province: ``Wei, emissaries: Blue 2, Red 1``."""
    _ = translator(request.language, PACKAGE).gettext
    there = [
        f"{owner_name(request.view, owner, request.language)} {counts[province]}"
        for owner, counts in enumerate(facts.emissaries)
        if counts[province]
    ]
    who = ", ".join(there) if there else _("none")
    return _("{province}, emissaries: {who}").format(
        province=province_name(facts.board, province, request.language), who=who
    )


# --- What has happened ---


def _stage(request: SceneRequest, facts: Facts) -> Stage | None:
    """Return what has just been scored: where, and who has got how many points."""
    newest = request.newest
    if newest is None or newest.action is None:
        return None
    kind, *_ = c.ACTIONS.split(newest.action)
    gained = _gained(facts, newest) if kind in SCORINGS else []
    cast = (
        Actor(f"china-palace-{facts.armies[seat]}", PALACE_BOX, note=f"+{points}")
        for seat, points in gained
    )
    return Stage(touched(request.view, newest.action), tuple(cast)) if gained else None


def _gained(facts: Facts, happening: Happening) -> list[tuple[int, int]]:
    """Return who has got how many points by what has happened."""
    before = happening.before.fields["points"].sum(axis=1).tolist()
    points = enumerate(zip(facts.points, before, strict=True))
    return [(seat, now - was) for seat, (now, was) in points if now > was]


def _happened(request: SceneRequest, facts: Facts) -> dict[str, object]:
    """Return what was placed since the viewer's last decision, and what was scored last."""
    placed = [place for h in request.last if (place := _placed(facts, h)) is not None]
    last = request.newest
    return {"fresh": placed, **_scored(request, facts, last)}


def _placed(facts: Facts, happening: Happening) -> tuple[float, float] | None:
    if happening.action is None or happening.seat < 0:
        return None
    found = placing(facts.board, happening.action)
    if found is None:
        return None
    for space in facts.board.spaces:
        if space.name == found.place:
            return space.x, space.y
    return facts.board.dragons[facts.board.keys.index(found.place.removeprefix("dragon-"))]


def _scored(request: SceneRequest, facts: Facts, last: Happening | None) -> dict[str, object]:
    """Return what lights up on the map when something has been scored, and who gets what."""
    lit: dict[str, object] = {"lit_provinces": (), "lit_seals": (), "chains": (), "gains": ()}
    if last is None or last.action is None:
        return lit
    kind, *about = c.ACTIONS.split(last.action)
    if kind not in SCORINGS:
        return lit
    gained = _gained(facts, last)
    if kind == "score":
        province = about[0]
        lit["lit_provinces"] = (province,)
        lit["gains"] = _gains(facts, gained, *facts.board.dragons[province])
    elif kind == "alliance":
        number = about[0]
        seal = map_of(facts.land).seals[number]
        lit["lit_provinces"], lit["lit_seals"] = facts.board.alliances[number], (seal,)
        lit["gains"] = _gains(facts, gained, *seal)
    elif kind == "roads":
        seat = about[0]
        found = [[_named(facts, name) for name in chain] for chain in chains(request.view, seat)]
        lit["chains"] = [(facts.armies[seat], _line(chain)) for chain in found]
        if found:
            lit["gains"] = _gains(facts, gained, *found[0][len(found[0]) // 2])
    return lit


def _gains(facts: Facts, gained: list[tuple[int, int]], x: float, y: float) -> tuple[Gain, ...]:
    """Return the points as badges, one under the other."""
    top = y - 34 * (len(gained) - 1) / 2
    return tuple(
        Gain(x, top + 34 * place, facts.armies[seat], points)
        for place, (seat, points) in enumerate(gained)
    )


def _named(facts: Facts, name: str) -> tuple[float, float]:
    return next((space.x, space.y) for space in facts.board.spaces if space.name == name)


def _line(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in points)
