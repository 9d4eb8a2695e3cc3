"""Which tastes of a best player win against strangers: in each game some are drawn by lot.

    uv run python bench/tastes.py stratego RISK=0,0.12 PACE=0.25,0.18 --games 600 --workers 2
    uv run python bench/tastes.py china --players 3 lead=0.7,1.4
    uv run python bench/tastes.py stratego CALM=20,36 DOUBT=42,112 --quick --games 2800 --workers 2
    uv run python bench/tastes.py stratego --show

Where games against itself (`bench/variations.py`) tell what beats its own kind, these tell what
beats others. A taste is named with two values, for China's weights with two factors; each game
takes one of the two by lot, for all tastes independently, and meets the next style of the game's
league. So every game tells something of every taste. A line is fitted through all games of a log:
by how much more often the second value wins, with its 95 % interval, against all styles, and
against either half of them: what holds for strangers holds in both. The same command goes on with a
log, whose first line has the tastes; other tastes need another (`--log`). With `--quick` both sides
of Stratego look one move ahead, and a game takes a tenth of the time: what holds there is worth
games of `master`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from league import GAMES, LONGEST, names_of, stranger
from tune_stratego import NAMES

import tianxia
from tianxia.arena.course import shares_of
from tianxia.arena.players import maker_of
from tianxia.bots import play
from tianxia.games.china.bot import chancellor
from tianxia.games.china.bot.league import WEIGHT_PLACES
from tianxia.games.china.bot.worth import WEIGHT_ROWS, fitted
from tianxia.games.stratego.bot import strategos
from tianxia.games.stratego.bot.appraisal import USUAL
from tianxia.kernel.cache import home
from tianxia.kernel.game import Game
from tianxia.search.bot import Bot, Maker
from tianxia.search.leaning import factors

FIRST_SEED = 300_000
Values = Mapping[str, float]


def stratego(values: Values) -> Maker:
    """Return what makes Stratego's `master` with other tastes."""
    taste = USUAL.copy()
    for name in values.keys() & set(NAMES):
        taste[NAMES.index(name)] = values[name]
    skill = skilled(strategos.Skill(taste=tuple(taste.tolist())), values, NAMES)
    return partial(strategos.Strategos, skill=skill)


def china(values: Values) -> Maker:
    """Return what makes China's `master` with other weights, by their factors."""
    taste = {name: values[name] for name in values.keys() & WEIGHT_PLACES.keys()}
    skill = skilled(chancellor.Skill(trials=800), values, WEIGHT_PLACES)
    weights = fitted() * factors(taste, WEIGHT_PLACES, WEIGHT_ROWS)[:, None]
    return partial(chancellor.Chancellor, skill=skill, weights=weights)


def quick(maker: Maker) -> Maker:
    """Return what makes the same player of Stratego, but that it looks one move ahead."""

    def made(game: Game, seat: int, seed: int) -> Bot:
        bot = maker(game, seat, seed)
        if isinstance(bot, strategos.Strategos):
            bot.skill = replace(bot.skill, depth=1)
        return bot

    return made


def skilled(skill: Any, values: Values, tastes: Iterable[str]) -> Any:
    """Return a skill with those of the values that are no tastes."""
    others = values.keys() - set(tastes)
    return replace(skill, **{name: type(getattr(skill, name))(values[name]) for name in others})


MAKERS: Mapping[str, Callable[[Values], Maker]] = {"stratego": stratego, "china": china}


@dataclass(frozen=True)
class Lots:
    """Games in which the tastes of one player are drawn by lot.

    Attributes
    ----------
    name, spec
        The game, without options and with them.
    tastes
        By name: the two values that are drawn from.
    quick
        Whether all look one move ahead.
    """

    name: str
    spec: str
    tastes: Mapping[str, Sequence[float]]
    quick: bool = False

    @property
    def game(self) -> Game:
        """The game with its options."""
        return tianxia.game(self.spec)

    def play(self, number: int) -> dict[str, Any]:
        """Play a game; return what was drawn, whom it met and what share it won."""
        lot = random.Random(number)
        drawn = {taste: lot.random() < 0.5 for taste in self.tastes}
        ours = MAKERS[self.name]({taste: self.tastes[taste][drawn[taste]] for taste in drawn})
        styles = names_of(self.name)
        style = styles[number % len(styles)]
        seat = number // len(styles) % self.game.seats
        players = [maker_of(stranger(self.name, style), self.game)] * self.game.seats
        players[seat] = ours
        players = [quick(player) for player in players] if self.quick else players
        end = play(self.game, players, FIRST_SEED + number, LONGEST.get(self.name))
        won = shares_of(end.utilities())[seat] if end.over else 1 / self.game.seats
        return {"number": number, "style": style, "drawn": drawn, "won": won}


Row = dict[str, Any]


def fit(rows: Sequence[Row], tastes: Sequence[str]) -> list[tuple[float, float]]:
    """Return by what share each taste's second value wins more, and half its interval."""
    styles = sorted({row["style"] for row in rows})
    signs = [[1.0 if row["drawn"][taste] else -1.0 for taste in tastes] for row in rows]
    met = [[float(row["style"] == style) for style in styles] for row in rows]
    spare = len(rows) - len(tastes) - len(styles)
    if spare <= 0:  # games that are too few tell nothing
        return [(np.nan, np.inf)] * len(tastes)
    table, won = np.hstack([signs, met]), np.array([row["won"] for row in rows])
    inverse = np.linalg.pinv(table.T @ table)
    slopes = inverse @ table.T @ won
    error = ((won - table @ slopes) ** 2).sum() / spare
    spread = 1.96 * np.sqrt(error * np.diag(inverse))
    return [(2 * slopes[i], 2 * spread[i]) for i in range(len(tastes))]


def show(rows: Sequence[Row], half: Sequence[str]) -> None:
    """Print what the games tell."""
    tastes = list(rows[0]["drawn"])
    mean = float(np.mean([row["won"] for row in rows]))
    print(f"{len(rows)} games, {100 * mean:.1f} % won; what the second value wins more, in %")
    some = [row for row in rows if row["style"] in half]
    others = [row for row in rows if row["style"] not in half]
    columns = [fit(part, tastes) for part in (rows, some, others)]
    for taste, *cells in zip(tastes, *columns, strict=True):
        print(f"{taste:14}" + "".join(f"{100 * by:+8.1f} ± {100 * off:4.1f}" for by, off in cells))


def taste_of(text: str) -> tuple[str, tuple[float, float]]:
    """Return a taste and its two values: ``RISK=0,0.12``."""
    name, _, values = text.partition("=")
    first, second = map(float, values.split(","))
    return name, (first, second)


def main(arguments: Sequence[str]) -> None:
    """Play games, or show what those played tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", choices=list(MAKERS))
    parser.add_argument("tastes", nargs="*", help="NAME=FIRST,SECOND")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--quick", action="store_true", help="all look one move ahead: Stratego")
    parser.add_argument("--log", type=Path, help="usually by game, in tastes in TIANXIA_HOME")
    parser.add_argument("--show", action="store_true", help="play nothing")
    chosen = parser.parse_intermixed_args(arguments)
    if chosen.quick and chosen.game != "stratego":
        parser.error("only in Stratego does a move ahead make quick players")
    spec = GAMES[chosen.game][chosen.players - 2]
    log = chosen.log or home() / "tastes" / f"{chosen.game}-{chosen.players}.jsonl"
    if not chosen.show:
        carry_on(log, spec, dict(map(taste_of, chosen.tastes)), chosen)
    elif not log.exists():
        parser.error(f"there is no {log}: nothing was played")
    _, *rows = map(json.loads, log.read_text().splitlines())
    if rows:
        show(rows, names_of(chosen.game)[::2])


def carry_on(
    log: Path, spec: str, tastes: Mapping[str, Sequence[float]], chosen: argparse.Namespace
) -> None:
    """Play what a log still lacks; begin it where there is none."""
    head = json.dumps({"spec": spec, "tastes": tastes} | ({"quick": True} if chosen.quick else {}))
    log.parent.mkdir(parents=True, exist_ok=True)
    if not log.exists():
        log.write_text(head + "\n")
    began, *rows = log.read_text().splitlines()
    if began != head:
        raise SystemExit(f"{log} is of others, {began}; choose another by --log")
    lots = Lots(chosen.game, spec, tastes, chosen.quick)
    with log.open("a") as out, ProcessPoolExecutor(chosen.workers) as pool:
        for row in pool.map(lots.play, range(len(rows), chosen.games)):
            out.write(json.dumps(row) + "\n")
            out.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
