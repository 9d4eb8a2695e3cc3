"""Whether the best levels gain by thinking longer: each, with its effort many times, against it.

    python bench/thinking.py china --times 10 --games 200

With `--times 10` a decision takes some tenths of a second to a second. Games are played in pairs;
the same command goes on where it was stopped.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the arena plays what is here

from tianxia.arena import Archive, Plan, run, standings
from tianxia.arena.report import duration, percent
from tianxia.kernel.cache import home
from tianxia.search.bot import Maker


@dataclass(frozen=True)
class Effort:
    """Where the effort of a best level is set.

    Attributes
    ----------
    spec
        The game that is played.
    levels, player
        The module of its levels, and its player as ``module:name``.
    fields
        What is multiplied of the level's skill.
    """

    spec: str
    levels: str
    player: str
    fields: tuple[str, ...]

    def maker(self, times: int) -> Maker:
        """Return the best level with so many times its effort."""
        module, _, name = self.player.partition(":")
        skill: Any = import_module(self.levels).SKILLS["master"]
        more = replace(skill, **{field: times * getattr(skill, field) for field in self.fields})
        return partial(getattr(import_module(module), name), skill=more)


def _effort(spec: str, player: str, *fields: str) -> Effort:
    bots = f"tianxia.games.{spec.partition('(')[0]}.bot"
    return Effort(spec, f"{bots}.levels", f"{bots}.{player}", fields)


EFFORTS = {
    "binfa": _effort("binfa(turns=500)", "warlord:Warlord", "deep", "trials"),
    "china": _effort("china(players=2)", "chancellor:Chancellor", "trials"),
    "firebulls": _effort("firebulls", "chief:Chief", "trials"),
    "stratego": _effort("stratego", "strategos:Strategos", "worlds", "nodes"),
    "suntzu": _effort("suntzu", "tactician:Tactician", "own", "other", "iterations"),
}


def __getattr__(name: str) -> Maker:
    """Return what the arena plays by a name such as ``china_10``."""
    game, _, times = name.rpartition("_")
    if game not in EFFORTS or not times.isdigit():
        raise AttributeError(name)
    return EFFORTS[game].maker(int(times))


def main() -> None:
    """Play, and say how much more thinking wins."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=EFFORTS)
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--folder", type=Path, default=home() / "thinking")
    parser.add_argument("--workers", type=int)
    given = parser.parse_args()
    more = f"bench.thinking:{given.game}_{given.times}"
    folder = given.folder / f"{given.game}-{given.times}"
    archive = Archive(folder, Plan(EFFORTS[given.game].spec, (more, "master"), given.games))
    for _ in run(archive, given.workers):
        pass
    for one in standings(archive.plan.players, archive.outcomes()):
        interval = f"{percent(one.low)} to {percent(one.high)}"
        share = f"{percent(one.share)} of {one.games} ({interval})"
        print(f"{one.name}: {share}, a decision {duration(one.seconds)}")


if __name__ == "__main__":
    main()
