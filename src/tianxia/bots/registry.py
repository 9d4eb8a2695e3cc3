"""Which bots there are for a game, and how one is made or made again."""

from __future__ import annotations

import sys
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from pathlib import Path

import numpy as np

from tianxia.bots import guides
from tianxia.bots.nets import PREFIX, net_maker, nets
from tianxia.kernel import functions, registry
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game, GameType
from tianxia.kernel.given import number
from tianxia.kernel.state import State
from tianxia.search.bot import Bot, BotError, Maker, tell
from tianxia.search.levels import LEVELS, searching
from tianxia.search.thinking import Searcher
from tianxia.search.uniform import Uniform

COMMON: dict[str, Maker] = {"random": Uniform, "search": Searcher}
"""The bots that play every game."""


class UnknownBot(TianxiaError, KeyError):
    """A bot that this game does not have."""

    def __str__(self) -> str:
        """Return the text as it is (KeyError would put it in quotes)."""
        return str(self.args[0]) if self.args else ""


def bots(game: Game | str) -> list[str]:
    """Return the names of the bots that play this game (or its description), the simplest first.

    Trained nets that lie in `tianxia.bots.nets.folder` are among them.
    """
    game = registry.game(game)
    return list(dict.fromkeys([*COMMON, *nets(game), *game.kind.bots, *LEVELS]))


def present_name(name: str, kind: GameType | str) -> str:
    """Return what a bot is called now that something stored calls by this name.

    `kind` is a game or its name; a game that is not installed has no former names.
    """
    if isinstance(kind, str):
        try:
            kind = registry.kind(kind)
        except TianxiaError:
            return name
    return kind.formerly.get(name, name)


def maker(name: str | Maker, game: Game | str) -> Maker:
    """Return what makes the bots of that name in a game; raise UnknownBot with the choices.

    A maker is returned as it is.

    ``net:FILE`` plays by a trained net, ``search+net:FILE`` searches by it: see
    `tianxia.bots.nets` and `tianxia.bots.guides`.
    """
    if callable(name):
        return name
    if not isinstance(name, str):
        raise TianxiaError(f"{name!r} is neither a bot's name nor what makes one, such as a class")
    game = registry.game(game)
    name = present_name(name, game.kind)
    if name.startswith(PREFIX):
        return net_maker(name, game)
    if name.startswith(guides.PREFIX):
        return guides.guided_maker(name, game)
    known = bots(game)
    if name not in known:
        near = get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
        if ":" in name:
            hint += "; MODULE:NAME and exec:COMMAND are for the command line"
        raise UnknownBot(f"{game.name} has no bot called {name!r}; {hint}")
    own = game.kind.bots.get(name)
    if isinstance(own, str):
        makers: dict[str, Maker] = import_module(own).MAKERS
        return makers[name]
    return own or (COMMON.get(name) or searching()[name])


def command_maker(name: str | Maker, game: Game) -> Maker:
    """Return what `maker` returns, or what ``module:name`` means.

    This runs the module: it is for who runs the command, never for a name from outside.
    """
    return imported(name) if isinstance(name, str) and of_module(name) else maker(name, game)


def of_module(name: str) -> bool:
    """Say whether a bot's name is ``module:name``."""
    return ":" in name and not name.startswith((PREFIX, guides.PREFIX))


def imported(player: str) -> Maker:
    """Return the maker that ``module:name`` means; modules of this folder are found, too."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    module, _, name = player.partition(":")
    if not all(module.split(".")):
        raise TianxiaError(f"there is no bot {player!r}: before the colon comes a module's name")
    try:
        found: Maker = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise TianxiaError(f"there is no bot {player!r}: {error}") from error
    if not callable(found):
        raise TianxiaError(f"{player!r} makes no bots: it cannot be called")
    return found


def make(name: str | Maker, game: Game | str, seat: int, seed: int) -> Bot:
    """Return a bot for a seat of a game or its description; the same seed makes the same player.

    Raises
    ------
    UnknownBot
        Naming the bots that there are.
    SeatError
        For a seat that this game does not have.
    """
    game = registry.game(game)
    making, seat, seed = maker(name, game), game.check_seat(seat), number("seed", seed)
    _load(game)
    return made(making, game, seat, seed)


def made(making: Maker, game: Game, seat: int, seed: int) -> Bot:
    """Return the bot that a maker makes; raise BotError where that is none."""
    bot = making(game, seat, seed)
    missing = [name for name in ("observe", "choose") if not callable(getattr(bot, name, None))]
    if missing:
        raise BotError(f"{called(bot)} is not a bot: it lacks {' and '.join(missing)}")
    return bot


def called(bot: object) -> str:
    """Return what messages call a bot: its name, or that of what it is."""
    return bot if isinstance(bot, str) else getattr(bot, "__name__", type(bot).__name__)


@lru_cache
def _load(game: Game) -> None:
    """Compile, before the first decision is on a clock, what is asked where several may act."""
    functions.legal_actions(game.new().record, 0, np.empty(game.max_legal, np.int32))


def rebuild(name: str | Maker, state: State, seat: int, seed: int) -> Bot:
    """Return a bot that has seen a game so far from its seat, as after a restart.

    It decides what a bot of the same name and seed decides that was there all the time.
    """
    bot = make(name, state.game, seat, seed)
    position = state.start()
    for actor, action in state.history():
        tell(position, action, actor, [(seat, bot)])
    return bot
