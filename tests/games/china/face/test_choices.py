"""What actions of China are called where they are offered: in words, in both languages."""

from __future__ import annotations

import pytest

import tianxia
from tests.games.offered import LANGUAGES, offered
from tianxia.games.china.face.gestures import gestures_of

SPECS = ("china", "china(players=4)", "china(board=border, players=4)")


@pytest.mark.parametrize("spec", SPECS)
def test_actions_are_offered_in_words(spec: str) -> None:
    said: dict[str, set[str]] = {language: set() for language in LANGUAGES}
    for language, gestures in offered(gestures_of, tianxia.game(spec).new(), 4, 150):
        named: dict[str, int] = {}
        for gesture in gestures:
            assert named.setdefault(gesture.label, gesture.action) == gesture.action
            said[language].add(gesture.label)
    assert "Draw from the deck" in said["en"]
    assert any(label.startswith("Build a palace on ") for label in said["en"])
    assert not said["en"] & said["fr"]
