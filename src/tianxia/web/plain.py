"""A scene for games that have no pictures of their own: the position as text, actions as keys."""

from __future__ import annotations

from html import escape

from tianxia.draw.languages import translator
from tianxia.draw.scene import Gesture, Scene, SceneRequest, Step
from tianxia.kernel.state import State

LINE = 18
COLUMNS = 6
CELL = 92


def plain_scene(request: SceneRequest) -> Scene:
    """Return the position as text with one key for each action; any game can be played so."""
    view = request.view
    _ = translator(request.language, "tianxia.web").gettext
    text = view.diagram(request.language)
    mine = not view.over and request.viewer in view.acting and view.viewer is not None
    actions = view.legal_actions(request.viewer) if mine else []
    gestures = tuple(
        Gesture(
            action,
            (Step("one", (f"a{action}",)),),
            # Who can act knows the action; what others would see, a view cannot tell.
            view.describe(action, request.viewer, None, request.language),
            final=False,
        )
        for action in actions
    )
    status = _("Choose.") if mine else _("The game is over.") if view.over else _("Wait.")
    return Scene(_svg(view, text, gestures, request), gestures, None, (), text, status)


def _svg(view: State, text: str, gestures: tuple[Gesture, ...], request: SceneRequest) -> str:
    lines = text.splitlines()
    top = (len(lines) + 1) * LINE
    rows = -(-len(gestures) // COLUMNS)
    parts = [
        f'<text x="8" y="{(i + 1) * LINE}" font-family="monospace" font-size="13" '
        f'xml:space="preserve" fill="currentColor">{escape(line)}</text>'
        for i, line in enumerate(lines)
    ]
    for place, gesture in enumerate(gestures):
        x, y = 8 + place % COLUMNS * CELL, top + place // COLUMNS * 34
        token = view.game.kind.words.write(view, gesture.action, request.viewer)
        name = f"a{gesture.action}"
        parts.append(
            f'<g data-e="{name}" id="{request.prefix}e-{name}" role="button" '
            f'tabindex="{-1 if place else 0}" aria-label="{escape(gesture.label)}">'
            f'<rect x="{x}" y="{y}" width="{CELL - 6}" height="28" rx="5" fill="none" '
            f'stroke="currentColor"/><text x="{x + (CELL - 6) / 2:g}" y="{y + 19}" '
            f'text-anchor="middle" font-size="13" fill="currentColor">{escape(token)}</text></g>'
        )
    width = max(COLUMNS * CELL + 10, 9 * max(map(len, lines), default=0))
    height = top + rows * 34 + 8
    return f'<svg viewBox="0 0 {width} {height}">{"".join(parts)}</svg>'
