"""``tianxia replay``: a transcript played again, checked action by action."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.text import Text

from tianxia.cli.dialogue import result_lines
from tianxia.cli.screen import HINT, STATEMENT, Screen, chosen_language, seat_name
from tianxia.cli.session import read_text
from tianxia.draw.terminal import PLAIN, Seen, terminal_of
from tianxia.kernel.errors import TianxiaError, TranscriptError
from tianxia.kernel.state import State
from tianxia.kernel.transcript import Transcript

REMEMBERED = 2
"""How many actions are marked on the board."""


@dataclass(frozen=True)
class Step:
    """What happens between two positions that are worth a look.

    Attributes
    ----------
    state
        The position reached; the same object all the time.
    sentences
        What was done to reach it.
    last
        The last actions, for the marks on the board.
    """

    state: State
    sentences: tuple[str, ...]
    last: tuple[Seen, ...]


def steps(transcript: Transcript, language: str) -> Iterator[Step]:
    """Yield a game ply by ply; the actions of a secret phase are one step for each seat."""
    positions = transcript.positions()
    state = next(positions)
    yield Step(state, (), ())
    sentences: list[str] = []
    last: deque[Seen] = deque(maxlen=REMEMBERED)
    plies = state.plies
    for seen, sentence in _told(transcript, state, language):
        sentences.append(sentence)
        last.append(seen)
        if state.plies != plies or state.over:
            yield Step(state, tuple(sentences), tuple(last))
            sentences, plies = [], state.plies
    if sentences:
        yield Step(state, tuple(sentences), tuple(last))


def _told(transcript: Transcript, state: State, language: str) -> Iterator[tuple[Seen, str]]:
    """Apply a transcript's actions to a state, yielding each with its sentence."""
    for number, (actor, token) in enumerate(transcript.actions, 1):
        try:
            action = state.parse(token, actor)
            known = state.refusal(action, actor) is None
            sentence = state.describe(action, actor, None, language) if known else ""
            state.apply(action, actor)
        except TianxiaError as error:
            who = seat_name(state.game, actor, language)
            raise TranscriptError(f"action {number}, {token!r} of {who}: {error}") from error
        yield Seen(actor, action, token), sentence


def replay_file(file: Path, step: bool, ply: int | None, text: bool, language: str | None) -> int:
    """Show a saved game; return the exit status."""
    screen = Screen(chosen_language(language), plain=text)
    transcript = Transcript.read(read_text(file))
    end = transcript.replay()  # all of it is checked before anything is shown
    if ply is not None and ply > end.plies:
        raise TianxiaError(f"this game has {end.plies} plies; ask for --ply 0 to {end.plies}")
    show = Show(transcript, screen, file.name)
    if step:
        show.step_by_step(ply or 0)
    else:
        show.one(end.plies if ply is None else ply)
    return 0


class Show:
    """Shows a game that was played."""

    def __init__(self, transcript: Transcript, screen: Screen, name: str) -> None:
        self.transcript = transcript
        self.screen = screen
        self.name = name
        self.total = len(transcript.actions)
        self.terminal = PLAIN if screen.plain else terminal_of(transcript.game.kind)

    def one(self, ply: int) -> None:
        """Show the position after so many plies; the last one also says how it ended."""
        found = None
        for found in steps(self.transcript, self.screen.language):
            if found.state.plies >= ply and ply < self._plies():
                break
        if found is not None:
            self._position(found)
            if found.state.plies >= self._plies():
                self._end(found.state)

    def _plies(self) -> int:
        if not hasattr(self, "_known_plies"):
            self._known_plies = self.transcript.replay().plies
        return self._known_plies

    def step_by_step(self, ply: int) -> None:
        """Show position after position, as the reader types Enter."""
        _ = self.screen.translate
        for step in steps(self.transcript, self.screen.language):
            if step.state.plies < ply:
                continue
            self.screen.new_page()
            self._position(step)
            if step.state.plies >= self._plies():
                self._end(step.state)
                return
            try:
                answer = self.screen.ask(_("[Enter: on, q: leave] "))
            except (EOFError, KeyboardInterrupt):
                return
            if answer.lower() in ("q", "quit", "quitter"):
                return

    def _position(self, step: Step) -> None:
        _ = self.screen.translate
        game = self.transcript.game
        title = Text(f"{game.kind.title}", style="bold")
        title.append(game.spec.removeprefix(game.name), style=HINT)
        template = _("{file} · ply {ply} of {plies}")
        line = template.format(file=self.name, ply=step.state.plies, plies=self._plies())
        title.append(f" · {line}", style="not bold dim")
        self.screen.say(title)
        self.screen.show(self.terminal.board(step.state, step.last, self.screen.language))
        for sentence in dict.fromkeys(step.sentences[-2:]):
            self.screen.say(sentence)

    def _end(self, state: State) -> None:
        """Say how the game ended, and that it is in order."""
        _ = self.screen.translate
        language = self.screen.language
        kind, _space, seat = self.transcript.ending.partition(" ")
        if state.over:
            for line, style in result_lines(state, language):
                self.screen.say(line, style=style)
        elif kind in ("resignation", "clock") and seat.isdecimal():
            who = seat_name(state.game, int(seat), language)
            note = self.transcript.extra.get("note")
            ended = (
                _("{side} has given up.") if kind == "resignation" else _("{side} ran out of time.")
            )
            template = _("{side} lost by a fault: {note}") if note else ended
            self.screen.say(template.format(side=who, note=note), style=STATEMENT)
        elif kind == "agreement":
            self.screen.say(_("The players agreed to end the game."), style=STATEMENT)
        elif kind == "abort":
            self.screen.say(_("The game was ended without a result."), style=STATEMENT)
        else:
            self.screen.say(_("The game is not finished."), style=STATEMENT)
        points = ", ".join(
            f"{seat_name(state.game, other, language)} {score:g}"
            for other, score in enumerate(state.scores())
        )
        if state.over:
            self.screen.say(_("Points: {points}.").format(points=points))
        template = _("{actions} actions, all legal under version {version} of the rules.")
        line = template.format(actions=self.total, version=self.transcript.rules_version)
        self.screen.say(line, style=HINT)
