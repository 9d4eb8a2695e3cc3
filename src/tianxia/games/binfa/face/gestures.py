"""What clicks mean in Bin'Fa: for each action its gestures, and for clicks an action."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tianxia.draw.languages import labelled, translator
from tianxia.draw.scene import Gesture, SceneRequest, Step
from tianxia.games.binfa.face import field
from tianxia.games.binfa.face.choices import choice
from tianxia.games.binfa.face.words import army_name, pools_of, target_of
from tianxia.games.binfa.rules import state as s
from tianxia.games.binfa.rules.components import (
    ACTIONS,
    ATTACK,
    CIRCLES,
    GO,
    LETTERS,
    NEIGHBOURS,
    PAWN,
    ROLL,
    SUPPLY_ARMY,
    TRIANGLES,
    UNITS,
    argument,
    circle_name,
    kind_of,
    triangle_name,
)
from tianxia.games.binfa.rules.maps import triangles_of
from tianxia.kernel.rng import new_rng

if TYPE_CHECKING:
    from tianxia.kernel.state import State

PACKAGE = __package__ or ""
BUTTONS = ("roll", "stop", "take", "bank", "leave")
"""Each means the action of that name."""
TRIANGLE_OF = {triangle_name(t): t for t in range(TRIANGLES)}
CIRCLE_OF = {f"c-{circle_name(c)}": c for c in range(CIRCLES)}
STEPS_OF_A_MOVE = (s.MOVING, s.COUNTING, s.DIVIDING)
WITHOUT_ORIGIN = (s.RETREATING, s.SPLITTING, s.OCCUPYING)
"""Phases in which it is plain from where."""


def gestures_of(request: SceneRequest) -> Iterator[Gesture]:
    """Yield a gesture for each action of a viewer."""
    view, seat = request.view, request.viewer
    if seat < 0 or view.viewer != seat or seat not in view.acting:
        return
    before = full(view) if view.fields["phase"] in STEPS_OF_A_MOVE else None
    for action in view.legal_actions(seat):
        steps = tuple(Step("one", (element,)) for element in _clicks(view, action))
        label = choice(view, action, request.language)
        told = ""
        if kind_of(action) == ATTACK:
            label = told = _odds(view, action, request.language)
        elif before is not None and (told := _captures(before, action, seat, request.language)):
            label = labelled(label, told, request.language)
        final, puts = _is_final(action), _pawn(request, action)
        yield Gesture(action, steps, label, final=final, preview=bool(told), puts=puts)


def _pawn(request: SceneRequest, action: int) -> str:
    """Return which pawn goes where an action ends, as the picture names it."""
    army = int(request.view.fields["army"]) - 1
    return f"#{request.prefix}w-{army}" if kind_of(action) == PAWN else ""


def ahead_of(request: SceneRequest) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return for each pile that can move where it could be after all moves left.

    Others may not have to move with it, so this is a hint: ways over triangles that are free,
    of its own colour, or held by a lone unit.
    """
    view = request.view
    fields = view.fields
    if fields["phase"] != s.MOVING or request.viewer not in view.acting:
        return ()
    legal = view.legal_actions(request.viewer)
    piles = {argument(action, 0) for action in legal if kind_of(action) == GO}
    return tuple(
        (triangle_name(pile), tuple(map(triangle_name, reach(view, pile))))
        for pile in sorted(piles)
    )


def closed(view: State, army: int) -> set[int]:
    """Return the triangles that an army cannot enter, and whirlpools, where ways end."""
    fields = view.fields
    heights, tops = fields["height"].tolist(), fields["top"].tolist()
    held = {t for t in range(TRIANGLES) if heights[t] > 1 and tops[t] != army + 1}
    return held | set(triangles_of(fields["terrain"].tolist())) | set(pools_of(view))


def reach(view: State, pile: int) -> list[int]:
    """Return where a pile of the army that moves could be after all moves that are left."""
    shut = closed(view, int(view.fields["army"]) - 1)
    reached = edge = {pile}
    for _ in range(int(view.fields["moves"])):
        edge = {t for here in edge for t in NEIGHBOURS[here].tolist() if t >= 0} - shut - reached
        reached = reached | edge
    return sorted(reached - {pile})


def _clicks(view: State, action: int) -> tuple[str, ...]:
    """Return the elements that are clicked for an action, in order."""
    match ACTIONS.split(action):
        case "spot", spot:
            return (triangle_name(spot),)
        case "circle", circle:
            return (f"c-{circle_name(circle)}",)
        case "move" | "supply" as kind, army:
            return (f"{kind}-{LETTERS[army]}",)
        case "attack" | "go", pile, _way:
            origin, target = triangle_name(pile), triangle_name(target_of(action))
            return (target,) if view.fields["phase"] in WITHOUT_ORIGIN else (origin, target)
        case "count", number:
            return (f"n-{number}",)
        case "out", pool:
            return (triangle_name(pools_of(view)[pool]),)
        case "pawn", distance:
            return (f"c-{circle_name(_landing(view, distance))}",)
    return ACTIONS.split(action)[:1]  # a button


def touched(view: State, action: int) -> tuple[str, ...]:
    """Return the triangles and circles that an action is about."""
    return tuple(name for name in _clicks(view, action) if name in TRIANGLE_OF or name in CIRCLE_OF)


def full(view: State) -> State:
    """Return the position itself: in play nothing is hidden."""
    return view.sample(new_rng(0))


def _captures(before: State, action: int, seat: int, language: str) -> str:
    """Return whom a displacement takes, before it is made; empty if nobody."""
    after = before.clone()
    after.apply(action, seat)
    return captured(before, after, language)


def taken(before: State, after: State) -> list[tuple[int, int]]:
    """Return which armies have lost units from one position to the next, and how many."""
    units = zip(before.fields["strength"].tolist(), after.fields["strength"].tolist(), strict=True)
    return [(army, was - now) for army, (was, now) in enumerate(units) if now < was]


def captured(before: State, after: State, language: str) -> str:
    """Say which units are gone from one position to the next; empty if none."""
    lost = taken(before, after)
    _ = translator(language, PACKAGE).gettext
    whom = ", ".join(f"{count} {army_name(army, language)}" for army, count in lost)
    return _("takes {units}").format(units=whom) if lost else ""


def _landing(view: State, distance: int) -> int:
    """Return the circle on which the pawn of this turn would end."""
    army = int(view.fields["army"]) - 1
    return (int(view.fields["pawns"][army]) - 1 + distance) % CIRCLES


def _is_final(action: int) -> bool:
    """Say whether the dice follow, after which nothing is taken back."""
    return kind_of(action) in (ROLL, ATTACK, SUPPLY_ARMY)


def _odds(view: State, action: int, language: str) -> str:
    """Return an attack with its odds, before it is made."""
    _ = translator(language, PACKAGE).gettext
    origin, target = argument(action, 0), target_of(action)
    heights = view.fields["height"].tolist()
    text = _(
        "{origin} ({attackers} units) attacks {target} ({defenders}):"
        " it must retreat in 11 of 36 throws"
    )
    return text.format(
        origin=triangle_name(origin),
        attackers=heights[origin],
        target=triangle_name(target),
        defenders=heights[target],
    )


# --- Clicks that fit no gesture ---


def meant(view: State, viewer: int, elements: tuple[str, ...]) -> int | str | None:
    """Return the action that clicking these elements would mean, legal or not.

    Where no action is like that, the statement that forbids it; None where nothing is meant.
    """
    if viewer < 0:
        return None
    triangles = [TRIANGLE_OF[e] for e in elements if e in TRIANGLE_OF]
    circles = [CIRCLE_OF[e] for e in elements if e in CIRCLE_OF]
    phase = int(view.fields["phase"])
    if len(triangles) == 2:
        return _between(*triangles, attack=phase < s.MOVING)
    if len(triangles) == 1:
        return _alone(view, triangles[0])
    if len(circles) == 1:
        return _on_circle(view, phase, circles[0])
    return _button(elements[0]) if len(elements) == 1 else None


def _between(origin: int, target: int, *, attack: bool) -> int | str:
    """Return the attack or displacement from one triangle to another, if they share a side."""
    ways = NEIGHBOURS[origin].tolist()
    if target not in ways and not attack:
        return "BIN-04b" if _share_a_corner(origin, target) else "BIN-04c"
    if target not in ways:
        return "BIN-14a"
    return ACTIONS.join("attack" if attack else "go", origin, ways.index(target))


def _share_a_corner(one: int, other: int) -> bool:
    """Say whether two triangles meet, at least in a corner."""
    return any(
        math.dist(corner, near) < 1
        for corner in field.triangles(0)[one].corners
        for near in field.triangles(0)[other].corners
    )


def _alone(view: State, triangle: int) -> int | str | None:
    """Return what one click on a triangle would be: a marker, a unit, a retreat, a choice."""
    phase = int(view.fields["phase"])
    if phase < s.PAWNS:
        return ACTIONS.join("spot", triangle)
    vacated = int(view.fields["vacated"]) - 1
    if phase in WITHOUT_ORIGIN and vacated >= 0:
        return _between(vacated, triangle, attack=False)
    return ACTIONS.join("go" if phase >= s.MOVING else "attack", triangle, 0)


def _on_circle(view: State, phase: int, circle: int) -> int | str | None:
    if phase == s.PAWNS:
        return ACTIONS.join("circle", circle)
    if phase == s.STEPPING:
        distance = (circle - _landing(view, 0)) % CIRCLES
        return ACTIONS.join("pawn", distance) if 1 <= distance <= 12 else "BIN-29a"
    return None


def _button(element: str) -> int | None:
    if element in BUTTONS:
        return ACTIONS.join(element)
    word, _, name = element.partition("-")
    if word in ("move", "supply") and name in tuple(LETTERS):
        return ACTIONS.join(word, LETTERS.index(name))
    if word == "n" and name.isdigit() and 1 <= int(name) <= UNITS:
        return ACTIONS.join("count", int(name))
    return None
