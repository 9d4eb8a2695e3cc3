"""Playing a game at the keyboard: it shows, asks, explains; it knows no game."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from types import FrameType

from rich.text import Text

from tianxia.bots import adviser
from tianxia.bots.advice import Hint, prospects
from tianxia.bots.titles import title
from tianxia.cli.screen import HINT, STATEMENT, WARNING, Screen, seat_name
from tianxia.cli.session import PLAYER, Session, autosave_file
from tianxia.draw.languages import N_
from tianxia.draw.terminal import Group, Seen, Terminal, terminal_of
from tianxia.kernel.errors import IllegalAction, ParseError
from tianxia.kernel.rng import below, new_rng
from tianxia.kernel.state import NO_ACTION, State

COMMANDS = {
    "help": ("help", "h", "aide"),
    "legal": ("?", "legal", "moves", "coups"),
    "rules": ("rules", "rule", "regles", "règles", "regle", "règle"),
    "board": ("board", "plateau"),
    "log": ("log", "journal"),
    "hint": ("hint", "conseil"),
    "undo": ("undo", "annuler"),
    "save": ("save", "enregistrer"),
    "resign": ("resign", "abandonner"),
    "quit": ("quit", "exit", "q", "quitter"),
}
DRAFT_COMMANDS = {
    "take": ("", "ok", "take", "prendre"),
    "another": ("n", "new", "another", "autre"),
    "mirror": ("m", "mirror", "miroir"),
    "own": ("o", "own", "soi"),
}
OWN_COMMANDS = {"fill": ("fill", "reste"), "undo": ("undo", "annuler"), "stop": ("", "stop")}
YES = ("", "y", "yes", "o", "oui")
NO = ("n", "no", "non")
SIGNALS = ("SIGTERM", "SIGHUP")
INTERRUPTED = 130

HELP = (
    (N_("a move"), N_("type it as it is written, for example {example}")),
    ("?", N_("what you may do now; “? {key}” for one piece, “? {statement}” for a rule")),
    ("rules", N_("the rules; “rules {statement}” for one statement")),
    ("board", N_("draw the board again")),
    ("log", N_("what has happened; “log 10” the last ten lines")),
    ("hint", N_("ask the best bot what you could do, and why")),
    ("undo", N_("take your last move back, unless it has shown something since")),
    ("save FILE", N_("keep the game in a file")),
    ("resign", N_("give up")),
    ("quit", N_("leave; the game can be kept and resumed")),
)


class Leave(Exception):
    """The player leaves the game."""


class Dialogue:
    """Talks with the player of a session."""

    def __init__(self, session: Session, screen: Screen) -> None:
        self.session = session
        self.screen = screen
        self.translate = screen.translate
        self.language = screen.language
        self.terminal: Terminal = terminal_of(session.game.kind)
        self.told = 0  # how much of the log has been told
        self.fresh = True  # the first page says how to play
        self.own_draft = False

    # --- The loop ---

    def run(self) -> int:
        """Play until the player leaves; return the exit status."""
        try:
            with _signals():
                self._play()
        except Leave:
            return 0
        except EOFError:
            self._keep()
            return 0
        except KeyboardInterrupt:
            self._keep()
            return INTERRUPTED
        except SystemExit as exit_:
            self._keep()
            return int(exit_.code or 0)
        return 0

    def _play(self) -> None:
        while True:
            session = self.session
            if session.over:
                self._finished()
            elif not session.asked:
                with self.screen.busy(self._who_thinks()):
                    session.advance()
            elif self.terminal.drafting(session.view(), session.seat):
                self._draft()
            else:
                self._turn()

    def _who_thinks(self) -> str:
        _ = self.translate
        seats = self.session.state.acting
        names = [self._called(self.session.names[seat]) for seat in seats]
        return _("{name} thinks…").format(name=", ".join(names)) if names else "…"

    def _called(self, name: str) -> str:
        return title(self.session.game.kind, name, self.language)

    def _keep(self) -> None:
        """Save an interrupted game and say how to go on."""
        if not self.session.log or self.session.over:
            return
        file = autosave_file(self.session.game, datetime.now().astimezone())
        self.session.save(file)
        with suppress(OSError):  # the terminal may be gone
            self._say_saved(file)

    def _say_saved(self, file: Path) -> None:
        _ = self.translate
        name = f'"{file}"' if " " in str(file) else str(file)
        self.screen.say(_("The game is kept. To go on:"), style=HINT)
        self.screen.command(f"tianxia play --resume {name}")

    # --- Pages ---

    def _page(self, view: State, last: Sequence[Seen] = ()) -> None:
        """Show the game from the player's side."""
        self.screen.new_page()
        self._title()
        self.screen.show(self.terminal.board(view, last, self.language))

    def _title(self) -> None:
        _ = self.translate
        session = self.session
        game = session.game
        others = ", ".join(
            f"{self._called(name)} ({seat_name(game, seat, self.language)})"
            for seat, name in enumerate(session.names)
            if name != PLAYER
        )
        template = _("you are {side}, against {others} · seed {seed}")
        text = Text(game.kind.title, style="bold", no_wrap=True, overflow="ellipsis")
        if game.spec != game.name:
            text.append(game.spec.removeprefix(game.name), style=HINT)
        side = seat_name(game, session.seat, self.language)
        line = template.format(side=side, others=others, seed=session.seed)
        text.append(f" · {line}", style="not bold dim")
        self.screen.say(text)

    def _news(self) -> list[Seen]:
        """Return what has happened since the player's last action, that included."""
        log = self.session.log
        own = [i for i, entry in enumerate(log) if entry.seen.actor == self.session.seat]
        begin = own[-1] if own else 0
        return [entry.seen for entry in log[begin:]]

    def _tell(self) -> None:
        """Say in words what has happened since this was last told."""
        entries = self.session.log[self.told :]
        self.told = len(self.session.log)
        lines = _once([entry.sentence for entry in entries if entry.sentence])
        for line in lines[-4:]:
            self.screen.say(line)

    # --- A turn ---

    def _turn(self) -> None:
        """Ask for one action."""
        _ = self.translate
        self._page(self.session.view(), self._news())
        self._tell()
        if self.fresh:
            self.fresh = False
            self.screen.say(self._first_hint(), style=HINT)
        while True:
            view = self.session.view()
            side = seat_name(self.session.game, self.session.seat, self.language)
            question = self.terminal.question(view, self.session.seat, self.language)
            line = self.screen.ask(f"{side} {question}> " if question else f"{side}> ")
            if not line:
                self.screen.say(self._first_hint(), style=HINT)
            elif self._command(line):
                if self._changed:
                    return
            elif self._act(line):
                return

    _changed = False
    """Whether a command has changed the game, so that the turn begins anew."""

    def _first_hint(self) -> str:
        _ = self.translate
        template = _("Type a move, such as {example}. ? lists the moves, help says more.")
        return template.format(example=self._example())

    def _example(self) -> str:
        view = self.session.view()
        legal = view.legal_actions(self.session.seat) if self.session.asked else []
        return self.session.state.text(legal[len(legal) // 2], self.session.seat) if legal else "…"

    def _act(self, line: str) -> bool:
        """Take the action that a line means; explain where that is not possible."""
        session = self.session
        try:
            action = session.view().parse(line, session.seat)
            session.act(action)
        except ParseError as error:
            self._refuse(str(error))
            self.screen.say(self._first_hint(), style=HINT)
            return False
        except IllegalAction as error:
            self._explain(error)
            return False
        return True

    def _refuse(self, text: str) -> None:
        self.screen.say(text, style=WARNING)

    def _explain(self, error: IllegalAction) -> None:
        """Say which statement forbids an action, and what would be legal."""
        _ = self.translate
        view, seat = self.session.view(), self.session.seat
        if error.statement == NO_ACTION:
            self._refuse(str(error))
            return
        token = self.session.state.text(error.action, seat)
        self._refuse(_("{move} is not legal.").format(move=token))
        self._statement(error.statement)
        key = self.terminal.key(view, error.action)
        groups = self.terminal.groups(view, seat, self.language)
        same = [group for group in groups if group.key == key and key]
        if same:
            self._list(same)
        elif len(groups) == 1 or not key:
            self._list(groups, most=12)
        else:
            keys = " ".join(group.key for group in groups if group.key)
            template = _("Nothing is legal with {key}; try one of these: {keys}")
            self.screen.say(template.format(key=key, keys=keys), style=HINT)

    # --- Commands ---

    def _command(self, line: str) -> bool:
        """Obey a command; say whether the line was one."""
        word, _, rest = line.partition(" ")
        if word.startswith("?") and len(word) > 1:
            word, rest = "?", line[1:]
        for name, words in COMMANDS.items():
            if word.lower() in words:
                self._changed = False
                command: Callable[[str], None] = getattr(self, f"_do_{name}")
                command(rest.strip())
                return True
        return False

    def _do_help(self, rest: str) -> None:
        _ = self.translate
        groups = self._groups()
        values = {
            "example": self._example(),
            "key": next((group.key for group in groups if group.key), "…"),
            "statement": next(iter(self._statements()), "…"),
        }
        rows = [(_(word), _(text).format(**values)) for word, text in HELP]
        self.screen.table([*rows, *self.terminal.signs(self.language)])

    def _groups(self) -> Sequence[Group]:
        session = self.session
        if not session.asked:
            return []
        return self.terminal.groups(session.view(), session.seat, self.language)

    def _do_legal(self, rest: str) -> None:
        _ = self.translate
        groups = self._groups()
        if rest.upper() in self._statements():
            self._statement(rest.upper())
        elif rest:
            same = [group for group in groups if group.key.lower() == rest.lower()]
            same = same or self._filtered(groups, rest)
            self._list(same)
            if not same:
                keys = " ".join(group.key for group in groups if group.key)
                template = _("Nothing is legal with {key}; try one of these: {keys}")
                self.screen.say(template.format(key=rest, keys=keys))
        else:
            self._list(groups)

    def _filtered(self, groups: Sequence[Group], text: str) -> list[Group]:
        """Return the actions whose tokens contain a text."""
        state, seat = self.session.state, self.session.seat
        found = []
        for group in groups:
            actions = tuple(a for a in group.actions if text.lower() in state.text(a, seat).lower())
            if actions:
                found.append(Group(group.key, group.title, actions))
        return found

    def _list(self, groups: Sequence[Group], most: int = 10_000) -> None:
        """Write legal actions, a line for each group."""
        state, seat = self.session.state, self.session.seat
        rows = []
        for group in groups:
            tokens = [state.text(action, seat) for action in group.actions]
            more = ["…"] if len(tokens) > most else []
            rows.append((group.key, group.title, "  ".join([*tokens[:most], *more])))
        self.screen.table(rows)

    def _statements(self) -> list[str]:
        return sorted(set(self.session.game.kind.statements.values()))

    def _statement(self, name: str) -> None:
        text = self.session.game.kind.rulebook(name, self.language)
        self.screen.say(Text.assemble((name, STATEMENT), f" {text}"))

    def _do_rules(self, rest: str) -> None:
        _ = self.translate
        names = self._statements()
        if not rest:
            with self._paged():
                for name in names:
                    self._statement(name)
        elif rest.upper() in names:
            self._statement(rest.upper())
        else:
            template = _("There is no statement {name}; there are {first} to {last}.")
            self._refuse(template.format(name=rest, first=names[0], last=names[-1]))

    @contextmanager
    def _paged(self) -> Iterator[None]:
        """Let the player leaf through a long text, where somebody sits there."""
        if self.screen.interactive:
            with self.screen.console.pager():
                yield
        else:
            yield

    def _do_board(self, rest: str) -> None:
        self._page(self.session.view(), self._news())

    def _do_log(self, rest: str) -> None:
        lines = _once([entry.sentence for entry in self.session.log if entry.sentence])
        count = int(rest) if rest.isdecimal() else len(lines)
        for line in lines[len(lines) - min(count, len(lines)) :]:
            self.screen.say(line)

    def _do_hint(self, rest: str) -> None:
        _ = self.translate
        self.screen.say(_("The best that you could do, in the best bot’s eyes:"))
        with self.screen.busy(_("The best bot is thinking…")):
            rows = [self._hint_row(hint) for hint in self.session.hints()]
        self.screen.table(rows)

    def _hint_row(self, hint: Hint) -> tuple[str, str, str]:
        """Return an action as it is typed in, what it makes of the game, and why it is good."""
        _ = self.translate
        view, seat = self.session.view(), self.session.seat
        action = hint.actions[0]
        reason = adviser(view.game.kind).reason(view, seat, action, self.language)
        worth = _("prospects {n} of 100").format(n=prospects(hint.value or 0.0, view.seats))
        return view.text(action, seat), worth, reason

    def _do_undo(self, rest: str) -> None:
        _ = self.translate
        session = self.session
        if not session.can_take_back():
            self._refuse(
                _(
                    "Nothing can be taken back: you have not moved yet, or something hidden "
                    "has been shown since."
                )
            )
            return
        session.take_back()
        self.told = max(len(session.log) - 1, 0)
        self._changed = True

    def _do_save(self, rest: str) -> None:
        _ = self.translate
        if not rest:
            self._refuse(_("Say in which file: save game.txt"))
            return
        file = Path(rest).expanduser()
        try:
            self.session.save(file)
        except OSError as error:
            template = _("{file} cannot be written: {reason}; try another name")
            self._refuse(template.format(file=file, reason=error.strerror or error))
            return
        if self.session.over:
            self.screen.say(_("The game is kept. To see it again:"), style=HINT)
            self.screen.say(f"tianxia replay {file}", style="bold")
        else:
            self._say_saved(file)

    def _do_resign(self, rest: str) -> None:
        _ = self.translate
        if self.screen.ask(_("Give up? [y/n] ")).lower() in YES[1:]:
            self.session.resign()
            self._changed = True

    def _do_quit(self, rest: str) -> None:
        _ = self.translate
        session = self.session
        if session.log and not session.over:
            answer = self.screen.ask(_("Keep the game? [Enter: yes, n: no, or a file's name] "))
            if answer.lower() in YES:
                self._keep()
            elif answer.lower() not in NO:
                self._do_save(answer)
        raise Leave

    # --- Drafts ---

    def _draft(self) -> None:
        """Let the player choose a whole row of actions, such as a set-up."""
        session = self.session
        number = 0
        draft = session.proposed(number)
        shown = False
        while True:
            if not shown:
                self._show_draft(draft)
            shown = True
            line = self.screen.ask(self._draft_prompt())
            word = line.lower()
            if word in DRAFT_COMMANDS["take"]:
                for action in draft:
                    session.act(action)
                self.told = len(session.log)
                return
            if word in DRAFT_COMMANDS["another"]:
                number += 1
                draft, shown = session.proposed(number), False
                self.own_draft = False
            elif word in DRAFT_COMMANDS["mirror"]:
                draft, shown = self.terminal.mirrored(session.view(), draft), False
            elif word in DRAFT_COMMANDS["own"]:
                draft, shown = self._own_draft(draft), False
            elif self._draft_command(line, draft):
                continue
            else:
                changed = self._read_draft(line, draft)
                if changed is not None:
                    draft, shown, self.own_draft = changed, False, True

    def _draft_prompt(self) -> str:
        return f"{seat_name(self.session.game, self.session.seat, self.language)}> "

    def _draft_command(self, line: str, draft: Sequence[int]) -> bool:
        """Obey a command that makes sense while a draft is made."""
        word = line.partition(" ")[0].lower()
        if word in COMMANDS["board"]:
            self._show_draft(draft)
            return True
        if word in (*COMMANDS["help"], "?") and " " not in line:
            self._draft_help(draft)
            return True
        if any(word in COMMANDS[name] for name in ("hint", "undo", "resign")):
            self._draft_help(draft)
            return True
        return self._command(line)

    def _draft_help(self, draft: Sequence[int]) -> None:
        _ = self.translate
        rows = [
            (_("Enter"), _("take it, and the game begins")),
            ("n", _("another proposal")),
            ("m", _("mirror it")),
            ("o", _("your own, piece by piece")),
            *((key, text) for key, text in self.terminal.draft_edits(self.language)),
            ("rules", _("the rules")),
            ("quit", _("leave")),
        ]
        self.screen.table(rows)
        text = self.terminal.write_draft(self.session.view(), draft)
        if text:
            self.screen.say(_("This one: {text}").format(text=text), style=HINT)

    def _show_draft(self, draft: Sequence[int]) -> None:
        _ = self.translate
        session = self.session
        self._page(session.with_draft(draft).view(session.seat))
        bot = self._called(next(name for name in session.names if name != PLAYER))
        if self.own_draft:
            self.screen.say(_("This is your own. Only you see it."))
        else:
            template = _("{bot} proposes this for you. Only you see it.")
            self.screen.say(template.format(bot=bot.capitalize()))
        keys = Text()
        for key, text in (
            (_("Enter"), _("take it")),
            ("n", _("another")),
            ("m", _("mirror")),
            ("o", _("your own")),
            ("?", _("more")),
        ):
            keys.append(key, style="bold").append(f" {text}   ")
        self.screen.say(keys)

    def _read_draft(self, line: str, draft: Sequence[int]) -> list[int] | None:
        """Return the draft that a line describes or changes, else explain."""
        view, seat = self.session.view(), self.session.seat
        try:
            found = self.terminal.read_draft(view, line, self.language)
            if found is None:
                found = self.terminal.edit_draft(view, draft, line, self.language)
            if found is not None:
                done = self.session.with_draft(found)
                if seat not in done.acting:
                    return found
        except ParseError as error:
            self._refuse(str(error))
            return None
        except IllegalAction as error:
            self._refuse(error.statement)
            self._statement(error.statement)
            return None
        self._draft_help(draft)
        return None

    def _own_draft(self, before: Sequence[int]) -> list[int]:
        """Let the player make a draft action by action; return it when it is whole."""
        _ = self.translate
        session, seat = self.session, self.session.seat
        draft: list[int] = []
        hint = _("Type one or several at a time. undo: back, fill: the rest by lot, Enter: stop.")
        while True:
            state = session.with_draft(draft)
            if seat not in state.acting:
                self.own_draft = True
                return draft
            view = state.view(seat)
            self._page(view)
            groups = self.terminal.groups(view, seat, self.language)
            self.screen.say("   ".join(f"{group.key} {group.title}" for group in groups))
            self.screen.say(hint, style=HINT)
            line = self.screen.ask(f"{self.terminal.question(view, seat, self.language)}> ")
            word = line.lower()
            if word in OWN_COMMANDS["stop"]:
                return list(before)
            if word in OWN_COMMANDS["undo"]:
                draft = draft[:-1]
            elif word in OWN_COMMANDS["fill"]:
                draft = self._filled(draft)
            elif not self._is_own_command(line):
                draft = self._extended(draft, line.split())
            elif self.screen.interactive:
                self.screen.ask(_("[Enter] "))

    def _is_own_command(self, line: str) -> bool:
        """Obey rules and quit while a draft is typed; all else is a token."""
        word = line.partition(" ")[0].lower()
        if any(word in COMMANDS[name] for name in ("quit", "rules", "help", "legal")):
            return self._command(line)
        return False

    def _extended(self, draft: Sequence[int], tokens: Sequence[str]) -> list[int]:
        """Return a draft with more actions; explain the first one that is not possible."""
        session, seat = self.session, self.session.seat
        longer = list(draft)
        for token in tokens:
            state = session.with_draft(longer)
            try:
                action = state.view(seat).parse(token, seat)
                state.apply(action, seat)
            except ParseError as error:
                self._pause(str(error))
                break
            except IllegalAction as error:
                rule = session.game.kind.rulebook(error.statement, self.language)
                self._pause(f"{token}: {error.statement} {rule}")
                break
            longer.append(action)
            if seat not in state.acting:
                break
        return longer

    def _pause(self, text: str) -> None:
        """Say what is wrong and wait, since the page is about to be drawn again."""
        _ = self.translate
        self._refuse(text)
        if self.screen.interactive:
            self.screen.ask(_("[Enter] "))

    def _filled(self, draft: Sequence[int]) -> list[int]:
        """Return a draft with what is missing drawn by lot."""
        session, seat = self.session, self.session.seat
        whole = list(draft)
        state = session.with_draft(whole)
        rng = new_rng(session.seed, len(whole))
        while seat in state.acting:
            legal = state.legal_actions(seat)
            action = legal[below(rng, len(legal))]
            state.apply(action, seat)
            whole.append(action)
        return whole

    # --- The end ---

    def _finished(self) -> None:
        """Say how the game ended; let the player look at it, keep it, begin another."""
        _ = self.translate
        self._page(self.session.view(), self._news())
        self._tell()
        self._result()
        self.screen.say(
            _("save FILE keeps the game, log tells it, again begins another, Enter leaves."),
            style=HINT,
        )
        while True:
            line = self.screen.ask("> ")
            word = line.lower()
            if word in ("again", "encore"):
                self.session = self.session.restarted()
                self.told = 0
                return
            if word in ("", *COMMANDS["quit"]):
                raise Leave
            if word.partition(" ")[0] in COMMANDS["undo"]:
                self._refuse(_("The game is over."))
            elif not self._command(line):
                self._refuse(_("The game is over; save FILE, log, board, again or Enter."))

    def _result(self) -> None:
        """Say who has won and why."""
        _ = self.translate
        for line, style in result_lines(self.session.state, self.language, self.session.seat):
            self.screen.say(line, style=style)
        if self.session.resigned and not self.session.state.over:
            self.screen.say(_("You have given up."), style=STATEMENT)


def result_lines(state: State, language: str, seat: int | None = None) -> Iterator[tuple[str, str]]:
    """Yield lines on how a finished game ended, with their styles."""
    from tianxia.cli.screen import PACKAGE
    from tianxia.draw.languages import translator

    _ = translator(language, PACKAGE).gettext
    if not state.over:
        return
    gains = state.utilities()
    winners = [other for other, gain in enumerate(gains) if gain == max(gains) and gain > 0]
    names = ", ".join(seat_name(state.game, winner, language) for winner in winners)
    if not winners:
        yield _("The game is a draw."), STATEMENT
    elif seat in winners:
        yield (_("You have won.") if len(winners) == 1 else _("You share the victory.")), STATEMENT
    elif seat is not None:
        yield _("You have lost; {names} won.").format(names=names), STATEMENT
    else:
        yield _("{names} won.").format(names=names), STATEMENT
    statement = state.refusal(0, 0)
    if statement and statement != NO_ACTION:
        yield f"{statement} {state.game.kind.rulebook(statement, language)}", HINT


def _once(lines: Sequence[str]) -> list[str]:
    """Leave out lines that repeat the one before."""
    return [line for i, line in enumerate(lines) if i == 0 or line != lines[i - 1]]


@contextmanager
def _signals() -> Iterator[None]:
    """Turn a request to stop into an exception, so that the game is saved."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    before = {}
    for name in SIGNALS:
        number = getattr(signal, name, None)
        if number is not None:
            with suppress(ValueError):  # not in the main thread
                before[number] = signal.signal(number, stop)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
