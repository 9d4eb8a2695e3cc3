"""A game as a picture that moves: one position after the other, as SVG that stands alone.

Most of a board stays as it is from one position to the next. So each part of the picture is there
once for each look that it has, and is shown while it looks so. Programs, and the page that makes a
file of it, find in ``data-on`` at which positions a part is to be seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.etree import ElementTree as ET

from tianxia.draw.illustrations import FOR_USE, SVG, references, sized, tree
from tianxia.draw.scene import Drawing

HOLD, REST = 0.8, 3.0
"""Seconds that a position is shown, and the last one."""
BAR = 0.008
"""How high the line that tells how far it is stands at the foot, as a part of the picture."""
Look = tuple[str, list[int]]
"""A part of the picture as text, and the positions at which it looks so."""


def as_film(drawing: Drawing, frames: Sequence[str], width: int) -> str:
    """Return positions of a game one after the other, each drawn by the game's scene.

    Parameters
    ----------
    frames
        The pictures of the positions, at least one.
    width
        In pixels.
    """
    root = _emptied(drawing, frames)
    for looks in _parts(frames):
        for text, shown in looks:
            root.append(_part(text, shown, len(frames)))
    if len(frames) > 1:
        root.append(_bar(root, _lasts(len(frames))))
    return sized(root, width)


def as_strip(drawing: Drawing, frames: Sequence[str], width: int) -> str:
    """Return the same positions one below the other: a page makes a file of pixels of them."""
    root = _emptied(drawing, frames)
    x, y, wide, high = map(float, root.get("viewBox", "").split())
    pictures = [
        ET.Element(
            f"{{{SVG}}}svg",
            {
                "x": f"{x:g}",
                "y": f"{y + number * high:g}",
                "width": f"{wide:g}",
                "height": f"{high:g}",
                "viewBox": f"{x:g} {y:g} {wide:g} {high:g}",
            },
        )
        for number in range(len(frames))
    ]
    symbols = ET.SubElement(root, f"{{{SVG}}}defs")
    for text, shown in (look for looks in _parts(frames) for look in looks):
        name = f"part-{len(symbols)}"
        ET.SubElement(symbols, f"{{{SVG}}}g", {"id": name}).append(_read(text))
        for number in shown:
            ET.SubElement(pictures[number], f"{{{SVG}}}use", {"href": f"#{name}"})
    root.extend(pictures)
    root.set("viewBox", f"{x:g} {y:g} {wide:g} {len(frames) * high:g}")
    return sized(root, width)


def _emptied(drawing: Drawing, frames: Sequence[str]) -> ET.Element:
    """Return a picture with its symbols and style, and nothing to be seen yet."""
    root = tree(drawing, frames[0])
    for part in list(root):
        if part.tag not in (f"{{{SVG}}}style", f"{{{SVG}}}defs"):
            root.remove(part)
    root.set("data-frames", str(len(frames)))
    root.set("data-hold", f"{HOLD:g} {REST:g}")
    return root


def _read(text: str) -> ET.Element:
    return ET.fromstring(text)  # noqa: S314  (our own drawing)


def _lasts(frames: int) -> float:
    return HOLD * (frames - 1) + REST


def _parts(frames: Sequence[str]) -> list[list[Look]]:
    """Return the parts of the picture from below, each with all looks that it has."""
    order, parts = list[str](), dict[str, dict[str, list[int]]]()
    for number, frame in enumerate(frames):
        before = ""
        for place, part in enumerate(_read(frame)):
            key = part.get("id") or f"{place} {part.tag}"
            if key not in parts:
                order.insert(order.index(before) + 1 if before else 0, key)
            looks = parts.setdefault(key, {})
            looks.setdefault(_plain(part), []).append(number)
            before = key
    return [list(parts[key].items()) for key in order]


def _plain(part: ET.Element) -> str:
    """Return a part as text, without what is there for clicks only."""
    wanted = references([part])
    for node in part.iter():
        for name in (*FOR_USE, "data-e", "data-ask", "data-at"):
            node.attrib.pop(name, None)
        if node.get("id") not in wanted:
            node.attrib.pop("id", None)
    return ET.tostring(part, encoding="unicode")


def _part(text: str, shown: Sequence[int], frames: int) -> ET.Element:
    """Return a part of the picture, that is seen at some positions only where not at all."""
    part = _read(text)
    if len(shown) == frames:
        return part
    group = ET.Element(f"{{{SVG}}}g", {"data-on": " ".join(map(str, shown))})
    group.append(part)
    group.append(_animated("visibility", _switches(shown, frames), _lasts(frames)))
    return group


def _switches(shown: Sequence[int], frames: int) -> Iterable[tuple[float, str]]:
    """Yield from when on a part is to be seen, or not to be."""
    on, was = set(shown), None
    for number in range(frames):
        now = number in on
        if now is not was:
            yield HOLD * number, "visible" if now else "hidden"
        was = now


def _animated(name: str, changes: Iterable[tuple[float, str]], lasts: float) -> ET.Element:
    """Return what changes an attribute from some moments on, again and again."""
    times, values = zip(*changes, strict=True)
    return ET.Element(
        f"{{{SVG}}}animate",
        {
            "attributeName": name,
            "calcMode": "discrete",
            "dur": f"{lasts:g}s",
            "repeatCount": "indefinite",
            "keyTimes": ";".join(f"{at / lasts:.5g}" for at in times),
            "values": ";".join(values),
        },
    )


def _bar(root: ET.Element, lasts: float) -> ET.Element:
    """Return the line at the foot that tells how far the film is."""
    x, y, wide, high = map(float, root.get("viewBox", "").split())
    bar = ET.Element(
        f"{{{SVG}}}rect",
        {
            "data-bar": "",
            "x": f"{x:g}",
            "y": f"{y + high * (1 - BAR):g}",
            "width": f"{wide:g}",
            "height": f"{high * BAR:g}",
            "fill": "var(--cinnabar)",
        },
    )
    way = {"attributeName": "width", "from": "0", "to": f"{wide:g}"}
    time = {"dur": f"{lasts:g}s", "repeatCount": "indefinite"}
    bar.append(ET.Element(f"{{{SVG}}}animate", way | time))
    return bar
