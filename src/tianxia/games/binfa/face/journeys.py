"""Ways over several triangles at once: a pile, where it is to go, and how many of it go there.

Also ways of several piles that go as one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from typing import TYPE_CHECKING

from tianxia.draw.languages import labelled, translator
from tianxia.draw.scene import Journey, March, SceneRequest
from tianxia.games.binfa.face import field, gestures
from tianxia.games.binfa.rules import components as c
from tianxia.games.binfa.rules.state import COUNTING, MOVING

if TYPE_CHECKING:
    from tianxia.kernel.state import State

    Stepped = tuple[State, list[int]]
    Known = dict[tuple[int, ...], Stepped | None]
    """What becomes of a step after some actions: marches have their first steps in common."""

STEP, STEP_ON = 16, 17
"""What a step costs onto a free triangle, and onto one where somebody stands: as few steps as
there can be, and of those the ones that disturb least."""
RADIAL = 2
"""The way out of a triangle that leads to another row."""
ACROSS = field.EDGE / 2
MIDDLES = [
    (round(place.x / ACROSS), round(place.y / ACROSS * 3**0.5)) for place in field.triangles(0)
]
"""Where the middle of each triangle lies: half sides to the right, thirds of a height down."""
AT = {middle: t for t, middle in enumerate(MIDDLES)}


def journeys(request: SceneRequest, origin: str, target: str) -> list[Journey]:
    """Return how a pile can go to a triangle with the moves that are left, all of it first."""
    view, viewer = request.view, request.viewer
    fields = view.fields
    here, there = gestures.TRIANGLE_OF.get(origin, -1), gestures.TRIANGLE_OF.get(target, -1)
    asked = view.viewer == viewer and viewer in view.acting and fields["phase"] == MOVING
    if min(here, there) < 0 or not asked:
        return []
    way = _way(view, here, there)
    if not 2 < len(way) <= int(fields["moves"]) + 1:
        return []
    start, found = gestures.full(view), []
    for number in range(int(fields["height"][here]), 0, -1):
        journey = _made(start, viewer, way, number, request.language)
        if journey is not None:
            found.append(journey)
    return found


def _way(view: State, here: int, there: int, others: Collection[int] = ()) -> list[int]:
    """Return the triangles from one to another, both included; nothing where there is no way.

    `others` are triangles to be left alone.
    """
    shut = gestures.closed(view, int(view.fields["army"]) - 1).union(others)
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
    now, taken = start, list[int]()
    for here, there in pairwise(way):
        stepped = _stepped(now, seat, here, there, number)
        if stepped is None:
            return None
        now, actions = stepped
        taken += actions
    words = translator(language, gestures.PACKAGE)
    text = words.ngettext("{n} unit: {way}", "{n} units: {way}", number)
    label = text.format(n=number, way=" → ".join(map(c.triangle_name, way)))
    whom = gestures.captured(start, now, language)
    return Journey(tuple(taken), number, labelled(label, whom, language) if whom else label, whom)


def _stepped(before: State, seat: int, here: int, there: int, number: int) -> Stepped | None:
    """Return the position after so many units have gone to the next triangle, and the actions."""
    now, taken = before.clone(), list[int]()
    go = c.ACTIONS.join("go", here, c.NEIGHBOURS[here].tolist().index(there))
    if not _takes(now, seat, go, taken):
        return None
    if now.fields["phase"] == COUNTING:
        if not _takes(now, seat, c.ACTIONS.join("count", number), taken):
            return None
    elif number != 1:
        return None  # nobody asked how many: a lone unit went
    return now, taken


def _takes(now: State, seat: int, action: int, taken: list[int]) -> bool:
    """Take an action, where it is this seat's and legal."""
    if seat not in now.acting or now.over or action not in now.legal_actions(seat):
        return False
    now.apply(action, seat)
    taken.append(action)
    return True


# --- Several piles at once ---

Goals = dict[int, int]
"""For each pile where it would be, if all of them kept their places in line."""


def marches(request: SceneRequest, origins: Sequence[str]) -> list[March]:
    """Return where some piles can go as one with the moves that are left, at least two of them."""
    view, viewer = request.view, request.viewer
    piles = [
        gestures.TRIANGLE_OF[origin]
        for origin in dict.fromkeys(origins)
        if origin in gestures.TRIANGLE_OF
    ]
    if not set(map(c.triangle_name, piles)) <= {name for name, _ in gestures.ahead_of(request)}:
        return []
    start = gestures.full(view)
    known: Known = {}
    tried = (
        _marched(start, viewer, goals, piles, known, request.language)
        for goals in _goals(view, piles)
    )
    return [march for march in tried if march is not None]


def _goals(view: State, piles: list[int]) -> list[Goals]:
    """Return where piles would be that all go the same way, for each way that one of them can go.

    Triangles point two ways, so what lies beside one has no counterpart beside others; there, one
    step along its row means the same along theirs.
    """
    found = list[Goals]()
    for pile in piles:
        beside = c.NEIGHBOURS[pile].tolist()
        for there in gestures.reach(view, pile):
            x, y = _shift(pile, there)
            row = beside.index(there) if there in beside[:RADIAL] else RADIAL
            images = {
                one: AT.get((MIDDLES[one][0] + x, MIDDLES[one][1] + y), _along(one, row))
                for one in piles
            }
            goals = {one: goal for one, goal in images.items() if goal >= 0}
            if len(goals) > 1 and goals not in found:
                found.append(goals)
    return found


def _along(pile: int, way: int) -> int:
    """Return the triangle beside one, along its row; −1 where the way is none of these."""
    return int(c.NEIGHBOURS[pile][way]) if way < RADIAL else -1


def _shift(here: int, there: int) -> tuple[int, int]:
    (x, y), (to_x, to_y) = MIDDLES[here], MIDDLES[there]
    return to_x - x, to_y - y


def _marched(
    start: State, seat: int, goals: Goals, piles: list[int], known: Known, language: str
) -> March | None:
    """Return how piles go, the foremost first; None where fewer than two can."""
    now, taken, ends = start, list[int](), {pile: pile for pile in piles}
    x, y = _shift(*next(iter(goals.items())))  # a half side is √3 thirds of a height
    for pile in sorted(goals, key=lambda t: -(3 * MIDDLES[t][0] * x + MIDDLES[t][1] * y)):
        number = int(start.fields["height"][pile])
        others = {end for one, end in ends.items() if one != pile}
        for here, there in pairwise(_way(now, pile, goals[pile], others)):
            step = *taken, here, there
            if step not in known:
                known[step] = _stepped(now, seat, here, there, number)
            if (stepped := known[step]) is None:
                break
            (now, actions), ends[pile] = stepped, there
            taken += actions
    if sum(end != pile for pile, end in ends.items()) < 2:
        return None
    named = {c.triangle_name(pile): c.triangle_name(end) for pile, end in ends.items()}
    return March(
        tuple(taken),
        {c.triangle_name(pile): c.triangle_name(goal) for pile, goal in goals.items()},
        named,
        goals == ends,
        _told(start, now, named, language),
    )


def _told(start: State, now: State, ends: dict[str, str], language: str) -> str:
    """Say where each pile goes, what is taken, and how many moves that takes."""
    words = translator(language, gestures.PACKAGE)
    stays = words.gettext("{place} stays")
    ways = [
        f"{here} → {there}" if here != there else stays.format(place=here)
        for here, there in ends.items()
    ]
    moves, left = int(start.fields["moves"]), int(now.fields["moves"])
    text = words.ngettext("{ways} ({n} of {moves} move)", "{ways} ({n} of {moves} moves)", moves)
    label = text.format(ways=", ".join(ways), n=moves - left, moves=moves)
    whom = gestures.captured(start, now, language)
    return labelled(label, whom, language) if whom else label
