"""The quick player of China against itself with other weights: thousands of games in seconds.

    uv run python bench/china_duel.py "china(players=3)" pair=0.6,0.5 card=0.1,0.2
    uv run python bench/china_duel.py "china(players=2)" swing=0,0 --games 6000

One seat has the weights that are given (a part that stays and one that shrinks with the cards
to come), all others those of the package; the seats change, with the same deals for all. What
it prints is that seat's share of wins, with its standard error. What the quick player gains is
not what `master` gains, which plays on with it in its trials; but what it loses is no better there.
"""

from __future__ import annotations

import argparse
import math

import numpy as np

import tianxia
from tianxia.games.china.bot import worth
from tianxia.games.china.bot.habit import habit
from tianxia.games.china.bot.plans import settle
from tianxia.kernel import functions as kernel
from tianxia.kernel.bits import lowest
from tianxia.kernel.jit import entry, rule
from tianxia.kernel.rng import new_rng, seed_rng


@entry
def duel(pool, begin, one, others, seed, games, rng):
    """Play games, the seats in turn as `one`, and return the utilities of that seat together."""
    total, seats = 0.0, int(begin[0].seats)
    for game in range(games):
        seed_rng(rng, seed, game // seats)
        pool[0] = begin[0]
        tried = game % seats
        settle(pool[0], one[0], rng)
        while pool[0].over == 0:
            act(pool[0], one[0], others[0], tried)
            settle(pool[0], one[0], rng)
        kernel.utilities(pool[0], one[0].won)
        total += one[0].won[tried]
    return total


@rule
def act(state, one, others, tried):
    """Let the quick player act with one desk or the other."""
    seat = lowest(int(state.acting))
    one.surveyor = others.surveyor = 0  # each has missed what happened on the other's turn
    if seat == tried:
        kernel.apply_action(state, seat, habit(state, one, seat))
    else:
        kernel.apply_action(state, seat, habit(state, others, seat))


def changed(players: int, changes: list[str]) -> np.ndarray:
    """Return the package's weights with some changed, such as ``pair=0.6,0.5``."""
    weights = worth.fitted().copy()
    for change in changes:
        name, _, values = change.partition("=")
        weights[players, worth.WEIGHT_NAMES.index(name)] = [float(one) for one in values.split(",")]
    return weights


def main() -> None:
    """Play, and print the share."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("changes", nargs="+", help="such as pair=0.6,0.5")
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=9)
    chosen = parser.parse_args()
    game = tianxia.game(chosen.game)
    one, others = worth.make_desk(changed(game.seats, chosen.changes)), worth.make_desk()
    begin, rng = game.new().record, new_rng(chosen.seed)
    total = duel(game.blank(), begin, one, others, chosen.seed, chosen.games, rng)
    share = (total / chosen.games * (game.seats - 1) + 1) / game.seats
    error = math.sqrt(share * (1 - share) / chosen.games)
    found = f"{100 * share:.1f} ± {100 * error:.1f} % of {chosen.games} games"
    print(f"{found}; even would be {100 / game.seats:.1f} %")


if __name__ == "__main__":
    main()
