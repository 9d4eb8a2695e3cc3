"""Tune what the Strategos thinks matters in Stratego, by games against itself.

    uv run python bench/tune_stratego.py 2000 --workers 2
    uv run python bench/tune_stratego.py --show

The method is described in `bench/variations.py`. Pairs are logged in `bench/tune_stratego.jsonl`;
what earlier runs told is in `bench/notes/tuning.md`.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from variations import Numbers, Tuning, factors, run, two_games

import tianxia
from tianxia.games.stratego.bot.appraisal import USUAL
from tianxia.games.stratego.bot.strategos import Skill, Strategos

# fmt: off
NAMES = (
    "GUARD", "POST", "PACE", "CHASE_PACE", "RAID", "CALM", "LEAST_CAUTION", "CAUTION",
    "FLAG_WORTH", "TOLD", "GIVEN_AWAY", "DOUBT", "DEFENCE", "GUARDING", "STAKE",
    "SHELTER", "RISK", "BAIT", "FEARED", "BREACH", "SCARCE", "SPY", "SCOUT", "MINER", "SERGEANT",
    "LIEUTENANT", "CAPTAIN", "MAJOR", "COLONEL", "GENERAL", "MARSHAL", "BOMB",
)
# fmt: on
LONGEST = 1500
"""Actions after which a game is drawn."""
FIRST_SEED = 50_000


def skill_of(taste: Numbers) -> Skill:
    """Return a skill that thinks less than `master`, so that there are many games."""
    return Skill(worlds=4, depth=2, nodes=4_000, temperature=0.4, taste=tuple(taste.tolist()))


def share(taste: Numbers, against: Numbers, number: int) -> float:
    """Return the share of wins of a taste against another in two games."""
    game = tianxia.game("stratego")
    players = [partial(Strategos, skill=skill_of(each)) for each in (taste, against)]
    return two_games(game, players, FIRST_SEED + number, LONGEST)


TUNING = Tuning(Path(__file__).with_suffix(".jsonl"), NAMES, USUAL, factors, share)

if __name__ == "__main__":
    run([TUNING], __doc__)
