"""What is offered to whoever may act, while a game is played at random."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator

from tianxia.draw.scene import Gesture, SceneRequest
from tianxia.kernel.record import CHANCE
from tianxia.kernel.state import State

LANGUAGES = ("en", "fr")


def offered(
    gestures_of: Callable[[SceneRequest], Iterable[Gesture]], state: State, seed: int, actions: int
) -> Iterator[tuple[str, list[Gesture]]]:
    """Yield the gestures of each decision in each language; all are said in words."""
    rng = random.Random(seed)
    for _ in range(actions):
        if state.over:
            return
        seat = state.acting[0] if state.acting else CHANCE
        if seat != CHANCE:
            view = state.view(seat)
            for language in LANGUAGES:
                found = list(gestures_of(SceneRequest(view, seat, language, (), "t-")))
                for gesture in found:
                    assert gesture.label != view.text(gesture.action, seat)
                    assert gesture.label != view.describe(gesture.action, seat, seat, language)
                    assert "{" not in gesture.label
                yield language, found
        state.apply(rng.choice(state.legal_actions(seat)), seat)
