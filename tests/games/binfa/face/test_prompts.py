"""The end of a game of Bin'Fa is told with what decided it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.games.binfa.helpers import field
from tianxia.draw.scene import SceneRequest
from tianxia.games.binfa.face.prompts import status
from tianxia.games.binfa.rules.statements import LAST_OWNER, TURN_LIMIT


@pytest.mark.parametrize(
    ("reason", "won", "units", "told"),
    [
        (TURN_LIMIT, 0b01, (7, 5), "has the most units."),
        (TURN_LIMIT, 0b10, (7, 7), "has the most supplies."),
        (TURN_LIMIT, 0b11, (7, 7), "all are equally strong."),
        (LAST_OWNER, 0b01, (7, 0), "nobody else has an army left."),
        (LAST_OWNER, 0b11, (0, 0), "share the win."),
    ],
)
def test_the_end_is_told_with_what_decided_it(
    reason: int, won: int, units: tuple[int, int], told: str
) -> None:
    owner, strength = np.array([1, 2, 0, 0, 0, 0]), np.array([*units, 0, 0, 0, 0])
    fields = {"winners": won, "reason": reason, "owner": owner, "strength": strength}
    view: Any = SimpleNamespace(over=True, seats=2, fields=fields)
    assert status(SceneRequest(view, 0)).endswith(told)


def test_an_attack_is_offered_only_where_there_is_one():
    state = field("r5:4r o5:4o")
    assert status(SceneRequest(state.view(0), 0)) == (
        "Your turn: roll; none of your piles can attack."
    )
    state = field("r5:6r r6:4o")
    assert "or attack" in status(SceneRequest(state.view(0), 0))
