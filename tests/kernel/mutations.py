"""Positions with bytes or fields changed: refused, or good to be played on.

``python -m tests.kernel.mutations SPEC N`` tries N of them and prints how many it tried
and how many were accepted.
"""

from __future__ import annotations

import random
import sys

import tianxia
from tests.battery import games
from tianxia.testing import Walk

assert games.SPECS


def play_on(state: tianxia.State, plies: int, seed: int) -> None:
    """Look at a position in every way, and play on at random if it is a full one."""
    rng = random.Random(seed)
    state.diagram()
    state.scores()
    state.encode() if state.viewer is not None else state.encode(0)
    if state.viewer is not None:
        state = state.sample(tianxia.new_rng(seed))
        tianxia.position(state.notation())
    for _ in range(plies):
        if state.over:
            break
        assert state.acting or state.chance_weights(), state
        seat = rng.choice(state.acting or (tianxia.CHANCE,))
        legal = state.legal_actions(seat)
        assert legal, (seat, state)
        action = rng.choice(legal)
        state.describe(action, seat)
        state.apply(action, seat)
        for viewer in (*range(state.seats), tianxia.SPECTATOR):
            state.view(viewer)
    state.utilities()
    state.evaluate()


def with_a_byte_changed(states: list[tianxia.State], rng: random.Random) -> bytes:
    """Return a position in which one byte is anything."""
    data = bytearray(rng.choice(states).to_bytes())
    place = rng.randrange(24) if rng.random() < 1 / 3 else rng.randrange(len(data))
    data[place] = rng.choice((0, 1, 2, 3, 127, 128, 255, data[place] ^ 1, rng.randrange(256)))
    return bytes(data)


def with_fields_changed(states: list[tianxia.State], rng: random.Random) -> bytes:
    """Return a position with values that occur there: of other positions, or one more or less."""
    pool = rng.choice(states).record
    names = [name for name in pool.dtype.names or () if name not in ("seats", "options")]
    for _ in range(rng.choice((1, 1, 2, 3))):
        name = rng.choice(names)
        other = rng.choice(states).record[name]
        if rng.random() < 0.5:
            pool[name] = other
        else:
            values, others = pool[name].ravel(), other.ravel()
            place = rng.randrange(len(values))
            near = min(max(int(values[place]) + rng.choice((-1, 1)), -128), 127)
            values[place] = rng.choice((0, near, int(rng.choice(others.tolist()))))
            pool[name] = values.reshape(pool[name].shape)
    return bytes(pool.tobytes())


def main(spec: str, count: int) -> None:
    game = tianxia.game(spec)
    rng = random.Random(spec)
    states: list[tianxia.State] = []
    for seed in range(6):
        walk = Walk(game, seed, 400)
        for _ in walk:
            if walk.worth_a_look:
                states.append(walk.state.clone())
                states.append(walk.state.view(rng.choice(walk.viewers)))
        states += [walk.state, walk.state.view(0)]
    accepted = 0
    for number in range(count):
        change = with_fields_changed if number % 2 else with_a_byte_changed
        try:
            state = game.from_bytes(change(states, rng))
        except tianxia.NotationError:
            continue
        accepted += 1
        play_on(state, 50, number)
    print(count, accepted)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
