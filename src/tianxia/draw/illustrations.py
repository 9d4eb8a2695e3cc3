"""Pictures of rulebooks: positions of the game, beside the rulebook as data, drawn by its scene.

A file ``pictures.toml`` in the folder of the rulebook has a table for each picture::

    [[picture]]
    name = "scout"
    chapter = "Scouts"
    position = "stratego * play r …"
    seat = 0
    moves = ["a4-a5"]
    chosen = ["b3"]
    crop = [0, 400, 600, 600]
    en = "A Scout runs as far as it likes."
    fr = "…"

`chapter` is a heading of the English rulebook. The picture shows the position after `moves`, which
it marks as a table does, from the side of `seat`. With `chosen` it shows what the page of a table
lights up once these elements are clicked, by the moves that are legal. `veiled` hides what
that seat may not know, and `crop` leaves a part of the scene's own units.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any
from xml.etree import ElementTree as ET

from tianxia.draw.languages import unbroken
from tianxia.draw.rulebook import FALLBACK
from tianxia.draw.scene import Drawing, Gesture, Happening, SceneRequest
from tianxia.kernel import registry
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.record import CHANCE, SPECTATOR
from tianxia.kernel.state import State

FILE = "pictures.toml"
SVG = "http://www.w3.org/2000/svg"
VIEW_BOX = re.compile(r'viewBox="([^"]*)"')
REFERENCE = re.compile(r"url\(#([^)]+)\)")
FOR_USE = ("role", "tabindex", "aria-label", "aria-hidden", "aria-pressed")
"""What a picture that nobody clicks can do without."""
ET.register_namespace("", SVG)


class IllustrationError(TianxiaError):
    """A picture of a rulebook that cannot be drawn as it is written."""


@dataclass(frozen=True)
class Illustration:
    """A picture of a rulebook, as its file describes it; see the module."""

    name: str
    chapter: str
    position: str
    captions: Mapping[str, str]
    seat: int = SPECTATOR
    moves: tuple[str, ...] = ()
    chosen: tuple[str, ...] | None = None
    crop: tuple[float, ...] = ()
    veiled: bool = False

    def caption(self, language: str) -> str:
        """Return what is to be seen."""
        text = self.captions.get(language) or self.captions[FALLBACK]
        return unbroken(text, language)

    def state(self) -> State:
        """Return the position after the moves.

        Raises
        ------
        TianxiaError
            Where the rules do not allow it.
        """
        return self._played()[0]

    def drawn(self, language: str = FALLBACK, theme: str = "system") -> str:
        """Return the picture as SVG, with all that it needs inside.

        Raises
        ------
        TianxiaError
            Where the rules do not allow the position, a move or what is chosen.
        """
        state, drawing, svg = self._scene(language)
        root = tree(drawing, svg)
        if self.chosen is not None:
            own = SceneRequest(state.view(self.seat), self.seat, language)
            _light(root, self.chosen, _next(drawing(own).gestures, self.chosen))
        if self.crop:
            root.set("viewBox", " ".join(f"{number:g}" for number in self.crop))
        return _written(root, f"color-scheme:{theme}" if theme != "system" else "")

    def size(self) -> tuple[float, float]:
        """Return width and height of the picture, in units of its own."""
        box = self.crop or VIEW_BOX.findall(self._scene(FALLBACK)[2])[0].split()
        return float(box[2]), float(box[3])

    def _scene(self, language: str) -> tuple[State, Drawing, str]:
        state, last = self._played()
        drawing = Drawing.of(state.game.kind)
        if drawing is None:
            raise IllustrationError(f"{state.game.name} has no pictures")
        view = state.view(self.seat) if self.veiled else state
        return state, drawing, drawing(SceneRequest(view, self.seat, language, last)).svg

    def _played(self) -> tuple[State, tuple[Happening, ...]]:
        """Return the position after the moves, and what has happened since."""
        state = registry.position(self.position)
        last: tuple[Happening, ...] = ()
        for word in self.moves:
            seat = state.acting[0] if state.acting else CHANCE
            action = state.parse(word, seat)
            sentence = state.describe(action, seat, SPECTATOR)
            before = state.view(self.seat) if self.veiled else state.clone()
            state.apply(action, seat)
            last += (Happening(seat, action, sentence, before),)
        return state, last


@cache
def illustrations(package: str) -> tuple[Illustration, ...]:
    """Return the pictures of the rulebook in a package's folder; none if it has no such file."""
    file = files(import_module(package)) / FILE
    if not file.is_file():
        return ()
    written = tomllib.loads(file.read_text(encoding="utf-8"))["picture"]
    return tuple(_illustration(one) for one in written)


def _illustration(written: dict[str, Any]) -> Illustration:
    captions = {key: text for key, text in written.items() if key in ("en", "fr")}
    rest: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in written.items()
        if key not in captions
    }
    return Illustration(captions=captions, **rest)


def as_file(drawing: Drawing, svg: str, width: int) -> str:
    """Return a scene's picture for a file: by day, so many pixels wide, with all that it needs."""
    return sized(tree(drawing, svg), width)


def sized(root: ET.Element, width: int) -> str:
    """Return a picture as text, by day and so many pixels wide."""
    _x, _y, wide, high = map(float, root.get("viewBox", "").split())
    height = round(width * high / wide)
    root.set("width", str(width))
    root.set("height", str(height))
    return _written(root, f"color-scheme:light;width:{width}px;height:{height}px")


def tree(drawing: Drawing, svg: str) -> ET.Element:
    """Return a scene's picture, with all that it needs, as a tree."""
    return ET.fromstring(drawing.framed(svg))  # noqa: S314  (our own drawing)


def _written(root: ET.Element, rules: str) -> str:
    """Return a picture as text, with rules of its own and without what nobody needs."""
    if rules:
        ET.SubElement(root, f"{{{SVG}}}style").text = f".picture{{{rules}}}"
    _lighten(root)
    return ET.tostring(root, encoding="unicode")


def _next(gestures: Iterable[Gesture], chosen: Sequence[str]) -> set[str]:
    """Return what can be clicked after some elements."""
    found, known = set[str](), False
    for gesture in gestures:
        steps = zip(gesture.steps, chosen, strict=False)
        if all(element in step.elements for step, element in steps):
            known = True
            found.update(*(step.elements for step in gesture.steps[len(chosen) :][:1]))
    if not known:
        raise IllustrationError(f"nothing legal begins with {', '.join(chosen)}")
    return found


def _light(root: ET.Element, chosen: Sequence[str], lit: set[str]) -> None:
    """Mark elements as the page of a table does."""
    target = " is-target" if chosen else ""
    for node in root.iter():
        element = node.get("data-e")
        if element in lit:
            node.set("class", f"{node.get('class', '')} is-lit{target}".strip())
        if element in chosen:
            node.set("class", f"{node.get('class', '')} is-picked".strip())


def _lighten(root: ET.Element) -> None:
    """Take out of a picture what nobody sees: words for clicking, symbols that are not used."""
    for node in root.iter():
        for name in FOR_USE:
            node.attrib.pop(name, None)
    for defs in root.findall(f"{{{SVG}}}defs"):
        parts = {part: _ids(part) for part in defs}
        wanted = references(part for part in root if part is not defs)
        while more := {part for part, ids in parts.items() if ids & wanted}:
            for part in more:
                del parts[part]
            wanted |= references(more)
        for part in parts:
            defs.remove(part)


def _ids(part: ET.Element) -> set[str]:
    return {node.get("id", "") for node in part.iter()} - {""}


def references(parts: Iterable[ET.Element]) -> set[str]:
    """Return the ids that are used in parts of a picture."""
    found = set[str]()
    for part in parts:
        for node in part.iter():
            found.update(REFERENCE.findall(node.text or ""))
            for name, value in node.attrib.items():
                if name.endswith("href"):
                    found.add(value.removeprefix("#"))
                else:
                    found.update(REFERENCE.findall(value))
    return found
