"""The line protocol: how a program outside plays; `docs/protocol.md` describes it.

Its messages stand here, and `speak`, which lets one of our bots be such a program.
The other side, which starts programs and asks them, is `tianxia.bots.program`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TextIO

from tianxia.bots.registry import command_maker, make
from tianxia.kernel.actions import Actions
from tianxia.kernel.errors import TianxiaError
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE
from tianxia.kernel.registry import game as game_of
from tianxia.kernel.registry import position
from tianxia.kernel.rng import Rng
from tianxia.kernel.state import State
from tianxia.search.bot import Bot, now

VERSION = 1
UNSEEN = "?"
CHANCE_NAME = "*"
NO_LIMIT = "-"
WISHES = ("+state", "+features", "+legal")
"""What a program may add to its name in ``ready NAME``, to be told more."""
WORLDS = re.compile(r"\+worlds=([0-9]{1,9})")
"""The same, with how many sampled worlds it wants."""
MOST_WORLDS = 1000
NUMBER = re.compile(r"[0-9]{1,18}")


class ProtocolError(TianxiaError):
    """A message that does not belong here; the text says what would."""


# --- Messages to a program ---


def game_message(game: Game, seat: int, seed: int) -> str:
    """Begin a game: ``game stratego(variant=duel) seat 0 seed 7 protocol 1``."""
    return f"game {game.spec} seat {seat} seed {seed} protocol {VERSION}"


def view_message(view: State) -> str:
    """Tell what the program's seat may know now."""
    return f"view {view.notation()}"


def seen_message(actor: int, action: int | None, before: State) -> str:
    """Tell who did what, as number and as token; `before` is the view before it."""
    who = CHANCE_NAME if actor == CHANCE else str(actor)
    if action is None:
        return f"seen {who} {UNSEEN}"
    return f"seen {who} {action} {before.text(action, actor)}"


def choose_message(seconds: float | None, tokens: Iterable[str]) -> str:
    """Ask for one of the legal actions, within so many seconds."""
    limit = NO_LIMIT if seconds is None else f"{max(seconds, 0):.3f}"
    return " ".join(["choose", limit, *tokens])


def over_message(end: str, utilities: Sequence[float]) -> str:
    """Tell how a game ended: ``over rules 1 -1``."""
    return " ".join(["over", end, *(f"{value:g}" for value in utilities)])


# --- What a program may wish for, as JSON ---


def state_message(view: State) -> str:
    """Tell what a view's record holds, field by field."""
    return f"state {_json(_plain(view.fields))}"


def features_message(view: State) -> str:
    """Tell the features of a view, part by part, as numbers in the shape of each."""
    features, parts, first = view.encode(), {}, 0
    for name, shape in view.game.layout:
        last = first + math.prod(shape)
        parts[name] = features[first:last].reshape(shape).tolist()
        first = last
    return f"features {_json(parts)}"


def legal_message(view: State, seat: int, tokens: Mapping[str, int]) -> str:
    """Tell the legal actions: number, token, kind and arguments.

    A game's words have the table of its actions as `ACTIONS`; where they do not, there is
    neither kind nor arguments.
    """
    table: Actions | None = getattr(view.game.kind.words, "ACTIONS", None)
    rows = []
    for token, action in tokens.items():
        row: dict[str, Any] = {"action": action, "token": token}
        if table is not None:
            row["kind"], *row["arguments"] = table.split(action)
        rows.append(row)
    return f"legal {_json(rows)}"


def worlds_message(view: State, count: int, rng: Rng) -> str:
    """Tell some full positions that agree with the view, as `state_message` does."""
    return f"worlds {_json([_plain(view.sample(rng).fields) for _ in range(count)])}"


def _plain(value: Any) -> Any:
    """Return a record as dictionaries, lists and numbers; without what only fills it up."""
    if value.dtype.names is None:
        return value.tolist()
    if value.shape:
        return [_plain(one) for one in value]
    names = [name for name in value.dtype.names if not name.startswith("filler")]
    return {name: _plain(value[name]) for name in names}


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


# --- Being a program ---


class Speaker:
    """A bot of ours that answers lines.

    Parameters
    ----------
    name
        The bot's name in the registry.
    kind
        The only game that it plays, by name; None plays whatever is asked for.
    """

    def __init__(self, name: str, kind: str | None = None) -> None:
        self.name = name
        self.kind = kind
        self.game: Game
        self.bot: Bot | None = None
        self.view: State | None = None
        self.seat = 0
        self._happened: tuple[int, int | None] | None = None

    def answer(self, line: str) -> str | None:
        """Return the answer to a line; None where it wants none.

        Raises
        ------
        TianxiaError
            For a message that cannot be read or comes at a wrong time.
        """
        word, _, rest = line.strip().partition(" ")
        handle = {
            "game": self._game,
            "view": self._look,
            "seen": self._seen,
            "choose": self._choose,
            "over": self._over,
        }.get(word)
        if handle is None:
            raise ProtocolError(
                f"no message begins with {word[:20]!r}: game, view, seen, choose, over, quit"
            )
        return handle(rest)

    def _game(self, rest: str) -> str:
        words = rest.split()
        names = words[1::2]
        if names != ["seat", "seed", "protocol"] or len(words) != 7:
            raise ProtocolError("a game begins like: game stratego seat 0 seed 7 protocol 1")
        seat, seed, version = (_number(words[i], names[i // 2 - 1]) for i in (2, 4, 6))
        if version != VERSION:
            raise ProtocolError(f"this program speaks protocol {VERSION}, not {version}")
        game = game_of(words[0])
        if self.kind is not None and game.name != self.kind:
            raise ProtocolError(f"this program plays {self.kind}, not {game.name}")
        self.bot = make(command_maker(self.name, game), game, seat, seed)
        self.game, self.seat, self.view, self._happened = game, seat, None, None
        return f"ready {self.name}"

    def _playing(self) -> Bot:
        if self.bot is None:
            raise ProtocolError("no game has begun: send 'game …' first")
        return self.bot

    def _look(self, rest: str) -> None:
        bot = self._playing()
        view = position(rest)
        if view.viewer != self.seat or view.game != self.game:
            raise ProtocolError(f"this is not the view of seat {self.seat} of {self.game.spec}")
        self.view = view
        if self._happened is not None:
            actor, action = self._happened
            self._happened = None
            bot.observe(actor, action, view)

    def _seen(self, rest: str) -> None:
        self._playing()
        actor, action = [*rest.split(), "", ""][:2]
        if self._happened is not None:
            raise ProtocolError("after each 'seen …' comes the view after it")
        who = CHANCE if actor == CHANCE_NAME else _number(actor, "the actor")
        what = None if action == UNSEEN else _number(action, "the action")
        if what is not None and what >= self.game.num_actions:
            raise ProtocolError(f"actions of {self.game.spec} are 0 to {self.game.num_actions - 1}")
        self._happened = self.game.check_seat(who, CHANCE), what

    def _choose(self, rest: str) -> str:
        bot = self._playing()
        if self.view is None or self.seat not in self.view.acting:
            raise ProtocolError("the last view is not one in which this seat may act")
        limit = rest.partition(" ")[0]
        deadline = None if limit == NO_LIMIT else now() + _seconds(limit)
        action = bot.choose(self.view, deadline)
        return f"action {self.view.text(action, self.seat)}"

    def _over(self, rest: str) -> None:
        self._playing()
        self.bot = None


def _number(text: str, what: str) -> int:
    if not NUMBER.fullmatch(text):
        raise ProtocolError(f"{what} should be a number, not {text[:20]!r}")
    return int(text)


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if not math.isnan(seconds := float(text)):
            return seconds
    raise ProtocolError(f"{text[:20]!r} should be seconds, or - for no limit")


def speak(name: str, kind: str | None, lines: Iterable[str], out: TextIO) -> int:
    """Play as a program until ``quit`` or the end of the input; return the exit status.

    What goes wrong is told in one line, ``error …``; then nothing more can be played.
    """
    speaker = Speaker(name, kind)
    for number, line in enumerate(lines, 1):
        if line.strip() == "quit":
            break
        if not line.strip():
            continue
        try:
            answer = speaker.answer(line)
        except TianxiaError as error:
            out.write(f"error line {number}: {' '.join(str(error).split())}\n")
            out.flush()
            return 2
        if answer is not None:
            out.write(answer + "\n")
            out.flush()
    return 0
