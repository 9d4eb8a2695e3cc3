"""Ways over several triangles at once: a pile, where it is to go, and how many of it go there."""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING

from tianxia.draw.languages import labelled, translator
from tianxia.draw.scene import Journey, SceneRequest
from tianxia.games.binfa.face.gestures import NAMES, PACKAGE, captured, closed, full
from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules.state import COUNTING, MOVING

if TYPE_CHECKING:
    from tianxia.kernel.state import State

STEP, STEP_ON = 16, 17
"""What a step costs onto a free triangle, and onto one where somebody stands: as few steps as
there can be, and of those the ones that disturb least."""


def journeys(request: SceneRequest, origin: str, target: str) -> list[Journey]:
    """Return how a pile can go to a triangle with the moves that are left, all of it first."""
    view, viewer = request.view, request.viewer
    fields = view.fields
    here, there = NAMES.get(origin, -1), NAMES.get(target, -1)
    asked = view.viewer == viewer and viewer in view.acting and fields["phase"] == MOVING
    if min(here, there) < 0 or not asked:
        return []
    way = _way(view, here, there)
    if not 2 < len(way) <= int(fields["moves"]) + 1:
        return []
    start, found = full(view), []
    for number in range(int(fields["height"][here]), 0, -1):
        journey = _made(start, viewer, way, number, request.language)
        if journey is not None:
            found.append(journey)
    return found


def _way(view: State, here: int, there: int) -> list[int]:
    """Return the triangles from one to another, both included; nothing where there is no way."""
    shut = closed(view, int(view.fields["army"]) - 1)
    held = view.fields["height"].tolist()
    edge, before = [(0, here, -1)], dict[int, int]()
    while edge:
        cost, at, came = heappop(edge)
        if at in before:
            continue
        before[at] = came
        if at == there:
            break
        for side in c.NEIGHBOURS[at].tolist():
            if side >= 0 and side not in shut:
                heappush(edge, (cost + (STEP_ON if held[side] else STEP), side, at))
    return list(_back(before, there))[::-1] if there in before else []


def _back(before: dict[int, int], at: int) -> Iterator[int]:
    while at >= 0:
        yield at
        at = before[at]


def _made(start: State, seat: int, way: list[int], number: int, language: str) -> Journey | None:
    """Return a way as actions, tried out step by step; None where a rule forbids one of them."""
    now, taken = start.clone(), list[int]()
    for here, there in pairwise(way):
        go = c.ACTIONS.join("go", here, c.NEIGHBOURS[here].tolist().index(there))
        if not _takes(now, seat, go, taken):
            return None
        if now.fields["phase"] == COUNTING:
            if not _takes(now, seat, c.ACTIONS.join("count", number), taken):
                return None
        elif number != 1:
            return None  # nobody asked how many: a lone unit went
    words = translator(language, PACKAGE)
    text = words.ngettext("{n} unit: {way}", "{n} units: {way}", number)
    label = text.format(n=number, way=" → ".join(map(c.triangle_name, way)))
    whom = captured(start, now, language)
    return Journey(tuple(taken), number, labelled(label, whom, language) if whom else label, whom)


def _takes(now: State, seat: int, action: int, taken: list[int]) -> bool:
    """Take an action, where it is this seat's and legal."""
    if seat not in now.acting or now.over or action not in now.legal_actions(seat):
        return False
    now.apply(action, seat)
    taken.append(action)
    return True
