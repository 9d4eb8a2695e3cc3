"""How long a viewer's Stratego board takes to draw, and how large it is.

    uv run python bench/draw.py

Median, least and most of rounds on one core; sizes in bytes, as they are and packed.
"""

from __future__ import annotations

import gzip
import statistics
import time
from random import Random

import tianxia
from tianxia.draw.scene import Drawing, Happening, SceneRequest
from tianxia.games.stratego.face.presets import PRESETS

ROUNDS = 7
BOARDS = 100


def requests() -> list[SceneRequest]:
    """Return what viewers of a game see in its course."""
    state = tianxia.game("stratego").new()
    for seat in (0, 1):
        for rank in PRESETS[0][seat].setup:
            state.apply(rank, seat)
    (opening,) = (action for action, _ in state.chance_weights())
    state.apply(opening)
    random, wanted = Random(1), []
    while not state.over and len(wanted) < BOARDS:
        (seat,) = state.acting
        action, viewer = random.choice(state.legal_actions(seat)), len(wanted) % 3 - 1
        last = Happening(seat, action, state.describe(action, seat, viewer), state.view(viewer))
        state.apply(action)
        wanted.append(SceneRequest(state.view(viewer), viewer, "en", (last,), "t-"))
    return wanted


def main() -> None:
    drawing = Drawing.of(tianxia.game("stratego").kind)
    assert drawing is not None
    asked = requests()
    times = []
    for _ in range(ROUNDS + 1):
        clock = time.perf_counter()
        pictures = [drawing(request).svg for request in asked]
        times.append((time.perf_counter() - clock) / len(asked) * 1e3)
    times = sorted(times[1:])
    print(
        f"one viewer's board: {statistics.median(times):.2f} ms ({times[0]:.2f} to {times[-1]:.2f})"
    )
    for name, texts in (
        ("board", pictures),
        ("symbols", [drawing.sprite]),
        ("style", [drawing.style]),
    ):
        data = max(texts, key=len).encode()
        print(f"{name}: {len(data)} bytes, {len(gzip.compress(data))} packed")


if __name__ == "__main__":
    main()
