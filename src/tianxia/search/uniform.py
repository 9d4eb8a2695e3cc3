"""The simplest bot: any legal action, each as likely as the others."""

from __future__ import annotations

from tianxia.kernel.game import Game
from tianxia.kernel.rng import below, new_rng
from tianxia.kernel.state import State


class Uniform:
    """Takes any legal action; plays every game."""

    def __init__(self, game: Game, seat: int, seed: int) -> None:
        self.seat = seat
        self.seed = seed
        self.decided = 0  # one's own actions so far: which number of the seed comes next

    def observe(self, actor: int, action: int | None, view: State) -> None:
        """Count one's own actions."""
        self.decided += actor == self.seat

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return any legal action."""
        legal = view.legal_actions(self.seat)
        return legal[below(new_rng(self.seed, self.decided), len(legal))]
