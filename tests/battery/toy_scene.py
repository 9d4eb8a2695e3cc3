"""A picture of the toy game, to be broken: a card for each action of the viewer."""

from __future__ import annotations

from html import escape

from blind_duel.words import TOKENS
from tianxia.draw.asking import Answer, Question
from tianxia.draw.scene import Gesture, Scene, SceneRequest, Step
from tianxia.kernel.state import State

SYMBOLS = '<symbol id="blind-duel-card" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></symbol>'
STYLE = ""
CARD = (
    '<g id="{prefix}e-{token}" data-e="{token}" role="button" tabindex="0" aria-label="{token}">'
    '<use href="#blind-duel-card"/></g>'
)


def scene(request: SceneRequest) -> Scene:
    """Return a picture in which each legal action is a card to be clicked."""
    legal = request.view.legal_actions(request.viewer) if request.acts else []
    cards = "".join(CARD.format(prefix=request.prefix, token=TOKENS[one]) for one in legal)
    text = request.view.diagram(request.language)
    return Scene(
        svg=f'<svg class="picture"><title>{escape(text)}</title>{cards}</svg>',
        gestures=tuple(
            Gesture(one, (Step("one", (TOKENS[one],)),), TOKENS[one], final=True) for one in legal
        ),
        arrangement=None,
        panels=(),
        text=text,
        status="Take a card." if legal else "Wait.",
    )


def meant(view: State, viewer: int, elements: tuple[str, ...]) -> int | None:
    """Return the action whose card is clicked."""
    return TOKENS.index(elements[0]) if elements[0] in TOKENS else None


def answer(question: Question) -> Answer | None:
    """Say what a card is."""
    known = question.element in TOKENS
    return Answer(question.element, statements=("BD-3",)) if known else None
