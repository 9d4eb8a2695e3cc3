"""Answers in advance: to keep one's strategy cards, until one says otherwise.

Whether they are asked for depends on what all can see, and so does the answer (SUN-87).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tianxia.draw.languages import N_
from tianxia.games.suntzu.rules.components import PASS
from tianxia.games.suntzu.rules.state import (
    AFTER,
    ASK_K3,
    ASK_K4,
    ASK_S2,
    BEFORE,
    FIGHT,
    RECYCLE_FIRST,
    RECYCLE_SECOND,
)
from tianxia.kernel.game import Standing

if TYPE_CHECKING:
    from tianxia.kernel.options import Value
    from tianxia.kernel.state import State

REACTIONS = (ASK_S2, ASK_K4, ASK_K3, RECYCLE_FIRST, RECYCLE_SECOND)


def _around_fights(view: State, seat: int) -> int | None:
    asked = view.fields["phase"] in (BEFORE, AFTER) and not view.fields["owed"]
    return PASS if asked else None


def _in_fights(view: State, seat: int) -> int | None:
    asked = view.fields["phase"] == FIGHT and view.fields["step"] in REACTIONS
    return PASS if asked else None


def _has_cards(options: Mapping[str, Value]) -> bool:
    return bool(options["strategies"])


STANDING = (
    Standing(
        "keep-around-fights",
        N_("Keep my strategy card outside the fights"),
        _around_fights,
        _has_cards,
    ),
    Standing(
        "keep-in-fights",
        N_("Keep my strategy card in the fights"),
        _in_fights,
        _has_cards,
    ),
)
