"""What a guided first game says and points at, and its hints: see `tianxia.draw.guides`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from tianxia.bots.advice import Hint
from tianxia.draw.guides import Guide, guide_of
from tianxia.draw.languages import LANGUAGES
from tianxia.draw.scene import Gesture, Scene
from tianxia.tables import Snapshot
from tianxia.tables.advising import Advice, Advised


@dataclass(frozen=True)
class GuideWords:
    """A step in a viewer's words.

    Attributes
    ----------
    text
        What is said.
    number, count
        Which step of how many; the last one is the end.
    points
        The elements to be chosen, one after the other; none for a set-up.
    """

    text: str
    number: int
    count: int
    points: tuple[str, ...]


def guiding(snapshot: Snapshot, seat: int | None, language: str, scene: Scene) -> GuideWords | None:
    """Return what the learner is told now; None for others, and where nothing is guided."""
    guide, number = due(snapshot, seat)
    if guide is None or number is None:
        return None
    points = () if number == len(guide.steps) - 1 else pointed_at(scene, _next(snapshot, guide))
    return GuideWords(guide.steps[number].text(language), number, len(guide.steps) - 1, points)


def due(snapshot: Snapshot, seat: int | None) -> tuple[Guide | None, int | None]:
    """Return the guide that a seat is told by, and the number of the step that is due."""
    played = snapshot.course
    guide = guide_of(snapshot.game.kind) if played is not None else None
    if guide is None or played is None or seat != guide.seat:
        return None, None
    return guide, guide.step_at(played)


def pointed_at(scene: Scene, actions: tuple[int, ...]) -> tuple[str, ...]:
    """Return the elements of the gesture of the first action, one of each step."""
    if scene.arrangement is not None and len(actions) > 1:
        return ()  # they are laid out together
    found = next((one for one in scene.gestures if one.action == actions[0]), None)
    return () if found is None else tuple(_points(found))


def _points(gesture: Gesture) -> list[str]:
    points = [
        element
        for step in gesture.steps
        for element in (step.elements if step.kind == "set" else step.elements[:1])
    ]
    return list(dict.fromkeys(points))


def _next(snapshot: Snapshot, guide: Guide) -> tuple[int, ...]:
    """Return the actions that the step asks for and that are still to come."""
    rest = guide.line[snapshot.course or 0 :]
    same = takewhile(lambda one: one.asked == rest[0].asked, rest)
    return tuple(one.action for one in same)


def advised(snapshot: Snapshot, seat: int | None, *, together: bool) -> Advice | None:
    """Return the step that is due as a hint: nobody has to think about it."""
    guide, number = due(snapshot, seat)
    if seat is None or guide is None or number in (None, len(guide.steps) - 1):
        return None
    actions = _next(snapshot, guide)
    reasons = {language: guide.steps[number or 0].text(language) for language in LANGUAGES}
    hint = Advised(Hint(actions if together else actions[:1], None), reasons)
    return Advice(snapshot.decision(seat), (hint,))
