"""What a table looks like at one moment, and what is said when one is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from tianxia.kernel.game import Game
from tianxia.kernel.record import SPECTATOR
from tianxia.kernel.registry import position
from tianxia.kernel.state import State
from tianxia.tables import sources
from tianxia.tables.clocks import Pace
from tianxia.tables.game_log import Entry, GameLog, wrong_rules
from tianxia.tables.sources import Source
from tianxia.tables.store import Head, Seat

__all__ = ["ClockInfo", "Created", "Entry", "SeatInfo", "SeatPlan", "Snapshot", "Summary"]

SeatKind = Literal["open", "person", "bot"]
Status = Literal["waiting", "playing", "over"]


def spread(plies: Sequence[int], most: int) -> list[int]:
    """Return at most so many of some numbers, evenly, the first and the last among them."""
    if len(plies) <= most:
        return list(plies)
    return [plies[round(n * (len(plies) - 1) / (most - 1))] for n in range(most)]


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """Who is to sit somewhere in a new table.

    Attributes
    ----------
    kind
        ``me``, ``open`` (anybody), a ``bot``; ``held``: somebody who is known by the digest
        `person`; ``kept``: free for one `account` only, which is asked to come.
    name
        Of whom a seat is held or kept for.
    """

    kind: Literal["me", "open", "bot", "held", "kept"]
    bot: str = ""
    person: str = ""
    account: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Created:
    """A new table, and the private keys of the seats that its maker has."""

    table_id: str
    seat_keys: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A seat as everybody may see it.

    Attributes
    ----------
    kind
        ``open``, ``person`` or ``bot``.
    name
        A nickname; empty where nobody gave one, and for bots. Of a bot that plays for
        somebody who has left: that person's.
    bot
        The bot's name, else empty.
    thinking
        Whether it is a bot whose turn it is.
    finished
        Whether it has made its choices in a phase of secret choices that is running.
    reserved
        Whether it is open only for one person: somebody who is challenged, or had a seat in the
        game before (a rematch). The name of a seat that is open to all is of who has declined it.
    stand_in
        Whether another bot moves for the one that sits there, which has failed.
    account
        The id of the account that plays, or has played, for it; empty for guests.
    """

    kind: SeatKind
    name: str
    bot: str
    thinking: bool
    finished: bool
    reserved: bool
    stand_in: bool = False
    account: str = ""


@dataclass(frozen=True, slots=True)
class ClockInfo:
    """A seat's clock as everybody may see it.

    Attributes
    ----------
    left
        Seconds; of a clock that is running, when it began to run. None: there is no clock.
    since, falls
        When it began to run, and when its flag falls; None where it stands.
    away
        Until when the seat is on holiday.
    """

    left: float | None
    since: float | None
    falls: float | None
    away: float


@dataclass(frozen=True, slots=True)
class Summary:
    """A table in a list.

    Attributes
    ----------
    seat
        The asker's own seat, or None.
    your_turn
        Whether he may act.
    falls
        When the next flag falls, of a game that is played over days; else None.
    """

    id: str
    game: str
    spec: str
    status: Status
    ending: str
    seats: tuple[SeatInfo, ...]
    created: float
    updated: float
    public: bool
    seat: int | None
    your_turn: bool
    pace: str = ""
    rated: bool = False
    falls: float | None = None


@dataclass(frozen=True)
class Snapshot:
    """A table at one moment; never changes.

    `state` and `entries` know everything: whatever goes to somebody must be made from
    ``snapshot.view(viewer)`` and ``snapshot.entries_seen(viewer)``.
    """

    _head: Head
    _seats: tuple[Seat, ...]
    _game_log: GameLog
    _notations: Callable[[], tuple[str, ...]] = field(repr=False)

    # --- Facts that everybody may know ---

    @property
    def id(self) -> str:
        """The id of the table."""
        return self._head.id

    @property
    def version(self) -> int:
        """One larger with every change, secret ones too: for the server, not for pages."""
        return self._head.version

    @property
    def game(self) -> Game:
        """The game with its options."""
        return self._game_log.game

    @property
    def status(self) -> Status:
        """``waiting`` (for players), ``playing`` or ``over``."""
        return self._game_log.status  # type: ignore[return-value]

    @property
    def ending(self) -> str:
        """How the game has ended; ``none`` before.

        ``rules``, ``agreement``; ``resignation S``, ``clock S``, ``silence S``: that seat has
        lost; ``clocks``: everybody's time was over; ``called-off`` before every seat had decided
        something; ``closed`` before it began; ``abort``: it could not be played on under new
        rules, and was ended without a result.
        """
        return self._game_log.ending

    @cached_property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; none in a draw, and while the game lasts."""
        how, _, who = self.ending.partition(" ")
        seats = range(self.game.seats)
        if who:
            return tuple(seat for seat in seats if seat != int(who))
        if how != "rules":
            return ()
        utilities = self._game_log.state.utilities()
        best = max(utilities)
        return tuple(seat for seat in seats if utilities[seat] == best > min(utilities))

    # --- Clocks ---

    @property
    def pace(self) -> Pace:
        """How much time players have."""
        return self._game_log.clocks.pace

    @property
    def tournament_id(self) -> str:
        """Of which tournament it is a game; empty: of none."""
        return self._head.tournament_id

    @property
    def rated(self) -> bool:
        """Whether what comes of it counts for the ratings of those who play."""
        return self._head.rated

    @property
    def guided(self) -> bool:
        """Whether this follows, or has followed, the guided first game of its game."""
        return self._head.guided >= 0

    @property
    def course(self) -> int | None:
        """How many actions of a guided game have been played, while it is followed."""
        log, head = self._game_log, self._head
        following = self.guided and len(log.moves) <= len(log.course) < head.guided
        return len(log.moves) if following else None

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """From which finished games its first actions come; none where it began as usual."""
        return sources.read(self._head.sources)

    @property
    def returns(self) -> bool:
        """Whether who comes back has the seat again that a bot has played for him."""
        return self._head.returns

    @cached_property
    def clocks(self) -> tuple[ClockInfo, ...]:
        """The clocks of all seats; they follow from what everybody may know."""
        clocks, bots = self._game_log.clocks, self._game_log.bots
        return tuple(
            ClockInfo(
                clocks.left[seat] if clocks.pace.kind != "none" and seat not in bots else None,
                clocks.since[seat],
                clocks.falls(seat),
                clocks.away[seat],
            )
            for seat in range(self.game.seats)
        )

    @property
    def may_call_off(self) -> bool:
        """Whether a seat may end the game so that nobody has lost."""
        free = self.playable and not self.tournament_id
        return free and self._game_log.may_call_off

    @property
    def substitutes(self) -> frozenset[int]:
        """The seats for which bots play because their people were away."""
        return self._game_log.substitutes

    @property
    def decided(self) -> frozenset[int]:
        """The seats that have openly decided something."""
        return self._game_log.decided

    @property
    def open_to_all(self) -> bool:
        """Whether the game is over, so that everything is shown to everybody."""
        return self.status == "over"

    @property
    def playable(self) -> bool:
        """Whether the rules of this game are those installed; else it can only be seen."""
        return self._game_log.playable

    @property
    def readable(self) -> bool:
        """Whether the rules installed can read the position; else there is none to be shown."""
        return self._game_log.readable

    @property
    def aborting(self) -> frozenset[int]:
        """The seats that want to end without a result what cannot be played on."""
        return self._game_log.aborting

    @property
    def talk(self) -> bool:
        """Whether players can talk here."""
        return self._head.talk

    @property
    def public(self) -> bool:
        """Whether a waiting table is listed for everybody."""
        return self._head.public

    @property
    def created(self) -> float:
        """When the table was made, in seconds since 1970."""
        return self._head.created

    @property
    def updated(self) -> float:
        """When it last changed, secretly or not: for the server, not for pages."""
        return self._head.updated

    @property
    def next_id(self) -> str | None:
        """The id of the rematch, once somebody has asked for it."""
        return self._head.next_id

    @cached_property
    def seats(self) -> tuple[SeatInfo, ...]:
        """All seats, in order."""
        acting, game_log = self._game_log.acting, self._game_log
        running = game_log.phase and self.status == "playing" and game_log.playable
        return tuple(
            SeatInfo(
                kind=seat.kind,  # type: ignore[arg-type]
                name=seat.name,
                bot=seat.bot,
                thinking=seat.kind == "bot" and place in acting,
                finished=running and place not in acting,
                reserved=seat.reserved,
                stand_in=seat.stand_in,
                account=seat.account,
            )
            for place, seat in enumerate(self._seats)
        )

    def kept_for(self, account: str) -> int | None:
        """Return the seat that is kept for an account, None where there is none."""
        kept = (place for place, seat in enumerate(self._seats) if seat.is_kept_for(account))
        return next(kept, None)

    @property
    def acting(self) -> tuple[int, ...]:
        """The seats that may act now: none unless the game is being played."""
        return self._game_log.acting

    @property
    def sealed(self) -> bool:
        """Whether a phase of secret choices is running."""
        return self._game_log.phase and self.status == "playing"

    @property
    def draw_offer(self) -> int | None:
        """The seat that has offered a draw and waits for an answer."""
        return self._game_log.offer.seat if self._game_log.offer else None

    @property
    def take_back_ask(self) -> int | None:
        """The seat that has asked to take back and waits for an answer."""
        return self._game_log.ask.seat if self._game_log.ask else None

    @property
    def chance_hash(self) -> str:
        """The SHA-256 of the secret of chance."""
        return self._head.chance_hash

    @property
    def chance_secret(self) -> str | None:
        """The secret of chance, once the game is over."""
        return self._head.chance_secret if self.open_to_all else None

    def wants_seed(self, seat: int | None) -> bool:
        """Say whether a seat has not added its seed yet, before the game."""
        if seat is None or self.status != "waiting" or not self._head.seeded:
            return False
        return self._seats[seat].kind == "person" and not self._seats[seat].seed

    @property
    def chance_seeds(self) -> tuple[str, ...]:
        """What each seat has added to the secret."""
        return tuple(seat.seed for seat in self._seats)

    # --- What seats may do ---

    def decision(self, seat: int) -> int:
        """Return the number of a seat's decision, to send along with its actions.

        It grows with the seat's own batches and with what others do openly; what they do
        in secret never changes it.
        """
        return self._game_log.decisions[self.game.check_seat(seat)]

    @property
    def decided_by_people(self) -> int:
        """How often somebody who is not a bot has openly done something."""
        people = {place for place, seat in enumerate(self._seats) if seat.kind == "person"}
        return sum(entry.seat in people for entry in self.entries_seen(SPECTATOR))

    def may_take_back(self, seat: int) -> bool:
        """Say whether a seat may take back without asking anybody (bots agree at once)."""
        return self._game_log.may_take_back(self.game.check_seat(seat))

    def may_ask_take_back(self, seat: int) -> bool:
        """Say whether a seat may ask the others to take back."""
        return self._game_log.may_ask(self.game.check_seat(seat))

    def sets_up_anew(self, seat: int) -> bool:
        """Say whether taking back leads into secret choices that it began with: its set-up."""
        return self._game_log.sets_up_anew(self.game.check_seat(seat))

    def may_offer_draw(self, seat: int) -> bool:
        """Say whether a seat may offer a draw now."""
        return self._game_log.may_offer(self.game.check_seat(seat))

    def may_abort(self, seat: int) -> bool:
        """Say whether a seat may ask to end the game without a result, or agree to that."""
        return self._game_log.may_abort(self.game.check_seat(seat))

    def standing(self, seat: int) -> frozenset[str]:
        """Return the names of the answers that a seat has given in advance: for it alone."""
        return frozenset(self._seats[self.game.check_seat(seat)].standing.split())

    def goes_on_without(self, seat: int) -> bool:
        """Say whether a bot would play on for a seat that is given up."""
        return self._game_log.goes_on_without(self.game.check_seat(seat))

    def must_answer(self, seat: int) -> Literal["draw", "take-back"] | None:
        """Say which question a seat has not answered yet."""
        seat = self.game.check_seat(seat)
        game_log = self._game_log
        if game_log.offer and seat in game_log.unanswered(game_log.offer):
            return "draw"
        return "take-back" if game_log.ask and seat in game_log.unanswered(game_log.ask) else None

    # --- What viewers may know ---

    def view(self, viewer: int) -> State:
        """Return what a seat (or SPECTATOR) may know now; once the game is over, all of it.

        Raises
        ------
        Unplayable
            Where the rules installed cannot read the position.
        """
        if not self.readable:
            raise wrong_rules()
        state = self._game_log.state
        if state.viewer is not None or self.open_to_all:
            return state.clone()
        return state.view(viewer)

    def course_seen(self, viewer: int, most: int) -> list[State]:
        """Return what a viewer could see in the course of the game, in at most so many positions.

        They are spread evenly over what happened openly, the first and the last among them, so how
        many they are, and which, tells nothing of what others do in secret. Once the game is over
        all of it is shown.

        Raises
        ------
        Unplayable
            Where the rules installed cannot read the positions.
        """
        if not self.readable:
            raise wrong_rules()
        notations = self._notations() or (self._game_log.notation(),)
        if self.open_to_all:
            return [position(notations[ply]) for ply in spread(range(len(notations)), most)]
        self.game.check_seat(viewer, SPECTATOR)
        # Where they stand now: somebody may have taken back in secret what was before them.
        moves = enumerate(self._game_log.moves, 1)
        open_to_him = [ply for ply, move in moves if move.public or not self.playable]
        past = [position(notations[ply]) for ply in spread([0, *open_to_him], most)]
        return [state if state.viewer is not None else state.view(viewer) for state in past]

    def entries_seen(self, viewer: int) -> tuple[Entry, ...]:
        """Return the log as a seat (or SPECTATOR) has seen it, in numbers of its own.

        What others do in secret is not in it until they have finished; actions are None
        where they were not seen. Once the game is over this is the whole log.
        """
        if self.open_to_all:
            return self.entries
        self.game.check_seat(viewer, SPECTATOR)
        return tuple(self._game_log.views[viewer])

    # --- All of it ---

    @property
    def state(self) -> State:
        """The position with all that is hidden: a copy. Take views of it for anybody."""
        return self._game_log.state.clone()

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The whole log."""
        return tuple(self._game_log.entries)

    @property
    def epoch(self) -> int:
        """How often something was taken back."""
        return self._game_log.epoch

    @cached_property
    def plies_notations(self) -> tuple[str, ...]:
        """Of a finished game: the start's notation, then that after every action.

        They were stored while the game was played, so they need no rules.
        """
        return self._notations() or (self._game_log.notation(),) if self.open_to_all else ()

    def walk(self) -> Iterator[tuple[Entry, State]]:
        """Yield every entry with the full position before it, those taken back included.

        Needs the rules of the game; of a table that is not `playable` nothing is yielded.
        """
        if not self.playable:
            return
        past: dict[int, tuple[int, int]] = {}
        state = self.game.new()
        for entry in self.entries:
            yield entry, state.clone()
            if entry.undone:
                for number in entry.undone:
                    del past[number]
                state = self.game.new()
                for actor, action in past.values():
                    state.apply(action, actor)
            elif entry.action is not None and entry.seat is not None:
                past[entry.number] = (entry.seat, entry.action)
                state.apply(entry.action, entry.seat)
