"""What decisions were worth, where seats take turns: the part of learning that is NumPy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def advantages(
    seats: NDArray[np.int8],
    values: Floats,
    rewards: Floats,
    ended: NDArray[np.bool_],
    discount: float = 1.0,
    trace: float = 0.95,
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return by how much each decision was better than expected (Schulman et al. 2016).

    A seat's next decision in the same game is what follows; what others decide in between is
    the world's doing. Where a seat decides no more before the steps end, nothing is known of
    what follows: its last decision counts as what the one before led to, and is left out.

    Parameters
    ----------
    seats
        Who decided in each game at each step, shape (steps, games).
    values
        What that seat expected then, the same shape.
    rewards
        What each seat got in each step, shape (steps, games, seats).
    ended
        Whether a game ended in each step, or was cut; what follows is another game.
    discount
        What a utility one decision later is worth.
    trace
        The λ of the estimate: 1 trusts what came of a game, 0 the next decision's value.

    Returns
    -------
    tuple
        Advantages, and which of them are known; both of the shape (steps, games).
    """
    steps, games = seats.shape
    later_value, later_gain, owed = (
        np.zeros((games, rewards.shape[2]), np.float32) for _ in range(3)
    )
    follows = np.zeros(owed.shape, np.bool_)
    gains, known = np.zeros_like(values), np.zeros(seats.shape, np.bool_)
    rows = np.arange(games)
    for step in range(steps - 1, -1, -1):
        over, own = ended[step], (rows, seats[step])
        later_value[over], later_gain[over], follows[over] = 0, 0, True
        owed[over] = rewards[step, over]
        known[step] = follows[own]
        gain = owed[own] + discount * later_value[own] - values[step]
        gain += discount * trace * later_gain[own]
        gains[step] = np.where(known[step], gain, 0)
        later_value[own], later_gain[own] = values[step], gains[step]
        owed[own], follows[own] = 0, True
    return gains, known
