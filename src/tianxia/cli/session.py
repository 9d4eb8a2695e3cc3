"""A game between one person and bots, on this machine: who acts, chance, saving, taking back.

No input and no output here: `tianxia.cli.dialogue` talks with the player.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tianxia.bots import Bot, bots, hearing, make, present_name, rebuild
from tianxia.bots.advice import Hint, weighed
from tianxia.bots.match import CHANCE_STREAM
from tianxia.bots.registry import command_maker, of_module
from tianxia.draw.terminal import Seen
from tianxia.kernel.cache import home
from tianxia.kernel.errors import SeatError, TianxiaError, TranscriptError
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE
from tianxia.kernel.rng import new_rng
from tianxia.kernel.state import State
from tianxia.kernel.transcript import Transcript
from tianxia.search.levels import BEST

PLAYER = "player"
"""How a saved game names the person at the keyboard."""
SAVED = "saved"


@dataclass(frozen=True)
class Entry:
    """One action of the past, as the player may know it.

    Attributes
    ----------
    seen
        Who did what, as far as the player has seen it.
    sentence
        What it did, in the player's language.
    plies
        The ply that it began.
    barrier
        Whether it showed something hidden or was drawn: nobody takes it back.
    """

    seen: Seen
    sentence: str
    plies: int
    barrier: bool


class Session:
    """A game in progress, seen by the one person who plays it."""

    def __init__(
        self, game: Game, seat: int, names: Sequence[str], seed: int, language: str
    ) -> None:
        """Seat the bots named at all seats but the player's own."""
        self.game = game
        self.seat = seat
        self.names = [present_name(name, game.kind) for name in names]
        self.seed = seed
        self.language = language
        self.resigned = False
        self.state = game.new()
        self.log: list[Entry] = []
        self.bots: dict[int, Bot] = {}
        self._seat_bots()

    @classmethod
    def begin(cls, game: Game, seat: int, bot: str, seed: int, language: str) -> Session:
        """Begin a game against bots of one name."""
        names = [PLAYER if other == seat else bot for other in range(game.seats)]
        return cls(game, seat, names, seed, language)

    # --- Playing ---

    @property
    def over(self) -> bool:
        """Whether the game has ended, by the rules or by giving up."""
        return self.state.over or self.resigned

    @property
    def asked(self) -> bool:
        """Whether the player may act now."""
        return not self.over and self.seat in self.state.acting

    def view(self) -> State:
        """Return what the player knows; when all is over, everything."""
        return self.state.view(self.seat)

    def apply(self, action: int, actor: int) -> None:
        """Apply an action and tell everybody what they may know of it."""
        listeners = hearing(self.state, action, actor, self.bots.items())
        entry = self._enter(self.state, action, actor)
        for seat, bot, known in listeners:
            bot.observe(actor, known, self.state.view(seat))
        self.log.append(entry)

    def act(self, action: int) -> None:
        """Let the player act.

        Raises
        ------
        IllegalAction
        """
        if self.state.refusal(action, self.seat) is not None:
            self.state.apply(action, self.seat)  # raises; the log has no words for such actions
        self.apply(action, self.seat)

    def advance(self) -> None:
        """Let one bot act, or chance; nothing while the player is asked."""
        if self.over or self.asked:
            return
        actor = min(self.state.acting, default=CHANCE)
        if actor == CHANCE:
            action = self._draw()
        else:
            action = self.bots[actor].choose(self.state.view(actor))
        self.apply(action, actor)

    def _draw(self) -> int:
        """Draw for chance: always the same at the same point of a game with the same seed."""
        point = sum(1 for _ in self.state.history())
        return self.state.draw_chance(new_rng(self.seed, CHANCE_STREAM + point))

    def _enter(self, state: State, action: int, actor: int) -> Entry:
        """Apply an action to a state and return how the player saw it."""
        known = state.seen(action, actor, self.seat)
        seen = Seen(actor, known, state.text(action, actor, self.seat))
        sentence = state.describe(action, actor, self.seat, self.language)
        plies, sealed = state.plies, state.sealed
        drawn = actor == CHANCE and len(state.chance_weights()) > 1
        state.apply(action, actor)
        return Entry(seen, sentence, plies, drawn or state.has_shown(sealed))

    def _seat_bots(self) -> None:
        """Make the bots, or make them again as they are at this point of the game."""
        for seat, name in enumerate(self.names):
            if name == PLAYER:
                continue
            seed = self.game.seats * self.seed + seat
            if self.log:
                self.bots[seat] = rebuild(command_maker(name, self.game), self.state, seat, seed)
            else:
                self.bots[seat] = make(command_maker(name, self.game), self.game, seat, seed)

    # --- Taking back ---

    def can_take_back(self) -> bool:
        """Say whether the player's last action can be taken back.

        The bots agree as long as nothing hidden has been shown and chance has drawn
        nothing since.
        """
        for entry in reversed(self.log):
            if entry.barrier:
                return False
            if entry.seen.actor == self.seat:
                return not self.resigned
        return False

    def take_back(self) -> None:
        """Take back the player's last action and all that followed it."""
        last = max(i for i, entry in enumerate(self.log) if entry.seen.actor == self.seat)
        past = list(self.state.history())[:last]
        start = self.state.start()
        self._replay(start, past)

    def _replay(self, state: State, past: Sequence[tuple[int, int]]) -> None:
        """Play actions again from a position, and seat the bots there."""
        self.state = state
        self.log = [self._enter(state, action, actor) for actor, action in past]
        self._seat_bots()

    def restarted(self) -> Session:
        """Return a new game of the same players, with the next seed."""
        return Session(self.game, self.seat, self.names, self.seed + 1, self.language)

    # --- Proposals ---

    def proposed(self, number: int) -> list[int]:
        """Return what a bot would do in the player's place until it is done acting.

        Other numbers make other proposals. Only what the player knows is used.
        """
        name = next(name for name in self.names if name != PLAYER)
        making = command_maker(name, self.game)
        seed = (self.seed + 1) * 7919 + number
        state = self.state.clone()
        bot = rebuild(making, state, self.seat, seed) if self.log else None
        bot = bot or make(making, self.game, self.seat, seed)
        actions = []
        while not state.over and self.seat in state.acting:
            action = bot.choose(state.view(self.seat))
            actions.append(action)
            state.apply(action, self.seat)
            bot.observe(self.seat, action, state.view(self.seat))
        return actions

    def hints(self) -> list[Hint]:
        """Return the best that the player could do, weighed by the game's best player.

        Only what the player knows is used. The player is asked.
        """
        bot = rebuild(BEST, self.state, self.seat, self.seat)
        return weighed(bot, self.state.view(self.seat))

    def with_draft(self, draft: Sequence[int]) -> State:
        """Return the state after a draft of the player's; it can be refused on the way."""
        state = self.state.clone()
        for action in draft:
            state.apply(action, self.seat)
        return state

    # --- Saving ---

    def resign(self) -> None:
        """Give the game up."""
        self.resigned = True

    def write(self) -> str:
        """Return the game as a transcript, with what is needed to go on."""
        ending = f"resignation {self.seat}" if self.resigned and not self.state.over else None
        text = Transcript.of(self.state, ending=ending).write()
        head, blank, body = text.partition("\n\n")
        extra = f"\nplayers: {' '.join(self.names)}\nseed: {self.seed}"
        return f"{head}{extra}{blank}{body}"

    def save(self, file: Path) -> None:
        """Write the game to a file; whoever looks sees the old file or the new one."""
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=file.parent, prefix=f".{file.name}-", delete=False
        ) as new:
            new.write(self.write())
        mask = os.umask(0)
        os.umask(mask)
        Path(new.name).chmod(0o666 & ~mask)
        try:
            Path(new.name).replace(file)
        except OSError:
            with suppress(OSError):
                Path(new.name).unlink()
            raise


def header(text: str) -> dict[str, str]:
    """Return the lines of a transcript's header, those that the kernel does not know too."""
    head = text.replace("\r\n", "\n").partition("\n\n")[0]
    pairs = (line.partition(":") for line in head.split("\n")[1:])
    return {name.strip(): value.strip() for name, _, value in pairs}


def resumed(
    text: str,
    language: str,
    bot: Callable[[Game], str],
    seat: int | None = None,
    seed: int | None = None,
) -> Session:
    """Return the game that a saved file holds, where it was left.

    What the file says of the players and the seed is kept; `bot`, `seat` and `seed` are
    for transcripts from elsewhere.

    Raises
    ------
    TranscriptError
        Where the file is not a transcript, or its game has ended.
    """
    transcript = Transcript.read(text)
    state = transcript.replay()
    if state.over or transcript.ending != "none":
        raise TranscriptError("this game has ended; `tianxia replay` shows it")
    game, head = transcript.game, header(text)
    names = head.get("players", "").split()
    if not names:
        own = game.check_seat(seat or 0)
        names = [PLAYER if other == own else bot(game) for other in range(game.seats)]
    if len(names) != game.seats or names.count(PLAYER) != 1:
        raise TranscriptError(
            f"players: {' '.join(names)!r} should be {game.seats} names, one of them {PLAYER!r}"
        )
    own = names.index(PLAYER)
    for name in filter(of_module, names):
        if bot(game) != name:
            raise TranscriptError(
                f"players: {name!r} runs a module of yours; if you trust it, add --bot {name}"
            )
    if seat not in (None, own):
        raise SeatError(f"in this saved game you have seat {own}; leave --seat out")
    if not re.fullmatch(r"\d{1,18}", head.get("seed", "0")):
        raise TranscriptError(f"seed: {head['seed'][:40]!r} should be a number")
    number = seed if seed is not None and "seed" not in head else int(head.get("seed", 0))
    session = Session(game, own, names, number, language)
    session._replay(state.start(), list(state.history()))  # noqa: SLF001  (its own module)
    return session


def default_bot(game: Game) -> str:
    """Return the strongest bot there is for a game."""
    return bots(game)[-1]


def seat_of(text: str, game: Game, names: Sequence[str]) -> int:
    """Return the seat that a text means: its number, or its name in any language.

    Raises
    ------
    SeatError
        Naming the seats that there are.
    """
    word = text.strip().casefold()
    if word.isdecimal() and int(word) < game.seats:
        return int(word)
    known = {
        name.casefold(): seat
        for names_ in (names, game.seat_names)
        for seat, name in enumerate(names_[: game.seats])
    }
    if word in known:
        return known[word]
    choices = ", ".join([*(str(seat) for seat in range(game.seats)), *game.seat_names])
    raise SeatError(f"{text!r} is not a seat of {game.spec}; choose one of {choices}")


def autosave_file(game: Game, now: datetime) -> Path:
    """Return a file for an interrupted game; nobody else has it yet."""
    folder = home() / SAVED
    name = f"{game.name}-{now:%Y%m%d-%H%M%S}"
    candidates = (folder / f"{name}{suffix}.txt" for suffix in _suffixes())
    return next(file for file in candidates if not file.exists())


def _suffixes() -> Iterator[str]:
    yield ""
    for number in range(2, 10_000):
        yield f"-{number}"


def saved_file(name: str) -> Path:
    """Return the file that a name means: a path, or ``last`` for the last interrupted game.

    Raises
    ------
    TianxiaError
        Where there is none.
    """
    file = Path(name).expanduser()
    if name != "last" or file.exists():
        return file
    found = sorted((home() / SAVED).glob("*.txt"), key=lambda file: file.stat().st_mtime)
    if not found:
        raise TianxiaError("no interrupted game is kept here; begin one: tianxia play stratego")
    return found[-1]


def read_text(file: Path) -> str:
    """Return a file's text.

    Raises
    ------
    TianxiaError
        Where it cannot be read, saying why.
    """
    try:
        return file.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise TianxiaError(f"there is no file {str(file)!r}; check its name") from error
    except UnicodeDecodeError as error:
        raise TianxiaError(f"{str(file)!r} is not a text file, and so not a saved game") from error
    except OSError as error:
        raise TianxiaError(f"{str(file)!r} cannot be read: {error.strerror or error}") from error
