"""What pictures and panels of Sun Tzu read out of a view, and the names of its elements."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tianxia.draw.languages import N_
from tianxia.draw.scene import SceneRequest
from tianxia.games.suntzu.rules.components import CARDS, COLLECT, ROUND, TURN, kind_of
from tianxia.games.suntzu.rules.state import FINAL

if TYPE_CHECKING:
    from tianxia.draw.scene import Happening

PACKAGE = __package__ or ""
SIDES = "br"
CARD_IDS = tuple(name.replace("+", "p").replace("-", "m") for name in CARDS)
HANDS = tuple(f"card-{card}" for card in CARD_IDS)
FRESH = tuple(f"drawn-{card}" for card in CARD_IDS)


@dataclass(frozen=True)
class Facts:
    """What the view knows, as plain numbers."""

    viewer: int
    fields: Any
    phase: int
    step: int
    turn: int
    owed: int
    province: int
    may_act: bool

    @classmethod
    def of(cls, request: SceneRequest) -> Facts:
        """Read a view."""
        fields = request.view.fields
        return cls(
            viewer=request.viewer,
            fields=fields,
            phase=int(fields["phase"]),
            step=int(fields["step"]),
            turn=int(fields["turn"]),
            owed=int(fields["owed"]),
            province=int(fields["province"]) - 1,
            may_act=request.acts,
        )

    def board(self, seat: int, province: int) -> int:
        """Return a side's armies in a province."""
        return int(self.fields["board"][seat][province])


def last_turned(request: SceneRequest) -> Happening | None:
    """Return when a province was turned up last, if the viewer has not decided since."""
    for happening in reversed(request.last):
        action = happening.action
        if action is not None and kind_of(action) == TURN:
            return happening
        if action in (COLLECT, ROUND):
            return None
    return None


def pass_text(phase: int, owed: int) -> str:
    if owed:
        return N_("Take no further army")
    return N_("Ask for no more armies") if phase == FINAL else N_("Play no strategy card")
