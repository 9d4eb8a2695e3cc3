"""Every action is said in words to whoever may choose it, and as something still to be done."""

from __future__ import annotations

import random

import pytest

import tianxia
from tianxia.draw.scene import SceneRequest
from tianxia.games.binfa.face.gestures import gestures_of
from tianxia.kernel.record import CHANCE


@pytest.mark.parametrize(("level", "seed"), [(1, 1), (2, 2), (3, 3), (4, 4)])
def test_actions_are_offered_in_words(level: int, seed: int) -> None:
    rng, state = random.Random(seed), tianxia.game("binfa", level=level).new()
    said: dict[str, set[str]] = {"en": set(), "fr": set()}
    for _ in range(250):
        if state.over:
            break
        seat = state.acting[0] if state.acting else CHANCE
        if seat != CHANCE:
            view = state.view(seat)
            for language, labels in said.items():
                request = SceneRequest(view, seat, language, (), "t-")
                for gesture in gestures_of(request):
                    assert gesture.label != view.text(gesture.action, seat)
                    assert gesture.label != view.describe(gesture.action, seat, seat, language)
                    assert "{" not in gesture.label
                    labels.add(gesture.label)
        state.apply(rng.choice(state.legal_actions(seat)), seat)
    assert "Roll the dice" in said["en"]
    assert not said["en"] & said["fr"]
