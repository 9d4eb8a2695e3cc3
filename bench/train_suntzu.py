"""Learn what positions of Sun Tzu are worth, by self-play, and write the weights.

    uv run python bench/train_suntzu.py --games 2000 --rounds 3

Quick Generals play one another, some of them with noise so that they see more of the game.
After each round of games the weights are fitted anew, from the last round of a game back to the
first: what comes before round 9 to the games' results, what comes before an earlier round to a
mixture of the results and of what the position a round later is thought to be worth (TD(λ)
with λ = 0.5, fitted). Each is a logistic regression with a penalty for leaving the weights of
before. Writes ``src/tianxia/games/suntzu/outlook.txt``; 1000 games take about a minute.
"""

from __future__ import annotations

import argparse
import pickle
import random
import time
from pathlib import Path

import numpy as np

import tianxia
from tianxia.games.suntzu import outlook
from tianxia.games.suntzu.components import LAST_ROUND
from tianxia.games.suntzu.general import General, Skill
from tianxia.games.suntzu.outlook import (
    ARMIES_LEFT,
    CARD,
    DRAWS,
    FEATURES,
    FEW_LEFT,
    HELD,
    LOST,
    MARKED,
    SCORE_CUBED,
    TRICK,
)
from tianxia.games.suntzu.state import COLLECTING
from tianxia.search.bot import tell

QUICK = Skill(own=2, other=6, orders=16, others=6, stages=2, iterations=40)
LOOSE = Skill(own=1, other=4, orders=16, others=6, stages=1, iterations=20, temperature=0.04)
SPECS = ("suntzu", "suntzu", "suntzu", "suntzu(events=yes)", "suntzu(deck=beginner,strategies=no)")
FOLDED = 0.5
"""The share of a game's result in what a position is to be worth."""
USELESS = [TRICK, TRICK + 4, TRICK + 6]
"""Strategy cards that cannot be played after round 6: S1, S5, K2."""
FLOOR = np.full(FEATURES, 0.01)
FLOOR[SCORE_CUBED], FLOOR[CARD:DRAWS], FLOOR[TRICK:] = 0.2, 0.5, 0.5
"""The least deviation that a feature is taken to have: what is rarely seen is learnt slowly."""
LEAST, MOST = np.full(FEATURES, -9.0), np.full(FEATURES, 9.0)
LEAST[HELD:DRAWS], MOST[CARD:DRAWS] = 0.01, 1.5  # holding a province or a card is no loss
LEAST[FEW_LEFT], LEAST[TRICK:], MOST[TRICK:] = 0.0, 0.0, 0.8
LEAST[LOST] = MOST[LOST] = 0.0  # who has paid armies has done something with them: no cause
MOST[MARKED], LEAST[ARMIES_LEFT] = 0.0, 0.0
Sample = list[tuple[int, np.ndarray]]


def game(seed: int, weights: np.ndarray) -> tuple[Sample, float]:
    """Play a game; return the features after each round's fights, and Sun Tzu's result."""
    chooser = random.Random(seed)
    state = tianxia.game(SPECS[seed % len(SPECS)]).new()
    bots = []
    for seat in range(2):
        skill = LOOSE if chooser.random() < 0.25 else QUICK
        bot = General(state.game, seat, chooser.getrandbits(30), skill)
        bot.weights = weights
        bots.append((seat, bot))
    sample: Sample = []
    while not state.over:
        if state.acting:
            seat = state.acting[0]
            action = bots[seat][1].choose(state.view(seat))
            if state.fields["turn"] == 1 and len(state.legal_actions(seat)) == 5 and not sample:
                action = chooser.choice(state.legal_actions(seat))  # strategy cards: try all
        else:
            seat = tianxia.CHANCE
            actions, weigh = zip(*state.chance_weights(), strict=True)
            action = chooser.choices(actions, weigh)[0]
        tell(state, action, seat, bots)
        turn = int(state.fields["turn"])
        if not state.over and state.fields["phase"] == COLLECTING and len(sample) < turn:
            sample.append((turn + 1, outlook.features(state.fields, turn + 1)))
    return sample, (state.utilities()[0] + 1) / 2


def sigmoid(logits: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-logits))


def fit(x: np.ndarray, y: np.ndarray, before: np.ndarray, stiff: float) -> np.ndarray:
    """Return weights by logistic regression, with a penalty for leaving those of before."""
    scale = np.maximum(x.std(axis=0), FLOOR)
    x, start = x / scale, before * scale
    weights = start.copy()
    for _ in range(12):
        p = sigmoid(x @ weights)
        slope = x.T @ (y - p) - stiff * (weights - start)
        curve = (x * (p * (1 - p))[:, None]).T @ x + stiff * np.eye(x.shape[1])
        weights += np.linalg.solve(curve, slope)
    return weights / scale


def smooth(table: np.ndarray) -> np.ndarray:
    """Return weights within their bounds, those of cards averaged with the rounds beside."""
    table = np.clip(table, LEAST, MOST)
    table[:2] = 0
    cards = np.vstack([table[2, CARD:], table[2:, CARD:], table[-1, CARD:]])
    table[2:, CARD:DRAWS] = ((cards[:-2] + 2 * cards[1:-1] + cards[2:]) / 4)[:, : DRAWS - CARD]
    return table


def improve(samples: list[tuple[Sample, float]], before: np.ndarray, stiff: float) -> np.ndarray:
    """Return weights fitted to games, from the last round back."""
    after = before = smooth(before)
    after = after.copy()
    for turn in range(LAST_ROUND, 1, -1):
        rows, aims = [], []
        for sample, result in samples:
            found = dict(sample)
            if turn not in found:
                continue
            aim = result
            if turn + 1 in found:
                later = sigmoid(found[turn + 1] @ after[turn + 1])
                aim = FOLDED * result + (1 - FOLDED) * later
            rows.append(found[turn])
            aims.append(aim)
        x, y = np.array(rows), np.array(aims)
        after[turn] = np.clip(fit(x, y, before[turn], stiff), LEAST, MOST)
        if turn > 6:
            after[turn, USELESS] = 0
        logits = x @ after[turn]
        loss = np.mean(np.logaddexp(0, logits) - y * logits)
        print(f"  before round {turn}: {len(y)} positions, loss {loss:.4f}")
    return after


def remember(path: Path, samples: list[tuple[Sample, float]]) -> list[tuple[Sample, float]]:
    """Add games to those of earlier runs, in a file; return all."""
    if path.exists():
        with path.open("rb") as file:
            samples = pickle.load(file) + samples
    with path.open("wb") as file:
        pickle.dump(samples, file)
    return samples


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, help="a file that keeps all games that were played")
    parser.add_argument("--stiff", type=float, default=20.0)
    chosen = parser.parse_args()
    path = Path(outlook.__file__).with_name("outlook.txt")
    weights = outlook.read(path.read_text("utf-8"))
    for number in range(chosen.rounds):
        clock = time.process_time()
        first = (chosen.seed * 100 + number) * 1_000_000
        weights = smooth(weights)
        samples = [game(first + i, weights) for i in range(chosen.games)]
        if chosen.data is not None:
            samples = remember(chosen.data, samples)
        mean = np.mean([result for _, result in samples])
        print(f"{chosen.games} games in {time.process_time() - clock:.0f} s; Sun Tzu {mean:.3f}")
        weights = improve(samples, weights, chosen.stiff)
        path.write_text(outlook.write(weights), "utf-8")


if __name__ == "__main__":
    main()
