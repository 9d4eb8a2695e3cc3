"""The log of a game at a table: what its rows amount to. No storage here.

A `GameLog` is the fold of the rows of a log. Playing makes rows and folds them in with the
very code that reads them back, so a restart cannot lead anywhere else. Whoever changes a
log changes a copy, and publishes it when its rows are stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tianxia.draw.guides import Due
from tianxia.draw.languages import N_
from tianxia.kernel.errors import IllegalAction, TianxiaError
from tianxia.kernel.game import Game, Standing
from tianxia.kernel.record import CHANCE, SPECTATOR
from tianxia.kernel.registry import position
from tianxia.kernel.state import NO_ACTION, State
from tianxia.tables import log
from tianxia.tables.chance import Chance
from tianxia.tables.clocks import Clocks, Pace
from tianxia.tables.errors import NotNow, Refused, Stale, TimeOver, Unplayable
from tianxia.tables.log import Row

OFFER_PAUSE = 10
"""Plies before the same seat may offer a draw again."""
MOST_TAKE_BACKS = 500
"""A seat takes back no more often in a game: a log must not grow without end."""
LONGEST_BATCH = 1000
"""Actions that are sent together."""
IN_ADVANCE = 0
"""Stands for the batch of an action that its seat has chosen in advance."""
GIVEN_UP = {"resign": "resignation", "flag": "clock", "claim": "silence"}
"""Entries with which a seat has lost, and how such an ending is called."""
ENDED = {"call-off": "called-off", "clocks": "clocks", "close": "closed"}
"""Entries with which a game ends and nobody has lost."""
TO_BOTS = frozenset({"leave", "flag-bot", "claim-bot"})
"""Entries from which on a bot plays for the seat."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a table's log.

    Attributes
    ----------
    number
        1, 2, … within the log.
    kind
        ``start``; ``act``, ``chance``, ``takeback``; ``ask``, ``allow``, ``refuse`` (of
        taking back); ``offer``, ``agree``, ``decline`` (of a draw); ``resign``; ``leave``:
        from here on a bot plays for the seat; ``rules``: it goes on under a newer version of
        them; ``abort``: the seat wants to end it without a result; ``flag``, ``claim``: its time
        is over, or it was silent too long, and it has lost; ``flag-bot``, ``claim-bot``: a bot
        plays on for it; ``return``: who sat there plays on; ``clocks``: everybody's time is
        over; ``call-off``, ``close``; ``holiday``; ``still``: all clocks have stood.
    seat
        Who; CHANCE for chance; None for the start.
    action
        Of ``act`` and ``chance``; in a viewer's entries as he has seen it, else None.
    ply
        How many actions the transcript has after this entry; that position's notation is
        ``plies_notations[ply]`` when the game is over.
    at
        When, in seconds since 1970.
    undone
        Of ``takeback``: the numbers of the entries that left the transcript.
    spent
        Of a decision where there are clocks: the seconds that it took since its seat was asked.
        Of a holiday: how many it lasts; 0 ends one.
    """

    number: int
    kind: str
    seat: int | None
    action: int | None
    ply: int
    at: float
    undone: tuple[int, ...] = ()
    spent: float | None = None


@dataclass(frozen=True, slots=True)
class Sight:
    """Who has seen an entry: `known` by seat and last for spectators; None: not the action.

    `public`: whether others than its seat know that it happened at all.
    """

    known: tuple[int | None, ...]
    public: bool


@dataclass(frozen=True, slots=True)
class Move:
    """An action of the transcript, and what is needed to take it back."""

    entry: int
    batch: int
    actor: int
    action: int
    plies: int  # before it
    phase: bool  # whether a phase of secret choices was running before it
    secret: bool  # chosen in secret
    public: bool  # others have noticed
    drawn: bool  # by chance, from more than one outcome
    shown: bool  # it has shown something hidden

    def is_decision_of(self, seat: int) -> bool:
        """Say whether a seat has decided this when it was asked, not in advance."""
        return self.actor == seat and self.batch != IN_ADVANCE


@dataclass(frozen=True, slots=True)
class TakeBack:
    """What taking back would do: the entries that go, and whether that is free."""

    batch: int
    undone: tuple[int, ...]
    free: bool
    shown: bool


@dataclass(frozen=True, slots=True)
class Pending:
    """A question to the other seats, and who has said yes."""

    seat: int
    agreed: frozenset[int] = frozenset()


class OtherGame(Exception):
    """The rules installed make another game of a log, from the row of this number on."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class GameLog:
    """The game at a table as its log tells it.

    Attributes
    ----------
    playable
        Whether the rules installed are those of the log; if not there is a position
        (from its notation) but no play.
    readable
        Whether there is a position: the rules installed may not even read its notation.
    aborting
        The seats that want to end a game without a result that cannot be played on.
    status, ending
        As in `Snapshot`.
    standing
        The answers that seats have given in advance; whoever makes a new version sets it.
    fresh
        The rows that are not stored yet.
    epoch
        How often something was taken back: who follows a game starts anew then.
    clocks
        How much time each seat has; bots' never run.
    decided
        The seats that have openly decided something.
    substitutes
        The seats for which bots play because their people did not.
    course
        The line of a guided first game, as far as this one follows it.
    """

    def __init__(
        self,
        game: Game,
        chance: Chance,
        rules_version: int,
        bots: Sequence[int],
        pace: Pace = Pace(),  # noqa: B008  (it never changes)
    ) -> None:
        self.game = game
        self.chance = chance
        self.bots = frozenset(bots)
        self.standing: Mapping[int, Sequence[Standing]] = {}
        self.course: tuple[Due, ...] = ()
        self.playable = rules_version == game.rules_version
        self.readable = True
        self.aborting: frozenset[int] = frozenset()
        self.status = "waiting"
        self.ending = "none"
        self.state: State = game.new()
        self.rows: list[Row] = []
        self.fresh: list[Row] = []
        self.entries: list[Entry] = []
        self.sights: list[Sight] = []
        self.views: list[list[Entry]] = [[] for _ in range(game.seats + 1)]  # spectators' last
        self.moves: list[Move] = []
        self.decisions = [0] * game.seats
        self.phase = False
        self.draws = 0
        self.epoch = 0
        self.offer: Pending | None = None
        self.ask: Pending | None = None
        self.offered: dict[int, int] = {}  # plies at a seat's last offer of a draw
        self.asked: dict[int, int] = {}  # the batch that a seat last asked to take back
        self.taken: dict[int, int] = {}  # how often a seat has taken back
        self.clocks = Clocks.of(pace, game.seats)
        self.decided: frozenset[int] = frozenset()
        self.substitutes: frozenset[int] = frozenset()
        self._mover: Row | None = None  # the last act, as long as chance follows it
        self._notation: str | None = None  # of the position now, where it is known

    def copy(self) -> GameLog:
        """Return a copy that can be changed; rows that are not stored yet stay behind."""
        copy = GameLog.__new__(GameLog)
        copy.__dict__.update(self.__dict__)
        copy.state = self.state.clone()
        copy.clocks = self.clocks.copy()
        copy.fresh = []
        copy.views = [list(view) for view in self.views]
        for name in ("rows", "entries", "sights", "moves", "decisions"):
            setattr(copy, name, list(getattr(self, name)))
        for name in ("offered", "asked", "taken"):
            setattr(copy, name, dict(getattr(self, name)))
        return copy

    def recolour(self, game: Game) -> None:
        """Go on as this game, which differs in the colours of its seats; before it begins."""
        self.game, self.state, self._notation = game, game.new(), None

    # --- What is known of it ---

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that may act now."""
        return self.state.acting if self.status == "playing" and self.playable else ()

    @property
    def due(self) -> Due | None:
        """What is played next in a guided game."""
        place = len(self.moves)
        return self.course[place] if place < len(self.course) else None

    @property
    def people(self) -> frozenset[int]:
        """The seats that are not bots'."""
        return frozenset(range(self.game.seats)) - self.bots

    def notation(self) -> str:
        """Return the notation of the position now."""
        if self._notation is None:
            self._notation = self.state.notation()
        return self._notation

    # --- Reading a log ---

    def read(self, rows: Iterable[Row]) -> None:
        """Fold in rows that are stored."""
        rows = list(rows)
        for row in rows:
            self._fold(row)
        if not self.playable and rows:
            self._look()

    def _look(self) -> None:
        """Take the position from its notation: the rules that led to it are not here."""
        notations = log.notations(self.rows)
        if not notations:
            return
        self._notation = notations[-1]
        try:
            self.state = position(self._notation)
        except TianxiaError:
            self.readable = False

    def under_present_rules(self, at: float) -> GameLog:
        """Return the same game under the rules installed.

        Every action has to be legal, every draw what the secret gives, and every position the
        one that was stored.

        Raises
        ------
        OtherGame
            Where the rules installed make another game of it.
        """
        began = {row.seat for row in self.rows if row.kind in TO_BOTS}
        present = GameLog(
            self.game,
            self.chance,
            self.game.rules_version,
            sorted(self.bots - began),
            self.clocks.pace,
        )
        present.course = self.course
        before = ""
        for row in self.rows:
            stored = log.unpack(row.position, before) if row.position is not None else []
            before = stored[-1] if stored else before
            try:
                same = present.would_draw(row) and _same_positions(stored, present.refold(row))
            except (TianxiaError, ValueError, LookupError) as error:
                raise OtherGame(row.number) from error
            if not same:
                raise OtherGame(row.number)
        if present.status != self.status:
            raise OtherGame(len(self.rows))
        present._write("rules", None, at, self.game.rules_version)
        return present

    def refold(self, row: Row) -> list[str]:
        """Fold a stored row in; return the notations that should be stored with it."""
        new = self._fold(row)
        return [] if row.position is None else new or [self.notation()]

    def would_draw(self, row: Row) -> bool:
        """Say whether a row is none of chance, or what the secret gives at this place."""
        if row.kind != "chance" or row.action is None:
            return True
        if self.due:
            return self.due.action == row.action
        weights = self.state.chance_weights()
        if len(weights) < 2:
            return any(action == row.action for action, _ in weights)
        return self.chance.draw(weights, self.draws + 1) == row.action

    def _write(
        self,
        kind: str,
        seat: int | None,
        at: float,
        action: int | None = None,
        batch: int | None = None,
        undone: tuple[int, ...] = (),
        seconds: float = 0.0,
        lag: float = 0.0,
    ) -> None:
        """Add a row to the log."""
        number = len(self.rows) + 1
        token = None
        if action is not None and seat is not None:
            token = self.state.text(action, seat)
        before = self.notation() if kind in log.CHANGES and self.rows else ""
        batch = number if batch is None else batch
        if kind == "act" and seat is not None:
            seconds = max(0.0, self.clocks.used(seat, at) - lag)
        row = Row(number, kind, seat, action, batch, at, token, None, undone, seconds)
        new = self._fold(row)
        if kind in log.CHANGES:
            row = self.rows[-1] = replace(row, position=log.pack(new or [self.notation()], before))
        self.fresh.append(row)

    def _fold(self, row: Row) -> list[str]:
        """Fold a row in; return the notations that a take-back has made."""
        new: list[str] = []
        self.rows.append(row)
        timed = row.seat not in self.bots and self.clocks.pace.kind != "none"
        spent = row.seconds if row.kind == "holiday" or (row.kind == "act" and timed) else None
        sight = Sight((), public=True)
        if row.action is not None and row.seat is not None:
            sight = self._acted(row, row.seat, row.action)
        elif row.kind == "takeback" and row.seat is not None:
            sight, new = self._taken_back(row, row.seat)
        else:
            self._said(row)
        self.sights.append(sight)
        entry = Entry(
            *(row.number, row.kind, row.seat, row.action, len(self.moves), row.at, row.undone),
            spent,
        )
        self.entries.append(entry)
        self._show(entry, sight)
        if self.playable and self.state.over and self.status == "playing":
            self.status, self.ending = "over", "rules"
        if row.kind == "act" and sight.public and row.seat is not None:
            self.decided |= {row.seat}
        self._run_clocks(row, openly=sight.public)
        return new

    def _run_clocks(self, row: Row, *, openly: bool) -> None:
        """Let the clocks of those run who are asked now; while chance acts nobody is."""
        acting, clocks = self.acting, self.clocks
        if row.kind == "act":
            self._mover = row
        elif row.kind != "chance":
            self._mover = None
        clocks.forget(row.undone)
        if self.status == "playing" and self.playable and not acting:
            return
        mover = self._mover or replace(row, seat=None)
        clocks.ask(set(acting) - self.bots, row.at, mover.number, mover.seat, mover.seconds)
        if row.kind == "act" and row.seat in acting and openly and not self.phase:
            clocks.decided(row.seat, row.at)

    def _show(self, entry: Entry, sight: Sight) -> None:
        """Add an entry to what each viewer has seen of the log, in his own numbers."""
        for viewer, view in enumerate(self.views):
            if not (sight.public or entry.seat == viewer):
                continue
            ply = view[-1].ply if view else 0
            undone: tuple[int, ...] = ()
            if entry.kind in ("act", "chance"):
                ply += 1
            elif entry.undone:
                undone = self._own_numbers(viewer, entry.undone)
                ply -= len(undone)
            known = sight.known[viewer] if sight.known else None
            view.append(replace(entry, number=len(view) + 1, action=known, ply=ply, undone=undone))

    def _own_numbers(self, viewer: int, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Return the numbers that entries have for a viewer, of those he has seen."""
        seen = (
            entry.number
            for entry, sight in zip(self.entries, self.sights, strict=False)
            if sight.public or entry.seat == viewer
        )
        own = {number: place for place, number in enumerate(seen, 1)}
        return tuple(own[number] for number in numbers if number in own)

    def _acted(self, row: Row, seat: int, action: int) -> Sight:
        if not self.playable:
            self.moves.append(Move(row.number, row.batch, seat, action, 0, *[False] * 5))
            return Sight((None,) * (self.game.seats + 1), public=True)
        state = self.state
        viewers = (*range(self.game.seats), SPECTATOR)
        known = tuple(state.seen(action, seat, viewer) for viewer in viewers)
        last = self.moves[-1] if self.moves else None
        move = self._step(row.number, row.batch, seat, action)
        self.draws += move.drawn
        for other in range(self.game.seats):
            if other == seat:
                first = last is None or last.batch != row.batch or row.batch == IN_ADVANCE
                self.decisions[other] += first
            else:
                self.decisions[other] += not move.secret
        if move.public:
            self._lapse(seat)
        return Sight(known, move.public)

    def _step(self, entry: int, batch: int, actor: int, action: int) -> Move:
        """Apply an action; add it to the transcript."""
        state = self.state
        plies, sealed, phase = state.plies, state.sealed, self.phase
        drawn = actor == CHANCE and len(state.chance_weights()) > 1
        if self.due and self.due[:2] != (actor, action):
            self.course = self.course[: len(self.moves)]  # another edition of the guide
        state.apply(action, actor)
        self._notation = None
        public = actor == CHANCE or state.plies != plies
        secret = actor != CHANCE and (phase or not public)
        shown = drawn or state.has_shown(sealed)
        if not secret or not state.acting:
            self.phase = len(state.acting) > 1
        move = Move(entry, batch, actor, action, plies, phase, secret, public, drawn, shown)
        self.moves.append(move)
        return move

    def _lapse(self, seat: int) -> None:
        """Let questions lapse that a seat answers by acting."""
        if self.offer is not None and seat not in (self.offer.seat, CHANCE):
            self.offer = None
        if self.ask is not None:
            self.ask = None

    def _said(self, row: Row) -> None:
        """Fold in what changes no position."""
        seat = -9 if row.seat is None else row.seat
        if row.kind == "start":
            self.status = "playing"
            if self.playable:
                self.phase = len(self.state.acting) > 1
        elif row.kind in GIVEN_UP or row.kind in ENDED:
            self.status = "over"
            self.ending = ENDED.get(row.kind) or f"{GIVEN_UP[row.kind]} {seat}"
        elif row.kind in TO_BOTS or row.kind == "return":
            self._passed_on(row.kind, seat)
        elif row.kind in ("holiday", "still"):
            self.clocks.pause(None if row.kind == "still" else seat, row.at, row.seconds)
        elif row.kind in ("abort", "rules"):
            self.aborting = self.aborting | {seat} if row.kind == "abort" else frozenset()
            self._end_where_all_abort()
        elif row.kind in ("offer", "ask"):
            self._asked(row.kind, seat)
        else:
            self._answered_question(row.kind, seat)
        if self.status == "over":
            self.offer = self.ask = None

    def _asked(self, kind: str, seat: int) -> None:
        """Fold in a question to the other seats."""
        if kind == "offer":
            self.offer = Pending(seat)
            self.offered[seat] = self.state.plies
            return
        plan = self.plan(seat) if self.playable else None
        self.ask = Pending(seat)
        self.asked[seat] = plan.batch if plan else 0

    def _answered_question(self, kind: str, seat: int) -> None:
        """Fold in an answer."""
        if kind == "decline":
            self.offer = None
        elif kind == "refuse":
            self.ask = None
        elif kind == "allow" and self.ask:
            self.ask = replace(self.ask, agreed=self.ask.agreed | {seat})
        elif kind == "agree" and self.offer:
            self.offer = replace(self.offer, agreed=self.offer.agreed | {seat})
            if not self.unanswered(self.offer):
                self.status, self.ending = "over", "agreement"

    def _passed_on(self, kind: str, seat: int) -> None:
        """Fold in that a bot plays for a seat from now on, or its person does again."""
        if kind == "return":
            self.bots -= {seat}
            self.substitutes -= {seat}
            self.clocks.come_back(seat)
        else:
            self.bots |= {seat}
            self.substitutes = self.substitutes - {seat} | ({seat} if kind != "leave" else set())
        self.offer = self.ask = None  # their answers may be those of who has left
        self._end_where_all_abort()

    def _end_where_all_abort(self) -> None:
        """End a game without a result that nobody wants to keep; bots always agree."""
        if self.aborting and not self.people - self.aborting:
            self.status, self.ending = "over", "abort"

    def unanswered(self, pending: Pending) -> frozenset[int]:
        """Return the seats whose answer to a question is awaited; bots are not asked."""
        return self.people - pending.agreed - {pending.seat}

    # --- Acting ---

    def start(self, at: float) -> None:
        """Begin: all seats are taken."""
        self._write("start", None, at)
        self._advance(at)

    def act(
        self, seat: int, actions: Sequence[int], decision: int, at: float, lag: float = 0.0
    ) -> None:
        """Take a seat's actions, and what chance does after them.

        Parameters
        ----------
        lag
            How many seconds they were on the way: the seat's clock is forgiven these.

        Raises
        ------
        NotNow, Stale, Refused, Unplayable
            This game log is then of no more use; nothing else has changed.
        TimeOver
            Where the seat's flag has fallen.
        """
        self.check_playing()
        fall = self.clocks.falls(seat)
        if fall is not None and at - lag >= fall:
            raise TimeOver
        if decision != self.decisions[seat]:
            raise Stale
        if seat not in self.state.acting:
            raise NotNow("not-your-turn", N_("It is not your turn."))
        if not 0 < len(actions) <= LONGEST_BATCH:
            raise Refused("how-many", N_("Send 1 to {most} actions together."), most=LONGEST_BATCH)
        batch, several = len(self.rows) + 1, len(actions) > 1
        for place, action in enumerate(actions, 1):
            self._check_number(action, place * several)
        for place, action in enumerate(actions, 1):
            if place > 1:
                self._check_open(seat, place)
            self._check(action, seat, place * several)
            self._write("act", seat, at, int(action), batch, lag=lag)
        self._advance(at, lag)

    def _check_open(self, seat: int, place: int) -> None:
        """Refuse, whatever it is, what follows an action that may have shown something hidden.

        All actions are refused together: else whoever sends an attack and nonsense would learn,
        for nothing, whether the attack takes the Flag.
        """
        if seat not in self.state.acting or self.moves[-1].shown:
            text = N_(
                "Number {place} of these actions follows one that ends your turn or shows "
                "something; none was taken. Send them one after the other."
            )
            raise Refused("not-together", text, place=place)

    def _check_number(self, action: object, place: int) -> None:
        """Refuse what is never an action of this game; `place` is as in `_check`."""
        number = -1 if isinstance(action, bool) or not isinstance(action, int) else action
        if not 0 <= number < self.game.num_actions:
            raise _no_action(place)

    def _check(self, action: int, seat: int, place: int) -> None:
        """Refuse what is not legal, naming the statement of the rules.

        Parameters
        ----------
        place
            Which of several actions it is; 0: it is the only one.
        """
        statement = self.state.refusal(action, seat)
        if statement is not None:
            reason = self.game.kind.rulebook(statement, "en")
            raise Refused(
                "illegal",
                N_("The rules forbid this ({statement})."),
                statement,
                reason,
                place=place,
            )
        if self.due and self.due[:2] != (seat, action):
            raise Refused(
                "guided",
                N_("The rules allow that. This guided game goes on with what it asks you for."),
                place=place,
            )

    def _advance(self, at: float, lag: float = 0.0) -> None:
        """Let chance act, and seats that have answered in advance, as long as they are asked.

        What comes of a request belongs to its turn, which is forgiven `lag` as a whole.
        """
        while not self.state.over:
            if self.due and self.due.asked is None:
                actor, action, _ = self.due
                kind, batch = ("chance", None) if actor == CHANCE else ("act", IN_ADVANCE)
                self._write(kind, actor, at, action, batch, lag=lag)
                continue
            if self.state.acting:
                if not self._answered(at, lag):
                    return
                continue
            weights = self.state.chance_weights()
            action = self.chance.draw(weights, self.draws + 1)
            self._write("chance", CHANCE, at, action)

    def _answered(self, at: float, lag: float) -> bool:
        """Take the action that the seat that is asked has chosen in advance, or the obvious one."""
        if self.phase:
            return False
        seat, obvious = self.state.acting[0], self.game.kind.obvious
        answers = [one.answer for one in self.standing.get(seat, ())]
        if obvious is not None and not self.course:
            answers.append(obvious)
        if not answers:
            return False
        seen = self.state.view(SPECTATOR)
        for answer in answers:
            action = answer(seen, seat)
            if action is not None and self.state.refusal(action, seat) is None:
                self._write("act", seat, at, action, IN_ADVANCE, lag=lag)
                return True
        return False

    def answer_in_advance(self, at: float) -> None:
        """Take what seats have chosen in advance, where one is asked for it just now.

        Raises
        ------
        NotNow, Unplayable
        """
        self.check_playing()
        self._advance(at)

    def check_playing(self) -> None:
        """Refuse what needs a game that is going on, under the rules that are installed.

        Raises
        ------
        NotNow, Unplayable
        """
        self.check_running()
        self.check_rules()

    def check_running(self) -> None:
        """Refuse what needs a game that is going on, be it under other rules.

        Raises
        ------
        NotNow
        """
        if self.status == "waiting":
            raise NotNow("waiting", N_("The game begins when all seats are taken."))
        if self.status == "over":
            raise NotNow("over", N_("This game is over."))

    def check_rules(self) -> None:
        """Refuse what needs the rules that the game was begun under.

        Raises
        ------
        Unplayable
        """
        if not self.playable:
            raise wrong_rules()

    # --- Taking back ---

    def plan(self, seat: int) -> TakeBack | None:
        """Return what the seat's next take-back would undo, or None where nothing can be.

        Free is what the seat alone did since the last ply that is sealed, and in a phase
        of secret choices its own until they are opened. Whether it is free depends on
        public facts only. Nothing goes back across a draw of chance.
        """
        moves = self.moves
        first = len(moves) - 1
        while first >= 0 and not moves[first].is_decision_of(seat):
            first -= 1
        if first < 0 or self.status != "playing" or not self.playable:
            return None
        batch = moves[first].batch
        while first > 0 and moves[first - 1].batch == batch and moves[first - 1].actor == seat:
            first -= 1
        if all(move.secret for move in moves[first:]):
            return self._plan(first, batch, free=True)
        free = self._free_from(seat, first)
        if free is not None:
            return self._plan(free, batch, free=True)
        if any(move.drawn for move in moves[first:]):
            return None
        return self._plan(first, batch, free=False)

    def _free_from(self, seat: int, first: int) -> int | None:
        """Return the first own action, from `first` on, that goes back without asking."""
        found = None
        for place in range(len(self.moves) - 1, first - 1, -1):
            move = self.moves[place]
            hidden = move.actor not in (seat, CHANCE) and not move.public
            if not hidden and (
                move.drawn or move.plies < self.state.sealed or move.actor not in (seat, CHANCE)
            ):
                break
            if move.is_decision_of(seat):
                found = place
        return found

    def _plan(self, place: int, batch: int, *, free: bool) -> TakeBack:
        """Return the plan that undoes a seat's action and all that depends on it.

        What others chose in secret in the same phase does not depend on it.
        """
        seat, end = self.moves[place].actor, self._end_of_phase(place)
        gone = [move.entry for move in self.moves[place:end] if move.actor == seat]
        gone += [move.entry for move in self.moves[end:]]
        shown = any(move.shown for move in self.moves[place:])
        return TakeBack(batch, tuple(gone), free, shown)

    def _end_of_phase(self, place: int) -> int:
        end = place
        while end < len(self.moves) and self.moves[end].secret:
            end += 1
        return end

    def _taken_back(self, row: Row, seat: int) -> tuple[Sight, list[str]]:
        """Fold a take-back in; return who noticed, and the notations of new positions."""
        gone = set(row.undone)
        place = next(i for i, move in enumerate(self.moves) if move.entry in gone)
        rest = [move for move in self.moves[place:] if move.entry not in gone]
        alone = all(move.secret for move in self.moves[place:])
        before, phase = (self.state.plies, self.state.acting), self.moves[place].phase
        self.moves = self.moves[:place]
        self.epoch += 1
        self.taken[seat] = self.taken.get(seat, 0) + 1
        new: list[str] = []
        if self.playable:
            new = self._replay(rest, phase)
            public = not alone or before != (self.state.plies, self.state.acting)
        else:
            self.moves += rest
            public = True
        for other in range(self.game.seats):
            self.decisions[other] += other == seat or not alone
        if public:
            self.offer = self.ask = None
        return Sight((), public), new

    def _replay(self, rest: Sequence[Move], phase: bool) -> list[str]:
        """Play the moves again, and the rest after them; return the notations from there."""
        state = self.game.new()
        for move in self.moves:
            state.apply(move.action, move.actor)
        self.state, self.phase, self._notation = state, phase, None
        new = [state.notation()]
        for move in rest:
            self._step(move.entry, move.batch, move.actor, move.action)
            new.append(state.notation())
        self._notation = new[-1]
        return new

    def may_take_back(self, seat: int) -> bool:
        """Say whether a seat takes back without asking: free, or only bots would be asked."""
        plan = self.plan(seat)
        return plan is not None and (plan.free or (not self.people - {seat} and not plan.shown))

    def may_ask(self, seat: int) -> bool:
        """Say whether a seat may ask the others to take back."""
        plan = self.plan(seat)
        return (
            plan is not None
            and not self.may_take_back(seat)
            and bool(self.people - {seat})
            and not (self.bots and plan.shown)
            and self.ask is None
            and self.asked.get(seat) != plan.batch
        )

    def sets_up_anew(self, seat: int) -> bool:
        """Say whether a take-back of the seat leads back into secret choices that it began with.

        That is so until it makes its first move, such as between its set-up and that.
        """
        own = [place for place, move in enumerate(self.moves) if move.is_decision_of(seat)]
        if not own or self.phase or not self.moves[own[0]].secret or self.plan(seat) is None:
            return False
        return own[-1] < self._end_of_phase(own[0])

    def take_back(self, seat: int, at: float) -> None:
        """Take back, or ask whoever must agree.

        Raises
        ------
        NotNow, Unplayable
        """
        self.check_playing()
        if self.taken.get(seat, 0) >= MOST_TAKE_BACKS:
            raise NotNow(
                "too-many", N_("Too many moves have been taken back in this game already.")
            )
        if self.may_take_back(seat):
            self._undo(seat, at)
        elif self.may_ask(seat):
            self._write("ask", seat, at)
        elif self.ask is not None:
            raise NotNow("already-asked", N_("Somebody has asked already; wait for the answer."))
        elif (plan := self.plan(seat)) is not None and self.asked.get(seat) == plan.batch:
            raise NotNow("asked-before", N_("You have asked to take this back before."))
        else:
            raise NotNow("nothing-to-take-back", N_("There is nothing that you can take back."))

    def _undo(self, seat: int, at: float) -> None:
        plan = self.plan(seat)
        if plan is None:
            raise NotNow("nothing-to-take-back", N_("There is nothing that you can take back."))
        gone = set(plan.undone)
        openly = any(not move.secret for move in self.moves if move.entry in gone)
        try:
            self._write("takeback", seat, at, undone=plan.undone)
        except IllegalAction as error:
            raise NotNow(
                "nothing-to-take-back", N_("There is nothing that you can take back.")
            ) from error
        if openly:
            # That is to say otherwise: else the same answer would be given at once again.
            self.standing = {other: kept for other, kept in self.standing.items() if other != seat}
        self._advance(at)

    def answer_take_back(self, seat: int, accept: bool, at: float) -> None:
        """Answer who has asked to take back.

        Raises
        ------
        NotNow, Unplayable
        """
        self.check_playing()
        ask = self.ask
        if ask is None or seat not in self.unanswered(ask):
            raise NotNow("not-asked", N_("Nobody is waiting for your answer."))
        self._write("allow" if accept else "refuse", seat, at)
        if self.ask is not None and not self.unanswered(self.ask):
            self._undo(ask.seat, at)

    # --- Clocks ---

    def flag(self, at: float) -> list[int]:
        """Let the flags fall of those whose time is over; return for whom bots play on.

        With two the other one has won; where another person stays, a bot plays on. Where the
        time of all people is over at the same moment, nobody has won.

        Raises
        ------
        NotNow
            Where nobody's time is over.
        """
        self.check_playing()
        fallen = self.clocks.fallen(at)
        if not fallen:
            raise NotNow("time-left", N_("Nobody has run out of time."))
        if len(fallen) > 1 and self.people <= set(fallen):
            self._write("clocks", None, at)
            return []
        return [seat for seat in fallen if self._drop(seat, "flag", at)]

    def _drop(self, seat: int, kind: str, at: float) -> bool:
        """Let a seat lose, or a bot play on for it; say whether it does."""
        goes_on = self.goes_on_without(seat)
        self._write(f"{kind}-bot" if goes_on else kind, seat, at)
        return goes_on

    def stand_still(self, seconds: float, at: float) -> None:
        """Forgive everybody some time in which nobody could act."""
        self._write("still", None, at, seconds=seconds)

    def rest(self, seat: int, seconds: float, at: float) -> None:
        """Begin a holiday of a seat; with 0 seconds end it."""
        self._write("holiday", seat, at, seconds=seconds)

    def come_back(self, seat: int, at: float) -> None:
        """Let a seat's person play on in the place of the bot."""
        self._write("return", seat, at)

    def silence(self, seat: int, kind: str, at: float) -> None:
        """Let the game end, or a bot play on, because a seat is silent."""
        self._write(kind, seat, at)

    # --- Ending ---

    @property
    def may_call_off(self) -> bool:
        """Whether a game can be ended so that nobody has lost: until every seat has decided."""
        return self.status == "playing" and len(self.decided) < self.game.seats

    def call_off(self, seat: int, at: float) -> None:
        """End the game before every seat has decided something: nobody has lost.

        Raises
        ------
        NotNow, Unplayable
        """
        self.check_playing()
        if not self.may_call_off:
            raise NotNow("begun", N_("Everybody has decided something: resign instead."))
        self._write("call-off", seat, at)

    def close(self, seat: int, at: float) -> None:
        """Close a table that waits for players."""
        self._write("close", seat, at)

    def resign(self, seat: int, at: float) -> None:
        """Give the game up: it is over.

        Raises
        ------
        NotNow
        """
        self.check_running()
        self._write("resign", seat, at)

    def goes_on_without(self, seat: int) -> bool:
        """Say whether the game goes on for others when somebody leaves it.

        So it is where three or more play and another person stays.
        """
        return self.game.seats > 2 and bool(self.people - {seat})

    def leave(self, seat: int, at: float) -> None:
        """Let a bot play for a seat from now on.

        Raises
        ------
        NotNow
        """
        self.check_running()
        self._write("leave", seat, at)

    def may_abort(self, seat: int) -> bool:
        """Say whether a seat may ask to end the game without a result, or agree to that."""
        return self.status == "playing" and not self.playable and seat not in self.aborting

    def abort(self, seat: int, at: float) -> None:
        """Say that a seat wants to end a game without a result that cannot be played on.

        Raises
        ------
        NotNow
        """
        self.check_running()
        if self.playable:
            raise NotNow("no-abort", N_("This game can be played on, so it needs a result."))
        if not self.may_abort(seat):
            raise NotNow("already-aborting", N_("You have said so already; wait for the others."))
        self._write("abort", seat, at)

    def abandon(self, at: float) -> None:
        """End a game without a result that nobody sits at and that cannot be played on."""
        self._write("abort", None, at)

    def may_offer(self, seat: int) -> bool:
        """Say whether a seat may offer a draw now."""
        return self.status == "playing" and self.offer is None and self._rested(seat)

    def _rested(self, seat: int) -> bool:
        """Say whether a seat's last offer is long enough ago."""
        last = self.offered.get(seat)
        if not self.playable:  # no plies pass any more
            latest = self.rows[-OFFER_PAUSE:]
            return not any((row.kind, row.seat) == ("offer", seat) for row in latest)
        return last is None or self.state.plies - last >= OFFER_PAUSE

    def offer_draw(self, seat: int, at: float) -> None:
        """Offer a draw; where another seat has offered one, agree.

        Raises
        ------
        NotNow
        """
        self.check_running()
        if self.offer is not None and self.offer.seat != seat:
            self.answer_draw(seat, True, at)
            return
        if self.offer is not None:
            raise NotNow("already-offered", N_("You have offered a draw already."))
        if not self._rested(seat):
            raise NotNow(
                "too-soon",
                N_("You have offered a draw a short while ago; play on for {plies} plies first."),
                plies=OFFER_PAUSE,
            )
        self._write("offer", seat, at)
        bots = sorted(self.bots - {seat})
        if bots:
            self._write("decline", bots[0], at)

    def answer_draw(self, seat: int, accept: bool, at: float) -> None:
        """Answer who has offered a draw.

        Raises
        ------
        NotNow
        """
        self.check_running()
        if self.offer is None or seat not in self.unanswered(self.offer):
            raise NotNow("not-offered", N_("Nobody is waiting for your answer."))
        self._write("agree" if accept else "decline", seat, at)


def _no_action(place: int) -> Refused:
    if place:
        text = N_("Number {place} of these actions is not an action of this game; none was taken.")
        return Refused("no-action", text, NO_ACTION, place=place)
    return Refused("no-action", N_("This is not an action of the game."), NO_ACTION)


def _same_positions(stored: Sequence[str], new: Sequence[str]) -> bool:
    """Say whether notations name the same positions, be they written in an older manner."""
    return len(stored) == len(new) and all(
        one == other or position(one).notation() == other
        for one, other in zip(stored, new, strict=True)
    )


def wrong_rules() -> Unplayable:
    """Return the refusal of what needs the rules that a game was begun under."""
    return Unplayable(
        "other-rules",
        N_(
            "This game was begun under another version of the rules than is installed now: "
            "it can be looked at, but not played on."
        ),
    )
