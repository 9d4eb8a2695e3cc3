"""Players of an arena: bots by name, makers in a module, programs outside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from shutil import which

from tianxia.bots.evaluator import Evaluated
from tianxia.bots.program import Connection, Program, ProgramError, words_of
from tianxia.bots.registry import command_maker, made
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game
from tianxia.search.bot import Bot, Maker
from tianxia.search.responding import Effort, Responder

OUTSIDE = "exec:"
RESPONSE = "response("
USUAL = "tianxia"
PROTOCOLS: Mapping[str, type[Program | Evaluated]] = {USUAL: Program, "evaluator": Evaluated}
"""What programs outside may speak: our own lines, or what public Stratego bots speak."""


def check(player: str, game: Game) -> None:
    """Raise TianxiaError where a player does not exist; a program is not started yet."""
    if player.startswith(OUTSIDE):
        words_of(player.removeprefix(OUTSIDE))
    else:
        maker_of(player, game)


def demand_programs(players: Iterable[str]) -> None:
    """Raise TianxiaError where a program outside is not there to be started."""
    for player in players:
        if player.startswith(OUTSIDE):
            program = words_of(player.removeprefix(OUTSIDE))[0]
            if which(program) is None:
                raise TianxiaError(f"{player}: there is no {program!r}, or nobody may run it")


def maker_of(player: str, game: Game) -> Maker:
    """Return what makes a bot, by its name, a net's file, as ``module:name`` or ``response(…)``."""
    if player.startswith(RESPONSE):
        return Response.read(player).maker(game)
    return command_maker(player, game)


@dataclass(frozen=True)
class Response:
    """A searched response to a bot, as a player: ``response(to=BOT,guide=BOT,iterations=64,…)``.

    Attributes
    ----------
    to
        The bot that the others are taken for.
    guide
        The bot whose choices are bettered.
    own
        The bot that plays for it in simulations; empty: the guide does.
    effort
        How much is tried.
    """

    to: str
    guide: str
    own: str
    effort: Effort

    @classmethod
    def read(cls, player: str) -> Response:
        """Return what a name means; raise TianxiaError where it means nothing."""
        words = player.removeprefix(RESPONSE).removesuffix(")").split(",")
        values = dict(word.partition("=")[::2] for word in words)
        known = {name: type(value) for name, value in vars(Effort()).items()}
        try:
            to, guide, own = values.pop("to"), values.pop("guide"), values.pop("own", "")
            effort = Effort(**{name: known[name](value) for name, value in values.items()})
        except (KeyError, ValueError) as error:
            names = ", ".join(f"{name}=…" for name in known)
            raise TianxiaError(
                f"{player!r} is not a response: "
                f"response(to=BOT,guide=BOT) and, as you like, {names}"
            ) from error
        return cls(to, guide, own, effort)

    @property
    def name(self) -> str:
        """How it is written; what is as usual is left out."""
        usual = vars(Effort())
        values = {"to": self.to, "guide": self.guide} | ({"own": self.own} if self.own else {})
        values |= {name: value for name, value in vars(self.effort).items() if value != usual[name]}
        return RESPONSE + ",".join(f"{name}={value}" for name, value in values.items()) + ")"

    def maker(self, game: Game) -> Maker:
        """Return what makes it."""
        for name in self.bots:
            if name.startswith(OUTSIDE):
                raise TianxiaError(f"{name!r} is a program outside, which cannot be imitated")
        known, guide, own = (maker_of(name, game) for name in self.bots)
        return partial(Responder, known=known, guide=guide, effort=self.effort, own=own)

    @property
    def bots(self) -> tuple[str, str, str]:
        """The names of the bots in it: to, guide, own."""
        return self.to, self.guide, self.own or self.guide


@dataclass
class Bench:
    """Makes the players of one process; programs stay for the next game.

    Attributes
    ----------
    patience
        See `Plan.patience`.
    protocol
        See `Plan.protocol`.
    folder
        Where programs' standard errors are kept; None drops them.
    """

    patience: float
    protocol: str = USUAL
    folder: Path | None = None
    _running: dict[tuple[int, str], Connection] = field(default_factory=dict)

    def seat(self, player: int, name: str, game: Game, seat: int, seed: int) -> Bot:
        """Return a player for a game; raise ProgramError where it cannot play."""
        if name.startswith(OUTSIDE):
            connection = self._connection(player, name)
            return PROTOCOLS[self.protocol](connection, game, seat, seed, self.patience)
        return made(maker_of(name, game), game, seat, seed)

    def _connection(self, player: int, name: str) -> Connection:
        key = (player, name)
        connection = self._running.pop(key, None)
        if connection is None or not connection.alive:
            if connection is not None:
                connection.close()
            file = None if self.folder is None else self.folder / f"player-{player + 1}.err"
            connection = Connection(name.removeprefix(OUTSIDE).strip(), file)
        self._running[key] = connection
        return connection

    def drop(self, player: int, name: str) -> None:
        """Stop a program that has not done its part; the next game starts it anew."""
        connection = self._running.pop((player, name), None)
        if connection is not None:
            connection.close()

    def close(self) -> None:
        """Let all programs end."""
        for connection in self._running.values():
            with suppress(ProgramError):
                connection.close()
        self._running.clear()
