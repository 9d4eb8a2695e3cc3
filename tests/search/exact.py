"""Exact values of small endings, by trying everything; slow and plain."""

from __future__ import annotations

from tianxia.kernel.record import CHANCE
from tianxia.kernel.state import State


class TooLarge(Exception):
    """There is more to try than was allowed, or no expectimax at all."""


class Expectimax:
    """Utilities where each takes what is best for himself, and chance is averaged (max^n).

    Positions are remembered: many ways lead to the same.
    """

    def __init__(self, most: int = 20_000) -> None:
        self.most = most
        self.known: dict[bytes, list[float]] = {}

    def values(self, state: State) -> list[float]:
        """Return each seat's utility.

        Raises
        ------
        TooLarge
            Also where two seats have a choice at the same time.
        """
        if state.over:
            return state.utilities()
        key = state.to_bytes()
        if key not in self.known:
            if len(self.known) >= self.most:
                raise TooLarge
            self.known[key] = self._average(state) if not state.acting else self._best(state)
        return self.known[key]

    def after(self, state: State, action: int, actor: int) -> list[float]:
        """Return each seat's utility after an action."""
        clone = state.clone()
        clone.apply(action, actor)
        return self.values(clone)

    def choices(self, state: State, seat: int) -> dict[int, float]:
        """Return what each of a seat's actions is worth to it."""
        return {a: self.after(state, a, seat)[seat] for a in state.legal_actions(seat)}

    def _average(self, state: State) -> list[float]:
        total = [0.0] * state.seats
        for action, chance in state.chance_outcomes():
            for seat, value in enumerate(self.after(state, action, CHANCE)):
                total[seat] += chance * value
        return total

    def _best(self, state: State) -> list[float]:
        choosers = [seat for seat in state.acting if len(state.legal_actions(seat)) > 1]
        if len(choosers) > 1:
            raise TooLarge
        seat = (choosers or list(state.acting))[0]
        found = (self.after(state, action, seat) for action in state.legal_actions(seat))
        return max(found, key=lambda values: values[seat])
