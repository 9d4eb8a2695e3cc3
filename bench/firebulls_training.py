"""Learn what the Chief of Fire Bulls goes by: habits of the quick player, then the network.

    uv run python bench/firebulls_training.py [--quick] [--out FILE]

1. Habits are tuned by the cross-entropy method: of a population of players the best against
   the champion give the next population its mean and spread; one that clearly beats the champion
   takes its place. Both play with the same chance, from both seats.
2. Games of the quick player against itself, with habits a little changed and some random
   actions, give positions and how the games ended.
3. The network learns the shares of the win from the positions: cross entropy, Adam.

Writes ``learned.json`` of the package; the same seed gives the same file. About 10 minutes
of one core; ``--quick`` shows in one that all of it runs, and writes nothing by itself.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import tianxia
from tianxia.games.firebulls.bot import learned as package
from tianxia.games.firebulls.bot.greed import HABITS, decide, make_room
from tianxia.games.firebulls.bot.learned import BULLS, FILE, SCALARS, habits_of
from tianxia.games.firebulls.bot.outlook import HIDDEN, INPUTS, look_at_all, make_sight
from tianxia.games.firebulls.rules.state import TURN
from tianxia.kernel import functions as f
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import allocates, entry
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import below, drawn, seed_rng

Numbers = NDArray[np.float64]
FIRST_HABITS = {
    "bulls": [0.7, 0.74, 0.76, 0.78, 0.8, 0.8],
    "colours": [0.04, 0.08, 0.12, 0.16],
    "warrior": 1.1,
    "hope": 0.6,
    "last_draws": 4,
    "round": 20,
    "bo": 0.8,
    "colonel": 0.6,
    "general": 1.0,
    "bonus": 0.7,
    "unseen": 0.0,
    "full": 0.1,
    "bias": 0.0,
}
"""The Drover's, as nearly as they can be said."""
SPREAD = [0.2] * BULLS + [0.15, 0.2, 0.25, 0.3, 0.5, 0.25, 2, 6, 0.5, 0.5, 0.7, 0.4, 0.3, 0.2, 0.3]
LEAST_DRAWS = 0.5
COLOURED = 4
TUNED = ["bull"] * BULLS + ["colours"] * COLOURED + list(SCALARS)
DIVISORS = [TUNED.index("last_draws"), TUNED.index("round")]
POPULATION, ELITE, ROUNDS = 24, 6, 100
POINTS = 0.002  # what a point of difference counts beside a win
RANDOM_ACTIONS, KEPT, CHANGED = 4, 4, 0.15  # per cent; one position in so many; habits


# --- Play ---


class Table:
    """A game of so many players, with all the memory that playing it takes."""

    def __init__(self, players: int) -> None:
        game = tianxia.game("firebulls", players=players)
        self.players = players
        self.begin = game.new().record
        self.pool = self.begin.copy()
        self.room, self.sight = make_room(), make_sight()
        self.actions, self.weights = game.buffers()
        self.gains = np.zeros((2, 8))


@entry
@allocates
def contest(pool, begin, habits, games, seed, room, actions, weights, gains, found):
    """Play two players against each other; write the first one's win and lead for each game."""
    rng = np.zeros(4, np.int64)
    for game in range(games):
        seed_rng(rng, seed, game // 2)  # the same chance from both seats
        pool[0] = begin[0]
        state = pool[0]
        while state.over == 0:
            if state.acting == 0:
                count = f.chance_outcomes(state, actions, weights)
                f.apply_action(state, CHANCE, drawn(actions, weights, count, rng))
            else:
                seat = lowest(int(state.acting))
                f.apply_action(state, seat, decide(state, seat, habits[(seat + game) % 2], room))
        f.utilities(state, gains[0])
        f.scores(state, gains[1])
        own = game % 2
        found[game, 0] = (gains[0, own] + 1) / 2
        found[game, 1] = gains[1, own] - gains[1, 1 - own]


def play(table: Table, one: Numbers, other: Numbers, rounds: int, seed: int) -> Numbers:
    """Return the first player's mean share and mean lead."""
    found = np.zeros((2 * rounds, 2))
    habits = np.array([one, other])
    rest = (table.room, table.actions, table.weights, table.gains, found)
    contest(table.pool, table.begin, habits, len(found), seed, *rest)
    return found.mean(axis=0)


@entry
@allocates
def collect(pool, begin, habits, seed, room, sight, actions, weights, gains, inputs, shares):
    """Play until `inputs` is full of positions; write what share each seat had at the end."""
    rng = np.zeros(4, np.int64)
    seats, row, game = int(begin[0].seats), 0, 0
    while row < len(inputs):
        seed_rng(rng, seed, game)
        game += 1
        for seat in range(seats):
            for i in range(habits.shape[1]):
                change = CHANGED * (below(rng, 2001) - 1000) / 1000
                habits[1 + seat, i] = habits[0, i] * (1 + change)
        pool[0] = begin[0]
        state, first = pool[0], row
        while state.over == 0:
            if state.acting == 0:
                count = f.chance_outcomes(state, actions, weights)
                f.apply_action(state, CHANCE, drawn(actions, weights, count, rng))
                continue
            seat = lowest(int(state.acting))
            if state.phase == TURN and row < len(inputs) and below(rng, KEPT) == 0:
                look_at_all(state, habits[0], room, sight)
                inputs[row] = sight.inputs[:seats]
                row += 1
            if below(rng, 100) < RANDOM_ACTIONS:
                count = f.legal_actions(state, seat, actions)
                f.apply_action(state, seat, actions[below(rng, count)])
            else:
                f.apply_action(state, seat, decide(state, seat, habits[1 + seat], room))
        f.utilities(state, gains[0])
        for i in range(first, row):
            for seat in range(seats):
                shares[i, seat] = (gains[0, seat] * (seats - 1) + 1) / seats


def positions(players: int, habits: Numbers, count: int, seed: int) -> tuple[Numbers, Numbers]:
    """Return inputs of the network (count, players, INPUTS), and shares (count, players)."""
    table = Table(players)
    inputs, shares = np.zeros((count, players, INPUTS)), np.zeros((count, players))
    of_seats = np.zeros((1 + players, HABITS))
    of_seats[0] = habits
    rest = (table.actions, table.weights, table.gains, inputs, shares)
    collect(table.pool, table.begin, of_seats, seed, table.room, table.sight, *rest)
    return inputs, shares


# --- Habits ---


def flat(table: dict) -> Numbers:
    """Return habits as the numbers that are tuned."""
    return np.array([*table["bulls"], *table["colours"], *(table[name] for name in SCALARS)])


def named(numbers: Numbers) -> dict:
    """Return tuned numbers as habits."""
    values = [round(float(number), 3) for number in numbers]
    scalars = dict(zip(SCALARS, values[BULLS + COLOURED :], strict=True))
    return {"bulls": values[:BULLS], "colours": values[BULLS : BULLS + COLOURED], **scalars}


def fitness(table: Table, numbers: Numbers, champion: Numbers, seed: int) -> float:
    """Return how well a player does against the champion."""
    share, lead = play(table, habits_of(named(numbers)), champion, ROUNDS, seed)
    return float(share + POINTS * lead)


def tune(generations: int, rng: np.random.Generator) -> dict:
    """Return tuned habits."""
    table, mean, spread = Table(2), flat(FIRST_HABITS), np.array(SPREAD)
    champion = habits_of(FIRST_HABITS)
    weights = np.log(ELITE + 1) - np.log(np.arange(1, ELITE + 1))
    weights /= weights.sum()
    for generation in range(generations):
        players = mean + spread * rng.standard_normal((POPULATION, len(mean)))
        players[:, DIVISORS] = np.maximum(players[:, DIVISORS], LEAST_DRAWS)
        players[0] = mean
        seed = 1000 + generation
        order = np.argsort([-fitness(table, one, champion, seed) for one in players])[:ELITE]
        chosen = players[order]
        spread = 0.6 * spread + 0.4 * np.sqrt(weights @ (chosen - mean) ** 2)
        mean = 0.3 * mean + 0.7 * weights @ chosen
        if generation % 4 == 3:
            share, _ = play(table, habits_of(named(mean)), champion, 4 * ROUNDS, 5)
            print(f"generation {generation + 1}: {share:.3f} against the champion", flush=True)
            if share > 0.55:
                champion = habits_of(named(mean))
    return named(mean)


# --- The network ---


class Net:
    """The network while it learns: parameters, and Adam's moments."""

    RATE, DECAY = 3e-3, 1e-5

    def __init__(self, inputs: Numbers, steps: int, rng: np.random.Generator) -> None:
        self.mean, self.spread = inputs.mean(axis=0), inputs.std(axis=0) + 1e-3
        scale = 1 / np.sqrt(INPUTS)
        self.layers = [
            rng.normal(0, scale, (INPUTS, HIDDEN)),
            np.zeros(HIDDEN),
            rng.normal(0, 0.2, HIDDEN),
        ]
        self.moments = [[np.zeros_like(layer), np.zeros_like(layer)] for layer in self.layers]
        self.step, self.steps = 0, steps

    def ask(self, inputs: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Return scaled inputs, the layer, and shares (positions, players)."""
        count, players, _ = inputs.shape
        scaled = ((inputs - self.mean) / self.spread).reshape(-1, INPUTS)
        layer = np.tanh(scaled @ self.layers[0] + self.layers[1])
        numbers = (layer @ self.layers[2]).reshape(count, players)
        shares = np.exp(numbers - numbers.max(axis=1, keepdims=True))
        return scaled, layer, shares / shares.sum(axis=1, keepdims=True)

    def loss(self, inputs: Numbers, wanted: Numbers) -> float:
        """Return the cross entropy."""
        return float(-(wanted * np.log(self.ask(inputs)[2] + 1e-9)).sum(axis=1).mean())

    def learn(self, inputs: Numbers, wanted: Numbers) -> None:
        """Take one step."""
        scaled, layer, shares = self.ask(inputs)
        error = ((shares - wanted) / len(inputs)).reshape(-1)
        inner = error[:, None] * self.layers[2] * (1 - layer**2)
        self.step += 1
        rate = self.RATE * (1 - self.step / (self.steps + 1)) + 1e-5
        slopes = scaled.T @ inner, inner.sum(axis=0), layer.T @ error
        for i, change in enumerate(slopes):
            slope = change + self.DECAY * self.layers[i]
            first, second = self.moments[i]
            first += 0.1 * (slope - first)
            second += 0.001 * (slope**2 - second)
            size = np.sqrt(second / (1 - 0.999**self.step)) + 1e-8
            self.layers[i] -= rate * first / (1 - 0.9**self.step) / size

    def result(self) -> dict:
        """Return the layers for inputs that are not scaled."""
        first = self.layers[0] / self.spread[:, None]
        bias = self.layers[1] - (self.mean / self.spread) @ self.layers[0]
        layers = {"first": first, "bias": bias, "last": self.layers[2]}
        return {name: np.round(layer, 4).tolist() for name, layer in layers.items()}


def fit(data: list, epochs: int, rng: np.random.Generator, batch: int = 1024) -> dict:
    """Return the network that has learnt from the positions; a tenth of them is for looking."""
    parts = [(x[: len(x) * 9 // 10], y, x[len(x) * 9 // 10 :]) for x, y in data]
    steps = epochs * sum(len(x) // batch for x, _, _ in parts)
    net = Net(np.concatenate([x.reshape(-1, INPUTS) for x, _, _ in parts]), steps, rng)
    for epoch in range(epochs):
        order = [(k, i) for k, part in enumerate(parts) for i in range(len(part[0]) // batch)]
        rng.shuffle(order)
        mixed = [rng.permutation(len(x)) for x, _, _ in parts]
        for k, i in order:
            rows = mixed[k][i * batch : (i + 1) * batch]
            net.learn(parts[k][0][rows], parts[k][1][rows])
        losses = [f"{net.loss(held, y[len(x) :]):.4f}" for x, y, held in parts]
        print(f"epoch {epoch + 1}: cross entropy {' '.join(losses)}", flush=True)
    return net.result()


# --- All of it ---


def written(habits: dict, network: dict) -> str:
    """Return the file: one line for each habit and for each row of a layer."""
    rows = ",\n".join(f"      {json.dumps(row)}" for row in network["first"])
    lines = ",\n".join(f'    "{name}": {json.dumps(value)}' for name, value in habits.items())
    bias, last = json.dumps(network["bias"]), json.dumps(network["last"])
    return (
        f'{{\n  "habits": {{\n{lines}\n  }},\n  "network": {{\n    "first": [\n{rows}\n    ],\n'
        f'    "bias": {bias},\n    "last": {last}\n  }}\n}}\n'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a little of everything")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="where to write; by default the package")
    given = parser.parse_args()
    rng = np.random.default_rng(given.seed)
    begun = time.time()
    share = 50 if given.quick else 1
    habits = tune(1 if given.quick else 16, rng)
    counts = {2: 300_000, 3: 120_000, 4: 60_000}
    data = [
        positions(players, habits_of(habits), count // share, 7 + players)
        for players, count in counts.items()
    ]
    print(f"positions after {time.time() - begun:.0f} s", flush=True)
    network = fit(data, 2 if given.quick else 6, rng)
    out = given.out or (None if given.quick else Path(package.__file__).with_name(FILE))
    if out:
        out.write_text(written(habits, network), "utf-8")
    print(f"ready after {time.time() - begun:.0f} s: {out or 'nothing written'}")


if __name__ == "__main__":
    main()
