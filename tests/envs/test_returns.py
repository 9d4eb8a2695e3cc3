"""What decisions were worth, against the definition, decision by decision."""

from __future__ import annotations

import numpy as np
import pytest

from tianxia.envs.returns import advantages

STEPS, GAMES, SEATS = 40, 6, 3


@pytest.mark.parametrize(("discount", "trace"), [(1.0, 1.0), (0.9, 0.8), (1.0, 0.0)])
def test_each_seats_next_decision_follows_its_last(discount: float, trace: float) -> None:
    rng = np.random.default_rng(4)
    seats = rng.integers(0, SEATS, (STEPS, GAMES)).astype(np.int8)
    values = rng.normal(size=(STEPS, GAMES)).astype(np.float32)
    ended = rng.random((STEPS, GAMES)) < 0.1
    rewards = (rng.normal(size=(STEPS, GAMES, SEATS)) * ended[:, :, None]).astype(np.float32)
    gains, known = advantages(seats, values, rewards, ended, discount, trace)

    def expected(step: int, game: int) -> float | None:
        """Return the advantage as it is defined; None where nobody knows what follows."""
        seat = seats[step, game]
        for later in range(step, STEPS):
            if later > step and seats[later, game] == seat:
                gain = discount * values[later, game] - values[step, game]
                following = expected(later, game)
                return float(gain + discount * trace * (following or 0.0))
            if ended[later, game]:
                return float(rewards[later, game, seat] - values[step, game])
        return None

    for step in range(STEPS):
        for game in range(GAMES):
            wanted = expected(step, game)
            assert known[step, game] == (wanted is not None)
            assert gains[step, game] == pytest.approx(wanted or 0.0, abs=1e-4)
    assert 0 < (~known).sum() <= GAMES * SEATS
