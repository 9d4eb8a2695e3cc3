"""Transcripts: a whole game as text that a person can read and a program can replay.

::

    Tianxia transcript 1
    game: stratego(variant=barrage)
    rules: 1
    end: rules
    scores: 1 0

    0 F B M 9 - 3 …
    1 …
    * open
    0 a4-a5
    1 …

Header lines, an empty line, then one line for every run of actions of one actor: its
seat, or ``*`` for chance, and its actions as tokens. ``start:`` holds a position's
notation if the game did not begin as usual, ``viewer:`` whose transcript it is if it is
not the full one. In it, an outcome of chance that this viewer has not seen is ``?``; the
secret actions of other seats are left out, since their number might tell something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from textwrap import wrap

from tianxia.kernel.errors import (
    IllegalAction,
    ParseError,
    RulesVersionError,
    TianxiaError,
    TranscriptError,
)
from tianxia.kernel.game import Game
from tianxia.kernel.record import CHANCE, SPECTATOR
from tianxia.kernel.state import State

TITLE = "Tianxia transcript 1"
UNSEEN = "?"
ENDINGS = ("none", "rules", "agreement", "abort", "called-off", "clocks", "closed")
GIVEN_UP = ("resignation", "clock", "silence")
WIDTH = 88
KNOWN = ("game", "rules", "start", "viewer", "end", "scores")
LONGEST = 4_000_000  # characters; the longest real game is far below


@dataclass
class Transcript:
    """A game from its start: enough to replay it anywhere.

    Attributes
    ----------
    game
        The game with its options.
    rules_version
        The version of the rules under which it was played.
    start
        The notation of the first position, or None for the usual start.
    actions
        (actor, token) in order; the actor is a seat or CHANCE.
    ending
        ``none`` (it goes on), ``rules``, ``agreement``, ``abort`` (no result),
        ``called-off``, ``closed``, ``clocks`` (of all at once), ``resignation S``,
        ``clock S``, ``silence S``.
    scores
        Points at the end, or at the point it has reached.
    viewer
        None for the whole game, else the seat, or SPECTATOR, that saw this of it.
    extra
        Further lines of the header, by name; no value has more than one line.
    """

    game: Game
    rules_version: int
    start: str | None = None
    actions: list[tuple[int, str]] = field(default_factory=list)
    ending: str = "none"
    scores: list[float] = field(default_factory=list)
    viewer: int | None = None
    extra: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, state: State, viewer: int | None = None, ending: str | None = None) -> Transcript:
        """Return the transcript of a state's past; when a game is over all is open."""
        if viewer is not None:
            viewer = state.game.check_seat(viewer, SPECTATOR)
        if state.over:
            viewer = None
        position = state.start()
        start = None if state._start is None else position.notation()
        if start is not None and viewer is not None:
            start = position.view(viewer).notation()
        actions = []
        for seat, action in state.history():
            token = position.text(action, seat, viewer)
            if seat == CHANCE or token != UNSEEN:
                actions.append((seat, token))
            position.apply(action, seat)
        ending = ending or ("rules" if state.over else "none")
        scores = state.scores() if viewer is None else state.view(viewer).scores()
        version = state.game.rules_version
        return cls(state.game, version, start, actions, ending, scores, viewer)

    # --- Writing ---

    def write(self) -> str:
        """Return the transcript as text."""
        head = [TITLE, f"game: {self.game.spec}", f"rules: {self.rules_version}"]
        if self.start is not None:
            head.append(f"start: {self.start}")
        if self.viewer is not None:
            head.append(f"viewer: {'-' if self.viewer == SPECTATOR else self.viewer}")
        head.append(f"end: {self.ending}")
        head.append(f"scores: {' '.join(f'{score:g}' for score in self.scores)}")
        head += [f"{name}: {value}" for name, value in self.extra.items()]
        return "\n".join([*head, "", *self._runs()]) + "\n"

    def _runs(self) -> Iterator[str]:
        for actor, run in groupby(self.actions, key=lambda pair: pair[0]):
            name = "*" if actor == CHANCE else str(actor)
            tokens = " ".join(token for _, token in run)
            for line in wrap(tokens, WIDTH, break_long_words=False, break_on_hyphens=False):
                yield f"{name} {line}"

    # --- Reading ---

    @classmethod
    def read(cls, text: str) -> Transcript:
        """Read a transcript; raise TranscriptError naming the line that is wrong."""
        if not isinstance(text, str):
            raise TranscriptError(f"a transcript is a text, not {type(text).__name__}")
        if len(text) > LONGEST:
            raise TranscriptError(f"a transcript has at most {LONGEST} characters")
        lines = text.replace("\r\n", "\n").split("\n")
        if lines[0].strip() != TITLE:
            raise TranscriptError(f"the first line of a transcript is {TITLE!r}")
        blank = next((i for i, line in enumerate(lines) if not line.strip()), len(lines))
        head = _header(lines[1:blank])
        transcript = _from_header(head)
        seats = transcript.game.seats
        for number, line in enumerate(lines[blank:], blank + 1):
            if line.strip():
                transcript.actions.extend(_run(line, number, seats))
        return transcript

    def replay(self) -> State:
        """Play the game again, checking every action; return the last position."""
        for state in self.positions():
            last = state
        if self.ending == "rules" and not last.over:
            raise TranscriptError("it says that the game ended by the rules, but it goes on")
        return last

    def positions(self) -> Iterator[State]:
        """Yield the one state that is played on: at the start and after every action.

        Raises
        ------
        RulesVersionError
            Where the installed rules are of another version.
        TranscriptError
            For a viewer's transcript, and at the first action that is not legal.
        """
        if self.rules_version != self.game.rules_version:
            raise RulesVersionError(
                f"played under version {self.rules_version} of the rules of {self.game.name}; "
                f"this is version {self.game.rules_version}: use the Tianxia that wrote it"
            )
        if self.viewer is not None:
            raise TranscriptError("this is what one viewer saw; only a full transcript replays")
        state = self._first()
        yield state
        for number, (actor, token) in enumerate(self.actions, 1):
            try:
                state.apply(state.parse(token, actor), actor)
            except (ParseError, IllegalAction, TianxiaError) as error:
                who = "chance" if actor == CHANCE else f"seat {actor}"
                raise TranscriptError(f"action {number}, {token!r} of {who}: {error}") from error
            yield state

    def _first(self) -> State:
        from tianxia.kernel.registry import position

        if self.start is None:
            return self.game.new()
        state = position(self.start)
        if state.game != self.game or state.viewer is not None:
            raise TranscriptError("its start is not a full position of the game it names")
        return state


def _header(lines: list[str]) -> dict[str, str]:
    head: dict[str, str] = {}
    for number, line in enumerate(lines, 2):
        name, colon, value = line.partition(":")
        if not colon or name.strip() in head:
            raise TranscriptError(f"line {number}, {line[:60]!r}, should be a new 'name: value'")
        head[name.strip()] = value.strip()
    for name in ("game", "rules"):
        if name not in head:
            raise TranscriptError(f"the transcript's header has no line '{name}: …'")
    return head


def _from_header(head: dict[str, str]) -> Transcript:
    from tianxia.kernel.registry import game

    kind = game(head["game"])
    if not re.fullmatch(r"\d{1,9}", head["rules"]):
        raise TranscriptError(f"rules: {head['rules']!r} should be the number of a version")
    ending = head.get("end", "none")
    possible = [*ENDINGS, *(f"{way} {seat}" for way in GIVEN_UP for seat in range(kind.seats))]
    if ending not in possible:
        raise TranscriptError(f"end: {ending[:60]!r} should be one of {', '.join(possible)}")
    viewer = head.get("viewer")
    try:
        scores = [float(score) for score in head.get("scores", "").split()]
        seat = None if viewer is None else SPECTATOR if viewer == "-" else int(viewer)
    except ValueError as error:
        raise TranscriptError(f"a number in the header cannot be read: {error}") from error
    if seat is not None and seat != SPECTATOR and not 0 <= seat < kind.seats:
        raise TranscriptError(f"viewer: {seat} should be - or a seat below {kind.seats}")
    extra = {name: value for name, value in head.items() if name not in KNOWN}
    return Transcript(kind, int(head["rules"]), head.get("start"), [], ending, scores, seat, extra)


def _run(line: str, number: int, seats: int) -> list[tuple[int, str]]:
    name, *tokens = line.split()
    if name == "*":
        actor = CHANCE
    elif name.isdecimal() and len(name) < 3 and int(name) < seats:
        actor = int(name)
    else:
        raise TranscriptError(
            f"line {number} should begin with * or a seat below {seats}, not {name[:20]!r}"
        )
    return [(actor, token) for token in tokens]
