"""Maps of Bin'Fa that people draw themselves: see `tianxia.draw.own_boards`.

A map is ``{"game": "binfa", "title": "…", "terrain": ["r6", …], "whirlpools": ["r13", …]}``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from tianxia.draw.languages import translator
from tianxia.draw.own_boards import Fault, NoBoard, OwnBoard
from tianxia.draw.scene import SceneRequest
from tianxia.games.binfa.face.scene import scene
from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules import maps
from tianxia.kernel import registry
from tianxia.kernel.errors import N_, Worded
from tianxia.kernel.options import Value
from tianxia.kernel.record import SPECTATOR

PACKAGE = __package__ or ""
OPTION = "map"
TOOL = "marks"
LAYERS = {"terrain": N_("Terrain"), "whirlpools": N_("Whirlpool")}
"""The members of a map that are lists of triangles, and what lies on these."""
LAYER_SYMBOLS = {"terrain": "binfa-terrain", "whirlpools": "binfa-pool"}
FULL, PLAIN = 4, 3
"""The levels that maps with and without whirlpools are for."""


def tools(language: str) -> Mapping[str, Any]:
    """Return what can be set, and on what."""
    _ = translator(language, PACKAGE).gettext
    most = {"terrain": c.TERRAIN, "whirlpools": c.POOLS}
    return {
        "places": [c.triangle_name(t) for t in range(c.TRIANGLES)],
        "layers": [
            {"id": layer, "label": _(label), "symbol": LAYER_SYMBOLS[layer], "most": most[layer]}
            for layer, label in LAYERS.items()
        ],
    }


def starts(language: str) -> list[tuple[str, Mapping[str, Any]]]:
    """Return an empty map, and those of the library."""
    _ = translator(language, PACKAGE).gettext
    empty = {"game": "binfa", "title": "", "terrain": [], "whirlpools": []}
    found: list[tuple[str, Mapping[str, Any]]] = [(_("an empty field"), empty)]
    (land,) = (one for one in registry.kind("binfa").options if one.name == OPTION)
    for name, text in maps.LIBRARY.items():
        terrain, whirlpools = (part.split(",") for part in text.split("/"))
        found.append(
            (_(land.labels[name]), {**empty, "terrain": terrain, "whirlpools": whirlpools})
        )
    return found


def read(data: Mapping[str, Any]) -> OwnBoard:
    """Return a map as somebody has sent it.

    Raises
    ------
    NoBoard
        For what is no map, whatever is added to it.
    """
    layers = {layer: _triangles(data, layer) for layer in LAYERS}
    named = sorted(t for layer in layers.values() for t in layer)
    twice = [c.triangle_name(a) for a, b in pairwise(named) if a == b]
    if twice:
        raise NoBoard(N_("{triangle} stands twice in the map"), triangle=twice[0])
    kept = {layer: [c.triangle_name(t) for t in ts] for layer, ts in layers.items()}
    tidy = {"game": "binfa", "title": str(data.get("title", "")), **kept}
    terrain, pools = layers["terrain"], layers["whirlpools"]
    faults = tuple(_faults(terrain, pools))
    return OwnBoard(tidy, faults, {} if faults else _options(terrain, pools))


def _triangles(data: Mapping[str, Any], layer: str) -> list[int]:
    names = data.get(layer, [])
    if not isinstance(names, list) or len(names) > c.TRIANGLES:
        raise NoBoard(N_("“{layer}” should be a list of triangles, such as r6"), layer=layer)
    try:
        return sorted(c.triangle_number(str(name)) for name in names)
    except Worded as error:
        raise NoBoard(error.template, **error.values) from error


def _faults(terrain: list[int], pools: list[int]) -> Iterator[Fault]:
    """Yield what keeps a map from being played on."""
    closed = [*terrain, *pools]
    if cut := cut_off(closed):
        places = ", ".join(map(c.triangle_name, cut[:6])) + ("…" if len(cut) > 6 else "")
        text = N_("A part of the field is cut off: nobody gets to {places} (BIN-21b).")
        yield Fault(Worded(text, places=places), tuple(map(c.triangle_name, cut)))
    if len(terrain) > c.TERRAIN:
        text = N_("A map has {most} terrain markers at most; this one has {n} (BIN-21a).")
        yield Fault(Worded(text, most=c.TERRAIN, n=len(terrain)))
    if len(pools) not in (0, c.POOLS):
        text = N_("A map has {most} whirlpools, or none; this one has {n} (BIN-38a).")
        yield Fault(Worded(text, most=c.POOLS, n=len(pools)))
    if not pools and len(terrain) < c.TERRAIN:
        text = N_(
            "Without whirlpools a map has all {most} terrain markers; this one has {n} (BIN-21a)."
        )
        yield Fault(Worded(text, most=c.TERRAIN, n=len(terrain)))


def cut_off(closed: list[int]) -> list[int]:
    """Return the open triangles that one cannot walk to from the largest open part."""
    left = set(range(c.TRIANGLES)) - set(closed)
    parts = []
    while left:
        fresh = [left.pop()]
        part = set(fresh)
        while fresh:
            near = {t for t in c.NEIGHBOURS[fresh.pop()].tolist() if t in left}
            left -= near
            part |= near
            fresh += near
        parts.append(part)
    largest = max(parts, key=len, default=set())
    return sorted(set().union(*parts) - largest)


def _options(terrain: list[int], pools: list[int]) -> dict[str, Value]:
    text = maps.write(maps.halves_of(terrain), maps.halves_of(pools)).replace(",", "")
    return {"level": FULL if pools else PLAIN, OPTION: text}


def picture(data: Mapping[str, Any], language: str) -> str:
    """Return a map on the field, as the game draws it."""
    game = registry.game(f"binfa(level={FULL},map=placed)")
    record = game.new().record
    for field, layer in (("terrain", "terrain"), ("pools", "whirlpools")):
        record[field][0] = maps.halves_of(list(map(c.triangle_number, data[layer])))
    return scene(SceneRequest(game.from_record(record), SPECTATOR, language)).svg
