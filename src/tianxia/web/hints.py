"""Hints as pages and programs are sent them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tianxia.bots.advice import Hint, prospects
from tianxia.draw.languages import N_, translator
from tianxia.draw.scene import Arrangement, Scene
from tianxia.kernel.state import State
from tianxia.tables import Advice, Snapshot
from tianxia.web.rendering import Viewer, as_json
from tianxia.web.templating import PACKAGE

ROW = N_("Proposal {n}")
ROW_REASON = N_("The best bot would lay it out like this.")


@dataclass(frozen=True)
class HintWords:
    """One hint in a viewer's words.

    Attributes
    ----------
    label
        What it does.
    reason
        Why.
    prospects
        What it makes of the game: 0 (lost) to 100 (won), or None.
    """

    hint: Hint
    label: str
    reason: str
    prospects: int | None


def in_words(snapshot: Snapshot, viewer: Viewer, scene: Scene, advice: Advice) -> list[HintWords]:
    """Return hints in a viewer's words."""
    view = snapshot.view(viewer.code)
    assert viewer.seat is not None  # noqa: S101  (who has no seat is given none)
    _ = translator(viewer.language, PACKAGE).gettext
    found = []
    for number, advised in enumerate(advice.hints, 1):
        hint = advised.hint
        if scene.arrangement is not None:
            label, why = _(ROW).format(n=number), advised.reasons[viewer.language] or _(ROW_REASON)
        else:
            label = action_label(view, viewer, scene, hint.actions[0])
            why = advised.reasons[viewer.language]
        value = None if hint.value is None else prospects(hint.value, view.seats)
        found.append(HintWords(hint, label, why, value))
    return found


def action_label(view: State, viewer: Viewer, scene: Scene, action: int) -> str:
    """Return what an action does: as its gesture says it, else as the log would."""
    seat = viewer.code
    label = next((one.label for one in scene.gestures if one.action == action), "")
    token = view.text(action, seat)
    if label and label != token:
        return label
    return view.describe(action, seat, seat, viewer.language)


def as_page(snapshot: Snapshot, viewer: Viewer, scene: Scene, advice: Advice) -> dict[str, Any]:
    """Return hints as the page's module reads them."""
    gestures = {gesture.action: gesture for gesture in scene.gestures}
    return {
        "decision": advice.decision,
        "hints": [
            {
                "label": one.label,
                "reason": one.reason,
                "prospects": one.prospects,
                "gesture": (found := gestures.get(one.hint.actions[0])) and as_json(found),
                "layout": _layout(scene.arrangement, one.hint.actions),
            }
            for one in in_words(snapshot, viewer, scene, advice)
        ],
    }


def _layout(arrangement: Arrangement | None, actions: Sequence[int]) -> dict[str, Any] | None:
    """Return what some actions lay out; None where they lay nothing."""
    layout = laid(arrangement, actions) if arrangement is not None else None
    return layout if layout and any(kind >= 0 for kind in layout["layout"]) else None


def laid(arrangement: Arrangement, actions: Sequence[int]) -> dict[str, list[int]]:
    """Return the layout and heights that some actions make: see `Arrangement.actions`."""
    slots = range(len(arrangement.slots))
    layout, heights = [-1 for _ in slots], [0 for _ in slots]
    offsets = arrangement.offsets or (0,) * len(slots)
    meant = {
        kind.action + offsets[slot]: (slot, number)
        for slot in slots
        for number, kind in enumerate(arrangement.kinds)
    }
    for place, action in enumerate(actions):
        # Without piles the n-th action is that of the n-th slot, whatever its number.
        slot, number = meant.get(action, (place, -1)) if arrangement.piles else (place, -1)
        if not arrangement.piles:
            kinds = enumerate(arrangement.kinds)
            number = next((n for n, kind in kinds if kind.action + offsets[slot] == action), -1)
        layout[slot] = number
        heights[slot] += number >= 0
    return {"layout": layout, "heights": heights}


def tokens(snapshot: Snapshot, seat: int, hint: Hint) -> list[str]:
    """Return the actions of a hint as tokens, each written in the position that it finds."""
    write, state = snapshot.game.kind.words.write, snapshot.state
    found = []
    for action in hint.actions:
        found.append(write(state.view(seat), action, seat))
        state.apply(action, seat)
    return found
