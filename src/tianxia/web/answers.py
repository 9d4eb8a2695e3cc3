"""What elements of a table's picture answer when somebody asks; from what the asker may know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tianxia.draw.asking import Answer, Fact, Question
from tianxia.draw.languages import N_, translator
from tianxia.draw.scene import Drawing
from tianxia.kernel.registry import position
from tianxia.kernel.state import State
from tianxia.tables import NotNow, Snapshot
from tianxia.web.catalogue import rule_link, rule_text
from tianxia.web.errors import Refusal
from tianxia.web.rendering import Renderer, Viewer, can_act, standing_of
from tianxia.web.templating import PACKAGE

Past = tuple[tuple[int, int], ...]
STANDING = "standing-"
"""Begins the names of the switches by which seats answer in advance."""


@dataclass(frozen=True)
class Asked:
    """What is asked about at a table.

    Attributes
    ----------
    element
        As in ``data-e`` or ``data-ask``.
    action
        What the asker has chosen to do, or None; one that is not legal now is passed over.
    ply
        Of a finished game: the position that is looked at; None: the last one.
    """

    element: str
    action: int | None = None
    ply: int | None = None


def answered(
    renderer: Renderer, snapshot: Snapshot, viewer: Viewer, asked: Asked
) -> dict[str, Any]:
    """Return what an element answers, ready to be sent.

    Raises
    ------
    Refusal
        Where the game has no such element.
    NotNow
        Where a position is asked for while the game lasts.
    """
    given = _in_advance(snapshot, viewer, asked.element)
    if given is not None:
        return _in_words(snapshot, viewer, asked.element, given)
    drawing = Drawing.of(snapshot.game.kind)
    view, past = _known(renderer, snapshot, viewer, asked)
    action = asked.action if _may(snapshot, viewer, view, asked) else None
    question = Question(view, viewer.code, viewer.language, asked.element, action, past)
    found = drawing.answer(question) if drawing else None
    if found is None:
        raise Refusal(
            404,
            "no-answer",
            N_("There is nothing to say about “{element}”; ask about an element of the picture."),
            element=asked.element,
        )
    return _in_words(snapshot, viewer, asked.element, found)


def _in_advance(snapshot: Snapshot, viewer: Viewer, element: str) -> Answer | None:
    """Return what is said of a switch by which the viewer answers in advance."""
    if not element.startswith(STANDING):
        return None
    _ = translator(viewer.language, PACKAGE).gettext
    for one in standing_of(snapshot, viewer):
        if one.about and one.name == element.removeprefix(STANDING):
            facts = Fact(_("On"), one.about), Fact(_("Off"), _("You are asked each time."))
            return Answer(one.text, facts, one.statements)
    return None


def _known(
    renderer: Renderer, snapshot: Snapshot, viewer: Viewer, asked: Asked
) -> tuple[State, Past]:
    """Return the position as the asker may know it, and what he has seen happen."""
    if not snapshot.open_to_all:
        if asked.ply is not None:
            raise NotNow("not-over", N_("A game can be stepped through when it is over.")).of(
                __name__
            )
        return snapshot.view(viewer.code), renderer.told(snapshot, viewer).past
    past = tuple(snapshot.state.history()) if snapshot.playable else ()
    if asked.ply is None:
        return snapshot.view(viewer.code), past
    notations = snapshot.plies_notations
    ply = max(0, min(asked.ply, len(notations) - 1))
    return position(notations[ply]), past[:ply]


def _may(snapshot: Snapshot, viewer: Viewer, view: State, asked: Asked) -> bool:
    """Say whether the asker could take the action now."""
    if asked.action is None or viewer.seat is None or not can_act(snapshot, viewer):
        return False
    return asked.action in view.legal_actions(viewer.seat)


def _in_words(snapshot: Snapshot, viewer: Viewer, element: str, found: Answer) -> dict[str, Any]:
    game = snapshot.game
    return {
        "element": element,
        "title": found.title,
        "facts": [
            {"name": fact.name, "text": fact.text, "after": fact.after or None}
            for fact in found.facts
        ],
        "rules": [
            {
                "statement": statement,
                "text": rule_text(statement, viewer.language),
                "link": rule_link(statement),
            }
            for statement in found.statements
            if game.kind.in_play(statement, game.options)
        ],
        "lights": list(found.lights),
    }
