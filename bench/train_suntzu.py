"""Learn what positions of Sun Tzu are worth, from rounds that are solved, and write the weights.

    uv run python bench/train_suntzu.py --games 2000 --rounds 2

Quick Generals play one another, some of them with noise so that they see more of the game. The
positions with which rounds began are kept, hands and decks changed a little in some. Then, from
the last round back to the second, each is solved as a game of orders for many hands of both sides,
valued by the weights of the round that follows (round 9 by who has won), and what it is worth
to each hand tells the weights of its own round: a logistic regression with a penalty for leaving
the weights of before. A solved round says far more than the result of one game does.

What strategy cards are worth cannot be learnt so, since solved rounds play none: these weights stay
what they were, learnt from results of games. Writes ``src/tianxia/games/suntzu/bot/outlook.txt``;
1000 games take about five minutes.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import numpy as np

import tianxia
from tianxia.games.suntzu.bot import outlook
from tianxia.games.suntzu.bot.mixing import Effort, make_lots, solve
from tianxia.games.suntzu.bot.outlook import (
    ARMIES_LEFT,
    CARD,
    COMING,
    DRAWN_CARDS,
    HELD,
    LEAN,
    LOST,
    MANY,
    OF_MARKS,
    TERMS,
    TRICK,
)
from tianxia.games.suntzu.bot.tactician import Skill, Tactician
from tianxia.games.suntzu.rules.components import BASIC, LAST_ROUND, PROVINCES, SPECIAL
from tianxia.games.suntzu.rules.state import LAYING
from tianxia.kernel.record import Pool
from tianxia.kernel.rng import new_rng
from tianxia.kernel.state import State
from tianxia.search.bot import tell

QUICK = Skill(own=2, other=6, orders=16, others=6, stages=2, iterations=40, replies=2)
LOOSE = Skill(
    own=1, other=4, orders=16, others=6, stages=1, iterations=20, temperature=0.04, replies=2
)
SPECS = ("suntzu(strategies=no)",) * 5 + ("suntzu(deck=beginner,strategies=no)",)
HANDS, ORDERS, EFFORT = 8, 24, Effort(3, 2, 120, 1.3)
"""How a position is solved: hands of each side, orders of each, and see `mixing.solve`."""
STIFF = 10.0
"""How much a weight is held back where it was, in samples of the widest uncertainty."""
LEAST, MOST = np.full(TERMS, -9.0), np.full(TERMS, 9.0)
LEAST[HELD:MANY] = 0.01  # holding a province or a card is no loss
MOST[MANY], LEAST[COMING] = 0.0, 0.0
LEAST[ARMIES_LEFT:LOST] = 0.0
LEAST[LOST], MOST[LOST] = -0.2, 0.2
MOST[OF_MARKS] = 0.0
LEARNT = np.arange(TERMS) < TRICK
LEARNT[[LEAN, DRAWN_CARDS]] = (
    False  # no side is better; what a draw is worth follows from the cards
)
Sample = tuple[np.ndarray, float]
"""Features and the chance that Sun Tzu wins."""


def positions(seed: int, weights: np.ndarray) -> list[State]:
    """Play a game; return the positions in which its rounds from the second on began."""
    chooser = random.Random(seed)
    state = tianxia.game(SPECS[seed % len(SPECS)]).new()
    bots = []
    for seat in range(2):
        skill = LOOSE if chooser.random() < 0.25 else QUICK
        bot = Tactician(state.game, seat, chooser.getrandbits(30), skill)
        bot.weights = weights
        bots.append((seat, bot))
    found: list[State] = []
    while not state.over:
        if state.acting:
            turn = int(state.fields["turn"])
            if state.fields["phase"] == LAYING and turn == len(found) + 2:
                found.append(state.clone())
            seat = state.acting[0]
            action = bots[seat][1].choose(state.view(seat))
        else:
            seat = tianxia.CHANCE
            actions, shares = zip(*state.chance_weights(), strict=True)
            action = chooser.choices(actions, shares)[0]
        tell(state, action, seat, bots)
    return found


def shake(pool: Pool, chooser: random.Random) -> None:
    """Bring cards that are gone to hands, and back, and out of decks, in some positions.

    Or else nothing could be learnt of hands and decks that the players never let come up.
    """
    for seat in range(2):
        places = {"gone": pool["gone"][0][seat], "deck": pool["deck"][0][seat]}
        places["hand"] = pool["hand"][0][seat][BASIC:]
        for _ in range(chooser.choice((0, 0, 1, 2, 3))):
            origin, target = chooser.choice((("hand", "gone"), ("gone", "hand"), ("deck", "gone")))
            there = [kind for kind in range(SPECIAL) for _ in range(places[origin][kind])]
            if there:
                kind = chooser.choice(there)
                places[origin][kind] -= 1
                places[target][kind] += 1


def worths(
    state: State, chooser: random.Random, weights: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return hands of both sides, and how often each wins in the solved round."""
    hands = []
    for seat in range(2):
        worlds = state.game.samples(state.view(1 - seat), HANDS, chooser.getrandbits(40))
        hands.append(worlds["hand"][:, seat].astype(np.int64))
    lots = make_lots((hands[0], hands[1]), [[ORDERS] * HANDS] * 2)
    rng = new_rng(chooser.getrandbits(40), 0)
    solve(state.record, weights, 0, np.full(PROVINCES, -1), EFFORT, lots, rng)
    return np.array(hands), (lots.share * lots.value).reshape(2, HANDS, ORDERS).sum(axis=2)


def samples_of(state: State, chooser: random.Random, weights: np.ndarray) -> list[Sample]:
    """Solve a position; return a sample for each hand, against what the other may hold."""
    pool = state.record
    shake(pool, chooser)
    state = state.game.from_bytes(pool.tobytes())
    hands, values = worths(state, chooser, weights)
    mean = hands.mean(axis=1)[:, BASIC:]
    record = state.record[0]
    plain = outlook.features(record, int(record["turn"]), drawn=True)
    plain[CARD:DRAWN_CARDS] = 0
    found = []
    for seat, sign in ((0, 1), (1, -1)):
        for hand, value in zip(hands[seat], values[seat], strict=True):
            row = plain.copy()
            row[CARD:DRAWN_CARDS] = sign * (hand[BASIC:] - mean[1 - seat])
            found.append((row, min(max(value if seat == 0 else 1 - value, 0.0), 1.0)))
    return found


def sigmoid(logits: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-logits))


def fit(x: np.ndarray, y: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Return weights by logistic regression, with a penalty for leaving those of before."""
    scale = np.maximum(x.std(axis=0), 0.05)
    weights = before * scale
    start, x = weights.copy(), x / scale
    for _ in range(15):
        p = sigmoid(x @ weights)
        slope = x.T @ (y - p) - STIFF * (weights - start)
        curve = (x * (p * (1 - p))[:, None]).T @ x + STIFF * np.eye(x.shape[1])
        weights += np.linalg.solve(curve, slope)
    return np.asarray(weights / scale)


def worth_of_draw(worth: np.ndarray, chooser: np.random.Generator) -> float:
    """Return what one more card is worth: the two best of three, less the best of two."""
    deck = np.repeat(worth, [1, 1, 1, 1, 3, 1, 1, 3, 2])
    drawn = np.array([chooser.permutation(deck)[:3] for _ in range(4000)])
    best = np.sort(drawn, axis=1)[:, 1:].sum(axis=1).mean()
    return float(best - np.maximum(drawn[:, 0], drawn[:, 1]).mean())


def improve(states: list[State], weights: np.ndarray, repeats: int, seed: int) -> None:
    """Fit the weights of each round to its solved positions, from the last round back."""
    for turn in range(LAST_ROUND, 1, -1):
        chooser, clock = random.Random(f"{seed} {turn}"), time.process_time()
        begun = [state for state in states if state.fields["turn"] == turn]
        found = [s for state in begun * repeats for s in samples_of(state, chooser, weights)]
        x, y = np.array([row for row, _ in found]), np.array([value for _, value in found])
        fitted = fit(x[:, LEARNT], y, weights[turn, LEARNT])
        weights[turn, LEARNT] = np.clip(fitted, LEAST[LEARNT], MOST[LEARNT])
        numbers = np.random.default_rng(turn)
        weights[turn, DRAWN_CARDS] = worth_of_draw(weights[turn, CARD:DRAWN_CARDS], numbers)
        p = sigmoid(x[:, LEARNT] @ weights[turn, LEARNT])
        told = 1 - ((y - p) ** 2).mean() / y.var()
        spent = time.process_time() - clock
        print(f"  round {turn}: {len(begun)} positions, {100 * told:.0f} % told; {spent:.0f} s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=1, help="how often each is solved")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=Path(outlook.__file__).parent)
    chosen = parser.parse_args()
    weights = outlook.weights().copy()
    for number in range(chosen.rounds):
        clock, first = time.process_time(), (chosen.seed * 100 + number) * 1_000_000
        states = [one for i in range(chosen.games) for one in positions(first + i, weights)]
        print(f"{chosen.games} games in {time.process_time() - clock:.0f} s", flush=True)
        improve(states, weights, chosen.repeats, first)
        (chosen.output / "outlook.txt").write_text(
            outlook.write(outlook.in_order(weights)), "utf-8"
        )


if __name__ == "__main__":
    main()
