"""Things that answer: what an element of a picture is, asked by whoever may see it.

A game's ``face/ask.py`` has one function, ``answer(question)``. It is given what the viewer
may know and nothing else, so an answer tells no more than the picture does. Where the viewer
has chosen an action whose outcome is certain, `compared` sets what holds after it beside what
holds now.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tianxia.kernel.rng import new_rng

if TYPE_CHECKING:
    from tianxia.kernel.state import State


@dataclass(frozen=True)
class Question:
    """Who asks about what.

    Attributes
    ----------
    view
        What the viewer may know now; a full state where everything is open to all.
    viewer
        His seat, or SPECTATOR.
    element
        What is asked about, as in ``data-e`` or ``data-ask``.
    action
        The action that the viewer has chosen and could take now, or None.
    past
        Who did what, oldest first, as far as the viewer has seen it.
    """

    view: State
    viewer: int
    language: str
    element: str
    action: int | None = None
    past: tuple[tuple[int, int], ...] = ()

    def later(self) -> State | None:
        """Return the viewer's view after the action chosen; None where none is chosen.

        What is hidden is drawn at random for it, so ask only where it does not matter.
        """
        if self.action is None or self.viewer not in self.view.acting:
            return None
        full = self.view.clone() if self.view.viewer is None else self.view.sample(new_rng(0))
        full.apply(self.action, self.viewer)
        return full.view(self.viewer)


@dataclass(frozen=True)
class Fact:
    """One thing that is said of an element: its name, what it is, what the action makes of it."""

    name: str
    text: str
    after: str = ""


@dataclass(frozen=True)
class Answer:
    """What is said of an element.

    Attributes
    ----------
    title
        What it is.
    facts
        What can be said of it, the most important first.
    statements
        Ids of the rules that it is about.
    lights
        Elements that belong to it and are lit up meanwhile, such as a road.
    """

    title: str
    facts: tuple[Fact, ...] = ()
    statements: tuple[str, ...] = ()
    lights: tuple[str, ...] = ()


def compared(now: Answer, later: Answer | None) -> Answer:
    """Return an answer that says beside each fact what becomes of it, where that is another."""
    if later is None:
        return now
    known = {fact.name for fact in now.facts}
    texts = {fact.name: fact.text for fact in later.facts}
    kept = [
        replace(fact, after=texts.get(fact.name, "–"))
        if texts.get(fact.name, "–") != fact.text
        else fact
        for fact in now.facts
    ]
    new = [Fact(fact.name, "–", fact.text) for fact in later.facts if fact.name not in known]
    return replace(now, facts=(*kept, *new))
