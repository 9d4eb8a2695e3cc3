"""Tune what the Warlord of Bin'Fa thinks matters, by games against itself.

    uv run python bench/tune_binfa.py 500 --workers 2
    uv run python bench/tune_binfa.py --show

The method is described in `bench/variations.py`. Pairs are logged in `bench/tune_binfa_paid.jsonl`
(level 4, where rolls cost supplies) and `bench/tune_binfa_free.jsonl` (level 1); what earlier runs
told is in `bench/notes/tuning.md`. Weights worth taking go into
`src/tianxia/games/binfa/bot/weights.json` by hand, after a match:

    uv run python bench/tune_binfa.py --match paid --weights covered=0.8,now=0.6 200
    uv run python bench/tune_binfa.py --match paid --weights covered=0.8 --best 100
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from variations import Numbers, Tuning, factors, run, two_games

import tianxia
from tianxia.games.binfa.bot.appraisal import FADING, WEIGHT_NAMES, weights_for
from tianxia.games.binfa.bot.warlord import BEST, Skill, Warlord
from tianxia.kernel.game import Game

FIRST_SEED, MATCH_SEED = 70_000, 400_000


@dataclass(frozen=True)
class Setting:
    """What is played, and how: with less thought than `master`, so that there are many games."""

    game: Game
    skill: Skill

    def usual(self) -> Numbers:
        """Return the weights in the package."""
        return weights_for(self.game)

    def share(self, weights: Numbers, against: Numbers, number: int) -> float:
        """Return the share of wins of some weights in two games with the same dice."""
        players = [partial(Warlord, weights=each, skill=self.skill) for each in (weights, against)]
        return two_games(self.game, players, FIRST_SEED + number)


SETTINGS = {
    "paid": Setting(tianxia.game("binfa(turns=300)"), Skill(width=6, deep=4, deep_width=2)),
    "free": Setting(tianxia.game("binfa(level=1,turns=300)"), Skill(width=4, deep=0)),
}


def varied(weights: Numbers, change: Numbers) -> Numbers:
    """Return changed weights; what fades from supply to supply stays below one."""
    found = factors(weights, change)
    found[FADING] = weights[FADING] ** np.exp(-change[FADING])
    return found


def tuning(kind: str, setting: Setting) -> Tuning:
    """Return how one set of weights is tuned."""
    log = Path(__file__).with_name(f"tune_binfa_{kind}.jsonl")
    return Tuning(log, WEIGHT_NAMES, setting.usual(), varied, setting.share)


def match(arguments: argparse.Namespace) -> None:
    """Play with other weights against those in the package."""
    setting = SETTINGS[arguments.match]
    setting = replace(setting, skill=BEST) if arguments.best else setting
    weights = setting.usual().copy()
    for name, value in (word.split("=") for word in arguments.weights.split(",")):
        weights[WEIGHT_NAMES.index(name)] = float(value)
    numbers = range(MATCH_SEED, MATCH_SEED + arguments.pairs)
    won = [setting.share(weights, setting.usual(), number) for number in numbers]
    error = 100 * float(np.std(won)) / len(won) ** 0.5
    print(f"{arguments.match}: {100 * np.mean(won):.1f} ± {error:.1f} % of {2 * len(won)} games")


if __name__ == "__main__":
    if "--match" in sys.argv:
        parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
        parser.add_argument("--match", choices=SETTINGS, required=True)
        parser.add_argument("--weights", required=True, help="NAME=NUMBER, with commas between")
        parser.add_argument("--best", action="store_true", help="as `master` plays")
        parser.add_argument("pairs", type=int)
        match(parser.parse_args())
    else:
        run([tuning(*kind) for kind in SETTINGS.items()], __doc__)
