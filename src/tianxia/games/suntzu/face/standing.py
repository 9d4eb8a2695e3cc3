"""Answers in advance: to keep one's strategy cards, until one says otherwise.

Whether they are asked for depends on what all can see, and so does the answer (SUN-87).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tianxia.draw.languages import N_
from tianxia.games.suntzu.rules import state as s
from tianxia.games.suntzu.rules.components import PASS
from tianxia.kernel.game import Standing

if TYPE_CHECKING:
    from tianxia.kernel.options import Value
    from tianxia.kernel.state import State

REACTIONS = (s.ASK_S2, s.ASK_K4, s.ASK_K3, s.RECYCLE_FIRST, s.RECYCLE_SECOND)


def _around_fights(view: State, seat: int) -> int | None:
    asked = view.fields["phase"] in (s.BEFORE, s.AFTER) and not view.fields["owed"]
    return PASS if asked else None


def _in_fights(view: State, seat: int) -> int | None:
    asked = view.fields["phase"] == s.FIGHT and view.fields["step"] in REACTIONS
    return PASS if asked else None


def _has_cards(options: Mapping[str, Value]) -> bool:
    return bool(options["strategies"])


STANDING = (
    Standing(
        "keep-around-fights",
        N_("Keep my strategy card outside the fights"),
        _around_fights,
        _has_cards,
        N_(
            "Before and after the fights you are not asked whether to play your strategy card: you"
            " keep it."
        ),
        ("SUN-83", "SUN-87"),
    ),
    Standing(
        "keep-in-fights",
        N_("Keep my strategy card in the fights"),
        _in_fights,
        _has_cards,
        N_("In the fights you are not asked whether to play your strategy card: you keep it."),
        ("SUN-87",),
    ),
)
