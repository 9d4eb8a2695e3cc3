"""Compiling the rules of all games in the background, so that the server answers at once."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Literal

from tianxia.kernel.game import GameType
from tianxia.logs import tell

Stage = Literal["waiting", "preparing", "ready", "failed"]


def compile_rules(kind: GameType) -> None:
    """Compile what a table needs of a game, or load it from this machine's cache."""
    game = kind()
    game.prepare()
    state = game.new()
    for seat in state.acting[:1]:
        view = state.view(seat)
        view.refusal(view.legal_actions(seat)[0], seat)
        state.seen(view.legal_actions(seat)[0], seat, seat)


class Preparation:
    """Which games can be played already.

    Parameters
    ----------
    kinds
        The games, in the order in which they are prepared.
    prepare
        What prepares one.
    """

    def __init__(
        self, kinds: Sequence[GameType], prepare: Callable[[GameType], None] = compile_rules
    ) -> None:
        self._kinds = list(kinds)
        self._prepare = prepare
        self._stages: dict[str, Stage] = {kind.name: "waiting" for kind in kinds}
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin in a thread; it ends by itself."""
        self._thread = threading.Thread(target=self.run, name="tianxia-prepare", daemon=True)
        self._thread.start()

    def run(self) -> None:
        """Prepare all games, one after the other."""
        for kind in self._kinds:
            self._stages[kind.name] = "preparing"
            begun = time.perf_counter()
            try:
                self._prepare(kind)
            except Exception as error:  # noqa: BLE001  (one broken game must not stop the others)
                self._stages[kind.name] = "failed"
                tell(logging.ERROR, "game failed to compile", error, game=kind.name)
                continue
            self._stages[kind.name] = "ready"
            seconds = round(time.perf_counter() - begun, 1)
            tell(logging.INFO, "game ready", game=kind.name, seconds=seconds)

    def wait(self, seconds: float) -> bool:
        """Wait until all is prepared; say whether it is."""
        if self._thread is not None:
            self._thread.join(seconds)
        return all(stage in ("ready", "failed") for stage in self._stages.values())

    @property
    def done(self) -> bool:
        """Whether every game is ready."""
        return all(stage == "ready" for stage in self._stages.values())

    def is_ready(self, name: str) -> bool:
        """Say whether a game can be played now."""
        return self._stages.get(name) == "ready"

    def stages(self) -> dict[str, Stage]:
        """Return how far each game is."""
        return dict(self._stages)
