"""Whole games as a player would type them, worked out beforehand on a second session."""

from __future__ import annotations

import random

import tianxia
from tianxia.cli.session import Session


class Script:
    """A game played by lot against a bot, line by line; the bots answer as they do for real."""

    def __init__(self, spec: str, bot: str, seed: int, seat: int = 0) -> None:
        self.session = Session.begin(tianxia.game(spec), seat, bot, seed, "en")
        self.random = random.Random(seed)

    def wait(self) -> None:
        """Let the others act until the player is asked."""
        while not self.session.over and not self.session.asked:
            self.session.advance()

    def set_up(self) -> list[str]:
        """Take the set-up that is proposed."""
        for action in self.session.proposed(0):
            self.session.act(action)
        self.wait()
        return [""]

    def moves(self, most: int = 100_000) -> list[str]:
        """Play by lot; return what was typed."""
        lines: list[str] = []
        self.wait()
        while not self.session.over and len(lines) < most:
            state, seat = self.session.state, self.session.seat
            action = self.random.choice(state.legal_actions(seat))
            lines.append(state.text(action, seat))
            self.session.act(action)
            self.wait()
        return lines
