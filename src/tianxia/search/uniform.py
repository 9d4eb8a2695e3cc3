"""The simplest bot: any legal action, each as likely as the others."""

from __future__ import annotations

from tianxia.kernel.rng import below, new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import Player


class Uniform(Player):
    """Takes any legal action; plays every game."""

    def choose(self, view: State, deadline: float | None = None) -> int:
        """Return any legal action."""
        legal = view.legal_actions(self.seat)
        return legal[below(new_rng(self.seed, self.decided), len(legal))]
