"""What actions of China are called where they are offered: in words, in both languages."""

from __future__ import annotations

import random

import pytest

import tianxia
from tianxia.draw.scene import SceneRequest
from tianxia.games.china.face.gestures import gestures_of
from tianxia.kernel.record import CHANCE

SPECS = ("china", "china(players=4)", "china(board=border, players=4)")


@pytest.mark.parametrize("spec", SPECS)
def test_actions_are_offered_in_words(spec: str) -> None:
    rng, state = random.Random(4), tianxia.game(spec).new()
    said: dict[str, set[str]] = {"en": set(), "fr": set()}
    for _ in range(150):
        if state.over:
            break
        seat = state.acting[0] if state.acting else CHANCE
        if seat != CHANCE:
            view = state.view(seat)
            for language, labels in said.items():
                named: dict[str, int] = {}
                for gesture in gestures_of(SceneRequest(view, seat, language, (), "t-")):
                    assert gesture.label != view.text(gesture.action, seat)
                    assert gesture.label != view.describe(gesture.action, seat, seat, language)
                    assert "{" not in gesture.label
                    assert named.setdefault(gesture.label, gesture.action) == gesture.action
                    labels.add(gesture.label)
        state.apply(rng.choice(state.legal_actions(seat)), seat)
    assert "Draw from the deck" in said["en"]
    assert any(label.startswith("Build a palace on ") for label in said["en"])
    assert not said["en"] & said["fr"]
