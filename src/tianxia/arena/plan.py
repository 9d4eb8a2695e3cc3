"""Who plays whom in which seats, and with which dice.

Players meet in *rounds*. In a round every combination of players that fills the seats
plays once in each rotation of the seats, all with the same numbers for chance: where the
same draw comes up again it falls the same way, so neither seats nor luck favour anybody.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import tianxia
from tianxia.arena.players import OUTSIDE, PROTOCOLS, USUAL, check
from tianxia.bots.evaluator import demand_classic
from tianxia.bots.program import tells_cpu
from tianxia.bots.registry import present_name
from tianxia.kernel import given
from tianxia.kernel.errors import TianxiaError

LONGEST = 20_000
"""Where a game is broken off as a draw, in actions."""
SEEDS = 1_000_003
MOST_SEED = 10**11
"""With it the seeds of games and bots still have 63 bits, as in files and in many languages."""
WALL, PROCESSOR = "wall", "processor"
CLOCKS = (WALL, PROCESSOR)
"""What a bot's time can be counted by."""


@dataclass(frozen=True)
class Fixture:
    """One game to be played.

    Attributes
    ----------
    number, round
        Running numbers from 0; games of a round share their chance.
    seats
        The player in each seat, by his place in `Plan.players`.
    seed
        For chance.
    """

    number: int
    round: int
    seats: tuple[int, ...]
    seed: int


@dataclass(frozen=True)
class Plan:
    """What is to be played.

    Attributes
    ----------
    game
        The game with its options, as `tianxia.game` reads it.
    players
        Names of bots, the present ones for former ones; ``exec:COMMAND`` is a program
        outside that speaks the line protocol, ``module:name`` a maker of bots in a Python
        module.
    games
        Games of each combination of players; whole rounds are played.
    seed
        Same seed: same dice, same bots; `MOST_SEED` at most.
    seconds
        A bot's time for a decision; None leaves it to the bot.
    patience
        Seconds beyond that after which a program that does not answer has lost.
    longest
        Where a game is broken off as a draw, in actions.
    protocol
        What programs outside speak, one of `PROTOCOLS`.
    paired
        Whether rounds are played; else every game has numbers of its own for chance and
        bots, and players only change seats: for data, where games should be independent.
    clock
        What time is counted by, one of `CLOCKS`: by the processor's, it does not matter what
        else a machine does.
    """

    game: str
    players: tuple[str, ...]
    games: int = 100
    seed: int = 0
    seconds: float | None = None
    patience: float = 30.0
    longest: int = LONGEST
    protocol: str = USUAL
    paired: bool = True
    clock: str = WALL

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        game = tianxia.game(self.game)
        if isinstance(self.players, str):
            raise TianxiaError(f"players={self.players!r} should be names, such as ('random',)")
        players = tuple(present_name(player, game.kind) for player in self.players)
        object.__setattr__(self, "players", players)
        seats = game.seats
        if len(self.players) < seats:
            raise TianxiaError(
                f"{self.game} needs at least {seats} players, not {len(self.players)}; "
                "the same name may stand several times"
            )
        self._demand_numbers()
        if self.protocol not in PROTOCOLS:
            raise TianxiaError(
                f"no protocol is called {self.protocol!r}; there are {', '.join(PROTOCOLS)}"
            )
        if self.protocol != USUAL:
            demand_classic(game)
        if self.clock not in CLOCKS:
            raise TianxiaError(f"no clock is called {self.clock!r}; there are {', '.join(CLOCKS)}")
        for player in self.players:
            check(player, game)
            if self.clock == PROCESSOR and player.startswith(OUTSIDE) and not tells_cpu():
                raise TianxiaError(
                    "this system does not tell the processor's time of a program outside; "
                    f"its clock can only be {WALL!r}"
                )

    def _demand_numbers(self) -> None:
        for name in ("games", "longest"):
            given.whole(name, getattr(self, name), 1)
        for name, value in (("seconds", self.seconds), ("patience", self.patience)):
            if value is not None and not value >= 0:
                raise TianxiaError(f"{name}={value} should be 0 or more")
        if abs(given.number("seed", self.seed)) > MOST_SEED:
            raise TianxiaError(f"seed={self.seed} should be {MOST_SEED:,} at most")

    def fixtures(self) -> Iterator[Fixture]:
        """Yield all games; more games only add to the end."""
        seats = tianxia.game(self.game).seats
        meetings = list(combinations(range(len(self.players)), seats))
        number = 0
        if not self.paired:
            for turn in range(self.games):
                for meeting in meetings:
                    first = turn % seats
                    order = meeting[first:] + meeting[:first]
                    yield Fixture(number, number, order, self.seed * SEEDS + number)
                    number += 1
            return
        for turn in range(-(-self.games // seats)):
            for meeting in meetings:
                for first in range(seats):
                    order = meeting[first:] + meeting[:first]
                    yield Fixture(number, turn, order, self.seed * SEEDS + turn)
                    number += 1

    def bot_seed(self, fixture: Fixture, player: int) -> int:
        """Return a player's own seed; it is the same in all games of a round."""
        return fixture.seed * len(self.players) + player
