"""What has changed within a part, so that of a board only the elements that differ travel.

Pictures are written so that what changes by itself, a piece or a square, is one line with an
id. Where two drawings differ in such lines alone they are told apart by them; else the part
travels as a whole. Two drawings of one viewer are compared and nothing else is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

TAG = re.compile(r"<(/?)[\w-]+[^>]*?(/?)>")
ID = re.compile(r'<[\w-]+ [^>]*?id="([\w-]+)"')
OPENING = re.compile(r'.*<g id="([\w-]+)"[^>]*>$')
"""Ends a line that begins a group."""


def bits(old: str, new: str) -> dict[str, Any] | None:
    """Return how one drawing becomes another; None where that takes more than single elements.

    ``set`` holds elements that stand in the place of those of the same id, ``gone`` ids, and
    ``new`` pairs of an id and an element that comes right after it, or, where the id is that
    of a group, as its first child (``true`` as a third entry).
    """
    before, after = old.split("\n"), new.split("\n")
    if (changed := _in_place(before, after)) is not None:
        return {"set": changed, "gone": [], "new": []}
    same = set(before) & set(after)
    was, now = _by_key(before, same), _by_key(after, same)
    stayed = [key for key in was if key in now]
    if stayed != [key for key in now if key in was]:
        return None  # something has changed its place
    changed = [now[key] for key in stayed if now[key] != was[key]]
    gone = [_element(line) for key, line in was.items() if key not in now]
    come = [line for key, line in now.items() if key not in was]
    places = list(_anchored(after, come))
    if len(places) < len(come) or not all((*gone, *map(_element, (*changed, *come)))):
        return None
    return {"set": changed, "gone": gone, "new": places}


def _in_place(before: Sequence[str], after: Sequence[str]) -> list[str] | None:
    """Return the elements that look otherwise, where each line is an old one or one of its id."""
    if len(before) != len(after):
        return None
    pairs = [(was, now) for was, now in zip(before, after, strict=True) if was != now]
    for was, now in pairs:
        name = ID.match(was)
        if name is None or name[1] != _element(now):
            return None
    return [now for _, now in pairs]


def _by_key(lines: Sequence[str], same: set[str]) -> dict[str, str]:
    """Return lines by themselves and how often they came; those that differ, by their ids."""
    found: dict[str, str] = {}
    for line in lines:
        name = None if line in same else ID.match(line)
        key = name[1] if name else line
        while key in found:
            key += "\n"
        found[key] = line
    return found


def _element(line: str) -> str:
    """Return the id of the one element that a line is; "" where it is anything else."""
    found = ID.match(line)
    if not found:
        return ""
    depth, end = 0, len(line)
    for tag in TAG.finditer(line):
        depth += 0 if tag[2] else -1 if tag[1] else 1
        if depth <= 0:
            end = tag.end()
            break
    return found[1] if depth == 0 and end == len(line) else ""


def _anchored(lines: Sequence[str], come: Sequence[str]) -> Iterator[list[Any]]:
    """Yield for each element that has come the one before it, where there is one."""
    for line in come:
        before = lines[lines.index(line) - 1]
        if element := _element(before):
            yield [element, line]
        elif group := OPENING.match(before):
            yield [group[1], line, True]
