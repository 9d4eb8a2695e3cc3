"""What has changed within a part, so that of a board only the elements that differ travel.

Pictures are written so that what changes by itself, a piece or a square, is one line with an
id. Where two drawings differ in such lines alone they are told apart by them; else the part
travels as a whole. Two drawings of one viewer are compared and nothing else is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

TAG = re.compile(r"<(/?)[\w-]+[^>]*?(/?)>")
ID = re.compile(r'<[\w-]+ [^>]*?id="([\w-]+)"')
OPENING = re.compile(r'.*<g id="([\w-]+)"[^>]*>$')
"""Ends a line that begins a group."""


@dataclass(frozen=True)
class _Line:
    """A line of a drawing: its key among all of them, its text, and its id if it is an element."""

    key: str
    text: str
    element: str


def bits(old: str, new: str) -> dict[str, Any] | None:
    """Return how one drawing becomes another; None where that takes more than single elements.

    ``set`` holds elements that stand in the place of those of the same id, ``gone`` ids, and
    ``new`` pairs of an id and an element that comes right after it, or, where the id is that
    of a group, as its first child (``true`` as a third entry).
    """
    before, after = _differing(old.split("\n"), new.split("\n"))
    was = {line.key: line for line in _lines(before)}
    now = {line.key: line for line in _lines(after)}
    stayed = [key for key in was if key in now]
    if stayed != [key for key in now if key in was]:
        return None  # something has changed its place
    gone = [line for key, line in was.items() if key not in now]
    come = [line for key, line in now.items() if key not in was]
    changed = [now[key] for key in stayed if now[key].text != was[key].text]
    if not all(line.element for line in (*gone, *come, *changed)):
        return None
    places = list(_anchored(new.split("\n"), come))
    if len(places) < len(come):
        return None
    return {
        "set": [line.text for line in changed],
        "gone": [line.element for line in gone],
        "new": places,
    }


def _differing(old: Sequence[str], new: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return two texts without the lines that are the same at their beginnings and ends."""
    least = min(len(old), len(new))
    first = next((n for n in range(least) if old[n] != new[n]), least)
    last = next((n for n in range(least - first) if old[-1 - n] != new[-1 - n]), least - first)
    return list(old[first : len(old) - last]), list(new[first : len(new) - last])


def _lines(texts: Sequence[str]) -> Iterator[_Line]:
    """Yield lines with keys: the id of a whole element, else the text and how often it came."""
    seen: dict[str, int] = {}
    for text in texts:
        element = _element(text)
        number = seen[text] = seen.get(text, 0) + 1
        yield _Line(f"#{element}" if element else f"{number} {text}", text, element)


def _element(text: str) -> str:
    """Return the id of the one element that a line is; "" where it is anything else."""
    found = ID.match(text)
    if not found:
        return ""
    depth, end = 0, len(text)
    for tag in TAG.finditer(text):
        depth += 0 if tag[2] else -1 if tag[1] else 1
        if depth <= 0:
            end = tag.end()
            break
    return found[1] if depth == 0 and end == len(text) else ""


def _anchored(texts: Sequence[str], come: Sequence[_Line]) -> Iterator[list[Any]]:
    """Yield for each element that has come the one before it, where there is one."""
    places = {text: number for number, text in enumerate(texts)}
    for line in come:
        before = texts[places[line.text] - 1]
        if element := _element(before):
            yield [element, line.text]
        elif group := OPENING.match(before):
            yield [group[1], line.text, True]
