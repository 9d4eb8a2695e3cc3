"""Every action is said in words to whoever may choose it, and as something still to be done."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.offered import LANGUAGES, offered
from tianxia.games.binfa.face.gestures import gestures_of


@pytest.mark.parametrize(("level", "seed"), [(1, 1), (2, 2), (3, 3), (4, 4)])
def test_actions_are_offered_in_words(level: int, seed: int) -> None:
    said: dict[str, set[str]] = {language: set() for language in LANGUAGES}
    state = tianxia.game("binfa", level=level).new()
    for language, gestures in offered(gestures_of, state, seed, 250):
        said[language].update(gesture.label for gesture in gestures)
    assert "Roll the dice" in said["en"]
    assert not said["en"] & said["fr"]
